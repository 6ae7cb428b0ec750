"""Measures a simulated fleet: 1 to 64 crawls on one PostgreSQL server, the real frontier over a fake network.

What a claim, the links of a page and a commit really take; how many pages a second the fleet then asks, and
what holds it back: the pauses of the hosts, the machines that read, or the one writer of the database. And
what a join, a leave and a kill of one worker move.
"""

import gc
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import sqlalchemy as sa

from benchmarks.corpora.fake_network import MEAN_SECONDS, FakeNetwork
from benchmarks.corpora.filled import host
from benchmarks.corpora.filled_server import address_of, fill_server, hosts_of
from benchmarks.frontier import FEWEST, SEED
from benchmarks.instruments.plot import Curve, require_folder, write_plot
from benchmarks.instruments.row import Row, report_progress
from benchmarks.instruments.simulated_fleet import READ_SECONDS, Call, Fleet
from engine.config import SiteConfig
from engine.database import hosts, open_database
from engine.errors import EngineError
from engine.frontier import HostShare
from engine.frontier.politeness import MAX_JITTER, PACES
from engine.frontier.sites import build_sites

WORKERS = (1, 2, 4, 8, 16, 32, 64)
APART = 0.5  # simulated seconds from one join to the next
SETTLE = 10.0  # after a join and after a leave: each host waits for a pause
WINDOW = 10.0  # simulated seconds that count
LOOK = 0.25  # between looks at the leases
LONGEST = 120.0  # simulated seconds that a hand-over is waited for
MICRO = 1e6
TINY = 1e-3  # in the place of nothing, where the plot has logarithms
PAUSE = PACES["polite"].pause * (1 + MAX_JITTER / 2)  # seconds, on average


@dataclass(frozen=True, slots=True)
class Stage:
    """What so many workers did in a window."""

    workers: int
    seconds: float
    pages: int
    calls: Sequence[Call]

    @property
    def rate(self) -> float:
        """Pages a simulated second."""
        return max(self.pages, TINY) / self.seconds

    @property
    def held(self) -> float:
        """Seconds in which the write lock was held."""
        return sum(call.cost.held for call in self.calls)

    @property
    def writes(self) -> float:
        """Pages a second if somebody writes all the time."""
        return max(self.pages, 1) / max(self.held, TINY)

    def take(self, kind: str) -> float:
        """Seconds of one kind of call."""
        return sum(call.cost.seconds for call in self.calls if call.kind == kind)

    def count(self, kind: str) -> int:
        """What these calls gave."""
        return sum(call.given for call in self.calls if call.kind == kind)


def rows(url: str, known: int, workers: Sequence[int], plot: Path | None) -> Iterator[Row]:
    """Figures for each number of workers, then those of a leave and of a kill; then the plot.

    Raises EngineError without a URL of an empty database, for fewer URLs than FEWEST, or a plot that cannot
    be written.
    """
    if not url:
        raise EngineError("name an empty database of a server with --database postgresql://...")
    if known < FEWEST:
        raise EngineError(f"--urls {known} is too few: name {FEWEST} at least")
    if plot:
        require_folder(plot)
    report_progress(f"{known:,} known URLs on {hosts_of(known):,} hosts")
    stages = []
    with closing(make_fleet(url, known)) as fleet:
        for number in sorted(workers):
            report_progress(f"{number} workers")
            yield from _grow(fleet, number)
            stages.append(_measure(fleet))
            yield from _rows(stages[-1])
        if len(fleet.workers) > 1:
            yield from _end(fleet, "leave")
        if len(fleet.workers) > 1:
            yield from _end(fleet, "kill")
        yield Row("fleet.info.shortest_pause", find_shortest_pause(fleet))
    if plot:
        write_plot(plot, f"Pages a second by workers, {hosts_of(known):,} hosts", _curves(stages, known))


