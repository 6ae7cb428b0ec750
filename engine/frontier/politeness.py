"""Computes the pause between requests to a host: arithmetic on seconds, no clock (docs/decisions.md, C33)."""

import math
from dataclasses import dataclass

from engine.url import machine_network

MAX_PAUSE = 300.0  # seconds; back-off stops growing here
FIRST_BACKOFF = 1.0  # seconds; where a host without a pause starts to back off
SUSPEND_AFTER = 5  # failures in a row, after which a host rests
SUSPEND_SECONDS = 900.0
SHARED = 0.2  # of a pause: between requests to hosts that answer from one address, one machine perhaps
MAX_JITTER = 0.5  # a pause is drawn out by up to half, so that visits do not march in step

SLOW_START_REQUESTS = 2  # requests to one host after a kill
SLOW_START_SECONDS = 60.0  # who lives longer than that is killed no more often than others


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of one host: seconds from start to start, and how many requests at once."""

    pause: float
    max_requests: int = 1
    owner_timing: bool = True  # robots.txt says when and how fast; not where the operator is the owner


PACES = {
    "polite": Pace(5.0),
    "brisk": Pace(1.0),
    "strict": Pace(15.0),
    "own": Pace(0.0, max_requests=8, owner_timing=False),
}


def compute_pause(
    pace: Pace, response_seconds: float, crawl_delay: float | None, fails: int, draw: float
) -> float:
    """Computes the seconds from the start of one request to the next (C33; requirements 191, 264, 312).

    `response_seconds` is how long the host took last, `fails` its failures in
    a row (each doubles the pause), `draw` a random number from 0 to 1.
    """
    seconds = pace.pause
    if pace.pause:
        seconds = max(seconds, 2 * response_seconds, (pace.owner_timing and crawl_delay) or 0.0)
        seconds *= 1 + MAX_JITTER * draw
    if fails:
        # The cap never shortens what the owner asked for.
        backed_off: float = max(seconds, FIRST_BACKOFF) * 2.0 ** min(fails, 16)
        seconds = max(seconds, min(backed_off, MAX_PAUSE))
    return seconds


class SlowStart:
    """Limits the requests to one host at once, whoever owns it: fewer for a while after a kill.

    What is under way at a kill has to be asked again. Who was killed may soon be killed again, by whatever
    did it (too little memory, a machine that goes off), and with fewer under way needs less of that, too.
    """

    def __init__(self) -> None:
        self._until = 0.0

    def begin(self, now: float) -> None:
        """Begins the slow start: the crawl that this one continues was killed."""
        self._until = now + SLOW_START_SECONDS

    def max_requests(self, now: float) -> float:
        """Returns the most requests to one host at once."""
        return SLOW_START_REQUESTS if now < self._until else math.inf


class MachineDelays:
    """The times at which machines may be asked again, whichever host it is for; a number for each.

    All hosts of a machine together, their robots.txt included, are asked 1 / SHARED = five times as often
    as one of them would be.
    """

    def __init__(self) -> None:
        self._until: dict[str, float] = {}

    def ready_at(self, address: str) -> float:
        """Returns when a machine may be asked again, in seconds since 1970."""
        return self._until.get(machine_network(address), 0.0)

    def record_contact(self, address: str, pace: Pace, now: float) -> None:
        """Records that a request begins or is answered: only then the machine has surely seen it."""
        if address and pace.pause:
            self._until[machine_network(address)] = max(self.ready_at(address), now + SHARED * pace.pause)
