"""Counts requests, and what clients have used of their shares of a server."""

import time
from collections.abc import Callable
from enum import Enum, auto

from search_ui.server.connections import ConnectionCounts
from search_ui.server.limits import TokenBuckets
from search_ui.server.metrics import RequestMetrics


class Share(Enum):
    """What a client may have only so much of."""

    REQUESTS = auto()  # of any kind
    SUBMISSIONS = auto()
    WRONG_TOKENS = auto()  # of programs
    CHECKS = auto()  # of whose a host is


class Ledger:
    """The counts of a server that is one process; `clock` is in seconds."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.metrics = RequestMetrics()
        self.connections = ConnectionCounts()

    def limit(self, share: Share, rate: float, burst: int) -> TokenBuckets:
        """Makes the buckets for a share."""
        return TokenBuckets(rate, burst, self.clock)
