"""The frontier over the crawl database: breadth first, fair between hosts, polite to each.

In the database stands every URL; in memory only one line a host, with the next
few URLs of it. So the cost of a claim does not grow with the crawl, and a
killed crawl has lost nothing: what was claimed is still queued.
"""

import heapq
import itertools
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from engine.frontier.politeness import PARK_AFTER, PARK_SECONDS, Pace, pause
from engine.page import Claim, Kind, State
from engine.robots import AGENT, RobotsState
from engine.store.packing import pack_robots, unpack_robots
from engine.store.tables import hosts, pages, urls
from engine.url import host_of

LINE_LENGTH = 64  # URLs of a host in memory


class Found(NamedTuple):
    """A URL to be queued: where it was found, how deep, after how many redirects."""

    url: str
    depth: int = 0
    parent_id: int | None = None
    hops: int = 0


@dataclass(slots=True)
class HostLine:
    """One host's place in the order: its next URLs, and when it may be asked again."""

    id: int
    host: str
    pace: Pace
    robots: RobotsState | None
    urls: deque[Claim] = field(default_factory=deque)
    in_flight: int = 0
    asked_at: float = 0.0  # start of the last request
    failed_at: float = -1.0
    fails: int = 0  # of the host, in a row
    parked: bool = False  # down or unreadable robots.txt: no reason for a crawl to stay
    ready_at: float = 0.0
    listed: bool = False  # has its place in the heap
    taken: set[int] = field(default_factory=set)  # in memory or under way, not yet committed


