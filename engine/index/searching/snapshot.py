"""Defines what is asked of an index, wherever it is: documents, scores, stored pages, counts, inlinks.

Documents have numbers, which mean nothing to any other snapshot.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.errors import DamagedError, EngineError
from engine.generations import Generation
from engine.index.lexicon import Lexicon
from engine.index.query import Prefix, Query
from engine.index.reader import Documents, IndexCache, LRUCache
from engine.index.scoring import Best
from engine.index.searching.date_sort import DateOrder
from engine.index.searching.document_filter import DocumentFilter
from engine.index.searching.facets import FacetsToCome
from engine.index.searching.index_searcher import RankedDocument
from engine.index.searching.labels import Labels
from engine.index.searching.score_explanation import ScoreExplanation
from engine.index.stored_pages import StoredPage
from engine.linkgraph import Cluster, Inlinks
from engine.ranking import Ranking

NO_INLINKS = Inlinks()


class SnapshotLostError(EngineError):
    """What a snapshot answers from is gone, through no fault of its own: another may be opened."""


class Snapshot(Protocol):
    """One moment of an index, as one request searches it."""

    @property
    def ranking(self) -> Ranking:
        """What it ranks by."""

    @property
    def lexicon(self) -> Lexicon:
        """What suggestions are made of."""

    @property
    def cache(self) -> IndexCache:
        """What is remembered of pages, longer than a snapshot lasts."""

    @property
    def answers(self) -> LRUCache:
        """What is remembered of answers, until something of the index changes."""

    @property
    def damaged(self) -> Sequence[DamagedError]:
        """What it answers without, as it is not what was written."""

    @property
    def documents(self) -> int:
        """How many documents it has."""

    @property
    def languages(self) -> frozenset[str]:
        """The languages of the documents, and maybe of some that were deleted."""

    def has_hosts(self, count: int) -> bool:
        """Tells whether the documents are of so many hosts."""

    def is_too_frequent(self, prefix: Prefix) -> bool:
        """Tells whether more terms begin so than are looked for."""

    def filter(self, queries: Sequence[Query]) -> DocumentFilter:
        """Makes a filter of the documents that match each of these queries."""

    def find(self, query: Query, count: int = 0, only: DocumentFilter | None = None) -> Best:
        """Finds the documents (with `only`, of these) that match best, `count` at least where there are as
        many, with their final scores. The order is the same whatever `count` is.
        """

    def rank(self, best: Best, count: int, start: int = 0) -> list[RankedDocument]:
        """Ranks the first `count` but those before `start`: best score first, then by URL
        (requirement 306).
        """

    def order_by_date(self, query: Query, count: int, only: DocumentFilter | None) -> DateOrder:
        """Orders what matches by date, `count` at least where there are as many."""

    def count_hits(self, queries: Sequence[Query]) -> list[int]:
        """Counts for each of the queries the documents that match."""

    def begin_facets(
        self, query: Query, best: Best, only: DocumentFilter | None, labels: Labels, today: date
    ) -> FacetsToCome:
        """Begins to count the facets of a query's hits (of these documents), of which these are the best."""

    def explain(self, query: Query, document: int, count: int) -> ScoreExplanation:
        """Explains the score of a document for a query of which the best `count` are searched for."""

    def find_urls(self, urls: Sequence[str], only: DocumentFilter | None = None) -> list[int]:
        """Finds the documents of these URLs (of those that are left), in this order."""

    def urls(self, documents: Sequence[int]) -> list[str]:
        """Looks up the documents' URLs, in the order given."""

    def pages(self, documents: Sequence[int]) -> list[StoredPage]:
        """Unpacks the documents' pages as hits show them."""

    def stable_key(self, document: int) -> tuple[str, int]:
        """Returns a key of the document that every snapshot shares which has it as it is."""

    def number_hosts(self, documents: Documents) -> NDArray[np.int64]:
        """Numbers the hosts of documents (ascending), from 0, the same for http and https."""

    def inlinks(self, urls: Sequence[str]) -> dict[str, Inlinks]:
        """Looks up the inlinks of those of the URLs that have any."""

    def count_linking_pages(self, urls: Sequence[str]) -> dict[str, int]:
        """Looks up how many pages link to those of the URLs that are known."""

    def numbers(self, urls: Sequence[str]) -> list[int]:
        """Looks up the URLs' numbers, as keys of the index have what pages link to."""

    def clusters(self, urls: Sequence[str]) -> dict[str, Cluster]:
        """Looks up the copies of those of the URLs that have any (requirement 59)."""


class OpenIndex(Protocol):
    """One moment of an index, open for many requests of several threads at once, until close()."""

    @property
    def damaged(self) -> Sequence[DamagedError]:
        """What it answers without, as it is not what was written."""

    @property
    def is_checked(self) -> bool:
        """Tells whether all of it was verified that can be damaged."""

    @property
    def caught_up_at(self) -> float:
        """When the index last took up what was crawled, in seconds since 1970, UTC."""

    def session(self) -> Snapshot:
        """Returns the snapshot for one request."""

    def is_current(self, generation: Generation) -> bool:
        """Tells whether nothing newer could be opened, of a data folder whose generation this is."""

    def check_files(self) -> None:
        """Verifies what can be damaged. Raises DamagedError."""

    def count_by_host(self) -> Mapping[str, int]:
        """Counts the documents of each host."""

    def list_host_urls(self, host: str) -> list[str]:
        """Lists the URLs of all documents of a host."""

    def sample_titles(self, count: int) -> list[str]:
        """Samples the titles of documents spread over the index, `count` at most."""

    def close(self) -> None:
        """Closes it."""
