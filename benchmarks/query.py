"""Measures queries: milliseconds to the first ten hits beside Whoosh, Tantivy, FTS5 and Lucene, and opening.

Each query is asked of all in turn, in rounds that lie minutes apart, and of its times the best counts: so
noise hits all alike, and nobody more than once. Before that, as many other queries have warmed all caches.
Medians over queries:

    query.KIND                   from the parsed query to the ranked hits
    query.info.KIND.p95          the same, 95th percentile
    query.info.KIND.once         the same in the first round alone: no cache has seen this query before
    query.info.KIND.whole        from the words to the hits' stored fields, unpacked
    query.info.KIND.whole_p95    the same, 95th percentile
    query.info.KIND.hits         hits of a query, of ten, in the mean: that something is found at all
    query.info.parse             from the words to the parsed query, over all kinds

In processes of their own, medians over LIVES: `query.info.open_ms` from a closed index to a searcher,
`query.info.first_ms` for its first query as a whole; and of one that was asked all queries `private_mb` (its
unique set size: Python and the modules too, and those pages of the mapped files that were touched) and
`anonymous_mb` (of that, what is in no file).

As the indexes have to be made, the rows of `index` come first.
"""

import gc
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import NamedTuple

from benchmarks.corpora.queries import KINDS, draw_queries, read_vocabulary
from benchmarks.index import (
    PACKAGES,
    BuiltIndex,
    build_indexes,
    compare_builds,
    store_corpus,
    store_generated,
)
from benchmarks.instruments.apart import SearcherCosts, elapsed_ms, search_apart
from benchmarks.instruments.row import Row, cost_row, rate_row, report_progress
from benchmarks.peers.contest import (
    NATIVE,
    OURS,
    BenchmarkQuery,
    OpenIndex,
    list_contestants,
    open_contestant,
    pages,
)
from benchmarks.sites import Site
from engine.store.page_store import Store

__all__ = ["PACKAGES", "generated_rows", "rows"]
COUNT = 200  # queries of a kind that are timed; as many others go before, to warm up
ROUNDS = 3
LIVES = 3
SEED = 0x4C59

Figure = Callable[[Sequence[float]], float]
Comparison = Callable[[str, float, str, float], Row]


class QueryTiming(NamedTuple):
    """Milliseconds of one asking, and how many hits it brought."""

    parse: float
    find: float
    whole: float  # both, and the hits' stored fields
    hits: int


def rows(sites: Sequence[Site], limit: int | None) -> Iterator[Row]:
    """Every kind of query against ours and each peer, all over the same pages."""
    with store_corpus(sites, limit) as data_dir:
        yield from _contest(data_dir, list_contestants())


def generated_rows(documents: int) -> Iterator[Row]:
    """Ours and the native peer, over so many generated documents."""
    with store_generated(documents) as data_dir:
        yield from _contest(data_dir, (OURS, NATIVE))


def _contest(data_dir: Path, names: Sequence[str]) -> Iterator[Row]:
    asked = _asked(data_dir)
    with ExitStack() as stack:
        indexes = build_indexes(data_dir, names, stack)
        yield from compare_builds(indexes)
        yield from _lives(indexes, [query for kind in KINDS for query in asked[kind]])
        searchers = {
            name: stack.enter_context(closing(open_contestant(name, index.folder)))
            for name, index in indexes.items()
        }
        yield from timed_rows(searchers, asked)


def _asked(data_dir: Path) -> dict[str, list[BenchmarkQuery]]:
    """Twice COUNT queries of each kind, the first half for warming up."""
    report_progress("drawing the queries")
    rng = random.Random(SEED)
    with closing(Store(data_dir)) as store:
        words = read_vocabulary(pages(store), rng)
    return {kind: draw_queries(kind, 2 * COUNT, words, rng) for kind in KINDS}


