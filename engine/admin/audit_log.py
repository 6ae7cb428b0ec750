"""Keeps who did what on the operator's pages, and when."""

import sqlite3
from typing import NamedTuple

MAX_ENTRIES = 100_000  # that are kept, the newest; failed logins are 1,500 a day at most
MAX_DETAIL = 2_000  # characters


class AuditEntry(NamedTuple):
    """One act; `at` in seconds since 1970, `address` '' for the terminal of this machine."""

    number: int
    at: float
    address: str
    action: str
    detail: str


def add_entry(connection: sqlite3.Connection, at: float, address: str, action: str, detail: str = "") -> int:
    """Adds an act, and drops the oldest beyond MAX_ENTRIES; returns its number."""
    added = connection.execute(
        "INSERT INTO audit (at, address, action, detail) VALUES (?, ?, ?, ?)",
        (at, address, action, detail[:MAX_DETAIL]),
    )
    connection.execute(
        "DELETE FROM audit WHERE number <= (SELECT max(number) FROM audit) - ?", (MAX_ENTRIES,)
    )
    return added.lastrowid or 0


def load_entries(connection: sqlite3.Connection, before: int | None, number: int) -> list[AuditEntry]:
    """Loads the newest acts, or the newest before one."""
    rows = connection.execute(
        "SELECT number, at, address, action, detail FROM audit WHERE ? IS NULL OR number < ? "
        "ORDER BY number DESC LIMIT ?",
        (before, before, number),
    )
    return [AuditEntry(*row) for row in rows]
