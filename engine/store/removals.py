"""Removes pages: text and index entry go, the URL stays with the reason (requirements 285, 286)."""

from array import array
from collections.abc import Callable, Iterable
from typing import Any

import sqlalchemy as sa

from engine.database import copies, hosts, log_change, pages, urls
from engine.model import State
from engine.store.blocklist import Blocklist, Extent, Target

CHUNK = 500  # pages looked at in one go; keeps memory bounded on hosts of any size

REMOVED = "removed"  # the reason of a URL that was; also the name of the rule that refuses it
NEVER = 253_402_300_799.0  # seconds since 1970: the year 9999's last; when what was removed is due again
LAST = "\U0010ffff"  # sorts after everything that a canonical URL may go on with

_DROP = sa.delete(pages).where(pages.c.url_id == sa.bindparam("of"))
_DROP_COPY = sa.delete(copies).where(copies.c.url_id == sa.bindparam("of"))
_REFUSE = (
    sa.update(urls)
    .where(urls.c.id == sa.bindparam("of"), urls.c.state == State.STORED)
    .values(state=sa.bindparam("now"), reason=sa.bindparam("why"))
)
_PURGED: dict[str, Any] = {
    "state": State.SKIPPED,
    "reason": REMOVED,
    "due_at": NEVER,
    "visited_at": None,
    "status": None,
    "alias_of": None,
    "missing_since": None,
    "etag": "",
    "last_modified": "",
    "bytes": 0,
}
_AGAIN = (
    sa.update(urls)
    .where(urls.c.id == sa.bindparam("of"))
    .values(state=State.QUEUED, reason="", due_at=None, turn=0, fails=0, hops=0)
)


def drop_forbidden(
    connection: sa.Connection,
    host_id: int,
    state_of: Callable[[str], State | None],
    is_time_up: Callable[[], bool] = lambda: False,
) -> int:
    """Drops the pages of a host that its owner no longer permits, and the texts of copies; returns how many
    pages there were.

    `state_of` gives the state that a URL has from now on, None for one that may stay. What waits
    to be visited stays queued: it is asked about again before it is sent. Once `is_time_up` says so, the host
    keeps in mind how far this came, and the next call goes on from there.
    """
    dropped, here = 0, hosts.c.id == host_id
    last = connection.execute(sa.select(hosts.c.rechecked).where(here)).scalar() or 0
    text_of = urls.outerjoin(pages, pages.c.url_id == urls.c.id).outerjoin(
        copies, copies.c.url_id == urls.c.id
    )
    is_page = pages.c.url_id.is_not(None)
    query = sa.select(urls.c.id, urls.c.url, is_page.label("is_page")).select_from(text_of)
    query = query.where(is_page | copies.c.url_id.is_not(None)).order_by(urls.c.id).limit(CHUNK)
    while rows := connection.execute(query.where(urls.c.host_id == host_id, urls.c.id > last)).all():
        leaving = []
        for row in rows:
            last = row.id
            if state := state_of(row.url):
                leaving.append((row, state))
            if is_time_up():
                break
        _drop_rows(connection, leaving, "robots.txt")
        dropped += sum(row.is_page for row, _ in leaving)
        if is_time_up():
            break
    connection.execute(sa.update(hosts).where(here).values(rechecked=last if rows else None))
    return dropped


def drop_pages(
    connection: sa.Connection, numbers: Iterable[int], reason: str, is_kept: Callable[[str], bool]
) -> list[str]:
    """Drops the pages of these URLs (ids), but for seeds and what `is_kept`; returns the URLs."""
    query = sa.select(urls.c.id, urls.c.url).where(urls.c.id.in_(numbers), urls.c.depth > 0)
    leaving = [row for row in connection.execute(query) if not is_kept(row.url)]
    _drop_rows(connection, [(row, State.GONE) for row in leaving], reason)
    return [row.url for row in leaving]


def drop_expired(connection: sa.Connection, now: float) -> None:
    """Drops the pages whose owners wanted them unavailable from now on (unavailable_after)."""
    query = sa.select(urls.c.id, urls.c.url).join(pages, pages.c.url_id == urls.c.id).limit(CHUNK)
    while rows := connection.execute(query.where(pages.c.expires_at <= now)).all():
        _drop_rows(connection, [(row, State.NOINDEX) for row in rows], "unavailable_after")


def _drop_rows(connection: sa.Connection, leaving: list[tuple[Any, State]], reason: str) -> None:
    if not leaving:
        return
    rows = [{"of": row.id, "url": row.url, "now": state, "why": reason} for row, state in leaving]
    connection.execute(_DROP, rows)
    connection.execute(_DROP_COPY, rows)
    connection.execute(_REFUSE, rows)
    connection.execute(log_change(), [{"url": row["url"]} for row in rows])


def match_target(target: Target, url: sa.Column[str] = urls.c.url) -> sa.ColumnElement[bool]:
    """Builds the condition that a URL, a known one by default, is the target's; its index finds them all."""
    if target.extent is Extent.URL:
        return url == target.text
    return sa.or_(*(url.between(begin, begin + LAST) for begin in target.prefixes))


def match_indexed(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    """Restricts URLs to those that the index knows: by a page, or as another name of one."""
    stored = sa.exists().where(pages.c.url_id == urls.c.id)
    return condition & (stored | urls.c.alias_of.is_not(None))


def purge_urls(connection: sa.Connection, condition: sa.ColumnElement[bool]) -> int:
    """Deletes the pages and links of these URLs and stops their visits; returns the number of pages.

    Four statements whatever there is, so that no row comes into our memory.
    """
    connection.execute(log_change(sa.select(urls.c.url).where(match_indexed(condition))))
    known = sa.select(urls.c.id).where(condition)
    connection.execute(sa.delete(copies).where(copies.c.url_id.in_(known)))
    dropped = connection.execute(sa.delete(pages).where(pages.c.url_id.in_(known)))
    connection.execute(sa.update(urls).where(condition).values(_PURGED))
    return dropped.rowcount


def restore_urls(connection: sa.Connection, target: Target, blocklist: Blocklist) -> int:
    """Queues removed URLs that the blocklist does not refuse any more; returns how many."""
    query = sa.select(urls.c.id, urls.c.url).where(match_target(target), urls.c.reason == REMOVED)
    rows = connection.execute(query)
    numbers = array("q", (row.id for row in rows if not blocklist.refuses(row.url)))  # 8 bytes a URL
    for start in range(0, len(numbers), CHUNK):
        connection.execute(_AGAIN, [{"of": number} for number in numbers[start : start + CHUNK]])
    return len(numbers)
