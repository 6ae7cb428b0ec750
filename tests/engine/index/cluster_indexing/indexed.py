"""Pages in an index of one machine, and what a cluster gets of the same documents."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray
from opensearchpy import OpenSearch

from engine.index.cluster_form.creating import create_empty, show_documents
from engine.index.cluster_form.term_vectors import TermVector, pack_vectors
from engine.index.cluster_indexing.cluster_writer import ClusterWriter
from engine.index.cluster_searching.cluster_snapshot import ClusterSnapshot
from engine.index.documents.batch import make_entries, measure_texts
from engine.index.documents.portions import SegmentBatch
from engine.index.indexing.rebuild import rebuild_index
from engine.index.indexing.writer import Writer
from engine.index.reader.cache import IndexCache
from engine.index.searching.directory_snapshot import DirectorySnapshot
from engine.model.page import Page
from engine.opensearch import transport
from engine.opensearch.client import open_client
from engine.ranking import Ranking
from engine.text.tokens import TermNumbering
from tests.engine.generations.folders import in_folder
from tests.engine.index.source import Memory

PATIENCE = 60.0  # seconds, where other tests run beside a node

Batch = tuple[SegmentBatch, NDArray[np.float32], TermNumbering]


class Indexed:
    """Pages, indexed in a data folder."""

    def __init__(self, data_dir: Path, pages: Sequence[Page], copies: Mapping[str, str] = {}) -> None:
        self._source = Memory(*pages)
        for url, of in copies.items():
            self._source.copy(url, of)
        self.generation = in_folder(rebuild_index(self._source, data_dir))
        self.snapshot = DirectorySnapshot(self.generation, IndexCache(), Ranking())

    def batches(self) -> Iterator[Batch]:
        """Builds the documents again, each with its votes."""
        changes = self._source.changes(0, 1 << 30)
        with closing(Writer(self.generation)) as writer:
            for batch, votes in writer.build(changes):
                yield batch, votes, writer.numbering

    def vectors(self) -> dict[str, TermVector]:
        """The term vectors of all documents, by URL."""
        found = dict[str, TermVector]()
        for batch, _, numbering in self.batches():
            made, lengths = make_entries(batch, numbering), measure_texts(batch)
            packed = pack_vectors(made, lengths, batch.heading_ends)
            found |= dict(zip((one.keys["url"][0] for one in batch.documents), packed, strict=True))
        return found

    def write(self, node: str, index: str, shards: int) -> None:
        """Writes all documents into a new index of a cluster."""
        with open_client(f"opensearch+{node}") as client:
            create_empty(client, index, shards, 0)
            self._write(client, index, 0)

    def put(self, page: Page, node: str, index: str) -> None:
        """Writes one that is new, or has changed."""
        before = self._source.last_change()
        self._source.put(page)
        with open_client(f"opensearch+{node}") as client:
            self._write(client, index, before)

    def _write(self, client: OpenSearch, index: str, after: int) -> None:
        averages, ranking = self.snapshot.reader.averages, self.snapshot.ranking
        with closing(Writer(self.generation)) as builder:
            changes = self._source.changes(after, 1 << 30)
            writer = ClusterWriter(client, index, builder, ranking, averages)
            assert writer.write(changes).written == len(changes)
        show_documents(client, index)

    @contextmanager
    def open_cluster(self, node: str, index: str) -> Iterator[ClusterSnapshot]:
        """Opens the index of a cluster into which write() has written."""
        links, ranking = self.generation.links, self.snapshot.ranking
        with (
            patch.object(transport, "SEARCH_SECONDS", PATIENCE),
            open_client(f"opensearch+{node}") as client,
            closing(ClusterSnapshot(client, index, links, ranking, IndexCache())) as opened,
        ):
            yield opened