class Frontier:
    """Add URLs, claim those that may be asked now, say when one is done. Times are seconds since 1970."""

    def __init__(self, engine: sa.Engine, pace_of: Callable[[str], Pace], draw: Callable[[], float]) -> None:
        self._engine = engine
        self._pace_of = pace_of
        self._draw = draw
        self._lines: dict[str, HostLine] = {}
        self._heap: list[tuple[float, int, HostLine]] = []
        self._turn = itertools.count()  # first come, first served among hosts that are ready

    def load(self, admits: Callable[[str], bool]) -> int:
        """List the hosts that have queued URLs and that the crawl admits; how many URLs wait there."""
        count = sa.func.count()
        query = (
            sa.select(hosts.c.host, count)
            .join(urls, urls.c.host_id == hosts.c.id)
            .where(urls.c.state == State.QUEUED)
            .group_by(hosts.c.host)
        )
        with self._engine.connect() as connection:
            waiting = [(host, number) for host, number in connection.execute(query) if admits(host)]
            self._wake(connection, (host for host, _ in waiting))
        return sum(number for _, number in waiting)

    def add(self, connection: sa.Connection, found: Sequence[Found], now: float) -> int:
        """Queue URLs that are not known yet, and give their hosts a turn; how many were new."""
        if not found:
            return 0
        ids = self._host_ids(connection, {host_of(one.url) for one in found})
        rows = [
            {
                "url": one.url,
                "host_id": ids[host_of(one.url)],
                "state": State.QUEUED,
                "depth": one.depth,
                "hops": one.hops,
                "parent_id": one.parent_id,
                "found_at": now,
            }
            for one in found
        ]
        new = connection.execute(insert(urls).on_conflict_do_nothing(), rows).rowcount
        self._wake(connection, ids)
        return new

    def _wake(self, connection: sa.Connection, names: Iterable[str]) -> None:
        for name in names:
            line = self._lines.get(name)
            if line is None:
                line = self._lines[name] = self._open_line(connection, name)
            if not line.listed and line.in_flight < line.pace.at_once:
                self._list(line, line.ready_at)

    def claim(self, now: float) -> Claim | None:
        """The next URL that may be asked now: a host's robots.txt first, then its pages."""
        while self._heap and self._heap[0][0] <= now:
            line = heapq.heappop(self._heap)[2]
            line.listed = False
            if line.in_flight >= line.pace.at_once:
                continue  # `done` lists it again
            if line.ready_at > now:  # an answer to another request asked for a rest meanwhile
                self._list(line, line.ready_at)
            elif claim := self._take(line, now):
                self._start(line, claim, now)
                return claim
        return None

    def wait(self, now: float) -> float | None:
        """Seconds until a host may be asked; None when no URL waits for its host's turn."""
        return max(0.0, self._heap[0][0] - now) if self._heap else None

    def only_parked(self) -> bool:
        """True when the hosts that still wait are all down or without a readable robots.txt."""
        return all(line.parked for _, _, line in self._heap)

    def done(self, claim: Claim, now: float, *, down: bool = False, rest: float = 0.0) -> None:
        """A claim's exchange is over: the host may be asked again after its pause.

        `down`: no answer, or one that asks us to go away for now; `rest`: seconds the host asked for.
        """
        line = self._lines[claim.host]
        line.in_flight -= 1
        if not down:
            line.fails, line.parked = 0, False
        elif line.failed_at <= line.asked_at:
            # Requests that were under way when the host went down count once.
            line.fails, line.failed_at = line.fails + 1, now
        delay = line.robots.crawl_delay(AGENT) if line.robots else None
        seconds = pause(line.pace, now - line.asked_at, delay, line.fails, self._draw())
        if line.fails >= PARK_AFTER:
            line.parked, seconds = True, PARK_SECONDS
        line.ready_at = max(line.asked_at + max(seconds, 0.0), now + rest if rest else 0.0)
        if not line.listed:
            self._list(line, line.ready_at)

    def park(self, claim: Claim, until: float) -> None:
        """Leave a host alone for a while: its robots.txt cannot be had, its URLs stay queued."""
        line = self._lines[claim.host]
        line.in_flight -= 1
        line.parked, line.ready_at = True, until
        if not line.listed:
            self._list(line, until)

    def skip(self, claim: Claim) -> None:
        """A claim that needs no request after all: the host's turn is not used up."""
        line = self._lines[claim.host]
        line.in_flight -= 1
        line.ready_at = 0.0
        if not line.listed:
            self._list(line, 0.0)

    def committed(self, claims: Iterable[Claim]) -> None:
        """The database knows what became of these URLs."""
        for claim in claims:
            line = self._lines[claim.host]
            line.taken.discard(claim.url_id)
            if not line.listed and line.in_flight < line.pace.at_once:
                self._list(line, line.ready_at)  # for a URL that is to be tried again

    def robots(self, host: str) -> RobotsState | None:
        """The host's last answer to GET /robots.txt, None before the first."""
        line = self._lines.get(host)
        return line.robots if line else None

    def keep_robots(self, connection: sa.Connection, host: str, state: RobotsState) -> None:
        """Remember a host's robots.txt, over a restart too (requirement 123)."""
        line = self._lines[host]
        line.robots = state
        connection.execute(sa.update(hosts).where(hosts.c.id == line.id).values(robots=pack_robots(state)))

    def _take(self, line: HostLine, now: float) -> Claim | None:
        if not line.urls and not self._refill(line):
            return None
        if line.robots is None or not line.robots.fresh(now):
            return None if line.in_flight else _robots_claim(line)
        return line.urls.popleft()

    def _start(self, line: HostLine, claim: Claim, now: float) -> None:
        line.in_flight += 1
        line.asked_at = now
        if claim.kind is not Kind.ROBOTS and line.in_flight < line.pace.at_once:
            self._list(line, now + line.pace.pause)

    def _list(self, line: HostLine, ready_at: float) -> None:
        line.listed = True
        heapq.heappush(self._heap, (ready_at, next(self._turn), line))

    def _refill(self, line: HostLine) -> bool:
        parent = urls.alias()
        query = (
            sa.select(urls, parent.c.url.label("referrer"), pages.c.url_id.label("page"))
            .outerjoin(parent, parent.c.id == urls.c.parent_id)
            .outerjoin(pages, pages.c.url_id == urls.c.id)
            .where(urls.c.host_id == line.id, urls.c.state == State.QUEUED)
            .order_by(urls.c.fails, urls.c.depth, urls.c.id)  # what failed waits for the others
            .limit(LINE_LENGTH + len(line.taken))
        )
        with self._engine.connect() as connection:
            rows = [row for row in connection.execute(query) if row.id not in line.taken]
        line.urls.extend(_claim(row, line.host) for row in rows[:LINE_LENGTH])
        line.taken.update(claim.url_id for claim in line.urls)
        return bool(line.urls)

    def _host_ids(self, connection: sa.Connection, names: set[str]) -> dict[str, int]:
        ids = {name: self._lines[name].id for name in names if name in self._lines}
        if unknown := names - ids.keys():
            connection.execute(insert(hosts).on_conflict_do_nothing(), [{"host": name} for name in unknown])
            query = sa.select(hosts.c.host, hosts.c.id).where(hosts.c.host.in_(unknown))
            ids |= {row.host: row.id for row in connection.execute(query)}
        return ids

    def _open_line(self, connection: sa.Connection, name: str) -> HostLine:
        row = connection.execute(sa.select(hosts).where(hosts.c.host == name)).one()
        state = unpack_robots(row.robots) if row.robots else None
        return HostLine(row.id, name, self._pace_of(name), state)


def _robots_claim(line: HostLine) -> Claim:
    """The host's robots.txt; what we have of it may be confirmed by a 304."""
    etag, modified = (line.robots.etag, line.robots.last_modified) if line.robots else ("", "")
    return Claim(0, f"{line.host}/robots.txt", line.host, etag=etag, last_modified=modified, kind=Kind.ROBOTS)


def _claim(row: sa.Row[Any], host: str) -> Claim:
    known = row.page is not None  # only what we have can be confirmed by a 304
    return Claim(
        url_id=row.id,
        url=row.url,
        host=host,
        depth=row.depth,
        hops=row.hops,
        fails=row.fails,
        referrer=row.referrer or "",
        etag=row.etag if known else "",
        last_modified=row.last_modified if known else "",
    )
