"""Opens one moment of one generation in a folder for searching: documents, scores, inlinks."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial

import numpy as np
from numpy.typing import NDArray

from engine.audience import OPERATOR, View
from engine.errors import DamagedError
from engine.generations import FolderGeneration, Generation
from engine.index.lexicon import Lexicon, SegmentLexicon
from engine.index.query import AllOf, Prefix, Query
from engine.index.reader import (
    DirectoryReader,
    Documents,
    IndexCache,
    LinkGraphReader,
    LRUCache,
    check_commit,
)
from engine.index.scoring import Best, ReaderStatistics, is_prefix_too_frequent
from engine.index.searching.date_sort import DateOrder, find_by_date
from engine.index.searching.document_filter import DocumentFilter, accepted_by
from engine.index.searching.facets import FacetsToCome, count_facets
from engine.index.searching.index_searcher import IndexSearcher
from engine.index.searching.labels import Labels
from engine.index.searching.link_counts import LinkCounts
from engine.index.searching.score_explanation import ScoreExplanation, explain_score
from engine.index.stored_pages import StoredPage
from engine.ranking import Ranking
from engine.segment import folder


class DirectorySnapshot(IndexSearcher, LinkCounts):
    """One moment of one generation, open for searching; safe for several threads. It is its own session.

    Opening raises OSError, DamagedError, Whoosh's EmptyIndexError or sqlite3.OperationalError when files go
    meanwhile, and EngineError for an index that this Lycosa cannot read. With a view it answers as if there
    were nothing else: segments of other pages are not opened.
    """

    reader: DirectoryReader

    def __init__(
        self, generation: FolderGeneration, cache: IndexCache, ranking: Ranking, view: View = OPERATOR
    ) -> None:
        if not generation.is_readable and generation.path.exists():
            raise generation.unreadable()
        self.generation = generation
        damage = cache.graphs.damage(generation.links)
        try:
            check_commit(generation)
        except DamagedError as error:
            if error.path != generation.links:
                raise
            damage = error
        reader = DirectoryReader(generation.path, cache, view)
        IndexSearcher.__init__(self, reader, ranking, ReaderStatistics(reader))
        self.lexicon: Lexicon = SegmentLexicon(reader)
        self.answers = LRUCache(cache.answers)  # none of them outlives it
        LinkCounts.__init__(self, LinkGraphReader(generation.links, damage), ranking)

    def close(self) -> None:
        """Closes the files."""
        self._links.close()

    @property
    def damaged(self) -> Sequence[DamagedError]:
        """What it answers without, as it is not what was written."""
        return [*self.reader.damaged, *self._links.damaged]

    def is_current(self, generation: Generation) -> bool:
        """Tells whether nothing was committed or published since, and no file was written to by others; costs
        one listing of the folder, and 2 microseconds a file.
        """
        path = self.generation.path
        newest = generation == self.generation and folder.latest_commit(path) == self.reader.commit
        return newest and not self.reader.is_changed

    def check_files(self) -> None:
        """Verifies the checksums of the segments that it answers from. Raises DamagedError."""
        self.reader.check()

    def session(self) -> "DirectorySnapshot":
        """Returns itself: its documents have the same numbers for all."""
        return self

    @property
    def cache(self) -> IndexCache:
        """What is remembered of pages."""
        return self.reader.cache

    @property
    def is_checked(self) -> bool:
        """Tells whether all its files were verified."""
        return self.reader.is_checked

    @property
    def caught_up_at(self) -> float:
        """When the index last took up what was crawled, in seconds since 1970, UTC."""
        return self.generation.caught_up_at

    @property
    def documents(self) -> int:
        """How many documents it has."""
        return self.reader.documents

    @property
    def languages(self) -> frozenset[str]:
        """The languages of the documents, and of some that were deleted."""
        return self.reader.languages

    def has_hosts(self, count: int) -> bool:
        """Tells whether the documents are of so many hosts."""
        return len(self.reader.hosts) >= count

    def is_too_frequent(self, prefix: Prefix) -> bool:
        """Tells whether more terms begin so than are looked for."""
        return is_prefix_too_frequent(self.reader, prefix)

    def filter(self, queries: Sequence[Query]) -> DocumentFilter:
        """Filters the documents by each of these queries, once."""
        query = AllOf((), only=tuple(queries))
        return DocumentFilter(query, self.evaluate(query).documents)

    def order_by_date(self, query: Query, count: int, only: DocumentFilter | None) -> DateOrder:
        """Orders what matches by date, however many are asked for."""
        return find_by_date(self, query, only)

    def count_hits(self, queries: Sequence[Query]) -> list[int]:
        """Counts for each of the queries the documents that match."""
        return [self.rank_by_text(one, 1).total for one in queries]  # what moves the best changes no count

    def begin_facets(
        self, query: Query, best: Best, only: DocumentFilter | None, labels: Labels, today: date
    ) -> FacetsToCome:
        """Leaves the facets to be counted when they are asked for: there is nothing to wait for."""
        return partial(count_facets, self, query, best, only, labels, today)

    def explain(self, query: Query, document: int, count: int) -> ScoreExplanation:
        """Explains the score of a document for a query of which the best `count` are searched for."""
        return explain_score(self, query, document, count)

    def find_urls(self, urls: Sequence[str], only: DocumentFilter | None = None) -> list[int]:
        """Finds the documents of these URLs (of those that are left), in this order."""
        found = [int(one) for url in urls for one in self.reader.documents_with_term("url", url)]
        left = accepted_by(only)
        return found if left is None else [document for document in found if document in left]

    def pages(self, documents: Sequence[int]) -> list[StoredPage]:
        """Unpacks the documents' pages as hits show them."""
        return list(map(self.reader.page, documents))

    def stable_key(self, document: int) -> tuple[str, int]:
        """Returns a key of the document that every snapshot that has it shares."""
        return self.reader.stable_key(document)

    def number_hosts(self, documents: Documents) -> NDArray[np.int64]:
        """Numbers the hosts of documents (ascending), from 0, the same for http and https."""
        return self.reader.number_hosts(documents)

    def count_by_host(self) -> Mapping[str, int]:
        """Counts the documents of each host."""
        return {host: len(self.reader.documents_with_term("host", host)) for host in self.reader.hosts}

    def list_host_urls(self, host: str) -> list[str]:
        """Lists the URLs of all documents of a host."""
        return self.reader.urls(self.reader.documents_with_term("host", host).tolist())

    def sample_titles(self, count: int) -> list[str]:
        """Samples the titles of documents spread evenly over the index, `count` at most."""
        every = self.reader.documents_with_text("title")
        chosen = every[:: max(len(every) // count, 1)][:count].tolist()
        return [self.reader.page(document).title for document in chosen]
