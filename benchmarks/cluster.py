"""Compares an index in an OpenSearch cluster with one in a folder: answers, their time, documents a second.

Each judged collection is written to both, to the cluster once with each number of shards. The queries are
read as they are typed, and as an OR of their words, as the judgements want it.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from statistics import mean, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from benchmarks.instruments.row import Row, cost_row, rate_row, report_progress
from engine.errors import EngineError
from engine.generations import FolderGeneration
from engine.index.cluster_form.creating import create_empty, show_documents
from engine.index.cluster_indexing.cluster_writer import ClusterWriter
from engine.index.cluster_searching.cluster_snapshot import ClusterSnapshot
from engine.index.indexing.writer import Writer
from engine.index.query.parser import parse_any_word
from engine.index.query.relaxation import relax
from engine.index.query.tree import Query
from engine.index.reader.cache import IndexCache
from engine.index.searching.directory_snapshot import DirectorySnapshot
from engine.opensearch.client import open_client
from engine.ranking import Ranking
from engine.relevance.collection import Collection, load_collection
from engine.relevance.evaluation import CollectionSource, index_collection
from engine.relevance.measures import NDCG_DEPTH, ndcg
from engine.search.answer import answer_query

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

SHARDS = (1, 4)
AT_ONCE = 500  # documents of which a segment in memory is made
PEER = "folder"


class Answer(NamedTuple):
    """The first ten hits of a query in both, how many match, and milliseconds."""

    query: str
    embedded: Sequence[str]
    cluster: Sequence[str]
    totals: tuple[int, int]
    took: tuple[float, float]


def rows(folder: Path | None, location: str | None) -> Iterator[Row]:
    """Rows for each folder below that holds a collection. Raises EngineError when there is none."""
    found = sorted({path.parent for path in folder.rglob("docs.jsonl*")}) if folder else []
    if not found or not location:
        raise EngineError("name a folder of judged collections with --collections, and --cluster")
    with open_client(location) as client:
        for path in found:
            report_progress(f"indexing {path.name}")
            yield from _collection_rows(client, path.name, load_collection(path))


def _collection_rows(client: "OpenSearch", name: str, collection: Collection) -> Iterator[Row]:
    ranking = Ranking()
    with TemporaryDirectory() as data_dir:
        started = perf_counter()
        generation = index_collection(collection, Path(data_dir), lambda done, total: None)
        assert isinstance(generation, FolderGeneration)  # it is in a folder
        embedded = len(collection.pages) / (perf_counter() - started)
        with closing(DirectorySnapshot(generation, IndexCache(), ranking)) as snapshot:
            for shards in SHARDS:
                index = f"benchmark-{name}-{shards}".lower()
                client.indices.delete(index=index, ignore_unavailable=True, request_timeout=60)
                started = perf_counter()
                _fill(client, index, shards, generation, collection, snapshot)
                rate = len(collection.pages) / (perf_counter() - started)
                of = f"cluster.{name}.{shards}"
                if shards == SHARDS[0]:
                    yield rate_row(f"{of}.documents_per_second", rate, PEER, embedded)
                with closing(_open(client, index, generation, ranking)) as cluster:
                    yield from _answer_rows(of, collection, snapshot, cluster)
                client.indices.delete(index=index, request_timeout=60)


def _open(
    client: "OpenSearch", index: str, generation: FolderGeneration, ranking: Ranking
) -> ClusterSnapshot:
    return ClusterSnapshot(client, index, generation.links, ranking, IndexCache())


def _fill(
    client: "OpenSearch",
    index: str,
    shards: int,
    generation: FolderGeneration,
    collection: Collection,
    snapshot: DirectorySnapshot,
) -> None:
    source = CollectionSource(collection.pages.values())
    with closing(Writer(generation)) as builder:
        writer = ClusterWriter(client, index, builder, snapshot.ranking, snapshot.reader.averages)
        create_empty(client, index, shards, 0)
        for after in range(0, source.last_change(), AT_ONCE):
            writer.write(source.changes(after, AT_ONCE))
        show_documents(client, index)


def _answer_rows(
    of: str, collection: Collection, snapshot: DirectorySnapshot, cluster: ClusterSnapshot
) -> Iterator[Row]:
    report_progress(f"{of}: {len(collection.queries)} queries, twice")

    def answer_all(read: Callable[[DirectorySnapshot, str], Query]) -> list[Answer]:
        return [
            _answer(snapshot, cluster, name, read(snapshot, text))
            for name, text in collection.queries.items()
        ]

    typed = answer_all(_as_typed)
    yield Row(f"{of}.same_ten", mean(one.embedded == one.cluster for one in typed))
    yield Row(f"{of}.same_totals", mean(one.totals[0] == one.totals[1] for one in typed))
    for at, percentile in ((49, "p50"), (94, "p95")):
        ours, theirs = (quantiles([one.took[side] for one in typed], n=100)[at] for side in (1, 0))
        yield cost_row(f"{of}.milliseconds_{percentile}", ours, PEER, theirs)
    judged = answer_all(_as_or)
    yield Row(f"{of}.same_ten_or", mean(one.embedded == one.cluster for one in judged))
    grades = collection.grades
    ours = mean(ndcg(list(map(_id, one.cluster)), grades[one.query]) for one in judged)
    theirs = mean(ndcg(list(map(_id, one.embedded)), grades[one.query]) for one in judged)
    yield rate_row(f"{of}.ndcg", ours, PEER, theirs)


def _as_typed(snapshot: DirectorySnapshot, text: str) -> Query:
    return answer_query(snapshot, text, NDCG_DEPTH)[0]


def _as_or(snapshot: DirectorySnapshot, text: str) -> Query:
    languages = snapshot.reader.languages
    return relax(parse_any_word(text, languages), languages, snapshot.ranking.stopword)


def _answer(snapshot: DirectorySnapshot, cluster: ClusterSnapshot, name: str, query: Query) -> Answer:
    started = perf_counter()
    best = snapshot.find(query, NDCG_DEPTH)
    ranked = snapshot.rank(best, NDCG_DEPTH)
    between = perf_counter()
    session = cluster.session()
    found = session.find(query, NDCG_DEPTH)
    hits = session.rank(found, NDCG_DEPTH)
    took = (between - started) * 1000, (perf_counter() - between) * 1000
    urls = snapshot.reader.urls([one.document for one in ranked])
    return Answer(name, urls, session.urls([one.document for one in hits]), (best.total, found.total), took)


def _id(url: str) -> str:
    return unquote(url.rpartition("#")[2])
