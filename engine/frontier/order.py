"""Orders a host's URLs: by round and depth, then by sitemap priority, then by known inlinks."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

import sqlalchemy as sa

from engine.database import QUEUED, WAITING, is_among, is_selected, list_table, pages, urls
from engine.frontier.host_queue import HostQueue
from engine.model import LISTS, Claim, Origin, Purpose

# So many queued URLs of a host are compared by their inlinks for each that is taken. The inlinks change
# with every page, so the database's order knows nothing of them; with 64 to take, reading costs 0.3 ms.
COMPARED = 4

_PARENT, _URL = urls.alias(), urls.alias()
_HOSTS = list_table("wanted", urls.c.host_id.type)
# Made once: putting a statement together costs as much as to run it.
_FIRST = (
    sa.select(urls.c.id)
    .where(urls.c.host_id == _HOSTS.c.value, QUEUED)
    .order_by(*WAITING)
    .limit(sa.bindparam("most"))
    .correlate(_HOSTS)
    .scalar_subquery()
)
_NEXT = sa.select(
    *(_URL.c[name] for name in ("host_id", "id", "url", "fails", "turn", "depth", "priority"))
).select_from(_HOSTS.join(_URL, is_selected(_URL.c.id, _FIRST)))
_WHOLE = (
    sa.select(
        urls, _PARENT.c.url.label("referrer"), _PARENT.c.kind.label("found_in"), pages.c.url_id.label("page")
    )
    .outerjoin(_PARENT, _PARENT.c.id == urls.c.parent_id)
    .outerjoin(pages, pages.c.url_id == urls.c.id)
    .where(is_among(urls.c.id, "chosen"))
)


def fill_queues(
    connection: sa.Connection, queues: Sequence[HostQueue], inlinks: Callable[[str], int], room: int
) -> None:
    """Loads up to `room` claims of each of these hosts that are not taken, in their order (requirement 15).

    Those of one turn at a time: what they lead to belongs to the same turn, and so before the next.
    """
    most = COMPARED * room + max(len(queue.claimed) for queue in queues)
    waiting = defaultdict[int, list[sa.Row[Any]]](list)
    for row in connection.execute(_NEXT, {"wanted": [queue.id for queue in queues], "most": most}):
        waiting[row.host_id].append(row)
    chosen = {queue.id: _choose(queue, waiting[queue.id], inlinks, room) for queue in queues}
    numbers = [*chain.from_iterable(chosen.values())]
    rows = connection.execute(_WHOLE, {"chosen": numbers}) if numbers else ()
    whole = {row.id: row for row in rows}
    for queue in queues:
        queue.take([_claim(whole[number], queue.host) for number in chosen[queue.id] if number in whole])


def _choose(
    queue: HostQueue, waiting: Iterable[sa.Row[Any]], inlinks: Callable[[str], int], room: int
) -> list[int]:
    """Chooses the URLs of a host that come next; returns their ids."""
    free = [row for row in waiting if row.id not in queue.claimed]
    # Among equals, what was found first goes first.
    free.sort(key=lambda row: (row.fails, row.turn, row.depth, -row.priority, -inlinks(row.url), row.id))
    return [row.id for row in free[:room] if row.turn == free[0].turn]


def _claim(row: sa.Row[Any], host: str) -> Claim:
    # Only what we have can be confirmed by a 304; of a sitemap we have what it said.
    known = row.page is not None or row.kind in LISTS
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
        published=row.published_at,
    )


def _origin(row: sa.Row[Any]) -> Origin:
    if Purpose.FEED in (row.kind, row.found_in):
        return Origin.FEED
    if row.turn == 0:
        return Origin.SUBMISSION
    if row.found_in == Purpose.SITEMAP:
        return Origin.SITEMAP
    if row.found_in is None:
        return Origin.SEED if row.kind == Purpose.PAGE else Origin.CRAWL
    return Origin.LINK
