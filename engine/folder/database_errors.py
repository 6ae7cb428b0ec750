"""Explains an error of the crawl database in a sentence that says how to mend it."""

import sqlite3
import struct

from sqlalchemy.exc import DBAPIError
from zstandard import ZstdError

from engine.errors import EngineError

DAMAGED = "'scrapy check' says what is damaged; restore a damaged crawl database from a backup"
WRITE = "fix that (is the disk full?) and run the same command again: it continues where it stopped"
OF_DATABASE = (DBAPIError, sqlite3.Error, ZstdError, struct.error)  # what SQLite says, and our reading of it


def explain_failure(error: Exception, *, writing: bool = False) -> EngineError:
    """Explains the error of whoever used the database, or wrote to it.

    SQLite's own errors have classes; what it says of a file that is none of its own, or is damaged, has none.
    """
    if isinstance(error, EngineError):
        return error
    if not isinstance(error, OF_DATABASE):
        return EngineError(f"cannot go on: {type(error).__name__}: {error}; {DAMAGED}")
    cause = getattr(error, "orig", error)
    mend = WRITE if writing else ""
    if not isinstance(cause, sqlite3.Error) or type(cause) is sqlite3.DatabaseError:
        mend = DAMAGED
    doing = "write" if writing else "use"
    return EngineError("; ".join(filter(None, (f"cannot {doing} the crawl database: {cause}", mend))))
