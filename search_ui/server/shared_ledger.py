"""Counts for several processes that serve on one socket: the shares of a client hold over all of them.

A worker has a number, from 0, while it lives; the next one may have it after it. Whatever they share is made
before they are forked.
"""

import time
from collections.abc import Callable, Hashable
from math import inf
from struct import pack
from typing import cast

from search_ui.server.clients import NetworkKey
from search_ui.server.connections import MAX_CONNECTIONS, PROXIES, SPARE, ConnectionCounts
from search_ui.server.ledger import Ledger, Share
from search_ui.server.limits import MAX_CLIENTS, Bucket, TokenBuckets
from search_ui.server.shared_metrics import MetricsMemory, SharedRequestMetrics
from search_ui.server.shared_table import WAYS, Record, SharedTable

# Half of the places stay free where all clients come that are remembered, so that few sets are full: 0.6 MB.
CLIENT_SETS = 2 * MAX_CLIENTS // WAYS
WORKER_SETS = 2 * (MAX_CONNECTIONS + SPARE) // WAYS  # each connection may be of another client


class SharedMemory:
    """The memory behind the ledgers of so many workers."""

    def __init__(self, workers: int) -> None:
        self.shares = {share: SharedTable(CLIENT_SETS, "d") for share in Share}
        self.connections = SharedTable(WORKER_SETS * workers, f"{workers}H")
        self.metrics = MetricsMemory(workers)
        self.workers = workers

    def forget_connections(self, worker: int) -> None:
        """Forgets the connections of a worker that has ended."""

        def drop(record: Record) -> Record | None:
            return _count_connections(record.values, worker, -int(record.values[worker]))

        self.connections.change_all(drop)


class SharedLedger(Ledger):
    """The counts of one worker, which hold over all."""

    def __init__(
        self, memory: SharedMemory, worker: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(clock)
        self._memory = memory
        self.metrics = SharedRequestMetrics(memory.metrics, worker)
        self.connections = SharedConnectionCounts(memory, worker)

    def limit(self, share: Share, rate: float, burst: int) -> TokenBuckets:
        """Makes the buckets for a share."""
        return SharedTokenBuckets(rate, burst, self.clock, self._memory.shares[share])


class SharedTokenBuckets(TokenBuckets):
    """A token bucket for each client of several processes, whose clocks are the same."""

    def __init__(self, rate: float, burst: int, clock: Callable[[], float], table: SharedTable) -> None:
        super().__init__(rate, burst, clock)
        self._table = table

    def take(self, client: NetworkKey) -> float:
        """Takes a token; returns 0, or in how many seconds there is one again, and takes none."""
        now, wait = self._clock(), 0.0

        def draw(record: Record | None) -> Record:
            nonlocal wait
            bucket, wait = self._draw(record and _read_bucket(record), now)
            return Record(bucket.at, (bucket.requests,))

        self._table.change(_encode_client(client), draw)
        return wait

    def put_back(self, client: NetworkKey) -> None:
        """Puts the last token back."""

        def give(record: Record | None) -> Record | None:
            return record and Record(record.rank, (self._return(_read_bucket(record)).requests,))

        self._table.change(_encode_client(client), give)


class SharedConnectionCounts(ConnectionCounts):
    """Counts the connections of each client over all workers, and which of them are this one's."""

    def __init__(self, memory: SharedMemory, worker: int) -> None:
        super().__init__()
        self._memory = memory
        self._worker = worker

    def count(self, client: Hashable) -> int:
        """Counts the connections of a client."""
        counted = 0

        def read(record: Record | None) -> Record | None:
            nonlocal counted
            counted = int(sum(record.values)) if record else 0
            return record

        self._memory.connections.change(_encode_client(client), read)
        return counted

    def add(self, client: Hashable, limit: float) -> bool:
        """Counts one more, and tells whether there were fewer than `limit`; else counts none."""
        is_added = True

        def seat(record: Record | None) -> Record | None:
            nonlocal is_added
            values = record.values if record else self._memory.workers * (0,)
            is_added = sum(values) < limit
            return _count_connections(values, self._worker, int(is_added))

        self._memory.connections.change(_encode_client(client), seat)
        return is_added

    def remove(self, client: Hashable) -> None:
        """Counts one less."""

        def leave(record: Record | None) -> Record | None:
            return record and _count_connections(record.values, self._worker, -1)

        self._memory.connections.change(_encode_client(client), leave)


def _read_bucket(record: Record) -> Bucket:
    return Bucket(record.values[0], record.rank)


def _count_connections(values: tuple[float, ...], worker: int, change: int) -> Record | None:
    """Counts connections of a worker; None where no worker has any of that client any more."""
    counts = [int(value) for value in values]
    counts[worker] = max(0, counts[worker] + change)
    return Record(inf, tuple(counts)) if any(counts) else None


def _encode_client(client: Hashable) -> bytes:
    if client == PROXIES:
        return b"proxies"
    version, number = cast("NetworkKey", client)
    return pack("<BQ", version + 1, number)
