"""Reads what a batch of pages links to, as names that are numbered, and counts what that changes."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from engine.linkgraph import edges
from engine.linkgraph.edges import CountChanges, Edges
from engine.model import Links
from engine.url import registrable_domain


class LinkBatch(NamedTuple):
    """The links of some pages that count, all by name."""

    urls: Sequence[str]
    left: Sequence[bool]  # those of the pages that are gone
    targets: Sequence[Sequence[str]]  # of each page
    words: Sequence[str]  # of all links, in the targets' order
    texts: Mapping[str, str]  # of the words: the anchor text that is kept
    voters: Sequence[str]  # of each page

    def names(self) -> set[str]:
        """Returns all that needs a number."""
        return {*self.urls, *self.voters, *chain.from_iterable(self.targets), *self.texts.values()}

    def build_edges(self, ids: Mapping[str, int]) -> Edges:
        """Builds the links in numbers; `ids` are those of the names."""
        anchors = {words: ids[text] for words, text in self.texts.items()}
        return edges.build_edges(self.targets, ids, self.words, anchors)

    def count_changes(
        self, before: Edges, now: Edges, ids: Mapping[str, int]
    ) -> tuple[CountChanges, CountChanges]:
        """Counts what changes of votes, and of anchor texts."""
        voters = np.array([ids[name] for name in self.voters], np.int64)
        return edges.diff_votes(before, now, voters), edges.diff_anchors(before, now, voters)


def collect_links(sources: Iterable[tuple[str, Links | None]]) -> LinkBatch:
    """Collects the links of pages; of one that comes twice the last counts. None: it has left."""
    pages = {url: None if links is None else edges.select_counted(url, links) for url, links in sources}
    words = [anchor for of_page in pages.values() if of_page for anchor in of_page.anchors]
    return LinkBatch(
        list(pages),
        [of_page is None for of_page in pages.values()],
        [of_page.targets if of_page else () for of_page in pages.values()],
        words,
        {anchor: edges.normalize_anchor(anchor) for anchor in set(words)},
        [registrable_domain(url) for url in pages],
    )
