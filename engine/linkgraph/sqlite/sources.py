"""Reads the links of pages backwards, from a file that is opened for reading alone."""

import json
import sqlite3
from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.linkgraph.sources import LAST, Portion

_IDS = "SELECT names.id, name FROM json_each(?) JOIN names ON name = value"
_SOURCES = """
SELECT name, edges FROM names JOIN outlinks ON source = names.id
WHERE name >= ? AND name < ? ORDER BY name LIMIT ?
"""
_LINKING = """
SELECT names.name, edges FROM (SELECT source, edges FROM outlinks LIMIT ?)
JOIN names ON names.id = source WHERE instr(edges, ?)
"""
# The numbers of a URL and of its aliases, as far as links to them count.
_TARGETS = """
WITH RECURSIVE wanted (target) AS (
    SELECT id FROM names WHERE name = ? UNION SELECT alias FROM wanted JOIN stands USING (target)
)
SELECT target FROM wanted WHERE EXISTS (SELECT 1 FROM votes WHERE votes.target = wanted.target) LIMIT ?
"""


class FileSources:
    """The links of a file; the protocol is LinkSources."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()

    def find_numbers(self, names: Sequence[str]) -> dict[int, str]:
        """Finds the numbers of those of the names that are known."""
        return dict(self._connection.execute(_IDS, (json.dumps(names),)).fetchall())

    def find_targets(self, url: str, limit: int) -> list[int]:
        """Finds the numbers of a URL and of its aliases that anybody links to, itself first."""
        return [target for (target,) in self._connection.execute(_TARGETS, (url, limit)).fetchall()]

    def read_host(self, host: str, limit: int, at_once: int) -> Iterator[Portion]:
        """Reads the links of so many pages of a host, in the order of their URLs."""
        cursor = self._connection.execute(_SOURCES, (f"{host}/", f"{host}/{LAST}", limit))
        while rows := cursor.fetchmany(at_once):
            yield [name for name, _ in rows], [edges for _, edges in rows]

    def read_linking(self, target: int, limit: int) -> Iterator[tuple[str, bytes]]:
        """Reads which of so many pages may link to a number: its bytes may lie across two others'."""
        yield from self._connection.execute(_LINKING, (limit, array("q", [target]).tobytes()))

    def load_name(self, number: int) -> str:
        """Loads the name that has a number."""
        name: str
        (name,) = self._connection.execute("SELECT name FROM names WHERE id = ?", (number,)).fetchone()
        return name
