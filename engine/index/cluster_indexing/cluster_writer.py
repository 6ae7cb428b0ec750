"""Writes the documents of changes into an index of a cluster."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from engine.index.cluster_indexing.documents import make_sources
from engine.index.cluster_indexing.mapping import MAPPINGS, document_id, make_settings
from engine.index.documents import DocumentBuilder
from engine.index.scoring import make_norms
from engine.opensearch import BulkAction, BulkCounts, write_bulk
from engine.ranking import Ranking
from engine.store import Change

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

MANAGE_SECONDS = 60.0  # for what waits for all nodes: an index is made, what was written is shown


class ClusterWriter:
    """One index, open for writing. `averages`: how long its texts are, as all its weights have it.

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
        self._client, self._index, self._builder = client, index, builder
        self._norms, self._variant = make_norms(averages, ranking), ranking.variant

    def create(self, shards: int, replicas: int) -> None:
        """Creates the index, empty."""
        body = {"settings": make_settings(shards, replicas), "mappings": MAPPINGS}
        self._client.indices.create(index=self._index, body=body, request_timeout=MANAGE_SECONDS)

    def write(self, changes: Sequence[Change]) -> BulkCounts:
        """Replaces, adds and deletes the documents of these changes; what is newer by then stays.

        The links of all of them are in the builder's graph.
        """
        return write_bulk(self._client, self._index, self._make_actions(changes))

    def show(self) -> None:
        """Shows what was written to all who open the index from now on."""
        self._client.indices.refresh(index=self._index, request_timeout=MANAGE_SECONDS)

    def _make_actions(self, changes: Sequence[Change]) -> Iterator[BulkAction]:
        versions = {change.url: change.seq for change in changes}
        for batch, votes in self._builder.build(changes):
            sources = make_sources(batch, self._builder.numbering, self._norms, self._variant, votes)
            for document, source in zip(batch.documents, sources, strict=True):
                [url] = document.keys["url"]
                yield BulkAction(document_id(url), versions[url], source)
        for change in changes:
            if not change.page:
                yield BulkAction(document_id(change.url), change.seq, None)
