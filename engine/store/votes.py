"""Votes: the inlink weight of many URLs at once, as LinkGraph.inlinks() gives it of a few."""

import json
import sqlite3
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.store.links import LinkGraph

CHUNK = 10_000  # URLs looked up in one statement, of 1,024 characters at most: 10 MB
ROWS = 100_000  # of the link graph in memory: 10 MB

# The table is in the order of its targets, so that sums are made while it is read.
_VOTES = "SELECT target, round(sum(1.0 * pages / (pages + ?)), 6) FROM votes GROUP BY target"
_NUMBERS = "SELECT key, names.id FROM json_each(?) JOIN names ON name = value"
_STOOD_FOR = "SELECT DISTINCT target FROM stands ORDER BY target"

Numbers = NDArray[np.int64]


def votes(graph: LinkGraph, urls: Sequence[str], half: float) -> NDArray[np.float32]:
    """What the votes for each of the URLs add up to, in their order, 0 without any; each URL is there once.

    A voter with `half` linking pages casts half a vote (requirements 300, 301, 304). One pass over the
    link graph, which may be written meanwhile; 28 bytes of memory a URL, beside CHUNK and ROWS.
    """
    found = np.zeros(len(urls), np.float32)
    with graph.moment() as connection:
        numbers = _numbers(connection, urls)
        order = np.argsort(numbers, kind="stable")
        ascending = numbers[order]
        for targets, sums in _sums(connection, half):
            at, known = _places(ascending, targets)
            found[order[at]] = sums[known]
        for targets in _stood_for(connection):
            at, _ = _places(ascending, targets)
            _ask_singly(graph, urls, order[at], half, found)
    return found


def _ask_singly(
    graph: LinkGraph,
    urls: Sequence[str],
    documents: NDArray[np.intp],
    half: float,
    found: NDArray[np.float32],
) -> None:
    """URLs with aliases, by which votes come as well: a voter may use several, so these are no mere sums."""
    for start in range(0, len(documents), CHUNK):
        chunk = documents[start : start + CHUNK].tolist()
        inlinks = graph.inlinks([urls[document] for document in chunk], half)
        found[chunk] = [
            inlinks[urls[document]].votes if urls[document] in inlinks else 0 for document in chunk
        ]


def _numbers(connection: sqlite3.Connection, urls: Sequence[str]) -> Numbers:
    """The number of each URL in the link graph, 0 for one that it does not know."""
    numbers = np.zeros(len(urls), np.int64)
    for start in range(0, len(urls), CHUNK):
        for key, number in connection.execute(_NUMBERS, (json.dumps(urls[start : start + CHUNK]),)):
            numbers[start + key] = number
    return numbers


def _sums(connection: sqlite3.Connection, half: float) -> Iterator[tuple[Numbers, NDArray[np.float64]]]:
    """Numbers of URLs with the sums of the votes for these very names, ROWS at a time."""
    cursor = connection.execute(_VOTES, (half,))
    while rows := cursor.fetchmany(ROWS):
        targets, sums = zip(*rows, strict=True)
        yield np.array(targets, np.int64), np.array(sums)


def _stood_for(connection: sqlite3.Connection) -> Iterator[Numbers]:
    """Numbers of URLs that stand for others, ROWS at a time."""
    cursor = connection.execute(_STOOD_FOR)
    while rows := cursor.fetchmany(ROWS):
        yield np.array(rows, np.int64)[:, 0]


def _places(ascending: Numbers, wanted: Numbers) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Where those of the numbers are that are there, and which are; each is there once at most."""
    at = np.searchsorted(ascending, wanted)
    known = np.zeros(len(wanted), np.bool_)
    inside = at < len(ascending)
    known[inside] = ascending[at[inside]] == wanted[inside]
    return at[known], known
