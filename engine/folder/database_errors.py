"""Explains an error of the crawl database in a sentence that says how to fix it."""

import sqlite3
import struct

from sqlalchemy.exc import DBAPIError, OperationalError, PendingRollbackError
from zstandard import ZstdError

from engine.errors import EngineError

DAMAGED = "'scrapy check' says what is damaged; restore a damaged crawl database from a backup"
WRITE = "fix that (is the disk full?) and run the same command again: it continues where it stopped"
DENIED = {  # https://www.sqlite.org/rescode.html: codes of what a disk, a right or another process denied
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_INTERRUPT,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}
PRIMARY = 0xFF  # of an extended code, the bits of the code that it extends
# What a database says, or SQLAlchemy after a connection was lost, and our reading of it.
OF_DATABASE = (DBAPIError, PendingRollbackError, sqlite3.Error, ZstdError, struct.error)
DISK_FULL = "53100"  # https://www.postgresql.org/docs/current/errcodes-appendix.html
FULL = "the PostgreSQL server's disk is full: make room there, and run the same command again: it continues"
AWAY = "is the PostgreSQL server up, and has its disk room? Run the same command again: it continues"


def explain_failure(error: Exception, *, writing: bool = False) -> EngineError:
    """Explains an error that reading or writing the database raised.

    SQLite tells by a code what the machine denied it; all else comes of what the file says: codes for
    damage, a table that is gone, two rows of one key, and what Python cannot decode, which has no code.
    A server that is away has OperationalErrors without such a code; one whose disk is full tells by its own.
    """
    if isinstance(error, EngineError):
        return error
    if not isinstance(error, OF_DATABASE):
        return EngineError(f"cannot go on: {type(error).__name__}: {error}; {DAMAGED}")
    cause = getattr(error, "orig", error)
    mend = WRITE if writing else ""
    if isinstance(error, PendingRollbackError) or (
        isinstance(error, OperationalError) and not isinstance(cause, sqlite3.Error)
    ):
        mend = FULL if getattr(cause, "sqlstate", None) == DISK_FULL else AWAY
    elif getattr(cause, "sqlite_errorcode", 0) & PRIMARY not in DENIED:
        mend = DAMAGED
    doing = "write" if writing else "use"
    said = str(cause).partition("\n")[0]  # a server's client adds hints of its own
    return EngineError("; ".join(filter(None, (f"cannot {doing} the crawl database: {said}", mend))))
