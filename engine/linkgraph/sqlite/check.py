"""Verifies a link graph's file by SQLite's own check and by its checksums."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.linkgraph.checksums import FACTORS, PRIME, checksum_bytes
from engine.linkgraph.sqlite.checksums import load_checksums
from engine.linkgraph.sqlite.clusters import FileClusters
from engine.linkgraph.sqlite.links import FileLinkGraph
from engine.linkgraph.sqlite.templates import FileTemplates

_SUMS = {
    "votes": "SELECT sum(pages * ((target * {0} + voter * {1}) % {prime})) FROM votes",
    "said": "SELECT sum(pages * ((target * {0} + anchor * {1} + voter * {2}) % {prime})) FROM said",
    "outlinks": "SELECT sum(checksum(source, edges)) FROM outlinks",
    "blocks": "SELECT sum(checksum(page, numbers)) FROM blocks",
    "templates": "SELECT sum(checksum(host, numbers)) FROM templates WHERE numbers != x''",
}
"""What the rows of each table add up to."""

# Each host's template says how many of its pages it knows.
_MISCOUNTED = """
SELECT 1 FROM templates WHERE pages != (SELECT count(*) FROM blocks WHERE blocks.host = templates.host)
LIMIT 1
"""


def find_file_damages(path: Path) -> Iterator[str]:
    """Yields damages of a link graph's file, a word or sentence each. Raises sqlite3.Error, ValueError."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        connection.create_function("checksum", 2, checksum_bytes, deterministic=True)
        connection.execute("BEGIN")  # one moment of it, whoever writes
        if connection.execute("PRAGMA encoding").fetchone() != ("UTF-8",):
            yield "encoding"
        if _schema(connection) != _schema_of_graphs():
            yield "schema"
        for (message,) in connection.execute("PRAGMA integrity_check(1)"):
            if message != "ok":
                yield message
        expected = load_checksums(connection)
        for table, query in _SUMS.items():
            (found,) = connection.execute(query.format(*FACTORS, prime=PRIME)).fetchone()
            if (found or 0) != expected.get(table, 0):
                yield table
        if connection.execute(_MISCOUNTED).fetchone():
            yield "templates"


def _schema(connection: sqlite3.Connection) -> frozenset[tuple[str, ...]]:
    return frozenset(connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master"))


@cache
def _schema_of_graphs() -> frozenset[tuple[str, ...]]:
    """Reads the tables and indexes that a link graph's file has."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "links.db"
        create_file(path)
        with closing(sqlite3.connect(path)) as connection:
            return _schema(connection)


def create_file(path: Path) -> None:
    """Creates the tables of a link graph, where they are not there yet."""
    for table in (FileLinkGraph, FileTemplates, FileClusters):
        table(path).close()
