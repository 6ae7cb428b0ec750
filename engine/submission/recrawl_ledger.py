"""Keeps tokens and requests for recrawls in a small database beside the crawl's, over kills and processes."""

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from engine.folder import open_side_database, transaction

RECRAWL = "recrawl.db"  # in the data folder
BUSY_SECONDS = 5.0  # a writer waits this long for another, as for the crawl's database
MAX_REQUESTS = 10_000  # that can be asked about; the oldest are forgotten
ID_BYTES = 12

_SCHEMA = """
CREATE TABLE IF NOT EXISTS tokens (
    name TEXT PRIMARY KEY, digest BLOB, sites TEXT, per_hour INTEGER, made_at REAL, used_at REAL,
    urls_left REAL, left_at REAL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS requests (
    number INTEGER PRIMARY KEY, id TEXT UNIQUE, token TEXT, kind TEXT, url TEXT, at REAL
);
"""


class RecrawlKind(StrEnum):
    """What the URL of a request is."""

    PAGE = "page"  # or, with * at its end, all pages whose URLs begin so
    SITEMAP = "sitemap"


class RecrawlRequest(NamedTuple):
    """A request that was taken in; `at` in seconds since 1970."""

    id: str
    token: str  # its name
    kind: RecrawlKind
    url: str  # canonical; a prefix with * at its end
    at: float


@contextmanager
def open_recrawl_ledger(data_dir: Path) -> Iterator[sqlite3.Connection]:
    """Opens tokens and requests for one transaction, made when not there. Raises sqlite3.Error, OSError."""
    data_dir.mkdir(parents=True, exist_ok=True)
    with open_side_database(data_dir / RECRAWL, _SCHEMA, BUSY_SECONDS) as ledger, transaction(ledger):
        yield ledger


def save_request(
    ledger: sqlite3.Connection, token: str, kind: RecrawlKind, url: str, now: float
) -> RecrawlRequest:
    """Saves a request under an id that nobody guesses; forgets the oldest beyond MAX_REQUESTS."""
    request = RecrawlRequest(secrets.token_urlsafe(ID_BYTES), token, kind, url, now)
    ledger.execute("INSERT INTO requests (id, token, kind, url, at) VALUES (?, ?, ?, ?, ?)", request)
    ledger.execute(
        "DELETE FROM requests WHERE number <= (SELECT max(number) FROM requests) - ?", (MAX_REQUESTS,)
    )
    return request


def load_request(ledger: sqlite3.Connection, token: str, identity: str) -> RecrawlRequest | None:
    """Loads a request of a token, None where it made none of this id."""
    query = "SELECT id, token, kind, url, at FROM requests WHERE id = ? AND token = ?"
    row = ledger.execute(query, (identity, token)).fetchone()
    return RecrawlRequest(row[0], row[1], RecrawlKind(row[2]), row[3], row[4]) if row else None
