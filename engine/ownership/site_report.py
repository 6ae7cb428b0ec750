"""Reports what is known of one host: its robots.txt, what is stored, errors, what was left out.

A host may have millions of URLs: each query looks at MAX_URLS of them at most, and gives a bounded list.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.database import hosts, urls
from engine.model import Purpose, State
from engine.robots import AGENT, RobotsState
from engine.store import load_rest_until, select_robots

MAX_URLS = 500_000  # of one host that are looked at, those known first; a second of work
MAX_LISTED = 100  # rows of any list
MAX_MISSING = 5_000  # URLs to which links are looked for
MAX_LINES = 200  # of robots.txt that are shown
LEFT_OUT = (State.SKIPPED, State.DISALLOWED, State.NOINDEX)


class SiteOverview(NamedTuple):
    """What is known of a host; times are seconds since 1970."""

    robots: RobotsState | None  # None: never read
    lines: Sequence[str]  # of robots.txt, from the first
    total_lines: int
    crawl_delay: float | None  # seconds that it asks for
    rest_until: float  # 0.0 where it did not ask to be left alone
    pages: int  # that are stored
    newest_at: float | None  # when the last of them was visited
    states: Mapping[str, int]  # URLs of pages by state
    is_cut: bool  # there are more URLs than were looked at


class ReasonCount(NamedTuple):
    """How many URLs have the same state, status and reason; `status` 0: no answer came, None: not asked."""

    state: State
    status: int | None
    reason: str
    number: int


class UrlRow(NamedTuple):
    """A URL of a list."""

    url: str
    state: State
    status: int | None
    reason: str
    visited_at: float | None
    found_on: str  # the page of the same host that led to it first, '' for any other


class UrlList(NamedTuple):
    """The first URLs of many, and how many there are by reason."""

    counts: Sequence[ReasonCount]
    rows: Sequence[UrlRow]
    total: int


_PAGE = urls.c.kind == Purpose.PAGE
_BROKEN = urls.c.state.in_((State.FAILED, State.GONE)) | ((urls.c.state == State.QUEUED) & (urls.c.fails > 0))
_HAS_PAGE = (urls.c.state == State.STORED) | (
    (urls.c.state == State.QUEUED) & urls.c.visited_at.is_not(None) & urls.c.status.in_((200, 304))
)
_COLUMNS = (urls.c.url, urls.c.state, urls.c.status, urls.c.reason, urls.c.visited_at, urls.c.parent_id)


def load_overview(connection: sa.Connection, host: str, now: float) -> SiteOverview:
    """Loads what the first page shows."""
    robots = select_robots(connection, host)
    text = robots.body.decode("utf-8", "replace").splitlines() if robots else []
    looked = _select_host(connection, host, _HAS_PAGE.label("has_page"))
    count, newest = sa.func.count(), sa.func.max(looked.c.visited_at)
    query = sa.select(looked.c.state, looked.c.has_page, count, newest).group_by(
        looked.c.state, looked.c.has_page
    )
    rows = connection.execute(query).all()
    states: dict[str, int] = {}
    for state, _, number, _ in rows:
        states[state] = states.get(state, 0) + number
    stored = [row for row in rows if row.has_page]
    return SiteOverview(
        robots=robots,
        lines=text[:MAX_LINES],
        total_lines=len(text),
        crawl_delay=robots.crawl_delay(AGENT, now) if robots else None,
        rest_until=load_rest_until(connection, host),
        pages=sum(row[2] for row in stored),
        newest_at=max((row[3] for row in stored if row[3] is not None), default=None),
        states=states,
        is_cut=sum(states.values()) >= MAX_URLS,
    )


def load_errors(connection: sa.Connection, host: str) -> UrlList:
    """Loads the URLs that brought nothing when they were visited last."""
    return _load_list(connection, host, _BROKEN)


def load_missing_urls(connection: sa.Connection, host: str) -> list[str]:
    """Loads URLs that the host says it does not have, MAX_MISSING at most."""
    looked = _select_host(connection, host)
    is_missing = (looked.c.state == State.GONE) | looked.c.status.in_((404, 410))
    query = sa.select(looked.c.url).where(is_missing).limit(MAX_MISSING)
    return list(connection.execute(query).scalars())


def load_left_out(connection: sa.Connection, host: str) -> UrlList:
    """Loads the URLs that a rule of the crawl or of the owner keeps out."""
    return _load_list(connection, host, urls.c.state.in_(LEFT_OUT))


def _load_list(connection: sa.Connection, host: str, condition: sa.ColumnElement[bool]) -> UrlList:
    looked = _select_host(connection, host, condition.label("is_wanted"))
    by = (looked.c.state, looked.c.status, looked.c.reason)
    number = sa.func.count().label("number")
    grouped = sa.select(*by, number).where(looked.c.is_wanted).group_by(*by)
    every = grouped.order_by(sa.desc("number"), *by).limit(MAX_LISTED)
    counts = [ReasonCount(State(row[0]), *row[1:]) for row in connection.execute(every)]
    total = connection.execute(sa.select(sa.func.count()).where(looked.c.is_wanted)).scalar_one()
    few = sa.select(looked).where(looked.c.is_wanted).limit(MAX_LISTED)
    rows = connection.execute(few).mappings().all()
    return UrlList(counts, _name_parents(connection, host, rows), total)


def _name_parents(connection: sa.Connection, host: str, rows: Sequence[sa.RowMapping]) -> list[UrlRow]:
    """Names the pages that led first to URLs; those of other hosts are none of the owner's business."""
    numbers = [row["parent_id"] for row in rows if row["parent_id"]]
    found = connection.execute(sa.select(urls.c.id, urls.c.url).where(urls.c.id.in_(numbers)))
    parents = {number: url for number, url in found if url.startswith(f"{host}/")}
    return [
        UrlRow(
            row["url"],
            State(row["state"]),
            row["status"],
            row["reason"],
            row["visited_at"],
            parents.get(row["parent_id"], ""),
        )
        for row in rows
    ]


def _select_host(connection: sa.Connection, host: str, *more: sa.Label[Any]) -> sa.Subquery:
    """Selects the pages' URLs of a host that are looked at, in the order in which they were found."""
    number = connection.execute(sa.select(hosts.c.id).where(hosts.c.host == host)).scalar()
    query = sa.select(*_COLUMNS, *more).where(urls.c.host_id == (number or 0), _PAGE)
    return query.order_by(urls.c.id).limit(MAX_URLS).subquery()
