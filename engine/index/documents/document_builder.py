"""Builds documents of changes, in the order in which an index needs them: link graph and templates first.

Where they go is the writer's: the segments of a folder, or a cluster.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.audience import AudienceRules
from engine.index.documents.document import Document, make_document
from engine.index.documents.own_signals import SignalTerms, no_signals
from engine.index.documents.portions import SegmentBatch, split_portions
from engine.index.documents.template import PageBlocks, find_repeated, number_blocks
from engine.linkgraph import Clusters, LinkGraph, Templates, VotePivots
from engine.model import Links
from engine.store import Change
from engine.text.tokens import TermNumbering

MAX_TEMPLATES = 256  # remembered during a commit; each has some hundred blocks, 2,600 at most: 40 MB


class DocumentBuilder:
    """Builds the documents of one generation by its link graph, templates and clusters."""

    def __init__(
        self,
        graph: LinkGraph,
        templates: Templates,
        clusters: Clusters,
        numbering: TermNumbering,
        pivots: VotePivots,
        audiences: AudienceRules,
        signals: SignalTerms = no_signals,
    ) -> None:
        self.audiences = audiences
        self.graph, self.templates, self._clusters = graph, templates, clusters
        self.numbering, self._pivots, self._signals = numbering, pivots, signals

    def close(self) -> None:
        """Closes the files."""
        self.templates.close()
        self.graph.close()
        self._clusters.close()

    def update_links(self, changes: Sequence[Change]) -> None:
        """Updates the link graph and the clusters by these changes, with nothing of hidden pages of which
        others than their readers would learn.
        """
        self.graph.replace((change.url, self._select_links(change)) for change in changes)
        self.graph.set_machines([(change.url, change.machine) for change in changes])
        self.graph.set_aliases(
            [(one.url, self._select_alike(one.url, one.represented_by)) for one in changes]
        )
        self._clusters.update([(one.url, self._select_alike(one.url, one.copy_of)) for one in changes])

    def learn_templates(self, batches: Iterable[Sequence[Change]]) -> None:
        """Learns every host's template from the pages of its sample, before any document is written.

        `batches` are all changes that were linked.
        """
        sampled = self.templates.sample_filter()
        for changes in batches:
            some = [change for change in changes if change.packed and sampled(change.url)]
            self.templates.replace((url, found.different) for url, found in _number_blocks(some).items())
        self.templates.learn()

    def build(
        self, changes: Sequence[Change], stale: Sequence[Change] = ()
    ) -> Iterator[tuple[SegmentBatch, NDArray[np.float32]]]:
        """Builds the documents of these changes, and of what is stale, with their votes; a batch holds
        until the next is asked for.

        Templates are brought up to the changes before: of a page that is stale they know what it says.
        """
        found = _number_blocks(changes)
        self.templates.replace(
            (change.url, found[change.url].different if change.packed else None) for change in changes
        )
        documents = self._make_documents([*stale, *changes], found | _number_blocks(stale))
        for some in split_portions(documents, self.numbering):
            yield some, self.count_votes([document.keys["url"][0] for document in some.documents])

    def count_votes(self, urls: Sequence[str]) -> NDArray[np.float32]:
        """Counts the votes of the inlinks of each URL."""
        inlinks = self.graph.inlinks(urls, self._pivots)
        return np.array([inlinks[url].votes if url in inlinks else 0 for url in urls], np.float32)

    def _select_links(self, change: Change) -> Links | None:
        links = change.links
        return self.audiences.select_links(change.url, links) if links else links

    def _select_alike(self, url: str, other: str) -> str:
        """Returns the other URL if its page has the same readers, '' if not."""
        return "" if other and self.audiences.are_apart(url, other) else other

    def _make_documents(self, changes: Sequence[Change], found: Mapping[str, PageBlocks]) -> list[Document]:
        urls = [change.url for change in changes]
        anchors, targets = self.graph.anchors(urls), self.graph.target_numbers(urls)
        template = lru_cache(MAX_TEMPLATES)(self.templates.template_blocks)
        return [
            make_document(
                change,
                anchors.get(change.url, ()),
                find_repeated(change.page, found[change.url], template(self.audiences.group(change.url))),
                targets.get(change.url, ()),
                self._signals,
            )
            for change in changes
            if change.page
        ]


def _number_blocks(changes: Sequence[Change]) -> dict[str, PageBlocks]:
    """Numbers the blocks of those of the pages that are there, by URL."""
    return {change.url: number_blocks(change.page) for change in changes if change.page}
