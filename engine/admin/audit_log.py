"""Keeps who did what on the operator's pages, and when."""

from typing import NamedTuple

import sqlalchemy as sa

from engine.database import audit

MAX_ENTRIES = 100_000  # that are kept, the newest; failed logins are 1,500 a day at most
MAX_DETAIL = 2_000  # characters


class AuditEntry(NamedTuple):
    """One act; `at` in seconds since 1970, `address` '' for the terminal of this machine."""

    number: int
    at: float
    address: str
    action: str
    detail: str


def add_entry(connection: sa.Connection, at: float, address: str, action: str, detail: str = "") -> int:
    """Adds an act, and drops the oldest beyond MAX_ENTRIES; returns its number."""
    row = {"at": at, "address": address, "action": action, "detail": detail[:MAX_DETAIL]}
    (number,) = connection.execute(sa.insert(audit).values(row)).inserted_primary_key or (0,)
    connection.execute(sa.delete(audit).where(audit.c.number <= number - MAX_ENTRIES))
    return int(number)


def load_entries(connection: sa.Connection, before: int | None, number: int) -> list[AuditEntry]:
    """Loads the newest acts, or the newest before one."""
    columns = [audit.c[name] for name in AuditEntry._fields]
    query = sa.select(*columns).order_by(audit.c.number.desc()).limit(number)
    rows = connection.execute(query if before is None else query.where(audit.c.number < before))
    return [AuditEntry(*row) for row in rows]
