"""Keeps clusters of copies as a table of their own in the link graph's file."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from engine.linkgraph.clusters import MOST_NAMED, MOST_VOTERS, Cluster
from engine.linkgraph.edges import unpack_targets
from engine.linkgraph.sqlite.checksums import BUSY_SECONDS

_SCHEMA = """
CREATE TABLE IF NOT EXISTS copies (url TEXT PRIMARY KEY, page TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS copies_of ON copies (page, url);
"""


class FileClusters:
    """The copies that the index knows of; the protocol is Clusters."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False)
        self._connection.executescript("PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON")
        self._connection.executescript(_SCHEMA)

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def update(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Updates of which other page each URL is a copy; '' for one that is none."""
        pairs = list(pairs)
        with self._connection:
            gone = [(url,) for url, page in pairs if not page]
            self._connection.executemany("DELETE FROM copies WHERE url = ?", gone)
            kept = [pair for pair in pairs if pair[1]]
            self._connection.executemany("INSERT OR REPLACE INTO copies VALUES (?, ?)", kept)

    def copies_of(self, pages: Sequence[str]) -> dict[str, Cluster]:
        """Loads the copies of those of the pages that have any."""
        found = {}
        for page in pages:
            (number,) = self._connection.execute(_COUNT, (page,)).fetchone()
            if number:
                rows = self._connection.execute(_NAMED, (page, MOST_NAMED))
                found[page] = Cluster(number, tuple(url for (url,) in rows))
        return found

    def count_linking_pages(self, urls: Sequence[str], without: str) -> dict[str, int]:
        """Counts the pages that link to each of the URLs, by this name of it; those with any.

        The links of one page, `without`, do not count.
        """
        left_out = unpack_targets(edges for (edges,) in self._connection.execute(_OUTLINKS, (without,)))
        rows = self._connection.execute(_LINKING, (json.dumps(urls),))
        return {name: rest for name, number, pages in rows if (rest := pages - (number in left_out))}

    def voters(self, url: str) -> frozenset[str]:
        """Loads who links to a URL, by this name of it; the first MOST_VOTERS of them."""
        return frozenset(name for (name,) in self._connection.execute(_VOTERS, (url, MOST_VOTERS)))


_COUNT = "SELECT count(*) FROM copies WHERE page = ?"
_NAMED = "SELECT url FROM copies WHERE page = ? ORDER BY url LIMIT ?"
# Tables of the link graph (engine.linkgraph.sqlite.links).
_VOTERS = """
SELECT voter.name FROM names JOIN votes ON target = names.id JOIN names voter ON voter.id = voter
WHERE names.name = ? LIMIT ?
"""
_LINKING = """
SELECT name, names.id, sum(pages) FROM json_each(?) JOIN names ON name = value
JOIN votes ON target = names.id GROUP BY names.id
"""
_OUTLINKS = "SELECT edges FROM names JOIN outlinks ON source = id WHERE name = ?"
