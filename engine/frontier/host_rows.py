"""Finds hosts in the crawl database and inserts new ones: any number of them in one statement each."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from engine.database import BulkStatement, Given, hosts, is_among
from engine.frontier.domains import domain_of

_ROWS = sa.select(hosts.c.host, hosts.c.id, hosts.c.place).where(is_among(hosts.c.host, "wanted"))


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
