"""Opens the database of the operator's pages, which all processes of a search page share.

It holds no secret that opens anything: of the password an argon2 hash, of each session a hash of its id.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.admin.sessions import SESSIONS_SCHEMA
from engine.folder import open_side_database

ADMIN = "admin.db"  # in the data folder
BUSY_SECONDS = 30.0  # a writer waits this long for another process

_SCHEMA = f"""{SESSIONS_SCHEMA}
CREATE TABLE IF NOT EXISTS password (number INTEGER PRIMARY KEY CHECK (number = 1), hash TEXT, set_at REAL);
CREATE TABLE IF NOT EXISTS attempts (number INTEGER PRIMARY KEY, at REAL, network TEXT, is_local INTEGER);
CREATE TABLE IF NOT EXISTS audit (
    number INTEGER PRIMARY KEY AUTOINCREMENT, at REAL, address TEXT, action TEXT, detail TEXT
);
"""


@contextmanager
def open_admin(data_dir: Path) -> Iterator[sqlite3.Connection]:
    """Opens the database, made when it is not there. Raises sqlite3.Error."""
    with open_side_database(data_dir / ADMIN, _SCHEMA, BUSY_SECONDS) as connection:
        yield connection
