"""Keeps what each host answered in the last rounds, and samples, in a small database beside the crawl's.

It is written off the crawl's path, and may be deleted: nothing but reports is made of it.
"""

import math
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

HISTORY = "history.db"  # in the data folder
KEPT_ROUNDS = 3  # the one that runs, and two to compare
MINUTE = 60.0  # seconds
BUSY_SECONDS = 30.0  # a writer waits this long for another process

_SCHEMA = """
CREATE TABLE IF NOT EXISTS hosts (
    round INTEGER, host TEXT, requests INTEGER, answers INTEGER, errors INTEGER, seconds REAL, bytes INTEGER,
    new INTEGER, changed INTEGER, unchanged INTEGER, gone INTEGER, first_at REAL, last_at REAL,
    minute INTEGER, this_minute INTEGER, last_minute INTEGER,
    PRIMARY KEY (round, host)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS statuses (
    round INTEGER, host TEXT, status TEXT, number INTEGER, PRIMARY KEY (round, host, status)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS samples (
    minute INTEGER PRIMARY KEY, pages INTEGER, errors INTEGER, queued INTEGER, per_second REAL, index_age REAL
);
"""
_COLUMNS = ("host", "requests", "answers", "errors", "seconds", "bytes", "last_at", "statuses")
_SUMS = ("requests", "answers", "errors", "seconds", "bytes", "new", "changed", "unchanged", "gone")
_ADD = f"""
INSERT INTO hosts VALUES (
    :round, :host, {", ".join(f":{name}" for name in _SUMS)}, :first_at, :last_at, :minute, :requests, 0
) ON CONFLICT DO UPDATE SET {", ".join(f"{name} = {name} + excluded.{name}" for name in _SUMS)},
    last_at = max(last_at, excluded.last_at),
    last_minute = CASE excluded.minute - minute WHEN 0 THEN last_minute WHEN 1 THEN this_minute ELSE 0 END,
    this_minute = excluded.this_minute + iif(excluded.minute = minute, this_minute, 0),
    minute = excluded.minute
"""  # noqa: S608  (text of ours)
_ADD_STATUS = (
    "INSERT INTO statuses VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET number = number + excluded.number"
)
_OLDEST = """
SELECT min(round) FROM (SELECT DISTINCT round FROM hosts WHERE round < ? ORDER BY round DESC LIMIT ?)
"""
_ROWS = """
SELECT hosts.*, (
    SELECT json_group_object(status, number) FROM statuses
    WHERE statuses.round = hosts.round AND statuses.host = hosts.host
) AS statuses FROM hosts WHERE round = (SELECT max(round) FROM hosts)
"""
_ROWS_BY_REQUESTS = f"{_ROWS} ORDER BY requests DESC, host"
_ROW_OF_HOST = f"{_ROWS} AND host = ?"


@dataclass(slots=True)
class HostDelta:
    """What is to be added to the counts of a host."""

    requests: int = 0
    answers: int = 0  # to requests for pages
    errors: int = 0  # among requests for pages: no answer, or a status from 400 on
    seconds: float = 0.0  # of these answers
    bytes: int = 0
    new: int = 0  # pages
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    first_at: float = math.inf  # of its requests, seconds since 1970
    last_at: float = 0.0
    statuses: Counter[str] = field(default_factory=Counter)


class HostRow(NamedTuple):
    """The counts of one host in the round that runs, or ran last."""

    host: str
    requests: int
    answers: int
    errors: int
    seconds: float
    bytes: int
    last_at: float  # of its last request, seconds since 1970
    per_minute: float  # requests, in the last minute or two
    statuses: str  # JSON object: how many of each status, or error

    @property
    def mean_seconds(self) -> float:
        """Seconds to a whole answer, on average; 0.0 without any."""
        return self.seconds / self.answers if self.answers else 0.0


@contextmanager
def open_history(data_dir: Path) -> Iterator[sqlite3.Connection]:
    """Opens the counts of a data folder, made when they are not there. Raises sqlite3.Error."""
    with closing(sqlite3.connect(data_dir / HISTORY, timeout=BUSY_SECONDS)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.executescript(_SCHEMA)
        connection.row_factory = sqlite3.Row
        yield connection


def begin_round(connection: sqlite3.Connection, number: int) -> None:
    """Deletes what is older than the rounds that are compared, and what a deleted crawl database has left."""
    with connection:
        for table in ("hosts", "statuses"):
            connection.execute(f"DELETE FROM {table} WHERE round > ?", (number,))  # noqa: S608
        (oldest,) = connection.execute(_OLDEST, (number, KEPT_ROUNDS - 1)).fetchone()
        for table in ("statuses", "hosts"):
            connection.execute(f"DELETE FROM {table} WHERE round < ?", (oldest or 0,))  # noqa: S608


def add_counts(connection: sqlite3.Connection, number: int, deltas: Mapping[str, HostDelta]) -> None:
    """Adds to the counts of hosts in a round."""
    rows = ({**_sums(one), "round": number, "host": host} for host, one in deltas.items())
    statuses = (
        (number, host, status, count)
        for host, one in deltas.items()
        for status, count in one.statuses.items()
    )
    with connection:
        connection.executemany(_ADD, rows)
        connection.executemany(_ADD_STATUS, statuses)


def load_host_rows(connection: sqlite3.Connection, now: float) -> Iterator[HostRow]:
    """Loads the hosts of the last round, those of most requests first; one row at a time."""
    for row in connection.execute(_ROWS_BY_REQUESTS):
        yield _parse_row(row, now)


def load_host_row(connection: sqlite3.Connection, host: str, now: float) -> HostRow | None:
    """Loads one host of the last round, None where nothing was asked of it."""
    row = connection.execute(_ROW_OF_HOST, (host,)).fetchone()
    return _parse_row(row, now) if row else None


def _parse_row(row: sqlite3.Row, now: float) -> HostRow:
    return HostRow(**{name: row[name] for name in _COLUMNS}, per_minute=_rate(row, now))


def _rate(row: sqlite3.Row, now: float) -> float:
    """Computes the requests a minute in this minute and the one before."""
    age = int(now // MINUTE) - row["minute"]
    if age not in (0, 1):
        return 0.0
    counted: int = row["this_minute"] + (row["last_minute"] if age == 0 else 0)
    began = max(row["first_at"], (now // MINUTE - 1) * MINUTE)
    minutes: float = max((now - began) / MINUTE, 1 / MINUTE)
    return counted / minutes


def _sums(one: HostDelta) -> dict[str, float]:
    sums: dict[str, float] = {name: getattr(one, name) for name in _SUMS}
    return sums | {"first_at": one.first_at, "last_at": one.last_at, "minute": int(one.last_at // MINUTE)}
