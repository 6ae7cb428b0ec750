"""A contestant in a process of its own, which has imported nothing that it does not need."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple, TypeVar

from benchmarks.instruments.space import MEGABYTE, anonymous_bytes, disk_bytes, peak_bytes, private_bytes
from benchmarks.peers.contest import BenchmarkQuery, load_contestant, open_contestant

T = TypeVar("T")


class BuildCosts(NamedTuple):
    """How the building of an index went."""

    documents: int
    seconds: float
    cpu_ms: float  # for a document, of all threads
    peak_mb: float  # of the whole process
    disk_mb: float
    words_mb: float  # of that, without stored texts and link graph


class SearcherCosts(NamedTuple):
    """What a searcher took; its files are in the kernel's cache, and its modules imported, when it begins."""

    open_ms: float
    first_ms: float  # the first query: parsed, found, its hits' stored fields read
    private_mb: float  # of the whole process, after all queries
    anonymous_mb: float


def build_apart(name: str, data_dir: Path, folder: Path) -> BuildCosts:
    """Build a contestant's index from a crawl database."""
    return run_apart(_build, name, data_dir, folder)


def search_apart(name: str, folder: Path, asked: Sequence[BenchmarkQuery]) -> SearcherCosts:
    """Open a contestant's index and ask it all these queries, once each."""
    return run_apart(_live, name, folder, asked)


def run_apart(work: Callable[..., T], *arguments: object) -> T:
    """What work gives in a fresh process, which imports the module of `work` and no other of ours."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, *arguments).result()


def elapsed_ms(began: float) -> float:
    """How long it is since time.perf_counter() was `began`."""
    return (time.perf_counter() - began) * 1000


def _build(name: str, data_dir: Path, folder: Path) -> BuildCosts:
    from engine.store.page_store import Store  # here, because a searcher's process shall not have it

    module = load_contestant(name)
    with closing(Store(data_dir)) as store:
        began, cpu_began = time.perf_counter(), time.process_time()
        module.build(store, folder)
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu_began
        documents = store.census().pages
    disk = disk_bytes(folder)
    return BuildCosts(
        documents,
        seconds,
        cpu / documents * 1000,
        peak_bytes() / MEGABYTE,
        disk / MEGABYTE,
        (disk - module.text_bytes(folder)) / MEGABYTE,
    )


def _live(name: str, folder: Path, asked: Sequence[BenchmarkQuery]) -> SearcherCosts:
    load_contestant(name)
    began = time.perf_counter()
    with closing(open_contestant(name, folder)) as index:
        open_ms = elapsed_ms(began)
        first, *others = asked
        began = time.perf_counter()
        index.kept(index.find(index.parse(first)))
        first_ms = elapsed_ms(began)
        for query in others:
            index.kept(index.find(index.parse(query)))
        return SearcherCosts(open_ms, first_ms, private_bytes() / MEGABYTE, anonymous_bytes() / MEGABYTE)
