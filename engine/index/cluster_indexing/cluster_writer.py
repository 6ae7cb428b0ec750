"""Writes the documents of changes into an index of a cluster."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.index.cluster_form import document_id
from engine.index.cluster_indexing.documents import make_sources
from engine.index.documents import DocumentBuilder, SegmentBatch, measure_texts
from engine.index.reader import Scores, round_average
from engine.index.schema import TEXT_FIELDS
from engine.index.scoring import make_norms
from engine.opensearch import BulkAction, BulkCounts, write_bulk
from engine.ranking import Ranking
from engine.store import Change

if TYPE_CHECKING:
    from opensearchpy import OpenSearch


class ClusterWriter:
    """One index, open for writing. `averages`: how long its texts are, as all its weights have it; what is
    empty is measured on the first documents that are written.

    Methods raise engine.opensearch.ClusterError where the cluster cannot be written to.
    """

    def __init__(
        self,
        client: "OpenSearch",
        index: str,
        builder: DocumentBuilder,
        ranking: Ranking,
        averages: Mapping[str, float],
    ) -> None:
        self._client, self._index, self._builder, self._ranking = client, index, builder, ranking
        self.averages = averages

    def write(self, changes: Sequence[Change], stale: Sequence[Change] = (), last: int = 0) -> BulkCounts:
        """Replaces, adds and deletes the documents of these changes, and of what is stale; what is newer by
        then stays.

        The links of all of them are in the builder's graph. `last` is the last change that is in the index.
        """
        return write_bulk(self._client, self._index, self._make_actions(changes, stale, last))

    def _make_actions(
        self, changes: Sequence[Change], stale: Sequence[Change], last: int
    ) -> Iterator[BulkAction]:
        versions = {change.url: last for change in stale} | {change.url: change.seq for change in changes}
        for batch, votes in self._builder.build(changes, stale):
            numbering, variant = self._builder.numbering, self._ranking.variant
            sources = make_sources(batch, numbering, self._find_norms(batch), variant, votes)
            for document, source in zip(batch.documents, sources, strict=True):
                [url] = document.keys["url"]
                yield BulkAction(document_id(url), versions[url], source)
        for change in changes:
            if not change.page:
                yield BulkAction(document_id(change.url), change.seq, None)

    def _find_norms(self, batch: SegmentBatch) -> Scores:
        """Finds the norms of the averages."""
        self.averages = self.averages or average_lengths([measure_texts(batch)])
        return make_norms(self.averages, self._ranking)


def average_lengths(several: Sequence[NDArray[np.int64]]) -> Mapping[str, float]:
    """Averages how long the texts of documents are where there is one; nothing where there are none."""
    lengths = np.concatenate(several) if several else np.empty(0, np.int64)
    if not len(lengths):
        return {}
    sums, having = lengths.sum(axis=0).tolist(), (lengths > 0).sum(axis=0).tolist()
    return {
        name: round_average(length, count)
        for name, length, count in zip(TEXT_FIELDS, sums, having, strict=True)
    }
