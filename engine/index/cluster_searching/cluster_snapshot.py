"""Answers queries from one moment of an index in a cluster, in two phases.

The first asks the cluster for the best by the weights of their terms. Of these the second takes the term
vectors, and ranks them as an index of one machine would: so the order is the same wherever the candidates
have the best, and the counts that scores need are the whole index's.
"""

from base64 import urlsafe_b64decode
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.index.cluster_indexing import HEAD, VOTES, FetchedVector, document_id, length_field, part_field
from engine.index.cluster_searching.candidates import (
    CandidateReader,
    WantedTerms,
    collect_terms,
    open_candidates,
    strip_filters,
)
from engine.index.cluster_searching.statistics import (
    ClusterStatistics,
    list_counted,
    make_filters,
    read_counts,
)
from engine.index.cluster_searching.translate import DSL, Translator, prefer_unflagged
from engine.index.query import AllOf, AnyOf, MostOf, Query, Word, collect_prefixes, collect_words
from engine.index.reader import round_average
from engine.index.schema import TEXT_FIELDS
from engine.index.scoring import COUNTED, DocumentCounts, weigh_idf
from engine.index.searching import LOOKED_AT, IndexSearcher
from engine.ranking import Ranking

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

CANDIDATES = 200  # best by their terms; of 700 queries one had one of its ten best further behind
PARTIAL_CANDIDATES = LOOKED_AT * 3 // 2  # that have any of the words
# Where all match alike: who comes next is decided by the same as among candidates.
BY_VOTES = ({"_score": "desc"}, {VOTES: "desc"}, {"url": "asc"})
KEEP_ALIVE = "5m"  # of a moment that nobody asks
MAX_COUNTED = 10_000  # parts of queries whose counts are kept; a word takes some 500 bytes
MAX_HITS = 10_000  # max_result_window of OpenSearch


class ClusterHit(NamedTuple):
    """A page that matched, at its place in the order."""

    url: str
    score: float


class ClusterHits(NamedTuple):
    """The best matches, and how many there are: `total` and more where it is not `exact`; `partial` of them
    have not all that was asked for.
    """

    hits: Sequence[ClusterHit]
    total: int
    exact: bool
    partial: int


class _Candidates(NamedTuple):
    """What the first phase found: votes by URL, and of those behind the candidates their order."""

    votes: Mapping[str, float]
    behind: Sequence[ClusterHit]
    total: int
    exact: bool


