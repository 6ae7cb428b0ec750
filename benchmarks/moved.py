"""Compares whole result pages of a data folder with those of the same pages, moved to a server and a cluster:
`python -m benchmarks.moved DATA_DIR DATABASE CLUSTER`.

DATA_DIR is a crawl with its index, DATABASE the postgresql:// URL of an empty database, CLUSTER the
opensearch+http:// location of an index that is not there yet; it has a shard for each node. The queries are
those of `load`: judged ones, where --collections has them, and words of titles. Each is asked of both, one
after the other, as people ask: with facets, hosts folded, names of sites; the first --warm of them once
before, as a search page that has just begun remembers nothing.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import mean, quantiles
from time import perf_counter
from typing import Any, NamedTuple

from benchmarks.instruments.row import Row, cost_row, rate_row, report_progress
from benchmarks.load import draw_queries
from engine import generations
from engine.backup import move_database
from engine.command import EXIT_MISUSE
from engine.config import Config
from engine.errors import EngineError
from engine.index.indexing import rebuild_index
from engine.index.scoring import COUNTED
from engine.model import Results, SearchFilters
from engine.opensearch import ClusterIndex
from engine.opensearch.client import share_client
from engine.search import SearchService, SeenIndex
from engine.store import Store
from search_ui.app import tune_process

PEER = "folder"
WARM = 50
MAX_SHOWN = 5  # queries with other answers that a row names
LIMIT = 150.0  # milliseconds that 95 % of the answers may take
_SAME: Mapping[str, Callable[[Results], object]] = {
    "ten": lambda page: [hit.url for hit in page.hits],
    "snippets": lambda page: [(hit.title, hit.snippet, hit.section, hit.inlinks) for hit in page.hits],
    "totals": lambda page: min(page.total, COUNTED),  # more are not counted there
    "facets": lambda page: page.facets,
    "suggestions": lambda page: page.did_you_mean,
    "notes": lambda page: page.notes,
}


class Pair(NamedTuple):
    """The pages that a query has in both, their milliseconds, and the octets that the cluster's took."""

    query: str
    pages: tuple[Results, Results]
    took: tuple[float, float]
    octets: int


class ReceivedBytes:
    """Counts the octets of a client's answers."""

    def __init__(self, index: ClusterIndex) -> None:
        self.octets = 0
        for connection in share_client(index.cluster).transport.connection_pool.connections:
            self._count(connection.pool)

    def _count(self, pool: Any) -> None:
        original = pool.urlopen

        def urlopen(*arguments: Any, **options: Any) -> Any:
            answer = original(*arguments, **options)
            self.octets += len(answer.data)
            return answer

        pool.urlopen = urlopen


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the rows; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.moved",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("data_dir", type=Path, metavar="DATA_DIR")
    parser.add_argument("database", metavar="DATABASE")
    parser.add_argument("cluster", metavar="CLUSTER")
    parser.add_argument("--collections", type=Path, metavar="DIR", help="a folder of judged collections")
    parser.add_argument("--queries", type=Path, metavar="FILE", help="ask these instead, one to a line")
    chosen = parser.parse_args(arguments)
    try:
        if chosen.queries:
            queries = chosen.queries.read_text(encoding="utf-8").splitlines()
        else:
            queries = draw_queries(chosen.data_dir, chosen.collections)
        for row in rows(chosen.data_dir, ClusterIndex(chosen.cluster, chosen.database), queries):
            print(row.line(), flush=True)
    except EngineError as error:
        report_progress(f"benchmarks.moved: {error}")
        return EXIT_MISUSE
    return 0


def rows(data_dir: Path, index: ClusterIndex, queries: Sequence[str]) -> Iterator[Row]:
    """Moves, then asks both. Raises EngineError where something is in the way."""
    if generations.current_generation(index) is None:
        yield from _move_rows(data_dir, index)
    with ExitStack() as stack:
        folder = stack.enter_context(closing(SearchService(data_dir)))
        cluster = stack.enter_context(closing(SearchService(data_dir, index=SeenIndex(index))))
        report_progress(f"{len(queries):,} queries of each")
        received = ReceivedBytes(index)
        tune_process([])  # as a search page is
        for query in queries[:WARM]:
            _ask(query, folder, cluster, received)
        pairs = [_ask(query, folder, cluster, received) for query in queries]
    yield from _page_rows(pairs)


def _move_rows(data_dir: Path, index: ClusterIndex) -> Iterator[Row]:
    report_progress("copying the crawl database")
    began = perf_counter()
    copied = move_database(Config(data_dir=data_dir), index.database)
    yield Row("moved.rows_per_second", sum(copied.values()) / (perf_counter() - began))
    rates = []
    for database, place in ((index.database, index), (data_dir, data_dir)):
        report_progress(f"indexing into {place}")
        with closing(Store(database)) as store:
            began = perf_counter()
            documents = rebuild_index(store, place).count_documents()
            rates.append(documents / (perf_counter() - began))
    yield rate_row("moved.documents_per_second", rates[0], PEER, rates[1])


def _ask(query: str, folder: SearchService, cluster: SearchService, received: ReceivedBytes) -> Pair:
    choice, before = SearchFilters(with_facets=True), received.octets
    began = perf_counter()
    ours = folder.search(query, choice=choice)
    between = perf_counter()
    theirs = cluster.search(query, choice=choice)
    took = (between - began) * 1000, (perf_counter() - between) * 1000
    return Pair(query, (ours, theirs), took, received.octets - before)


def _page_rows(pairs: Sequence[Pair]) -> Iterator[Row]:
    for what, part in _SAME.items():
        other = [pair.query for pair in pairs if part(pair.pages[0]) != part(pair.pages[1])]
        why = ", ".join(map(repr, other[:MAX_SHOWN])) or None
        yield Row(f"moved.same_{what}", 1 - len(other) / len(pairs), why=why)
    for at, percentile in ((49, "p50"), (94, "p95")):
        folder, cluster = (quantiles([pair.took[side] for pair in pairs], n=100)[at] for side in (0, 1))
        yield cost_row(f"moved.milliseconds_{percentile}", cluster, PEER, folder)
    yield Row("moved.octets_received", mean(pair.octets for pair in pairs))


if __name__ == "__main__":
    sys.exit(main())
