"""Queues URLs for the operator: submitted ones, and known ones to recrawl.

A crawl that starts later takes them up by itself; one that runs already is called for their hosts.
"""

from typing import Any

import sqlalchemy as sa

from engine.database import hosts, insert_new, upsert, urls
from engine.model import Purpose, State
from engine.store.blocklist import Target
from engine.store.removals import REMOVED, match_target
from engine.url import host_of, registrable_domain

FORCED = "forced"  # the reason of what is queued although a rule keeps it out; its visit writes another

# Without visited_at no sitemap that says "unchanged since" takes the URL out of the line again.
_DUE: dict[str, Any] = {
    "state": State.QUEUED,
    "due_at": None,
    "visited_at": None,
    "turn": 0,
    "fails": 0,
    "hops": 0,
}


def queue_url(connection: sa.Connection, url: str, now: float, *, sitemap_depth: int | None = None) -> None:
    """Queues a canonical URL as a seed, at depth 0, or as a sitemap; one that is known stays as it is.

    Requirement 8.
    """
    row = _queued_row(connection, url, now)
    if sitemap_depth is not None:
        row |= {"kind": Purpose.SITEMAP, "depth": sitemap_depth}
    connection.execute(insert_new(urls), row)


def force_visit(connection: sa.Connection, url: str, now: float) -> None:
    """Queues a canonical URL, known or not, for one visit that no rule of ours hinders (requirement 39)."""
    row = _queued_row(connection, url, now) | {"reason": FORCED}
    connection.execute(upsert(urls, "url", row, _DUE | {"reason": FORCED}))


def load_forced(connection: sa.Connection) -> frozenset[str]:
    """Loads the URLs that are forced and not visited yet."""
    waiting = (urls.c.state == State.QUEUED) & (urls.c.reason == FORCED)
    return frozenset(connection.execute(sa.select(urls.c.url).where(waiting)).scalars())


def queue_recrawl(connection: sa.Connection, target: Target) -> int:
    """Makes known URLs of a target due now; their pages stay until the visit. Returns how many."""
    wanted = match_target(target) & (urls.c.reason != REMOVED)
    due = connection.execute(sa.update(urls).where(wanted).values(_DUE)).rowcount
    theirs = sa.select(urls.c.host_id).where(wanted)
    connection.execute(sa.update(hosts).where(hosts.c.id.in_(theirs)).values(called=True))
    return due


def forget_validators(connection: sa.Connection) -> None:
    """Forgets what pages could be confirmed by (ETag, Last-Modified): their next visits bring them whole."""
    has_any = (urls.c.kind == Purpose.PAGE) & ((urls.c.etag != "") | (urls.c.last_modified != ""))
    connection.execute(sa.update(urls).where(has_any).values(etag="", last_modified=""))


def _queued_row(connection: sa.Connection, url: str, now: float) -> dict[str, Any]:
    """Builds the row of a URL that no page led to; inserts its host as well, and calls for it."""
    row = {"host": host_of(url), "domain": registrable_domain(url), "called": True}
    call = upsert(hosts, "host", row, {"called": True})
    host_id = connection.execute(call.returning(hosts.c.id)).scalar_one()
    return {"url": url, "host_id": host_id, "state": State.QUEUED, "found_at": now}
