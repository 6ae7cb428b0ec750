"""SQLite's FTS5 with its Porter stemmer and its bm25()."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.peers.contest import TOP, BenchmarkQuery, StoredFields, pages

if TYPE_CHECKING:  # as in benchmarks.peers.contest
    from engine.store.page_store import Store

FILE = "fts5.db"
_JOINED = {"or": '" OR "', "and": '" AND "', "phrase": " "}
_CREATE = """
CREATE VIRTUAL TABLE page USING fts5(
    url UNINDEXED, title, headings, body, text UNINDEXED, tokenize = 'porter unicode61')
"""


class Fts5Index:
    """A connection to one index."""

    def __init__(self, folder: Path) -> None:
        self._connection = _connect(folder)

    def parse(self, asked: BenchmarkQuery) -> str:
        """FTS5's own query language, which it parses when it is asked."""
        return f'"{_JOINED[asked.kind].join(asked.words)}"'

    def find(self, parsed: str) -> Sequence[Any]:
        """The first hits, without a count of all."""
        found = "SELECT rowid FROM page WHERE page MATCH ? ORDER BY rank LIMIT ?"
        return [number for (number,) in self._connection.execute(found, (parsed, TOP))]

    def kept(self, found: Sequence[Any]) -> list[StoredFields]:
        """The rows of the hits."""
        stored = "SELECT url, title, text FROM page WHERE rowid = ?"
        return [StoredFields(*self._connection.execute(stored, (number,)).fetchone()) for number in found]

    def close(self) -> None:
        """Give the file back."""
        self._connection.close()


def build(store: "Store", folder: Path) -> None:
    """One transaction; then one segment, as by its `optimize`."""
    with closing(_connect(folder)) as connection, connection:
        connection.execute(_CREATE)
        connection.executemany(
            "INSERT INTO page VALUES (?, ?, ?, ?, ?)",
            (
                (
                    page.url,
                    page.title,
                    "\n".join(section.heading for section in page.sections),
                    "\n".join(section.text for section in page.sections),
                    page.text,
                )
                for page in pages(store)
            ),
        )
        connection.execute("INSERT INTO page (page) VALUES ('optimize')")


def open_index(folder: Path) -> Fts5Index:
    """Open what build() made."""
    return Fts5Index(folder)


def text_bytes(folder: Path) -> int:
    """The table of what was inserted, the indexed texts included."""
    with closing(_connect(folder)) as connection:
        sizes = "SELECT sum(pgsize) FROM dbstat WHERE name = 'page_content'"
        return int(connection.execute(sizes).fetchone()[0])


def _connect(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(folder / FILE)
