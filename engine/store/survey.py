"""Counts known and due URLs for a plan, by SQL, over all hosts and host by host."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.database import hosts, urls
from engine.model import Purpose, State
from engine.packing import unpack_robots
from engine.robots import RobotsState

# What the last visits brought stands for what the next will bring: of all visits the last quarter (the first
# pages of a site lead to most of it), and not more than so many.
RECENT, RECENT_SHARE = 1_000, 4
BREAK_SECONDS = 300.0  # the longest pause that we make of our own; longer gaps lie between two runs
ROWS_AT_ONCE = 500  # hosts in memory

_PAGE = urls.c.kind == Purpose.PAGE
_QUEUED = urls.c.state == State.QUEUED
# Queued once more: that it had a page is seen by its last answer; looking into `pages` would read every text.
_AGAIN = _PAGE & _QUEUED & urls.c.visited_at.is_not(None) & urls.c.status.in_((200, 304))
_HAS_PAGE = _PAGE & ((urls.c.state == State.STORED) | _AGAIN)


@dataclass(frozen=True, slots=True)
class UrlCounts:
    """URLs of one host, or of all."""

    known: int = 0
    queued: int = 0
    revisits: int = 0  # of the queued: to be visited once more
    visited: int = 0  # pages, at any time and whatever they answered
    pages: int = 0  # of these, stored ones
    bytes: int = 0  # of their bodies, unpacked
    recent: int = 0  # of the last visits to pages
    found: int = 0  # URLs that those visits were the first to lead to


class HostCounts(NamedTuple):
    """Counts of one host; `robots` only if it has queued URLs."""

    host: str
    counts: UrlCounts
    robots: RobotsState | None = None


class RecentVisits(NamedTuple):
    """The last visits to pages."""

    since: float = 0.0  # the earliest of them; seconds since 1970
    visits: int = 0
    seconds: float = 0.0  # between them, breaks left out

    @property
    def per_second(self) -> float:
        """Computes visits a second; 0.0 where they are too few to tell."""
        return (self.visits - 1) / self.seconds if self.seconds else 0.0


def measure_recent_visits(connection: sa.Connection) -> RecentVisits:
    """Measures when the last visits were. Reads all URLs twice."""
    visited = _PAGE & urls.c.visited_at.is_not(None)
    whole = connection.execute(sa.select(sa.func.count()).where(visited)).scalar_one()
    few = min(RECENT, math.ceil(whole / RECENT_SHARE))
    query = sa.select(urls.c.visited_at).where(visited).order_by(urls.c.visited_at.desc()).limit(few)
    times = connection.execute(query).scalars().all()
    if not times:
        return RecentVisits()
    gaps = (later - earlier for later, earlier in pairwise(times))
    return RecentVisits(times[-1], len(times), sum(gap for gap in gaps if gap <= BREAK_SECONDS))


def mean_url_length(connection: sa.Connection) -> float:
    """Computes the mean length of a known URL in characters, 0.0 without any. Reads all URLs once."""
    return float(connection.execute(sa.select(sa.func.avg(sa.func.length(urls.c.url)))).scalar() or 0.0)


def count_all_urls(connection: sa.Connection, since: float) -> UrlCounts:
    """Counts the URLs of all hosts; `since`: see `measure_recent_visits`. Reads all URLs once."""
    found = sa.select(sa.func.count()).select_from(_select_found(since).subquery()).scalar_subquery()
    row = connection.execute(sa.select(*_count_columns(since), found.label("found"))).mappings().one()
    return _parse_counts(row)


def count_each_host(connection: sa.Connection, since: float) -> Iterator[HostCounts]:
    """Counts the URLs of every host that has some, in no order; in bounded memory. Reads all URLs once."""
    # `+ 0`: by its index SQLite would read the table in the hosts' order, which is not that on the disk.
    host_id = urls.c.host_id + sa.literal_column("0")
    by_host = sa.select(host_id.label("host_id"), *_count_columns(since)).group_by(host_id).subquery()
    new = _select_found(since).subquery()
    found = sa.select(new.c.host_id, sa.func.count().label("found")).group_by(new.c.host_id).subquery()
    query = (
        sa.select(
            hosts.c.host,
            by_host,
            sa.func.coalesce(found.c.found, 0).label("found"),
            sa.case((by_host.c.queued > 0, hosts.c.robots)).label("robots"),
        )
        .join_from(by_host, hosts, hosts.c.id == by_host.c.host_id)
        .outerjoin(found, found.c.host_id == by_host.c.host_id)
    )
    for row in connection.execute(query.execution_options(yield_per=ROWS_AT_ONCE)).mappings():
        yield HostCounts(
            row["host"], _parse_counts(row), unpack_robots(row["robots"]) if row["robots"] else None
        )


def _count_columns(since: float) -> list[sa.Label[Any]]:
    """Builds the counts that one reading of the table gives."""
    counted = {
        "queued": _QUEUED,
        "revisits": _AGAIN,
        "visited": _PAGE & urls.c.visited_at.is_not(None),
        "pages": _HAS_PAGE,
        "recent": _PAGE & (urls.c.visited_at >= since),
    }
    return [
        sa.func.count().label("known"),
        _sum_or_zero(sa.case((_HAS_PAGE, urls.c.bytes))).label("bytes"),
        *(_sum_or_zero(sa.case((condition, 1))).label(name) for name, condition in counted.items()),
    ]


def _sum_or_zero(value: sa.ColumnElement[Any]) -> sa.ColumnElement[Any]:
    return sa.func.coalesce(sa.func.sum(value), 0)


def _select_found(since: float) -> sa.Select[tuple[int]]:
    """Selects the hosts of URLs that the last visits to pages found first; not what sitemaps list."""
    page = urls.alias()
    return (
        sa.select(urls.c.host_id)
        .join(page, page.c.id == urls.c.parent_id)
        .where(urls.c.found_at >= since, page.c.visited_at >= since, page.c.kind == Purpose.PAGE)
    )


def _parse_counts(row: sa.RowMapping) -> UrlCounts:
    return UrlCounts(**{field.name: row[field.name] for field in fields(UrlCounts)})
