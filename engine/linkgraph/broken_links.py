"""Finds which pages of a host link to which of some URLs, such as those that are gone.

The graph has no index from a target to its sources, so the links of the host's pages are gone through.
"""

from collections.abc import Sequence
from contextlib import closing
from typing import NamedTuple

import numpy as np

from engine.linkgraph.edges import unpack_edges
from engine.linkgraph.location import GraphLocation
from engine.linkgraph.opening import open_sources

MAX_SOURCES = 20_000  # pages of a host whose links are gone through; some 0.2 s of work
AT_ONCE = 1_000  # pages in memory
MAX_LISTED = 100


class BrokenLink(NamedTuple):
    """A page, and what it links to."""

    source: str
    target: str


class BrokenLinks(NamedTuple):
    """The first of them, and how many there are."""

    links: Sequence[BrokenLink]
    total: int
    is_cut: bool  # there are more pages than were looked at


def find_broken_links(location: GraphLocation, host: str, targets: Sequence[str]) -> BrokenLinks:
    """Finds the links of a host's pages to any of these URLs."""
    with closing(open_sources(location)) as sources:
        names = sources.find_numbers(targets)
        wanted = np.fromiter(names, np.int64, len(names))
        found: list[BrokenLink] = []
        total = looked = 0
        for pages, packed in sources.read_host(host, MAX_SOURCES, AT_ONCE) if names else ():
            edges = unpack_edges(packed)
            hits = np.flatnonzero(np.isin(edges.target, wanted))
            pairs = dict.fromkeys(zip(edges.page[hits].tolist(), edges.target[hits].tolist(), strict=True))
            total += len(pairs)
            looked += len(pages)
            few = list(pairs)[: MAX_LISTED - len(found)]
            found += [BrokenLink(pages[page], names[target]) for page, target in few]
    return BrokenLinks(found, total, looked >= MAX_SOURCES)