def make_fleet(url: str, known: int, charge: float = 1.0) -> Fleet:
    """Fills the database, and makes a fleet of it that has no workers yet."""
    sites = build_sites([SiteConfig((f"{host(0)}/",), scope="any")])
    number = hosts_of(known)
    fill_server(url, known, sites.digest)
    addresses = {host(one): address_of(one) for one in range(number)}
    return Fleet(url, sites, FakeNetwork(number, known // number, SEED), addresses.__getitem__, charge=charge)


def load_leases(url: str) -> Mapping[int, int]:
    """Loads which run holds which host, by the hosts' ids."""
    engine = open_database(url)
    with engine.connect() as connection:
        held = connection.execute(sa.select(hosts.c.id, hosts.c.lease).where(hosts.c.lease.is_not(None)))
        leases = {row.id: row.lease for row in held}
    engine.dispose()
    return leases


def is_handed_over(fleet: Fleet) -> bool:
    """Tells whether each host is leased by the run whose share it is, or by none and nothing waits there."""
    runs = tuple(sorted(worker.crawl.run.id for worker in fleet.workers))
    owners = {bucket: run for run in runs for bucket in HostShare(run, runs).buckets}
    engine = open_database(fleet.url)
    with engine.connect() as connection:
        rows = connection.execute(sa.select(hosts.c.place, hosts.c.lease, hosts.c.called)).all()
    engine.dispose()
    return all(not row.called if row.lease is None else row.lease == owners[row.place] for row in rows)


def find_shortest_pause(fleet: Fleet) -> float:
    """Finds the shortest time between two requests to one host, whoever asked."""
    last: dict[str, float] = {}
    shortest = math.inf
    for request in sorted(fleet.network.asked):
        shortest = min(shortest, request.at - last.get(request.host, -math.inf))
        last[request.host] = request.at
    return shortest


def _grow(fleet: Fleet, number: int) -> Iterator[Row]:
    """Lets workers join until there are so many; figures for the last that joined."""
    while len(fleet.workers) < number - 1:
        fleet.join()
        fleet.run(fleet.now + APART)
    if len(fleet.workers) == number:
        return
    if fleet.workers:
        _wait(fleet, LONGEST, lambda: is_handed_over(fleet))
        fleet.run(fleet.now + SETTLE)
    before, began = load_leases(fleet.url), fleet.now
    fleet.calls.clear()
    pages = fleet.pages
    newcomer = fleet.join()
    fleet.run(newcomer.next_at)  # with a hundred thousand hosts it opens for a while
    _wait(fleet, LONGEST, lambda: is_handed_over(fleet))
    yield Row(f"fleet.join.seconds.{number}", fleet.now - began)
    yield Row(f"fleet.join.pages.{number}", (fleet.pages - pages) / (fleet.now - began))
    fleet.run(fleet.now + SETTLE)
    after = load_leases(fleet.url)
    by_kind = {kind: [call.cost for call in fleet.calls if call.kind == kind] for kind in ("open", "claim")}
    yield Row(f"fleet.join.open.{number}", sum(cost.seconds for cost in by_kind["open"]))
    yield Row(f"fleet.join.held.{number}", max(cost.held for cost in by_kind["claim"]))
    if before:
        moved = sum(after.get(one) != run for one, run in before.items())
        yield Row(f"fleet.join.moved.{number}", moved / len(before))
    asked = [one.at - began for one in fleet.network.asked if one.run == newcomer.crawl.run.id]
    yield from (Row(f"fleet.join.first.{number}", first) for first in sorted(asked)[:1])


def _measure(fleet: Fleet) -> Stage:
    # One process has the objects of all workers: looking for garbage among them would stop the one at work.
    gc.collect()
    gc.freeze()
    gc.disable()
    fleet.calls.clear()
    pages, began = fleet.pages, fleet.now
    fleet.run(began + WINDOW)
    gc.enable()
    return Stage(len(fleet.workers), WINDOW, fleet.pages - pages, [*fleet.calls])


def _rows(stage: Stage) -> Iterator[Row]:
    number, pages = stage.workers, max(stage.pages, 1)
    spent = sum(call.cost.seconds for call in stage.calls if call.kind != "add")
    yield Row(f"fleet.pages.{number}", stage.rate)
    yield Row(f"fleet.claim.{number}", stage.take("claim") / max(stage.count("claim"), 1) * MICRO)
    yield Row(f"fleet.add.{number}", stage.take("add") / pages * MICRO)
    yield Row(f"fleet.write.{number}", stage.held / pages * MICRO)
    yield Row(f"fleet.info.statements.{number}", sum(call.cost.statements for call in stage.calls) / pages)
    yield Row(f"fleet.info.writes.{number}", stage.writes)
    yield Row(f"fleet.info.held.{number}", stage.held / stage.seconds)
    yield Row(f"fleet.info.asking.{number}", (spent - stage.held) / stage.seconds)


def _end(fleet: Fleet, how: str) -> Iterator[Row]:
    """Figures for the end of one worker: seconds until its hosts are leased, and until one is asked again."""
    gone, began = fleet.workers[0], fleet.now
    run = gone.crawl.run.id
    left = {one for one, lease in load_leases(fleet.url).items() if lease == run}
    names = {host(one - 1) for one in left}
    (fleet.kill if how == "kill" else fleet.leave)(gone)
    _wait(fleet, 4 * SETTLE, lambda: _have_leases(fleet, left, run))
    yield Row(f"fleet.{how}.leased", fleet.now - began)
    fleet.run(fleet.now + SETTLE)
    asked = [one for one in fleet.network.asked if one.host in names and one.run != run]
    again = [one.at - began for one in asked if one.at > began]
    yield from (Row(f"fleet.{how}.asked", first) for first in sorted(again)[:1])


def _have_leases(fleet: Fleet, left: set[int], run: int) -> bool:
    """Tells whether others hold these hosts."""
    leases = load_leases(fleet.url)
    return all(leases.get(one, run) != run for one in left)


def _wait(fleet: Fleet, most: float, is_done: Callable[[], bool]) -> None:
    """Runs until it is done, by what the database says, or for so many simulated seconds."""
    until = fleet.now + most
    while fleet.now < until:
        fleet.run(fleet.now + LOOK)
        if is_done():
            break


def _curves(stages: Sequence[Stage], known: int) -> Sequence[Curve]:
    polite = hosts_of(known) / (MEAN_SECONDS + PAUSE)
    return [
        Curve("the fleet", [(stage.workers, stage.rate) for stage in stages]),
        Curve("one writer at a time", [(stage.workers, stage.writes) for stage in stages]),
        Curve(
            "machines that read",
            [(stage.workers, stage.workers / READ_SECONDS) for stage in stages],
            dashed=True,
        ),
        Curve("pauses of the hosts", [(stage.workers, polite) for stage in stages], dashed=True),
    ]
