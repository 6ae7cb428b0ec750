"""Crawls of several machines on one database server, in one process and on one clock that jumps.

Each worker is a real crawl with its own connections, run and lock; only the network is fake. What a call of
the crawl takes is charged to its worker's time, and while it writes to all that want to write meanwhile: so
the simulated fleet slows down where a real one would.
"""

import heapq
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import sqlalchemy as sa

from benchmarks.corpora.fake_network import FakeNetwork
from benchmarks.corpora.filled import EPOCH
from benchmarks.instruments.call_meter import CallMeter, Cost
from engine.crawl import Crawl, Limits
from engine.database.run_locks import ServerRunLocks
from engine.frontier import Lookup, NewUrl, Sites
from engine.model.page import Fetch
from engine.settings import CONCURRENT_REQUESTS
from engine.store.page_store import Store

READ_SECONDS = 1 / 494  # of a machine for a page that is read and stored: docs/benchmarks.md, Crawling
POLL_SECONDS = 0.25  # to the next claim, where nothing says more
TICK = 0.001  # seconds to the next claim, at least


class Call(NamedTuple):
    """A call of a crawl, and what it took."""

    kind: str  # open, claim, answer, close; add: a part of an answer or of opening
    cost: Cost
    given: int = 1  # claims that were given, links that were new; of the others 1


@dataclass
class Fleet:
    """Workers of one database. `charge`: how much of what calls take counts; 0.0: nothing takes time."""

    url: str
    sites: Sites
    network: FakeNetwork
    look_up: Lookup
    limits: Limits = Limits()
    charge: float = 1.0
    now: float = EPOCH + 60.0  # seconds since 1970
    workers: list["Worker"] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    meter: CallMeter = field(default_factory=CallMeter)
    pages: int = 0
    writable_at: float = 0.0  # the write lock is held until then
    _turns: list[tuple[float, int, "Worker"]] = field(default_factory=list)
    _number: Iterator[int] = field(default_factory=itertools.count)

    def join(self) -> "Worker":
        """Starts one more worker."""
        worker = Worker(self)
        self.workers.append(worker)
        self._schedule(worker)
        return worker

    def leave(self, worker: "Worker") -> None:
        """Stops a worker in order: once what is under way has come back."""
        worker.is_leaving, worker.turn_at = True, self.now
        self._schedule(worker)

    def kill(self, worker: "Worker") -> None:
        """Ends a worker and its connections; what it had not committed is lost, what was not sent is not."""
        self.workers.remove(worker)
        self.network.forget(worker.crawl.run.id, self.now)
        worker.disconnect()

    def run(self, until: float) -> None:
        """Runs all workers until a time, or until none is left."""
        while self._turns and self._turns[0][0] <= until:
            at, _, worker = heapq.heappop(self._turns)
            if worker not in self.workers or at != worker.next_at:
                continue  # killed, or listed anew meanwhile
            self.now = at
            worker.act()
            self._schedule(worker)
        if self.workers:
            self.now = until

    def close(self) -> None:
        """Kills all."""
        for worker in [*self.workers]:
            self.kill(worker)
        self.meter.close()

    def wait_to_write(self, held: float) -> float:
        """Takes the write lock for so many seconds as soon as it is free; returns the seconds until then."""
        wait = max(0.0, self.writable_at - self.now) if held else 0.0
        self.writable_at = self.now + wait + held if held else self.writable_at
        return wait

    def _schedule(self, worker: "Worker") -> None:
        if worker in self.workers:
            heapq.heappush(self._turns, (worker.next_at, next(self._number), worker))


class Worker:
    """One crawl: it claims URLs while it has connections left, and takes back what comes."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet
        self._locks = ServerRunLocks(fleet.url)
        self._store = Store(fleet.url)
        draw = fleet.network.rng.random
        self.crawl = Crawl(self._store, fleet.sites, fleet.limits, self._clock, draw, locks=self._locks)
        vars(self.crawl.frontier)["add"] = partial(self._add, self.crawl.frontier.add)
        self.is_leaving = False
        self._under_way: list[tuple[float, int, Fetch]] = []
        self._number = itertools.count()
        self._busy_until = fleet.now
        fleet.meter.begin()
        self.crawl.open(fleet.look_up)
        self._charge("open")
        self.turn_at = self._busy_until  # math.inf: nothing can be claimed before something comes back

    @property
    def next_at(self) -> float:
        """When it acts next."""
        due = min(self.turn_at, self._under_way[0][0] if self._under_way else math.inf)
        return max(due, self._busy_until)

    def act(self) -> None:
        """Takes back what has come, or claims."""
        if self._under_way and self._under_way[0][0] <= self.turn_at:
            self._take_back(heapq.heappop(self._under_way)[2])
        elif not self.is_leaving:
            self._claim()
        elif self._under_way:
            self.turn_at = math.inf
        else:
            self._end("shutdown")

    def disconnect(self) -> None:
        """Ends all connections, and with them the run's lock."""
        self._locks.close()
        self._store.close()

    def _claim(self) -> None:
        self._fleet.meter.begin()
        claim = self.crawl.claim()
        self._charge("claim", given=int(claim is not None))
        if claim:
            fetch = self._fleet.network.send(claim, self.crawl.run.id, self._busy_until)
            heapq.heappush(self._under_way, (fetch.at + fetch.seconds, next(self._number), fetch))
            has_room = len(self._under_way) < CONCURRENT_REQUESTS
            self.turn_at = self._busy_until if has_room else math.inf
        elif not self._under_way and self.crawl.is_finished():
            self._end("finished")
        else:
            wait = self.crawl.seconds_to_next()
            usual = math.inf if self._under_way else POLL_SECONDS
            self.turn_at = self._busy_until + (usual if wait is None else max(wait, TICK))

    def _take_back(self, fetch: Fetch) -> None:
        met, visit = self._fleet.network.read(fetch)
        list(self.crawl.discovery.new_urls([met]))  # it remembers them
        self._fleet.meter.begin()
        self.crawl.record_response(fetch)
        self.crawl.finish(self.crawl.walk.decide(visit))
        self._charge("answer")
        self._busy_until += READ_SECONDS * self._fleet.charge
        self._fleet.pages += 1
        self.turn_at = self._busy_until

    def _end(self, reason: str) -> None:
        self._fleet.meter.begin()
        self.crawl.close(reason)
        self._charge("close")
        self._fleet.kill(self)

    def _add(
        self,
        add: Callable[[sa.Connection, Sequence[NewUrl], float], int],
        connection: sa.Connection,
        found: Iterable[NewUrl],
        now: float,
    ) -> int:
        """Times the part of a commit that queues links."""
        some = list(found)
        before = self._fleet.meter.spent()
        new = add(connection, some, now)
        cost = Cost(self._fleet.meter.spent() - before, 0.0, 0)
        self._fleet.calls.append(Call("add", cost, new))
        return new

    def _clock(self) -> float:
        return self._fleet.now

    def _charge(self, kind: str, given: int = 1) -> None:
        """Charges what a call has taken, and for the write lock the turns of others."""
        cost, charge = self._fleet.meter.end(), self._fleet.charge
        self._fleet.calls.append(Call(kind, cost, given))
        wait = self._fleet.wait_to_write(cost.held * charge)
        self._busy_until = self._fleet.now + wait + cost.seconds * charge
