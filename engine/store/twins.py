"""Stores twin hosts: two with the same pages, one of which represents both.

Paths and queries are the same on both hosts, so a URL's twin is the other host with what follows in it.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.database import hosts, log_change, urls
from engine.model import Purpose, State
from engine.store.removals import LAST, NEVER
from engine.store.revisit import PERMANENT

TWIN = "twin"  # the reason of a URL whose host another one represents
CHUNK = 500  # URLs moved in one go; keeps memory bounded on hosts of any size


class TwinAliases(NamedTuple):
    """How many URLs of one host are aliases of the same path of its twin, and why."""

    copies: int = 0  # the same text
    permanent_redirects: int = 0  # redirected for good
    redirects: int = 0  # redirected in any way


class TwinMove(NamedTuple):
    """A URL of the host that is given up, and its twin."""

    of: int  # its id
    url: str
    twin: str


class MovableUrl(NamedTuple):
    """What a twin inherits when it is not known yet; `waits`: the URL is queued."""

    id: int
    url: str
    depth: int
    priority: float
    waits: bool


_ASIDE = sa.text(f"""
    SELECT count(*) FILTER (WHERE reason = 'duplicate'),
        count(*) FILTER (WHERE reason = 'redirect' AND status IN {tuple(sorted(PERMANENT))}),
        count(*) FILTER (WHERE reason = 'redirect')
    FROM urls WHERE host_id = (SELECT id FROM hosts WHERE host = :here) AND kind = 'page'
    AND alias_of = :there || substr(url, length(:here) + 1)
""")  # noqa: S608  (two numbers of ours)
_DIFFERENT = sa.text("""
    SELECT 1 FROM urls one
    JOIN urls other ON other.url = :there || substr(one.url, length(:here) + 1)
    LEFT JOIN pages mine ON mine.url_id = one.id
    LEFT JOIN pages theirs ON theirs.url_id = other.id
    WHERE one.host_id = (SELECT id FROM hosts WHERE host = :here) AND one.kind = 'page'
    AND other.kind = 'page' AND (
        mine.fingerprint != theirs.fingerprint
        OR mine.url_id IS NOT NULL AND theirs.url_id IS NULL
            AND other.state IN ('gone', 'noindex', 'disallowed')
        OR theirs.url_id IS NOT NULL AND mine.url_id IS NULL
            AND one.state IN ('gone', 'noindex', 'disallowed')
    ) LIMIT 1
""")
_MOVE = tuple(
    sa.text(statement)
    for statement in (
        # A twin with a page of its own, or with a reason to have none, keeps that.
        """UPDATE pages SET url_id = (SELECT id FROM urls WHERE url = :twin)
        WHERE url_id = :of AND EXISTS (
            SELECT 1 FROM urls WHERE url = :twin AND (state IN ('queued', 'failed') OR alias_of = :url)
            AND id NOT IN (SELECT url_id FROM pages WHERE url_id = urls.id)
        )""",
        "DELETE FROM pages WHERE url_id = :of",
        "DELETE FROM copies WHERE url_id = :of",
        "UPDATE urls SET state = 'alias', reason = :why, alias_of = :twin, due_at = :never WHERE id = :of",
    )
)
# Without its tags: they belong to an older text than that of the page which moved here.
_REVIVE = sa.text("""
    UPDATE urls SET state = 'queued', reason = '', alias_of = NULL, due_at = NULL, fails = 0, hops = 0,
        etag = '', last_modified = ''
    WHERE url = :twin AND (state = 'failed' OR state = 'alias' AND alias_of = :url)
