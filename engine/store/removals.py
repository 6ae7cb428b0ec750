"""Pages that leave: text and index entry go, the URL stays with the reason."""

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert

from engine.page import State
from engine.store.tables import changes, pages, urls

CHUNK = 500  # pages looked at in one go; keeps memory bounded on hosts of any size

CHANGE = insert(changes).prefix_with("OR REPLACE")
"""A URL's page changed or left: the index follows."""

_DROP = sa.delete(pages).where(pages.c.url_id == sa.bindparam("of"))
_REFUSE = (
    sa.update(urls)
    .where(urls.c.id == sa.bindparam("of"), urls.c.state == State.STORED)
    .values(state=sa.bindparam("now"), reason=sa.bindparam("why"))
)


def forbid(connection: sa.Connection, host_id: int, refused: Callable[[str], State | None]) -> int:
    """Drop the pages of a host that its owner no longer permits; how many there were.

    `refused` gives the state that a URL has from now on, None for one that may stay. What waits
    to be visited stays queued: it is asked about again before it is sent.
    """
    dropped, last = 0, 0
    page_of = urls.join(pages, pages.c.url_id == urls.c.id)
    query = sa.select(urls.c.id, urls.c.url).select_from(page_of).order_by(urls.c.id).limit(CHUNK)
    while rows := connection.execute(query.where(urls.c.host_id == host_id, urls.c.id > last)).all():
        leaving = [(row, state) for row in rows if (state := refused(row.url))]
        _leave(connection, leaving, "robots.txt")
        dropped, last = dropped + len(leaving), rows[-1].id
    return dropped


def expire(connection: sa.Connection, now: float) -> None:
    """Drop the pages whose owners wanted them to be unavailable from now on (unavailable_after)."""
    query = sa.select(urls.c.id, urls.c.url).join(pages, pages.c.url_id == urls.c.id).limit(CHUNK)
    while rows := connection.execute(query.where(pages.c.expires_at <= now)).all():
        _leave(connection, [(row, State.NOINDEX) for row in rows], "unavailable_after")


def _leave(connection: sa.Connection, leaving: list[tuple[Any, State]], reason: str) -> None:
    if not leaving:
        return
    rows = [{"of": row.id, "url": row.url, "now": state, "why": reason} for row, state in leaving]
    connection.execute(_DROP, rows)
    connection.execute(_REFUSE, rows)
    connection.execute(CHANGE, [{"url": row["url"]} for row in rows])
