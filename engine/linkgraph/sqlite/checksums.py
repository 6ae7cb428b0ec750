"""Keeps the checksums of a link graph's tables, and how far the index has come, in its file."""

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from engine.linkgraph.checksums import IndexPosition

SCHEMA = "CREATE TABLE IF NOT EXISTS checksums (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;"
BUSY_SECONDS = 30.0  # a writer waits this long for another one's commit
_ADD = "INSERT INTO checksums VALUES (?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value"
_SET = "INSERT INTO checksums VALUES (?, ?) ON CONFLICT DO UPDATE SET value = max(value, excluded.value)"


def add_to_checksum(connection: sqlite3.Connection, table: str, amount: int) -> None:
    """Adds to the checksum of a table, in the caller's transaction."""
    if amount:
        connection.execute(_ADD, (table, amount))


def save_position(path: Path, reached: IndexPosition) -> None:
    """Saves how far the index has come, which is on the disk now; nothing of it is ever taken back."""
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection, connection:
        connection.execute("PRAGMA synchronous = FULL")  # all that was committed before, too
        connection.executemany(_SET, reached._asdict().items())


def load_position(connection: sqlite3.Connection) -> IndexPosition:
    """Loads how far the index has come."""
    stored = load_checksums(connection)
    return IndexPosition(*(stored.get(name, 0) for name in IndexPosition._fields))


def load_checksums(connection: sqlite3.Connection) -> Mapping[str, Any]:
    """Loads all checksums by name."""
    return dict(connection.execute("SELECT name, value FROM checksums"))
