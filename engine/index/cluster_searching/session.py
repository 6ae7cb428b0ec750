"""Answers one request from one moment of an index in a cluster, in two phases.

The first asks the cluster for the best by the weights of their terms. Of these the second takes the term
vectors, and ranks them as an index of one machine would: so the order is the same wherever the candidates
have the best, and the counts that scores need are the whole index's.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.errors import DamagedError
from engine.index.cluster_form import RECORD
from engine.index.cluster_searching.asking import (
    BY_URL,
    CANDIDATES,
    COLUMNS,
    FirstPhase,
    FoundPage,
    Wanted,
    apply_filter,
    find_candidates,
    read_page,
)
from engine.index.cluster_searching.candidates import strip_filters
from engine.index.cluster_searching.cluster_facets import make_aggregations, read_facets
from engine.index.cluster_searching.known_pages import KnownPages
from engine.index.cluster_searching.ordering import (
    NO_HITS,
    append_behind,
    join_orders,
    renumber,
)
from engine.index.cluster_searching.records import read_record
from engine.index.cluster_searching.second_phase import SecondPhase, match_urls
from engine.index.cluster_searching.statistics import ClusterStatistics
from engine.index.cluster_searching.translate import Translator, match_any
from engine.index.lexicon import Lexicon
from engine.index.query import AllOf, MostOf, Prefix, Query, Word
from engine.index.reader import Documents, LinkGraphReader
from engine.index.scoring import COUNTED, Best, weigh_idf
from engine.index.searching import (
    DateOrder,
    DocumentFilter,
    FacetsToCome,
    Labels,
    LinkCounts,
    RankedDocument,
    ScoreExplanation,
    explain_score,
    rank_by_date,
    rank_hits,
    require_all,
)
from engine.index.stored_pages import StoredPage

if TYPE_CHECKING:
    from engine.index.cluster_searching.cluster_snapshot import ClusterSnapshot


class CandidateRanking(NamedTuple):
    """The candidates with their scores, and with their places by date, where these are asked for."""

    first: FirstPhase
    best: Best
    places: Best


class ClusterSession(LinkCounts):
    """A snapshot for one request, not for several threads: it numbers the documents that it meets."""

    def __init__(self, opened: "ClusterSnapshot", links: LinkGraphReader) -> None:
        super().__init__(links, opened.ranking)
        self._opened, self._search = opened, opened.search
        self.ranking, self.cache, self.answers = opened.ranking, opened.cache, opened.answers
        self.documents, self.languages = opened.documents, opened.languages
        self._pages = KnownPages(opened.index)
        self._second_phase = SecondPhase(opened.search, self.votes, opened.ranking)

    @property
    def lexicon(self) -> Lexicon:
        """What suggestions are made of."""
        return self._opened.lexicon

    @property
    def damaged(self) -> Sequence[DamagedError]:
        """What it answers without, as it is not what was written."""
        return self._opened.damaged

    def has_hosts(self, count: int) -> bool:
        """Tells whether the documents are of so many hosts; of many more it is a good guess."""
        return self._opened.hosts >= count

    def is_too_frequent(self, prefix: Prefix) -> bool:
        """Tells that all terms are looked for that begin so."""
        return False

    def filter(self, queries: Sequence[Query]) -> DocumentFilter:
        """Makes a filter of these queries, for the cluster to carry out."""
        return DocumentFilter(AllOf((), only=tuple(queries)))

    def find(self, query: Query, count: int = 0, only: DocumentFilter | None = None) -> Best:
        """Finds the documents (with `only`, of these) that match best, `count` of them.

        The candidates come first by their final scores, then the others as the cluster has them, which score
        a little less than the last of the candidates.
        """
        found = self._find(Wanted(query, count, only))
        return self._append(found.best, found.first.hits)

    def rank(self, best: Best, count: int, start: int = 0) -> list[RankedDocument]:
        """Ranks the first `count` but those before `start`: best score first, then by URL."""
        return rank_hits(best, count, start, self.urls)

    def order_by_date(self, query: Query, count: int, only: DocumentFilter | None) -> DateOrder:
        """Orders what matches by date: candidates, which are the first by date and those that match best,
        then others as the cluster has them.
        """
        whole = require_all(query) if isinstance(query, MostOf) else query
        found = self._find(Wanted(whole, 0, only, count))
        if not found.best.total and query is not whole:
            found = self._find(Wanted(query, 0, only, count))
        dated = self._pages.number([*found.first.by_date[:CANDIDATES], *found.first.partial])
        behind = self._pages.number(found.first.by_date[CANDIDATES:])
        by_date = join_orders(found.places, dated, behind)
        return DateOrder(self.rank, self._append(found.best, found.first.by_date), by_date)

    def count_hits(self, queries: Sequence[Query]) -> list[int]:
        """Counts for each of the queries the documents that match, COUNTED at most; in one request."""
        asked = [{"query": match_any(one), "size": 0, "track_total_hits": COUNTED} for one in queries]
        return [int(answer["hits"]["total"]["value"]) for answer in self._search(*asked)] if asked else []

    def begin_facets(
        self, query: Query, best: Best, only: DocumentFilter | None, labels: Labels, today: date
    ) -> FacetsToCome:
        """Begins to count the facets of all of a query's hits (of these documents), however many: the cluster
        counts while the pages of the hits are read.

        Hits that miss words count as `best` has them.
        """
        whole = apply_filter(match_any(query), only)
        partial = match_urls(self.urls(self._pages.select_partial(best.documents)))["query"]
        asked = {"bool": {"should": [whole, partial] if best.partial else [whole]}}
        aggregations = make_aggregations(labels, today)
        counted = {"query": {"bool": {"filter": asked}}, "size": 0, "track_total_hits": False}
        answers = self._opened.beside.submit(self._search, {**counted, "aggs": aggregations})
        return lambda: read_facets(answers.result()[0], labels, today)

    def explain(self, query: Query, document: int, count: int) -> ScoreExplanation:
        """Explains the score of a document among the candidates, of which it becomes one.

        If it was none, its rank is its place in the cluster's order, 0 behind the best `count`.
        """
        wanted, page = Wanted(query, count), self._pages[document]
        statistics = self._opened.count(query)
        first = self._ask(wanted, statistics)
        urls = [one.url for one in first.candidates]
        leaders = [one.url for one in first.leaders]
        searcher = self._second_phase.open(query, [*dict.fromkeys((*urls, *leaders, page.url))], statistics)
        every = searcher.reader.urls(range(searcher.reader.size))
        account = explain_score(searcher, query, every.index(page.url), count)
        if page.url in urls or not account.matched:
            return account
        behind = [one.url for one in first.hits[CANDIDATES:] if one.url not in urls]
        rank = len(urls) + behind.index(page.url) + 1 if page.url in behind else 0
        return replace(account, rank=rank)

    def find_urls(self, urls: Sequence[str], only: DocumentFilter | None = None) -> list[int]:
        """Finds the documents of these URLs (of those that are left), in this order."""
        asked = match_urls(urls)
        [answer] = self._search(
            {**asked, "query": apply_filter(asked["query"], only), "sort": BY_URL, **COLUMNS}
        )
        found = {page.url: page for page in map(read_page, answer["hits"]["hits"])}
        documents = self._pages.number([found[url] for url in urls if url in found])
        return list(map(int, documents))

    def urls(self, documents: Sequence[int]) -> list[str]:
        """Looks up the documents' URLs, in the order given."""
        return [self._pages[document].url for document in documents]

    def pages(self, documents: Sequence[int]) -> list[StoredPage]:
        """Unpacks the documents' pages as hits show them; those that nobody remembers in one request."""
        keys = [self.stable_key(document) for document in documents]
        found = {key: page for key in keys if isinstance(page := self.cache.pages.peek(key), StoredPage)}
        if new := [document for document, key in zip(documents, keys, strict=True) if key not in found]:
            key_of = {self._pages[document].url: self.stable_key(document) for document in new}
            [answer] = self._search({**match_urls([*key_of]), "stored_fields": [RECORD]})
            for page in map(read_record, answer["hits"]["hits"]):
                found[key_of[page.url]] = page
                self.cache.pages.put(key_of[page.url], page)
        return [found[key] for key in keys]

    def stable_key(self, document: int) -> tuple[str, int]:
        """Returns a key of the document that every session shares which has it as it is."""
        return self._pages.stable_key(document)

    def number_hosts(self, documents: Documents) -> NDArray[np.int64]:
        """Numbers the hosts of documents, from 0, the same for http and https."""
        return self._pages.number_hosts(documents)

    def _ask(self, wanted: Wanted, statistics: ClusterStatistics) -> FirstPhase:
        """Finds what matches best by its terms."""

        def factor_of(word: Word) -> float:
            return weigh_idf(statistics.counts[word], statistics.documents, self.ranking)

        return find_candidates(wanted, Translator(self.ranking, factor_of), self._search)

    def _find(self, wanted: Wanted) -> CandidateRanking:
        """Finds candidates and ranks them."""
        statistics = self._opened.count(wanted.query)
        first = self._ask(wanted, statistics)
        if not (candidates := first.candidates):
            return CandidateRanking(first, NO_HITS, NO_HITS)
        self._pages.number(candidates)
        self._pages.number_partial(first.partial)
        leaders = first.leaders
        self._pages.number(leaders)
        urls = [page.url for page in (*candidates, *leaders)]
        searcher = self._second_phase.open(wanted.query, urls, statistics)
        reader = searcher.reader
        local = searcher.find(strip_filters(wanted.query), reader.size)
        numbers = self._pages.look_up(reader.urls(range(reader.size)))
        best = renumber(local._replace(total=first.total + local.partial, exact=first.exact), numbers)
        if not wanted.by_date:
            return CandidateRanking(first, best, best)
        return CandidateRanking(
            first, best, renumber(local._replace(scores=rank_by_date(searcher, local)), numbers)
        )

    def _append(self, best: Best, hits: Sequence[FoundPage]) -> Best:
        """Appends what is behind the candidates."""
        first, behind = self._pages.number(hits[:CANDIDATES]), hits[CANDIDATES:]
        numbers = self._pages.number(behind)
        new = ~np.isin(numbers, best.documents)
        left = [page for page, is_new in zip(behind, new.tolist(), strict=True) if is_new]
        lowest = best.scores[np.isin(best.documents, first)].min(initial=np.inf)
        return append_behind(best, left, numbers[new], lowest) if left else best
