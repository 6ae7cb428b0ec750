"""Finds which pages of a host link to which of some URLs, such as those that are gone.

The graph has no index from a target to its sources, so the links of the host's pages are gone through.
"""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.linkgraph.edges import unpack_edges

MAX_SOURCES = 20_000  # pages of a host whose links are gone through; some 0.2 s of work
AT_ONCE = 1_000  # pages in memory
MAX_LISTED = 100
_LAST = "\U0010ffff"  # sorts after everything that a canonical URL may go on with

_IDS = "SELECT names.id, name FROM json_each(?) JOIN names ON name = value"
_SOURCES = """
SELECT name, edges FROM names JOIN outlinks ON source = names.id
WHERE name >= ? AND name < ? ORDER BY name LIMIT ?
"""


class BrokenLink(NamedTuple):
    """A page, and what it links to."""

    source: str
    target: str


class BrokenLinks(NamedTuple):
    """The first of them, and how many there are."""

    links: Sequence[BrokenLink]
    total: int
    is_cut: bool  # there are more pages than were looked at


def find_broken_links(graph: Path, host: str, targets: Sequence[str]) -> BrokenLinks:
    """Finds the links of a host's pages to any of these URLs; `graph` is the link graph's file."""
    with closing(sqlite3.connect(f"{graph.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        names: dict[int, str] = dict(connection.execute(_IDS, (json.dumps(targets),)).fetchall())
        wanted = np.fromiter(names, np.int64, len(names))
        found: list[BrokenLink] = []
        total = looked = 0
        for sources, packed in _read_sources(connection, host) if names else ():
            edges = unpack_edges(packed)
            hits = np.flatnonzero(np.isin(edges.target, wanted))
            pairs = dict.fromkeys(zip(edges.page[hits].tolist(), edges.target[hits].tolist(), strict=True))
            total += len(pairs)
            looked += len(sources)
            few = list(pairs)[: MAX_LISTED - len(found)]
            found += [BrokenLink(sources[page], names[target]) for page, target in few]
    return BrokenLinks(found, total, looked >= MAX_SOURCES)


def _read_sources(connection: sqlite3.Connection, host: str) -> Iterator[tuple[list[str], list[bytes]]]:
    cursor = connection.execute(_SOURCES, (f"{host}/", f"{host}/{_LAST}", MAX_SOURCES))
    while rows := cursor.fetchmany(AT_ONCE):
        yield [name for name, _ in rows], [edges for _, edges in rows]
