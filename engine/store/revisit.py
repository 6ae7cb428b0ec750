"""Schedules the next visit to a URL, by sitemaps and by how often its page changes.

A crawl that is begun anew visits everything that is due. Nothing said means due.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.database import greatest, least, pages, urls
from engine.model import Purpose, State, Visit
from engine.robots import FREQUENCIES, Entry

DAY = 86_400.0
TRUSTED_SECONDS = 30 * DAY  # so long a sitemap is believed that a page has not changed
FIRST_REST, SHORTEST_REST, LONGEST_REST = DAY, DAY / 24, 30 * DAY  # seconds; learned by visits
NEARLY = 0.875  # of a rest will do: a crawl does not reach a page at the same minute every time
LONGEST = 365 * DAY  # seconds; "never" changes is a hint too, and is looked at again
PERMANENT = frozenset({301, 308})  # the redirects that are meant for good (RFC 9110, 15.4.2 and 15.4.9)
MOVED_SECONDS = 30 * DAY  # until what redirects for good is asked again
MISSING_SECONDS = 3_600.0  # a page leaves at the second 404 in a row so long after the first
SLACK = 3 * 3_600.0  # seconds; a nightly crawl reaches a daily page sooner one night than the night before

_MODIFIED_AT: Any = urls.c.modified_at
_HEEDED = (
    sa.update(urls)
    .where(urls.c.url == sa.bindparam("of"))
    .values(
        listed=True,
        modified_at=sa.bindparam("modified"),
        every=sa.bindparam("often"),
        priority=sa.bindparam("weight"),
    )
)


def revisit_interval(seconds: float) -> float:
    """Returns the seconds from a visit to the next, for a page said to change this often."""
    seconds = min(seconds, LONGEST)
    return seconds - min(seconds / 8, SLACK)


def is_due(now: float) -> sa.ColumnElement[bool]:
    """Builds the condition that a visited URL is due again (requirements 224, 238, 239, 248)."""
    modified = urls.c.visited_at < _MODIFIED_AT
    unchanged = (urls.c.visited_at >= _MODIFIED_AT) & (urls.c.visited_at > now - TRUSTED_SECONDS)
    unchanged &= urls.c.missing_since.is_(None)  # a page that has gone has changed, whatever its sitemap says
    waits = (urls.c.due_at > now) | unchanged
    return sa.func.coalesce(modified, False) | ~sa.func.coalesce(waits, False)


def next_rest(same: sa.ColumnElement[bool]) -> sa.ColumnElement[float]:
    """Computes the seconds to rest after a visit: longer when it brought nothing new, shorter when it did."""
    before = sa.func.coalesce(urls.c.rest, FIRST_REST)
    return sa.case(
        (urls.c.visited_at.is_(None), FIRST_REST),
        (same, least(2 * before, LONGEST_REST)),
        else_=greatest(before / 2, SHORTEST_REST),
    )


def rest_after_visit(
    missing: sa.ColumnElement[bool], same: sa.ColumnElement[bool], url_id: sa.ColumnElement[int]
) -> sa.ColumnElement[float]:
    """Computes the seconds to rest after a visit: the shortest for a page that is missing but still found."""
    first_miss = missing & urls.c.missing_since.is_(None) & sa.exists().where(pages.c.url_id == url_id)
    return sa.case((first_miss, SHORTEST_REST), else_=next_rest(same))


def missing_rest(at: sa.ColumnElement[float]) -> sa.ColumnElement[float]:
    """Computes the seconds until a missing page is checked again: as long as it has been missing.

    So the first time counts for nothing, and what has long been gone is asked ever more rarely (281).
    """
    missing = at - sa.func.coalesce(urls.c.missing_since, at)
    return NEARLY * least(missing, LONGEST_REST)


def may_return(connection: sa.Connection, visit: Visit, trusts_404: Callable[[str], bool]) -> bool:
    """Tells whether a missing page stays for now: it was not missing MISSING_SECONDS before as well.

    `trusts_404`: whether a URL's 404 is as final as a 410.
    """
    claim, status = visit.fetch.claim, visit.fetch.status
    if visit.state is not State.GONE or status == 410 or (status == 404 and trusts_404(claim.url)):
        return False
    since = connection.execute(sa.select(urls.c.missing_since).where(urls.c.id == claim.url_id)).scalar_one()
    return since is None or visit.fetch.at - since < MISSING_SECONDS


class MissingPage(NamedTuple):
    """A page that was missing at its last visit and can still be found; seconds since 1970.

    A visit after `final_after` that misses it too removes it.
    """

    url: str
    final_after: float


def load_missing_pages(connection: sa.Connection, limit: int) -> tuple[int, list[MissingPage]]:
    """Counts the pages that wait for a second look, and loads those that have waited longest."""
    missing = urls.join(pages, pages.c.url_id == urls.c.id)
    waits = urls.c.missing_since.is_not(None)
    number = connection.execute(sa.select(sa.func.count()).select_from(missing).where(waits)).scalar_one()
    query = sa.select(urls.c.url, urls.c.missing_since).select_from(missing).where(waits)
    rows = connection.execute(query.order_by(urls.c.missing_since, urls.c.id).limit(limit))
    return number, [MissingPage(row.url, row.missing_since + MISSING_SECONDS) for row in rows]


class Round(NamedTuple):
    """A round of visits: the run with which it began, and when that was, in seconds since 1970.

    `due_only`: it goes only to what has had its rest; `feeds_only`: only to feeds, and what is new in them.
    """

    number: int
    started_at: float
    due_only: bool = False
    feeds_only: bool = False


def requeue_due(connection: sa.Connection, host_id: int, now: float, visit_round: Round) -> int:
    """Queues a host's URLs that are due and had no visit in this round; returns how many.

    What waits already keeps its place, which is before these.
    """
    again = sa.update(urls).where(urls.c.host_id == host_id, urls.c.state != State.QUEUED, is_due(now))
    again = again.where(sa.func.coalesce(urls.c.visited_at <= visit_round.started_at, True))
    if visit_round.due_only:
        over = urls.c.visited_at + NEARLY * sa.func.coalesce(urls.c.rest, 0.0) <= now
        again = again.where(sa.func.coalesce(over, True))
    return connection.execute(
        again.values(state=State.QUEUED, turn=visit_round.number, fails=0, hops=0)
    ).rowcount


def apply_sitemap(connection: sa.Connection, entries: Sequence[Entry], now: float) -> None:
    """Stores sitemap entries of known URLs."""
    if entries:
        connection.execute(_HEEDED, [_sitemap_row(entry, now) for entry in entries])


def requeue_changed(connection: sa.Connection, host_id: int, under_way: Collection[int], now: float) -> int:
    """Queues only URLs that a host's sitemaps list as changed; returns the change of the queue's length.

    URLs `under_way` (ids) are skipped: their responses will tell more.
    """
    here = (urls.c.host_id == host_id) & urls.c.visited_at.is_not(None)
    if under_way:
        here &= urls.c.id.not_in(under_way)
    newer = here & (urls.c.state == State.STORED) & (urls.c.visited_at < _MODIFIED_AT)
    queued = connection.execute(sa.update(urls).where(newer).values(state=State.QUEUED, fails=0, hops=0))
    have = sa.exists().where(pages.c.url_id == urls.c.id)
    known = here & (urls.c.state == State.QUEUED) & (urls.c.kind == Purpose.PAGE) & have & ~is_due(now)
    kept = connection.execute(sa.update(urls).where(known).values(state=State.STORED))
    return queued.rowcount - kept.rowcount


def _sitemap_row(entry: Entry, now: float) -> dict[str, Any]:
    return {
        "of": entry.loc,
        "modified": _modified_at(entry, now),
        "often": _sitemap_interval(entry.changefreq),
        "weight": entry.priority,
    }


def _modified_at(entry: Entry, now: float) -> float | None:
    """Returns the last change, seconds since 1970; of a date without a time the end of that day.

    One that is yet to come says nothing: its page would be due at every look.
    """
    if entry.lastmod is None:
        return None
    seconds: float = entry.lastmod.timestamp()
    if seconds > now + DAY:  # it is tomorrow somewhere
        return None
    return seconds + DAY if seconds % DAY == 0 else seconds


def _sitemap_interval(changefreq: str) -> float | None:
    """Returns the seconds from a visit to the next, None when nothing was said."""
    if not changefreq:
        return None
    seconds = FREQUENCIES[changefreq]
    return revisit_interval(LONGEST if seconds is None else seconds)
