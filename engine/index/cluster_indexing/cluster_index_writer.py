"""Writes changes into a generation in a cluster: documents by bulk requests, links into a database."""

from base64 import b64decode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine.audience import OPEN_TO_ALL
from engine.generations import ClusterGeneration, IndexNotes, write_notes
from engine.index.cluster_form import (
    RECORD,
    IndexLayout,
    create_empty,
    document_id,
    expunge_documents,
    merge_segments,
    show_documents,
)
from engine.index.cluster_indexing.cluster_writer import ClusterWriter, average_lengths
from engine.index.documents import BATCH_BYTES, IndexWriter, load_signals, make_change, measure_texts
from engine.linkgraph import (
    IndexPosition,
    create_graph,
    load_index_position,
    open_clusters,
    open_link_graph,
    open_templates,
    save_index_position,
)
from engine.opensearch import UnavailableError, share_client
from engine.ranking import Ranking
from engine.segment import stored
from engine.store import Change
from engine.text.tokens import TermNumbering

FETCHED_AT_ONCE = 20  # records; some are of long pages
FETCH_SECONDS = 30.0


def create_cluster_index(generation: ClusterGeneration, source: str) -> None:
    """Creates the empty index of a draft that is to follow this crawl database, then its link graph: one that
    was killed between has its alias, so it is cleared away.
    """
    client, notes = share_client(generation.index.cluster), IndexNotes(source=source)
    layout = IndexLayout(client)
    meta = write_notes(notes)
    create_empty(client, generation.name, layout.shards, layout.replicas, generation.alias, meta)
    create_graph(generation.links)


class ClusterIndexWriter(IndexWriter):
    """An index of a cluster, open for writing.

    Votes are counted when somebody searches, so that no document is written for them alone. Methods raise
    ClusterError, and Unreadable where the database is away.
    """

    def __init__(
        self, generation: ClusterGeneration, ranking: Ranking, numbering: TermNumbering | None = None
    ) -> None:
        links = generation.links
        opened = open_link_graph(links), open_templates(links), open_clusters(links)
        signals = load_signals(ranking.signals)
        super().__init__(*opened, numbering or TermNumbering(), ranking.pivots, OPEN_TO_ALL, signals)
        self._generation, self._client = generation, share_client(generation.index.cluster)
        self._notes, self._reached = generation.load_notes(), load_index_position(links)
        name, averages = generation.name, self._notes.averages
        self._documents = ClusterWriter(self._client, name, self, ranking, averages)

    def measure(self, samples: Iterable[Sequence[Change]]) -> None:
        """Measures how long texts are; else the first documents that are written decide."""
        lengths = [measure_texts(batch) for changes in samples for batch, _ in self.build(changes)]
        self._documents.averages = average_lengths(lengths)

    def list_stale(self, limit: int) -> list[Change]:
        """Lists documents to index again, as they are stored."""
        found, size, gone = list[Change](), 0, list[str]()
        for url, record in self._fetch_records(self.graph.stale_urls(limit)):
            if record is None:
                gone.append(url)
                continue
            found.append(make_change(stored.unpack_fields(record)))
            size += found[-1].size
            if size >= BATCH_BYTES:
                break
        if gone:
            self.graph.mark_fresh(gone)
        return found

    def write(self, changes: Sequence[Change], stale: Sequence[Change] = ()) -> None:
        """Writes the documents of these changes, and shows them."""
        self.fill(changes, stale)
        show_documents(self._client, self._generation.name)

    def fill(self, changes: Sequence[Change], stale: Sequence[Change] = ()) -> None:
        """Writes documents that nobody sees before merge()."""
        last = changes[-1].seq if changes else self._generation.caught_up
        self._documents.write(changes, stale, last)
        if self._documents.averages != self._notes.averages:
            self._notes = replace(self._notes, averages=self._documents.averages)
            self._generation.write_notes(self._notes)
        self.graph.mark_fresh([change.url for change in (*stale, *changes)])

    def update_votes(self) -> bool:
        """Changes nothing: they are counted when somebody searches."""
        return False

    def merge(self) -> None:
        """Merges what was filled in to few segments, and shows it; later merges are the cluster's own."""
        merge_segments(self._client, self._generation.name)
        show_documents(self._client, self._generation.name)

    def expunge(self) -> None:
        """Has the texts of deleted documents leave the disks."""
        expunge_documents(self._client, self._generation.name)

    def mark_committed(self, change: int) -> None:
        """Marks that all up to this change is in the index, by the next number of a commit.

        Raises UnavailableError where another writer has done so meanwhile: the database was started anew, and
        so has dropped our lock. What both have done is done again from there.
        """
        links, before = self._generation.links, self._reached
        if load_index_position(links) != before:
            raise UnavailableError(f"{self._generation.index.cluster} was written by another process as well")
        self._reached = IndexPosition(before.commit + 1, change)
        save_index_position(links, self._reached)

    def count_documents(self) -> int:
        """Counts the documents that the index shows."""
        return self._generation.count_documents()

    def _fetch_records(self, urls: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
        """Fetches what is stored of pages, None of one that is not there."""
        for start in range(0, len(urls), FETCHED_AT_ONCE):
            some = urls[start : start + FETCHED_AT_ONCE]
            answer = self._client.mget(
                index=self._generation.name,
                body={"ids": list(map(document_id, some))},
                params={"stored_fields": RECORD, "_source": "false", "realtime": "false"},
                request_timeout=FETCH_SECONDS,
            )
            yield from zip(some, map(_read_record, answer["docs"]), strict=True)


def _read_record(document: dict[str, Any]) -> bytes | None:
    """Reads the record of a document, None where it is not there."""
    return b64decode(document["fields"][RECORD][0]) if document.get("found") else None