def _lives(indexes: Mapping[str, BuiltIndex], asked: Sequence[BenchmarkQuery]) -> Iterator[Row]:
    report_progress("opening each, asking it all queries, and closing it")
    lives: dict[str, list[SearcherCosts]] = {name: [] for name in indexes}
    for number in range(LIVES):
        queries = asked[number : number + 1] if number else asked
        for name, index in indexes.items():
            lives[name].append(search_apart(name, index.folder, queries))
    yield from _compared("query.info.open_ms", _over(lives, "open_ms", median))
    yield from _compared("query.info.first_ms", _over(lives, "first_ms", median))
    yield from _compared("query.info.private_mb", _over(lives, "private_mb", max))
    yield from _compared("query.info.anonymous_mb", _over(lives, "anonymous_mb", max))


def timed_rows(
    searchers: Mapping[str, OpenIndex], asked: Mapping[str, Sequence[BenchmarkQuery]]
) -> Iterator[Row]:
    """Twice COUNT queries of each kind, put to all; the first COUNT of each are not timed."""
    report_progress("asking all in turn, the first time to warm up")
    rng = random.Random(SEED)
    _round(searchers, [query for kind in KINDS for query in asked[kind][:COUNT]], rng)
    gc.collect()
    gc.freeze()  # what one index keeps in memory is no reason for a pause in another's query
    timed = [query for kind in KINDS for query in asked[kind][COUNT:]]
    rounds = [_round(searchers, timed, rng) for _ in range(ROUNDS)]
    gc.unfreeze()
    at_best = {
        name: [best(times) for times in zip(*(one[name] for one in rounds), strict=True)]
        for name in searchers
    }
    for number, kind in enumerate(KINDS):
        of_kind = slice(number * COUNT, (number + 1) * COUNT)
        first = {name: times[of_kind] for name, times in rounds[0].items()}
        of_best = {name: times[of_kind] for name, times in at_best.items()}
        yield from _compared(f"query.{kind}", _over(of_best, "find", median))
        yield from _compared(f"query.info.{kind}.p95", _over(of_best, "find", _p95))
        yield from _compared(f"query.info.{kind}.once", _over(first, "find", median))
        yield from _compared(f"query.info.{kind}.whole", _over(of_best, "whole", median))
        yield from _compared(f"query.info.{kind}.whole_p95", _over(of_best, "whole", _p95))
        yield from _compared(f"query.info.{kind}.hits", _over(of_best, "hits", fmean), rate_row)
    yield from _compared("query.info.parse", _over(at_best, "parse", median))


def _round(
    searchers: Mapping[str, OpenIndex], asked: Sequence[BenchmarkQuery], rng: random.Random
) -> dict[str, list[QueryTiming]]:
    """Every query once to each, in an order that changes: who comes after Whoosh finds cold CPU caches."""
    times: dict[str, list[QueryTiming]] = {name: [] for name in searchers}
    for query in asked:
        for name in rng.sample(list(searchers), len(searchers)):
            times[name].append(_timed(searchers[name], query))
    return times


def _timed(index: OpenIndex, asked: BenchmarkQuery) -> QueryTiming:
    began = time.perf_counter()
    parsed = index.parse(asked)
    parse = elapsed_ms(began)
    found = index.find(parsed)
    find = elapsed_ms(began) - parse
    index.kept(found)
    return QueryTiming(parse, find, elapsed_ms(began), len(found))


def best(times: Sequence[QueryTiming]) -> QueryTiming:
    """The least of each figure; the number of hits is the same in all."""
    return QueryTiming(*map(min, zip(*times, strict=True)))


def _over(measured: Mapping[str, Sequence[NamedTuple]], field: str, figure: Figure) -> dict[str, float]:
    return {name: figure([getattr(one, field) for one in of]) for name, of in measured.items()}


def _compared(name: str, values: Mapping[str, float], better: Comparison = cost_row) -> Iterator[Row]:
    return (better(name, values[OURS], peer, values[peer]) for peer in values if peer != OURS)


def _p95(times: Sequence[float]) -> float:
    return quantiles(times, n=20)[-1]
