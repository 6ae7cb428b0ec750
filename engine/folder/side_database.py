"""Opens the small databases that lie beside the crawl's: alarms, sessions, complaints and the like.

They are plain sqlite3, of one schema each, and shared by all processes of a data folder.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path


@contextmanager
def open_side_database(path: Path, schema: str, busy_seconds: float) -> Iterator[sqlite3.Connection]:
    """Opens a database, made by the schema when it is not there. Raises sqlite3.Error.

    Transactions begin where they are written; a writer waits so many seconds for another process.
    """
    with closing(sqlite3.connect(path, timeout=busy_seconds)) as connection:
        connection.isolation_level = None
        connection.executescript(schema)
        yield connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Locks out other writers, and commits or rolls back."""
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        yield
