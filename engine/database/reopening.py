"""Opens the crawl database on demand, and again after it has failed."""

import sqlite3
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

import sqlalchemy as sa
from zstandard import ZstdError

from engine.database.check import FILE
from engine.database.opening import BUSY_SECONDS, open_database
from engine.database.postgresql import open_server
from engine.errors import Busy, EngineError, Unreadable

SILENT_SECONDS = 1.5  # of a server, after which a page is shown without it
LOCK_NOT_AVAILABLE = "55P03"  # PostgreSQL's code of a wait that was too long (its documentation, appendix A)
# What reading a damaged file raises: SQLite's own complaints, and ours about texts and numbers that it gives.
BROKEN = (sa.exc.DBAPIError, sqlite3.Error, ZstdError, struct.error, ValueError, TypeError, LookupError)


class CrawlDatabase:
    """The crawl database of a data folder or at a postgresql:// URL, safe for several threads.

    Writers wait up to `busy_seconds`.
    """

    def __init__(self, location: Path | str, busy_seconds: float = BUSY_SECONDS) -> None:
        self._location = location
        self._path = location if isinstance(location, str) else location / FILE
        self._busy_seconds = busy_seconds
        self._lock = Lock()
        self._engine: sa.Engine | None = None
        self._stamp: tuple[int, ...] = ()
        self._has_failed = False

    @contextmanager
    def open_engine(self) -> Iterator[sa.Engine]:
        """Lends the engine, for reading and writing.

        Raises Unreadable where it is damaged, or its disk is full or fails, Busy while others write, and what
        open_database() raises.
        """
        engine = self._current_engine()
        try:
            yield engine
        except BROKEN as error:
            if _is_busy(error):
                raise Busy("the crawl is writing to its database") from error
            self._has_failed = True
            self.close()
            raise Unreadable(self._path, _message(error)) from error
        self._has_failed = False

    def close(self) -> None:
        """Closes the engine; it opens again on demand."""
        with self._lock:
            engine, self._engine = self._engine, None
        if engine:
            engine.dispose()

    def _current_engine(self) -> sa.Engine:
        """Opens the engine; connections older than another's writes to the file would not see these.

        After a failure none is made in the place of what was lost.
        """
        with self._lock:
            stamp = _file_stamp(self._path) if isinstance(self._path, Path) else _SERVER
            if self._engine and stamp != self._stamp:
                self._engine.dispose()
            if (self._engine or self._has_failed) and not stamp:
                raise Unreadable(self._path, "nothing is left of it")
            self._stamp = stamp
            if self._engine is None:
                self._engine = self._reopen()
            return self._engine

    def _reopen(self) -> sa.Engine:
        try:
            if isinstance(self._location, str):
                return open_server(self._location, self._busy_seconds, SILENT_SECONDS)
            return open_database(self._location, self._busy_seconds)
        except EngineError as error:
            cause = error.__cause__
            if not isinstance(cause, BROKEN):
                raise
            if _is_busy(cause):
                raise Busy(str(error)) from error
            self._has_failed = True
            raise Unreadable(self._path, _message(cause)) from error


def explain_unreadable(path: Path | str, error: Exception) -> Busy | Unreadable:
    """Explains an error that a database at this place or URL raised."""
    if _is_busy(error):
        return Busy(f"others are writing to {path}")
    return Unreadable(path, _message(error))


_SERVER = (1,)  # of a database that is no file


def _file_stamp(path: Path) -> tuple[int, ...]:
    """Returns what changes when a file is written to; () where it is missing or empty."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return (found.st_ino, found.st_size, found.st_mtime_ns) if found.st_size else ()


def _is_busy(error: BaseException) -> bool:
    cause = getattr(error, "orig", error)
    is_waited_for = getattr(cause, "sqlstate", None) == LOCK_NOT_AVAILABLE
    return is_waited_for or getattr(cause, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY


def _message(error: BaseException) -> str:
    return str(getattr(error, "orig", error)).partition("\n")[0]
