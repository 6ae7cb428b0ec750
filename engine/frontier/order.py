"""Orders a host's URLs: by round and depth, then by sitemap priority, then by known inlinks."""

from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa

from engine.database import QUEUED, WAITING, is_among, pages, urls
from engine.frontier.host_queue import HostQueue
from engine.model import Claim, Origin, Purpose

# So many queued URLs of a host are compared by their inlinks for each that is taken. The inlinks change
# with every page, so the database's order knows nothing of them; with 64 to take, reading costs 0.3 ms.
COMPARED = 4

_PARENT = urls.alias()
# Made once: putting a statement together costs as much as to run it.
_NEXT = (
    sa.select(urls.c.id, urls.c.url, urls.c.fails, urls.c.turn, urls.c.depth, urls.c.priority)
    .where(urls.c.host_id == sa.bindparam("host"), QUEUED)
    .order_by(*WAITING)
    .limit(sa.bindparam("most"))
)
_WHOLE = (
    sa.select(
        urls, _PARENT.c.url.label("referrer"), _PARENT.c.kind.label("found_in"), pages.c.url_id.label("page")
    )
    .outerjoin(_PARENT, _PARENT.c.id == urls.c.parent_id)
    .outerjoin(pages, pages.c.url_id == urls.c.id)
    .where(is_among(urls.c.id, "chosen"))
)


def load_next_claims(
    connection: sa.Connection, queue: HostQueue, inlinks: Callable[[str], int], room: int
) -> Sequence[Claim]:
    """Loads up to `room` claims of a host that are not taken yet, in their order (requirement 15).

    Those of one turn at a time: what they lead to belongs to the same turn, and so before the next.
    """
    most = COMPARED * room + len(queue.claimed)
    rows = connection.execute(_NEXT, {"host": queue.id, "most": most}).all()
    waiting = [row for row in rows if row.id not in queue.claimed]
    # Equals stay as they came, by id: what was found first goes first.
    waiting.sort(key=lambda row: (row.fails, row.turn, row.depth, -row.priority, -inlinks(row.url)))
    chosen = [row.id for row in waiting[:room] if row.turn == waiting[0].turn]
    if not chosen:
        return []
    whole = {row.id: row for row in connection.execute(_WHOLE, {"chosen": chosen})}
    return [_claim(whole[number], queue.host) for number in chosen if number in whole]


def _claim(row: sa.Row[Any], host: str) -> Claim:
    # Only what we have can be confirmed by a 304; of a sitemap we have what it said.
    known = row.page is not None or row.kind == Purpose.SITEMAP
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
        kind=Purpose(row.kind),
        new=row.visited_at is None,
        turn=row.turn,
        origin=_origin(row),
    )


def _origin(row: sa.Row[Any]) -> Origin:
    if row.turn == 0:
        return Origin.SUBMISSION
    if row.found_in == Purpose.SITEMAP:
        return Origin.SITEMAP
    if row.found_in is None:
        return Origin.SEED if row.kind == Purpose.PAGE else Origin.CRAWL
    return Origin.LINK
