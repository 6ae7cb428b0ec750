"""Opens the database of site owners, which all processes of a search page share.

It holds no secret that opens anything: of each key the value that stands on the site, of each session a hash.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.admin import SESSIONS_SCHEMA
from engine.folder import open_side_database

OWNERS = "owners.db"  # in the data folder
BUSY_SECONDS = 5.0  # a writer waits this long for another process

_SCHEMA = f"""{SESSIONS_SCHEMA}
CREATE TABLE IF NOT EXISTS proofs (host TEXT, value TEXT, at REAL, PRIMARY KEY (host, value)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS grants (
    id_hash BLOB, host TEXT, value TEXT, PRIMARY KEY (id_hash, host)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS removals (host TEXT, number INTEGER PRIMARY KEY, pages INTEGER) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS removals_of_host ON removals (host);
CREATE TABLE IF NOT EXISTS checks (host TEXT PRIMARY KEY, checks_left REAL, left_at REAL) WITHOUT ROWID;
"""


@contextmanager
def open_owners(data_dir: Path) -> Iterator[sqlite3.Connection]:
    """Opens the database, made when it is not there. Raises sqlite3.Error."""
    with open_side_database(data_dir / OWNERS, _SCHEMA, BUSY_SECONDS) as connection:
        yield connection
