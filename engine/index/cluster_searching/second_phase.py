"""Opens the candidates of a query for our own evaluator: their term vectors, and the votes for them."""

from collections.abc import Sequence

from engine.index.cluster_form import HEAD, FetchedVector, document_id, part_field
from engine.index.cluster_searching.candidates import (
    CandidateReader,
    CandidateSearcher,
    LookUp,
    collect_terms,
    open_candidates,
)
from engine.index.cluster_searching.moment import SearchAll
from engine.index.cluster_searching.records import decode_column
from engine.index.cluster_searching.statistics import ClusterStatistics
from engine.index.cluster_searching.translate import DSL
from engine.index.query import Query
from engine.index.searching import IndexSearcher
from engine.ranking import Ranking


class SecondPhase:
    """Ranks candidates by our own evaluator. `search` asks the cluster, `look_up` the link graph."""

    def __init__(self, search: SearchAll, look_up: LookUp, ranking: Ranking) -> None:
        self._search, self._look_up, self._ranking = search, look_up, ranking

    def open(self, query: Query, urls: Sequence[str], statistics: ClusterStatistics) -> IndexSearcher:
        """Opens a searcher of these pages, with what the query asks of them."""
        reader = self._open_reader(query, urls)
        return CandidateSearcher(reader, self._ranking, statistics)

    def _open_reader(self, query: Query, urls: Sequence[str]) -> CandidateReader:
        wanted = collect_terms(query)
        parts = {number: part_field(number) for number in wanted.parts}
        columns = {"stored_fields": "_none_", "docvalue_fields": ["url", HEAD, *parts.values()]}
        [answer] = self._search({**match_urls(urls), **columns})
        found, vectors = list[str](), list[FetchedVector]()
        for hit in answer["hits"]["hits"]:
            fields = hit["fields"]
            there = {number: fields[name][0] for number, name in parts.items() if name in fields}
            found.append(fields["url"][0])
            vectors.append(
                FetchedVector(
                    decode_column(fields[HEAD][0]), {n: decode_column(part) for n, part in there.items()}
                )
            )
        return open_candidates(found, self._look_up, vectors, wanted)


def match_urls(urls: Sequence[str]) -> DSL:
    """Makes a request for the documents of these URLs."""
    ids = {"ids": {"values": list(map(document_id, urls))}}
    return {"query": {"bool": {"filter": ids}}, "size": len(urls), "track_total_hits": False}