""")


def load_twins(connection: sa.Connection) -> tuple[tuple[str, str], ...]:
    """Loads the hosts that others represent, and those others."""
    query = sa.select(hosts.c.host, hosts.c.twin).where(hosts.c.twin.is_not(None)).order_by(hosts.c.id)
    return tuple((host, twin) for host, twin in connection.execute(query))


def save_twin(connection: sa.Connection, host: str, twin: str) -> None:
    """Saves that `twin` represents a host, and those that this one represented."""
    given_up = (hosts.c.host == host) | (hosts.c.twin == host)
    connection.execute(sa.update(hosts).where(given_up).values(twin=twin))


def count_twin_aliases(connection: sa.Connection, host: str, twin: str) -> TwinAliases:
    """Counts the URLs of one host that are aliases of those of the other."""
    return TwinAliases(*connection.execute(_ASIDE, {"here": host, "there": twin}).one())


def hosts_differ(connection: sa.Connection, host: str, other: str) -> bool:
    """Tells whether some path has different texts on the two hosts, or a page on one only."""
    return connection.execute(_DIFFERENT, {"here": host, "there": other}).first() is not None


def load_movable_urls(
    connection: sa.Connection, host: str, after: int, under_way: Sequence[int]
) -> list[MovableUrl]:
    """Loads the next URLs of a host that have a page, or may yet get one; by id, CHUNK at most."""
    alive = (State.QUEUED, State.STORED, State.FAILED, State.ALIAS)
    query = (
        sa.select(urls.c.id, urls.c.url, urls.c.depth, urls.c.priority, urls.c.state == State.QUEUED)
        .join(hosts, hosts.c.id == urls.c.host_id)
        .where(hosts.c.host == host, urls.c.id > after, urls.c.kind == Purpose.PAGE, urls.c.state.in_(alive))
        .where(urls.c.id.not_in(under_way))
        .order_by(urls.c.id)
        .limit(CHUNK)
    )
    return [MovableUrl(*row) for row in connection.execute(query)]


def move_to_twins(connection: sa.Connection, moves: Sequence[TwinMove]) -> int:
    """Moves pages to their twins, whose URLs must be known; returns how many twins wait again.

    A twin that stood aside for this very URL, or failed, is to be visited: else both would be gone.
    """
    rows = [{**one._asdict(), "why": TWIN, "never": NEVER} for one in moves]
    if not rows:
        return 0
    connection.execute(log_change(), [{"url": url} for one in moves for url in (one.url, one.twin)])
    for statement in _MOVE:
        connection.execute(statement, rows)
    return connection.execute(_REVIVE, rows).rowcount


def drop_sitemaps(connection: sa.Connection, host: str, under_way: Sequence[int]) -> int:
    """Stops reading the sitemaps of a host; returns how many of them waited."""
    here = (urls.c.kind == Purpose.SITEMAP) & (urls.c.host_id == _id_of(host)) & urls.c.id.not_in(under_way)
    waited = sa.select(sa.func.count()).where(here, urls.c.state == State.QUEUED)
    number: int = connection.execute(waited).scalar_one()
    left: dict[str, Any] = {"state": State.SKIPPED, "reason": TWIN, "due_at": NEVER}
    connection.execute(sa.update(urls).where(here).values(left))
    return number


def separate_twins(connection: sa.Connection, host: str, twin: str) -> int:
    """Lets a host represent itself again, and queues its URLs; returns how many."""
    connection.execute(sa.update(hosts).where(hosts.c.host == host).values(twin=None))
    gone_over = (urls.c.state == State.ALIAS) & urls.c.alias_of.between(f"{twin}/", f"{twin}/{LAST}")
    away = (urls.c.host_id == _id_of(host)) & ((urls.c.reason == TWIN) | gone_over)
    away &= urls.c.state != State.QUEUED
    connection.execute(log_change(sa.select(urls.c.url).where(away)))
    again: dict[str, Any] = {
        "state": State.QUEUED,
        "reason": "",
        "alias_of": None,
        "due_at": None,
        "fails": 0,
        "hops": 0,
    }
    return connection.execute(sa.update(urls).where(away).values(again)).rowcount


def _id_of(host: str) -> sa.ScalarSelect[int]:
    return sa.select(hosts.c.id).where(hosts.c.host == host).scalar_subquery()
