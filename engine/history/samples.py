"""Keeps a few numbers of each minute, for the plots of the operator's pages."""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

MINUTE = 60.0  # seconds
KEPT_MINUTES = 8 * 24 * 60  # a week, and the day that is compared with it


class Sample(NamedTuple):
    """One minute, counted since 1970; pages and errors are those of the crawl so far, 0 while none runs."""

    minute: int
    pages: int
    errors: int
    queued: int
    per_second: float
    index_age: float | None  # seconds since the index last took up what was crawled, None without an index


def record_sample(connection: sqlite3.Connection, sample: Sample) -> None:
    """Records a minute; of several processes that look, the last counts."""
    with connection:
        connection.execute("INSERT OR REPLACE INTO samples VALUES (?, ?, ?, ?, ?, ?)", sample)
        connection.execute("DELETE FROM samples WHERE minute <= ?", (sample.minute - KEPT_MINUTES,))


def load_samples(connection: sqlite3.Connection, after: int) -> Sequence[Sample]:
    """Loads the minutes after one, oldest first."""
    rows = connection.execute(
        "SELECT * FROM samples WHERE minute > ? ORDER BY minute LIMIT ?", (after, KEPT_MINUTES)
    )
    return [Sample(*row) for row in rows]
