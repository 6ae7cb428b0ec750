"""Finds hosts and URLs in the crawl database and inserts new ones: any number of them in one statement."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from engine.database import BulkStatement, Given, hosts, is_among, urls
from engine.frontier.domains import domain_of
from engine.frontier.new_url import INSERT_URLS, NewUrl
from engine.url import host_of

_ROWS = sa.select(hosts.c.host, hosts.c.id, hosts.c.place).where(is_among(hosts.c.host, "wanted"))

_STORED = sa.select(urls.c.url, urls.c.id, urls.c.visited_at).where(is_among(urls.c.url, "wanted"))


class StoredHost(NamedTuple):
    """What identifies a host in the crawl database."""

    id: int
    place: int | None  # its bucket (engine.frontier.host_share), where its address is known


def _insert_new(row: Given) -> sa.Insert:
    new = sa.select(row["host"], row["domain"]).where(sa.true())
    return insert(hosts).from_select(["host", "domain"], new).on_conflict_do_nothing()


_INSERT = BulkStatement(_insert_new, {"host": hosts.c.host, "domain": hosts.c.domain})


def load_rows(connection: sa.Connection, names: Sequence[str]) -> Mapping[str, StoredHost]:
    """Loads the rows of those of the hosts that the database has."""
    if not names:
        return {}
    rows = connection.execute(_ROWS, {"wanted": names})
    return {row.host: StoredHost(row.id, row.place) for row in rows}


def insert_rows(connection: sa.Connection, names: Sequence[str]) -> Mapping[str, StoredHost]:
    """Inserts hosts, which get their ids in this order; returns their rows."""
    _INSERT.execute(connection, [{"host": name, "domain": domain_of(name)} for name in names])
    return load_rows(connection, names)


class StoredUrl(NamedTuple):
    """A URL of the crawl database; `visited_at` in seconds since 1970, None before its first visit."""

    id: int
    visited_at: float | None


def load_stored_urls(connection: sa.Connection, wanted: Sequence[str]) -> Mapping[str, StoredUrl]:
    """Loads those of the canonical URLs that the database has."""
    rows = connection.execute(_STORED, {"wanted": wanted}) if wanted else ()
    return {row.url: StoredUrl(row.id, row.visited_at) for row in rows}


def insert_unasked(connection: sa.Connection, found: Sequence[NewUrl], now: float) -> Mapping[str, StoredUrl]:
    """Inserts those of the URLs that are new, and their hosts; returns all.

    They count as queued until their visits are saved, which is for the caller's transaction.
    """
    known = load_stored_urls(connection, [one.url for one in found])
    new = {one.url: one for one in found if one.url not in known}
    names = [*dict.fromkeys(map(host_of, new))]
    rows = load_rows(connection, names)
    rows = {**rows, **insert_rows(connection, [name for name in names if name not in rows])}
    INSERT_URLS.execute(connection, [one.queued(rows[host_of(url)].id, 0, now) for url, one in new.items()])
    return {**known, **load_stored_urls(connection, [*new])}
