"""Queries: milliseconds to the first ten hits beside Whoosh and Tantivy, parsed beforehand on all sides."""

import random
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory

from benchmarks.contest import CONTESTANTS, OURS, PEERS, Asked, Opened, built, opened, pages
from benchmarks.index import PACKAGES, corpus
from benchmarks.queries import KINDS, draw, vocabulary
from benchmarks.row import Row, cost, say
from benchmarks.sites import Site
from engine.store.pages import Store

__all__ = ["PACKAGES", "rows"]
COUNT = 200  # queries of a kind that are timed; as many others go before, to warm up
SEED = 0x4C59


@dataclass(frozen=True, slots=True)
class Timed:
    """Milliseconds of each query."""

    parse: list[float]
    find: list[float]


def rows(sites: Sequence[Site], limit: int | None) -> Iterator[Row]:
    """Every kind of query against ours and each peer, all over the same pages."""
    with corpus(sites, limit) as data_dir, ExitStack() as stack:
        asked = _asked(data_dir)
        indexes = {name: _index(name, data_dir, stack) for name in CONTESTANTS}
        parse: dict[str, list[float]] = {name: [] for name in CONTESTANTS}
        for kind in KINDS:
            timed = {name: _timed(index, asked[kind]) for name, index in indexes.items()}
            for name, times in timed.items():
                parse[name] += times.parse
            yield from _compared(f"query.{kind}", {name: median(t.find) for name, t in timed.items()})
            yield from _compared(f"query.info.{kind}.p95", {name: _p95(t.find) for name, t in timed.items()})
        yield from _compared("query.info.parse", {name: median(times) for name, times in parse.items()})


def _asked(data_dir: Path) -> dict[str, list[Asked]]:
    """Twice COUNT queries of each kind, the first half for warming up."""
    rng = random.Random(SEED)
    with closing(Store(data_dir)) as store:
        words = vocabulary(pages(store), rng)
    return {kind: draw(kind, 2 * COUNT, words, rng) for kind in KINDS}


def _index(name: str, data_dir: Path, stack: ExitStack) -> Opened:
    """Built and opened; the stack closes and deletes it."""
    say(f"indexing with {name}")
    folder = Path(stack.enter_context(TemporaryDirectory()))
    built(name, data_dir, folder)
    return stack.enter_context(closing(opened(name, folder)))


def _timed(index: Opened, asked: Sequence[Asked]) -> Timed:
    parsed, parse = [], []
    for query in asked:
        began = time.perf_counter()
        parsed.append(index.parse(query))
        parse.append(_milliseconds(began))
    find = []
    for query in parsed:
        began = time.perf_counter()
        index.find(query)
        find.append(_milliseconds(began))
    return Timed(parse[COUNT:], find[COUNT:])


def _milliseconds(began: float) -> float:
    return (time.perf_counter() - began) * 1000


def _compared(name: str, values: dict[str, float]) -> Iterator[Row]:
    return (cost(name, values[OURS], peer, values[peer]) for peer in PEERS)


def _p95(times: list[float]) -> float:
    return quantiles(times, n=20)[-1]
