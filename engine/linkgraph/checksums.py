"""Keeps checksums of a link graph's tables: sums over rows, which a commit updates by the rows it changes.

SQLite has none, and finds a number that became another only where an index holds it as well. What a row adds
depends on all of it, so a sum tells when a row is not what was written. Beside them stands which commit of
the index the file is the link graph of: files that were taken back to an older state are told of as well.
"""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

# A row of numbers adds its amount times (its keys times FACTORS, modulo PRIME): exact for keys below 2**31.
PRIME = 2**31 - 1
FACTORS = (536_870_909, 268_435_399, 134_217_689)  # odd, with few zeros, below 2**29
SCHEMA = "CREATE TABLE IF NOT EXISTS checksums (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;"
BUSY_SECONDS = 30.0  # a writer waits this long for another one's commit
_ADD = "INSERT INTO checksums VALUES (?, ?) ON CONFLICT DO UPDATE SET value = value + excluded.value"
_SET = "INSERT INTO checksums VALUES (?, ?) ON CONFLICT DO UPDATE SET value = max(value, excluded.value)"


class IndexPosition(NamedTuple):
    """The last commit of the index that a link graph was there for, and the last change that is in it."""

    commit: int = 0
    change: int = 0


def checksum_numbers(keys: Sequence[NDArray[np.int64]], amounts: NDArray[np.int64]) -> int:
    """Sums what rows of numbers add: columns of keys, and how much of each there is more."""
    hashed = np.zeros_like(amounts)
    for column, factor in zip(keys, FACTORS, strict=False):
        hashed += column * factor
    return int((amounts * (hashed % PRIME)).sum())


def checksum_bytes(key: int, packed: bytes) -> int:
    """Computes the CRC-32 of bytes under a number; 0 where there are none."""
    return crc32(packed, key & 0xFFFFFFFF) if packed else 0


def add_to_checksum(connection: sqlite3.Connection, table: str, amount: int) -> None:
    """Adds to the checksum of a table, in the caller's transaction."""
    if amount:
        connection.execute(_ADD, (table, amount))


def save_index_position(path: Path, reached: IndexPosition) -> None:
    """Saves how far the index has come, which is on the disk now; nothing of it is ever taken back."""
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection, connection:
        connection.execute("PRAGMA synchronous = FULL")  # all that was committed before, too
        connection.executemany(_SET, reached._asdict().items())


def load_index_position(connection: sqlite3.Connection) -> IndexPosition:
    """Loads how far the index has come."""
    stored = load_checksums(connection)
    return IndexPosition(*(stored.get(name, 0) for name in IndexPosition._fields))


def load_checksums(connection: sqlite3.Connection) -> Mapping[str, Any]:
    """Loads all checksums by name."""
    return dict(connection.execute("SELECT name, value FROM checksums"))