class ClusterSnapshot:
    """One moment of an index, until close(). Threads may share it.

    Methods raise engine.opensearch.ClusterError where the cluster cannot answer.
    """

    def __init__(self, client: "OpenSearch", index: str, ranking: Ranking) -> None:
        self._client, self._ranking = client, ranking
        answer = client.create_pit(index=index, params={"keep_alive": KEEP_ALIVE})
        self._pit = {"id": answer["pit_id"], "keep_alive": KEEP_ALIVE}
        self.documents, self.averages = self._measure()
        self._counts = dict[Query, DocumentCounts]()

    def close(self) -> None:
        """Gives the moment back."""
        self._client.delete_pit(body={"pit_id": [self._pit["id"]]})

    def find(self, query: Query, count: int) -> ClusterHits:
        """Finds the best matches, `count` of them; those behind the candidates by the words alone."""
        statistics = ClusterStatistics(self.documents, self.averages, self._count_parts(query))
        found = self._find_candidates(query, statistics, count)
        if not found.votes:
            return ClusterHits([], 0, exact=True, partial=0)
        reader = self._open_reader(found.votes, collect_terms(query))
        searcher = IndexSearcher(reader, self._ranking, statistics)
        best = searcher.find(strip_filters(query), count)
        ranked = searcher.rank(best, count)
        urls = reader.urls([one.document for one in ranked])
        hits = [ClusterHit(url, one.score) for url, one in zip(urls, ranked, strict=True)]
        return ClusterHits(
            [*hits, *found.behind][:count], found.total + best.partial, found.exact, best.partial
        )

    def _measure(self) -> tuple[int, dict[str, float]]:
        """Counts the documents, and how long a text is where there is one."""
        fields = {name: {"field": length_field(name)} for name in TEXT_FIELDS}
        sums = {name: {"sum": field} for name, field in fields.items()}
        having = {f"{name} having": {"value_count": field} for name, field in fields.items()}
        answer = self._search({"size": 0, "track_total_hits": True, "aggs": sums | having})
        found = {name: value["value"] for name, value in answer["aggregations"].items()}
        averages = {
            name: round_average(int(found[name]), int(found[f"{name} having"])) for name in TEXT_FIELDS
        }
        return answer["hits"]["total"]["value"], averages

    def _count_parts(self, query: Query) -> Mapping[Query, DocumentCounts]:
        """Counts the parts of a query in the whole index; what was counted for another is known."""
        parts = list_counted(query)
        known = {part: counts for part in parts if (counts := self._counts.get(part))}
        if new := [part for part in parts if part not in known]:
            filters = {"filters": {"filters": make_filters(new)}}
            answer = self._search({"size": 0, "track_total_hits": False, "aggs": {"counts": filters}})
            buckets = answer["aggregations"]["counts"]["buckets"]
            known |= read_counts(new, {name: one["doc_count"] for name, one in buckets.items()})
            if len(self._counts) > MAX_COUNTED:
                self._counts.clear()
            self._counts |= known
        return known

    def _find_candidates(self, query: Query, statistics: ClusterStatistics, count: int) -> _Candidates:
        """Finds those that match best by their terms, and where words may be missing those with most."""

        def factor_of(word: Word) -> float:
            return weigh_idf(statistics.counts[word], statistics.documents, self._ranking)

        translate = Translator(self._ranking, factor_of)
        size = min(max(CANDIDATES, count), MAX_HITS)
        asked = self._ask(translate(query), size, track_total_hits=COUNTED)
        if not _has_words(query):
            asked |= {"query": prefer_unflagged(asked["query"]), "sort": BY_VOTES}
        whole = self._search(asked)
        hits = whole["hits"]["hits"]
        if isinstance(query, MostOf):
            any_ = AllOf((AnyOf(query.parts), *query.must), query.but, query.only)
            some = self._search(self._ask(translate(any_), PARTIAL_CANDIDATES, track_total_hits=False))
            partial = some["hits"]["hits"]
        else:
            partial = []
        first = [*hits[:CANDIDATES], *partial]
        votes = {hit["fields"]["url"][0]: float(hit["fields"][VOTES][0]) for hit in first}
        behind = [ClusterHit(hit["fields"]["url"][0], hit["_score"]) for hit in hits[CANDIDATES:]]
        total = whole["hits"]["total"]
        behind = [hit for hit in behind if hit.url not in votes]
        return _Candidates(votes, behind, total["value"], total["relation"] == "eq")

    def _ask(self, query: DSL, size: int, **options: object) -> dict[str, Any]:
        columns = {"stored_fields": "_none_", "docvalue_fields": ["url", VOTES]}
        return {"query": query, "size": size, **columns, **options}

    def _open_reader(self, votes: Mapping[str, float], wanted: WantedTerms) -> CandidateReader:
        """Opens a reader of these candidates."""
        parts = {number: part_field(number) for number in wanted.parts}
        answer = self._search(
            {
                "query": {"bool": {"filter": {"ids": {"values": list(map(document_id, votes))}}}},
                "size": len(votes),
                "track_total_hits": False,
                "stored_fields": "_none_",
                "docvalue_fields": ["url", HEAD, *parts.values()],
            }
        )
        urls, vectors = list[str](), list[FetchedVector]()
        for hit in answer["hits"]["hits"]:
            fields = hit["fields"]
            there = {number: fields[name][0] for number, name in parts.items() if name in fields}
            urls.append(fields["url"][0])
            vectors.append(
                FetchedVector(_decode(fields[HEAD][0]), {n: _decode(part) for n, part in there.items()})
            )
        return open_candidates(urls, np.array([votes[url] for url in urls], np.float32), vectors, wanted)

    def _search(self, body: dict[str, Any]) -> dict[str, Any]:
        answer: dict[str, Any] = self._client.search(
            body={"pit": self._pit, **body}, params={"allow_partial_search_results": "false"}
        )
        return answer


def _has_words(query: Query) -> bool:
    """Tells whether some matches may be better than others."""
    return bool(collect_words(query) or collect_prefixes(query))


def _decode(text: str) -> bytes:
    """Decodes a binary doc value: URL-safe base64 without padding, whatever it was written as."""
    return urlsafe_b64decode(text + "==")
