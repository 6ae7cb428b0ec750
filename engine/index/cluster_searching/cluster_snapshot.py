"""Opens one moment of an index in a cluster for searching."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import TYPE_CHECKING

from engine.errors import DamagedError
from engine.generations import Generation
from engine.index.cluster_form import length_field
from engine.index.cluster_searching import census
from engine.index.cluster_searching.cluster_lexicon import ClusterLexicon
from engine.index.cluster_searching.moment import Answer, Moment
from engine.index.cluster_searching.session import ClusterSession
from engine.index.cluster_searching.statistics import (
    ClusterStatistics,
    count_each,
    list_counted,
    make_filters,
    read_counts,
)
from engine.index.query import Query
from engine.index.reader import IndexCache, LinkGraphReader, LRUCache, round_average
from engine.index.schema import TEXT_FIELDS
from engine.index.scoring import DocumentCounts
from engine.index.searching import LinkCounts
from engine.linkgraph import GraphLocation
from engine.ranking import Ranking

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

MAX_COUNTED = 10_000  # parts of queries whose counts are kept; a word takes some 500 bytes
MAX_LANGUAGES = 1_000
AT_ONCE = 4  # requests beside those that sessions wait for
FEW_HOSTS = 100  # as many are counted one by one


class ClusterSnapshot(LinkCounts):
    """One moment of an index, until close(). Threads may share it; each request has a session of its own.

    Methods raise engine.opensearch.ClusterError where the cluster cannot answer, and MomentLostError where
    another snapshot may.
    """

    is_checked = True  # by the cluster itself

    def __init__(
        self, client: "OpenSearch", index: str, links: GraphLocation, ranking: Ranking, cache: IndexCache
    ) -> None:
        self._moment = Moment(client, index)
        self.search, self.index = self._moment.search, index
        self.ranking, self.cache = ranking, cache
        self.answers = LRUCache(cache.answers)  # none of them outlives it
        self.beside = ThreadPoolExecutor(AT_ONCE, "facets")
        self._counts = dict[Query, DocumentCounts]()
        with ExitStack() as failed:
            failed.callback(self._moment.close)
            self._measure()
            self._graph = LinkGraphReader(links, cache.graphs.damage(links))
            failed.pop_all()
        super().__init__(self._graph, ranking)

    def close(self) -> None:
        """Gives the moment back."""
        self.beside.shutdown(wait=False)
        self._graph.close()
        self._moment.close()

    @property
    def damaged(self) -> Sequence[DamagedError]:
        """What it answers without, as it is not what was written."""
        return self._graph.damaged

    @property
    def caught_up_at(self) -> float:
        """When the index last took up what was crawled: of a bare index nobody knows."""
        return 0.0

    def is_current(self, generation: Generation) -> bool:
        """Tells whether it can still be asked."""
        return not self._moment.is_lost

    def check_files(self) -> None:
        """Verifies nothing: a cluster checks what it reads."""

    def session(self) -> ClusterSession:
        """Returns the snapshot for one request, whose documents are those that it has met."""
        return ClusterSession(self, self._graph)

    def count(self, query: Query) -> ClusterStatistics:
        """Counts the parts of a query in the whole index; what was counted for another is known."""
        parts = list_counted(query)
        known = {part: counts for part in parts if (counts := self._counts.get(part))}
        if new := [part for part in parts if part not in known]:
            filters = make_filters(new)
            totals = [answer["hits"]["total"]["value"] for answer in self.search(*count_each(filters))]
            known |= read_counts(new, dict(zip(filters, totals, strict=True)))
            if len(self._counts) > MAX_COUNTED:
                self._counts.clear()
            self._counts |= known
        return ClusterStatistics(self.documents, self.averages, known)

    def count_by_host(self) -> Mapping[str, int]:
        """Counts the documents of each host."""
        return census.count_by_host(self._moment)

    def list_host_urls(self, host: str) -> list[str]:
        """Lists the URLs of all documents of a host."""
        return census.list_host_urls(self._moment, host)

    def sample_titles(self, count: int) -> list[str]:
        """Samples the titles of documents spread over the index, `count` at most."""
        return [page.title for page in census.sample_pages(self._moment, count)]

    def _search_one(self, body: Answer) -> Answer:
        """Searches for one body."""
        [answer] = self.search(body)
        return answer

    def _measure(self) -> None:
        """Counts the documents, their hosts and languages, and how long a text is where there is one."""
        fields = {name: {"field": length_field(name)} for name in TEXT_FIELDS}
        sums = {name: {"sum": field} for name, field in fields.items()}
        having = {f"{name} having": {"value_count": field} for name, field in fields.items()}
        kinds = {
            "hosts": {"cardinality": {"field": "host", "precision_threshold": FEW_HOSTS}},
            "languages": {"terms": {"field": "language", "size": MAX_LANGUAGES}},
        }
        [answer] = self.search({"size": 0, "track_total_hits": True, "aggs": sums | having | kinds})
        found = answer["aggregations"]
        self.averages = {
            name: round_average(int(found[name]["value"]), int(found[f"{name} having"]["value"]))
            for name in TEXT_FIELDS
        }
        self.documents = int(answer["hits"]["total"]["value"])
        self.hosts = int(found["hosts"]["value"])
        self.languages = frozenset(str(one["key"]) for one in found["languages"]["buckets"])
        self.lexicon = ClusterLexicon(self._search_one, self._moment.name, self.cache)
