"""Saves visits into the crawl database, and reads the changes that the index follows."""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from engine.database import (
    changes,
    connect_to_read,
    copies,
    hosts,
    log_change,
    open_database,
    pages,
    read_identity,
    urls,
    write_transaction,
)
from engine.model import COPIES, State, Visit
from engine.packing import PackedPage
from engine.store.census import Census, take_census
from engine.store.change import Change
from engine.store.removals import match_indexed
from engine.store.revisit import (
    may_return,
)
from engine.store.submissions import queue_root_set, sweep_visited
from engine.store.visits import save_visits
from engine.url import registrable_domain

MAX_PACKED = 8_000_000  # bytes of pages that are given at once; 200 usual ones take half a megabyte


class Store:
    """Pages and the state of every known URL, in the crawl database of a data folder or a postgresql:// URL.

    Raises EngineError when the folder, the server or the database cannot be used.
    """

    def __init__(self, location: Path | str) -> None:
        self.engine = open_database(location)

    def close(self) -> None:
        """Closes the database."""
        if "lookup" in vars(self):
            self.lookup.close()
        self.engine.dispose()

    def save(
        self,
        connection: sa.Connection,
        visits: Sequence[Visit],
        trusts_404: Callable[[str], bool] = lambda url: False,
    ) -> None:
        """Writes what became of the URLs; the caller's transaction makes it one step."""
        for visit in visits:
            if visit.state in LEAVING and not may_return(connection, visit, trusts_404):
                self._drop_page(connection, visit)
        save_visits(connection, visits)

    def _drop_page(self, connection: sa.Connection, visit: Visit) -> None:
        """Deletes the page's text from the database, and so from the index."""
        gone = connection.execute(sa.delete(pages).where(pages.c.url_id == visit.fetch.claim.url_id))
        if gone.rowcount:
            connection.execute(log_change(), {"url": visit.fetch.claim.url})

    def may_represent(self, url: str) -> bool:
        """Tells whether a URL may represent another: one not known yet, or whose page is or was stored."""
        row = self.lookup.execute(sa.select(urls.c.state, urls.c.reason).where(urls.c.url == url)).first()
        return row is None or (row.state in (State.QUEUED, State.STORED) and not row.reason)

    @cached_property
    def lookup(self) -> sa.Connection:
        """Opens a connection that stays: what is asked all the time costs less than to open one."""
        return self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")

    def changes(self, after: int, limit: int) -> list[Change]:
        """Reads what changed after a sequence number, oldest first; a URL at its last change only.

        Fewer than asked for, where these take more than MAX_PACKED.
        """
        query = (
            sa.select(*_FOLLOWED, *(pages.c[name] for name in _CHANGE_COLUMNS))
            .outerjoin(urls, urls.c.url == changes.c.url)
            .outerjoin(pages, pages.c.url_id == urls.c.id)
            .outerjoin(hosts, hosts.c.id == urls.c.host_id)
            .where(changes.c.seq > after)
            .order_by(changes.c.seq)
            .limit(limit)
        )
        found, size = list[Change](), 0
        with self.engine.connect() as connection:
            for row in connection.execute(query):
                found.append(_parse_change(row))
                size += len(row.content or b"")
                if size >= MAX_PACKED:
                    break
        return found

    def last_change(self) -> int:
        """Reads the newest sequence number, 0 in an empty database."""
        with connect_to_read(self.engine) as connection:
            return connection.execute(sa.select(sa.func.max(changes.c.seq))).scalar() or 0

    def identity(self) -> str:
        """Returns what tells this database from others, and from what it was before a failover."""
        with connect_to_read(self.engine) as connection:
            return read_identity(connection)

    def census(self) -> Census:
        """Counts everything stored; reads the tables, so takes a moment on large ones."""
        with self.engine.connect() as connection:
            return take_census(connection)

    def clear(self, now: float) -> None:
        """Deletes every URL, page and host, and queues the root set; the index follows by the change log."""
        with write_transaction(self.engine) as connection:
            sweep_visited(connection)
            every = sa.select(urls.c.url).where(match_indexed(sa.true()))
            connection.execute(log_change(every))
            connection.execute(sa.delete(pages))
            connection.execute(sa.delete(copies))
            connection.execute(sa.delete(urls))
            connection.execute(sa.delete(hosts))
            queue_root_set(connection, now)


LEAVING = frozenset({State.GONE, State.NOINDEX, State.DISALLOWED, State.ALIAS, State.SKIPPED})
_FOLLOWED = (changes.c.seq, changes.c.url, urls.c.reason, urls.c.alias_of, urls.c.visited_at, hosts.c.machine)
_CHANGE_COLUMNS = ("language", "media_type", "content", "fetched_at")


def _parse_change(row: sa.Row[Any]) -> Change:
    packed = PackedPage(row.content, row.language, row.media_type) if row.content is not None else None
    copy_of = row.alias_of if row.reason in COPIES else None
    found = (row.seq, row.url, packed, row.fetched_at or row.visited_at or 0.0, _alias_target(row))
    return Change(*found, copy_of or "", row.machine or "")


def _alias_target(row: sa.Row[Any]) -> str:
    """Returns the URL that links to this one mean.

    A redirect is its owner's word. Equal texts are none: who copies a page before we have seen the
    first must not get the votes of another domain with it.
    """
    url, stands = row.url, row.alias_of or ""
    return "" if row.reason in COPIES and registrable_domain(url) != registrable_domain(stands) else stands
