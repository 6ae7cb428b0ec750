"""Schedules visits to feeds, by their own rhythm, and to the pages that they name.

A feed is one that crawl.toml names, or that such a one leads to: a list of feeds (OPML), a redirect. What the
operator names no longer is not asked for by its rhythm any more.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import sqlalchemy as sa

from engine.database import BulkStatement, Given, is_among, urls
from engine.model import Purpose, State
from engine.robots import Entry, Sitemap
from engine.url import host_of, registrable_domain

SHORTEST, USUAL, LONGEST = 300.0, 3_600.0, 86_400.0  # seconds between two visits to a feed
PAGE_REST = 3_600.0  # seconds between two visits to a page: a feed may name those of other hosts, too
NEWEST = 10  # items by which a feed's rhythm is told
MAX_LEADS = 3  # that one after the other lead to a feed: a redirect to a list, that list, a redirect

_NAMED = sa.select(urls.c.id).where(urls.c.kind == "feed", is_among(urls.c.url, "named"))
_LED_TO = sa.select(urls.c.id).where(urls.c.kind == "feed", is_among(urls.c.parent_id, "leads"))
# Before all else of their hosts, as what is queued by hand.
_AGAIN = {"state": State.QUEUED, "turn": 0, "fails": 0, "hops": 0}


def feed_interval(feed: Sitemap | None, at: float) -> float:
    """Returns the seconds from a visit to a feed to the next.

    As it says itself, else half of the time between its newest items: so most are seen at half their turn.
    """
    if feed and feed.every is not None:
        return min(max(feed.every, SHORTEST), LONGEST)
    dates = (entry.lastmod.timestamp() for entry in (feed.entries if feed else ()) if entry.lastmod)
    newest = sorted(date for date in dates if date <= at)[-NEWEST:]
    return min(max((at - newest[0]) / len(newest) / 2, SHORTEST), USUAL) if newest else USUAL


def feed_due_at(visited_at: float, due_at: float | None, *, own: bool) -> float:
    """Returns when a feed may be asked for again: one of the operator's own whatever it says."""
    rested = visited_at + SHORTEST
    return rested if own else max(due_at or 0.0, rested)


def requeue_due_feeds(
    connection: sa.Connection, named: Collection[str], is_own: Callable[[str], bool], now: float
) -> Sequence[str]:
    """Queues the feeds that are due, before all else of their hosts; returns their URLs.

    `named`: canonical URLs of those in crawl.toml; `is_own` tells hosts of the operator, whose feeds are
    always due. In memory is a row for each feed.
    """
    if not named:
        return ()
    chosen = leads = {*connection.execute(_NAMED, {"named": [*named]}).scalars()}
    for _ in range(MAX_LEADS):
        leads = {*connection.execute(_LED_TO, {"leads": [*leads]}).scalars()} - chosen
        chosen = chosen | leads
    visited = sa.select(urls.c.id, urls.c.url, urls.c.visited_at, urls.c.due_at).where(
        is_among(urls.c.id, [*chosen]), urls.c.state != State.QUEUED, urls.c.visited_at.is_not(None)
    )
    due = {
        row.id: row.url
        for row in connection.execute(visited)
        if feed_due_at(row.visited_at, row.due_at, own=is_own(host_of(row.url))) <= now
    }
    connection.execute(sa.update(urls).where(is_among(urls.c.id, [*due])).values(_AGAIN))
    return [*due.values()]


def apply_feed(connection: sa.Connection, feed: str, items: Sequence[Entry], now: float) -> Sequence[str]:
    """Stores when the pages that a feed names appeared, and queues those that have changed since their visit;
    returns the URLs of these.

    It dates the pages of its own domain alone. A date that is yet to come says nothing: its page would be
    visited at every look.
    """
    rows = [_item_row(item) for item in items if item.lastmod and item.lastmod.timestamp() <= now]
    domain = registrable_domain(feed)
    _DATE.execute(connection, [row for row in rows if registrable_domain(row["of"]) == domain])
    stored = sa.select(urls.c.url, urls.c.visited_at).where(
        is_among(urls.c.url, [row["of"] for row in rows]),
        urls.c.kind == Purpose.PAGE,
        urls.c.state == State.STORED,
    )
    modified = {row["of"]: row["modified"] for row in rows}
    changed = [
        row.url
        for row in connection.execute(stored)
        if row.visited_at and row.visited_at < min(modified[row.url], now - PAGE_REST)
    ]
    connection.execute(sa.update(urls).where(is_among(urls.c.url, changed)).values(_AGAIN))
    return changed


def _item_row(item: Entry) -> dict[str, Any]:
    assert item.lastmod
    appeared = min(item.published or item.lastmod, item.lastmod)
    return {"of": item.loc, "modified": item.lastmod.timestamp(), "published_at": appeared.timestamp()}


def _date_item(row: Given) -> sa.Update:
    return sa.update(urls).where(urls.c.url == row["of"]).values(published_at=row["published_at"])


_DATE = BulkStatement(_date_item, {"of": urls.c.url, "published_at": urls.c.published_at})
