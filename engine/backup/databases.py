"""Reads a database as it is at one moment, while others go on writing into it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from engine.backup.sides import find_filled_sides, save_side
from engine.database import (
    SideDatabase,
    allow_idle,
    copy_database,
    count_database_bytes,
    is_empty,
    open_database,
    read_identity,
    write_uuid,
)
from engine.errors import EngineError

BUSY_SECONDS = 30.0  # that a database may be locked, as by a process that recovers it


class DatabaseSnapshot(Protocol):
    """A database at the moment of begin()."""

    def begin(self) -> None:
        """Begins a transaction that sees what is committed now, and no later write."""

    def count_bytes(self) -> int:
        """Counts what a copy takes."""

    def copy_to(self, path: Path) -> None:
        """Copies all of it into a new file of SQLite without a log, and ends the transaction."""

    def close(self) -> None:
        """Ends the transaction."""


class FileSnapshot:
    """A file of SQLite that is there. All raises sqlite3.Error where it cannot be read."""

    def __init__(self, path: Path) -> None:
        address = f"{path.absolute().as_uri()}?mode=rw"
        self._connection = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)

    def begin(self) -> None:
        """Begins a transaction that sees what is committed now."""
        self._connection.execute("BEGIN")
        self._connection.execute("SELECT 1 FROM sqlite_master").fetchone()

    def count_bytes(self) -> int:
        """Counts its pages."""
        (count,) = self._connection.execute("PRAGMA page_count").fetchone()
        (size,) = self._connection.execute("PRAGMA page_size").fetchone()
        return int(count * size)

    def copy_to(self, path: Path) -> None:
        """Copies it page by page; then its log may shrink again."""
        with closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Ends the transaction."""
        self._connection.close()


class ServerSnapshot:
    """The crawl database at a postgresql:// URL. Raises SQLAlchemy's DBAPIError where the server fails.

    To open it raises EngineError where the server cannot be reached.
    """

    def __init__(self, url: str) -> None:
        self._url = url
        self._engine = open_database(url)
        options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._connection = self._engine.connect().execution_options(**options)

    def begin(self) -> None:
        """Begins a transaction that sees what is committed now. Raises EngineError where that is nothing."""
        # It may stand idle for long: while the folder's own databases are copied, and the copy is written.
        allow_idle(self._connection)
        if is_empty(self._connection):
            raise EngineError(f"the crawl database {self._url} is empty: nothing to save")

    def count_bytes(self) -> int:
        """Counts what it takes on the server, which is about as much in a file."""
        return count_database_bytes(self._url)

    def copy_to(self, path: Path) -> None:
        """Copies it row by row. The copy's identity is what an index has noted that follows the server."""
        engine = open_database(path.parent)
        try:
            with engine.connect() as copy:
                # A kill may lose it, and a log would take as much room again.
                for pragma in ("journal_mode = OFF", "synchronous = OFF"):
                    copy.exec_driver_sql(f"PRAGMA {pragma}")
                copy.commit()
                copy_database(self._connection, copy)
                write_uuid(copy, read_identity(self._connection))
                copy.commit()
        finally:
            engine.dispose()
        self._connection.rollback()

    def sides(self) -> dict[str, DatabaseSnapshot]:
        """Finds the side databases with something in them, of the same moment, by their files' names."""
        filled = find_filled_sides(self._connection, self._url)
        return {side.file: ServerSideSnapshot(self._connection, self._url, side) for side in filled}

    def close(self) -> None:
        """Ends the session."""
        self._connection.close()
        self._engine.dispose()


class ServerSideSnapshot:
    """A side database in the transaction of its server's crawl database, which begins and ends it."""

    def __init__(self, connection: sa.Connection, url: str, side: SideDatabase) -> None:
        self._connection, self._url, self._side = connection, url, side

    def begin(self) -> None:
        """Does nothing more."""

    def count_bytes(self) -> int:
        """Counts nothing: the server's database was counted as a whole."""
        return 0

    def copy_to(self, path: Path) -> None:
        """Copies it row by row into the file that it has in a data folder."""
        save_side(self._connection, self._url, self._side, path.parent)

    def close(self) -> None:
        """Does nothing more."""


def open_snapshot_of(location: Path | str, file: str) -> DatabaseSnapshot:
    """Opens the crawl database, which is at a postgresql:// URL or in a file of this name in a folder."""
    return ServerSnapshot(location) if isinstance(location, str) else FileSnapshot(location / file)
