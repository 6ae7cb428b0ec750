"""A network without wires: every URL of the filled hosts answers, after a while, with a page of 70 links."""

import math
import random
from collections import Counter
from dataclasses import replace
from typing import NamedTuple

from benchmarks.corpora.filled import host
from benchmarks.corpora.filled_server import address_of
from benchmarks.frontier import make_page
from engine.model.page import Claim, Fetch, State, Visit

MEDIAN_SECONDS, SPREAD, MOST_SECONDS = 0.2, 0.8, 10.0  # of an answer's latency, which is log-normal
MEAN_SECONDS = MEDIAN_SECONDS * math.exp(SPREAD**2 / 2)
CONTENT_BYTES = 4_000  # of a page, packed, which is usual
NEAR_KEYS = 6


class SentRequest(NamedTuple):
    """A request as its host sees it: who asks, when."""

    at: float  # seconds since 1970
    host: str
    url: str
    run: int


class FakeNetwork:
    """Hosts with `each` URLs. `asked` has every request in the order in which they were sent."""

    def __init__(self, hosts: int, each: int, seed: int) -> None:
        self.asked: list[SentRequest] = []
        self.rng = random.Random(seed)
        self._hosts, self._each = hosts, each
        self._answered: Counter[int] = Counter()  # pages by host
        self._number_of = {host(number): number for number in range(hosts)}

    def send(self, claim: Claim, run: int, at: float) -> Fetch:
        """Sends a request; returns its answer, which is here after the answer's `seconds`."""
        self.asked.append(SentRequest(at, claim.host, claim.url, run))
        seconds = min(self.rng.lognormvariate(math.log(MEDIAN_SECONDS), SPREAD), MOST_SECONDS)
        return Fetch(claim, 200, at=at, seconds=seconds, address=address_of(self._number_of[claim.host]))

    def forget(self, run: int, after: float) -> None:
        """Takes back what a run that is killed at this time was about to send."""
        self.asked = [one for one in self.asked if one.run != run or one.at <= after]

    def read(self, fetch: Fetch) -> tuple[Visit, Visit]:
        """Reads the page that came, with the links that a crawl under way has met before, and with all."""
        number = self._number_of[fetch.claim.host]
        nth = number + self._hosts * self._answered[number]
        met, whole = make_page(self.rng, nth, self._hosts, self._each)
        self._answered[number] += 1
        assert whole.reading
        fingerprint, content = self.rng.randbytes(16), self.rng.randbytes(CONTENT_BYTES)
        near = [self.rng.getrandbits(63) for _ in range(NEAR_KEYS)]
        reading = replace(whole.reading, fingerprint=fingerprint, content=content, near=near)
        return met, Visit(fetch, State.STORED, reading=reading)
