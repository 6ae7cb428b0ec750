"""Measures the search page under load, beside a running crawl: milliseconds of whole pages.

`scrapy serve` answers, in as many processes as --workers names (1), over an index of the pages of all
packages but the last; that one is crawled meanwhile, over loopback, into the same data folder, CRAWLED a
second: as many as a crawl of a hundred hosts brings that asks each every five seconds, with its indexing.
RATE pages a second are asked for: judged queries where there are any, and words of titles. Server, crawl
and who asks share this machine.

    load.page.p50, .p95, .p99, .max   milliseconds from when a page was to be asked for to its last byte
    load.page.errors                  answers that were no page of hits, or came later than MAX_SECONDS
    load.info.pages                   pages a second that were answered
    load.info.kb                      kilobytes (1,000 bytes) of a page as it is sent, head included
    load.info.health_p99              milliseconds of /health beside them: how long the event loop is held up
    load.info.cpu_ms                  milliseconds of a processor that the server took for a page
    load.info.crawled                 pages a second that the crawl stored meanwhile
    load.info.machine                 processes that wanted a processor meanwhile (load average of a minute)
"""

import asyncio
import os
import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import fmean, quantiles
from typing import NamedTuple, Self
from urllib.parse import quote_plus, urljoin
from urllib.request import urlopen

from benchmarks import judged_site
from benchmarks.corpora.visitors import SEED, TimedRequest, send_requests
from benchmarks.index import store_corpus
from benchmarks.instruments.process_tree import sample_tree
from benchmarks.instruments.row import Row, report_progress
from benchmarks.peers.contest import pages
from benchmarks.sites import ROOT, STDERR, Site, served
from engine.errors import EngineError
from engine.index.indexing.rebuild import rebuild_index
from engine.relevance.collection import load_collection
from engine.store.page_store import Store

PACKAGES = ("openjdk-17-doc", "libboost1.81-doc", "python3.11-doc", "debian-handbook")
JUDGED = "pydocs"
SECONDS = 120
WARMING = 10  # seconds before, which do not count: a searcher that runs has its code compiled and files read
RATE = 100  # pages a second
LOOKS = 20  # requests for /health a second
CRAWLED = 25  # pages a second
TITLES = 1_000  # queries drawn from titles
BUDGET = {50: 8.0, 99: 25.0}  # milliseconds by per cent of the pages: what nobody waits for
LOOK_SECONDS = 0.1
START_SECONDS = 120.0  # of the server and the crawl, compiling included


class ServerSample(NamedTuple):
    """Seconds of a clock, pages in the crawl database, seconds of a processor that the servers have taken."""

    at: float
    pages: int
    cpu: float

    @classmethod
    def now(cls, store: Store, server: int) -> Self:
        """At this moment; `server` is the number of its process, whose children count, too."""
        taken = sum(one.seconds for one in sample_tree(server).values())
        return cls(time.perf_counter(), store.census().pages, taken)


def rows(sites: Sequence[Site], limit: int | None, collections: Path | None, workers: int) -> Iterator[Row]:
    """Index all sites but the last, then ask while that one is crawled. Raises EngineError."""
    *known, crawled = sites
    if not known:
        raise EngineError(
            "load needs two packages or more: the last is crawled while the others are searched"
        )
    with store_corpus(known, limit) as data_dir:
        report_progress("indexing")
        with closing(Store(data_dir)) as store:
            rebuild_index(store, data_dir)
        yield from measure_load(data_dir, crawled, collections, workers)


def measure_load(data_dir: Path, site: Site, collections: Path | None, workers: int) -> Iterator[Row]:
    """The rows over the index in a data folder, into which the site is crawled."""
    targets = [f"/search?q={quote_plus(typed)}" for typed in draw_queries(data_dir, collections)]
    with (
        closing(Store(data_dir)) as store,
        served([site]) as (seed,),
        _serving(data_dir, workers) as (port, server),
        _crawling(urljoin(seed, "/"), data_dir) as crawl,
    ):
        last = store.last_change()
        _wait(lambda: store.last_change() > last or crawl.poll() is not None, "the crawl brings no page")
        report_progress(f"asking for {RATE} pages a second, for {WARMING} and {SECONDS} s")
        asyncio.run(send_requests(port, targets, RATE, WARMING))
        before = ServerSample.now(store, server)
        asked, looks = asyncio.run(_both(port, targets))
        after = ServerSample.now(store, server)
        if crawl.poll():
            raise EngineError(f"the crawl failed with exit code {crawl.returncode}; it said why above")
    yield from compute_figures(asked)
    yield Row("load.info.health_p99", _percentile([1000 * one.seconds for one in looks], 99))
    yield Row("load.info.cpu_ms", 1000 * (after.cpu - before.cpu) / len(asked))
    yield Row("load.info.crawled", (after.pages - before.pages) / (after.at - before.at))
    yield Row("load.info.machine", os.getloadavg()[0])


def compute_figures(asked: Sequence[TimedRequest]) -> Iterator[Row]:
    """What people waited for."""
    times = [1000 * one.seconds for one in asked]
    for percent in (50, 95, 99):
        yield Row(f"load.page.p{percent}", _percentile(times, percent), budget=BUDGET.get(percent))
    yield Row("load.page.max", max(times))
    wrong = [one.wrong for one in asked if one.wrong]
    yield Row("load.page.errors", len(wrong), budget=0, why=", ".join(sorted(set(wrong))) or None)
    yield Row("load.info.pages", (len(asked) - len(wrong)) / SECONDS)
    yield Row("load.info.kb", fmean(one.size for one in asked) / 1000)


def draw_queries(data_dir: Path, collections: Path | None) -> list[str]:
    """Judged queries, those that are there, and runs of one to three words of titles."""
    typed: list[str] = []
    if collections and (collections / judged_site.FILE).is_file():
        typed += judged_site.read_judgments(collections)
    if collections and (collections / JUDGED).is_dir():
        typed += load_collection(collections / JUDGED).queries.values()
    rng = random.Random(SEED)
    with closing(Store(data_dir)) as store:
        titles = sorted({page.title for page in pages(store)})
    return typed + [_run(title, rng) for title in rng.choices(titles, k=TITLES) if re.search(r"\w", title)]


def _run(title: str, rng: random.Random) -> str:
    words = re.findall(r"\w+", title)
    start = rng.randrange(len(words))
    return " ".join(words[start : start + rng.randint(1, 3)])


async def _both(port: int, targets: Sequence[str]) -> tuple[list[TimedRequest], list[TimedRequest]]:
    """The pages, and meanwhile /health."""
    return await asyncio.gather(
        send_requests(port, targets, RATE, SECONDS), send_requests(port, ["/health"], LOOKS, SECONDS)
    )


@contextmanager
def _serving(data_dir: Path, workers: int) -> Iterator[tuple[int, int]]:
    """The real command; gives its port and the number of its process."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    arguments = ("serve", "--port", str(port), "--workers", str(workers))
    with _running(*arguments, data_dir=data_dir) as server:
        _wait(lambda: _is_ready(port) or server.poll() is not None, "the search page does not answer")
        yield port, server.pid


@contextmanager
def _crawling(seed: str, data_dir: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The real command, no faster than CRAWLED; the listing of a server's root leads to all of its files."""
    (data_dir / "crawl.toml").write_text(f"[limits]\nrequests_per_second = {CRAWLED}\n", encoding="utf-8")
    arguments = ("crawl", "web", "-a", f"seeds={seed}", "-a", "own=1")
    with _running(*arguments, data_dir=data_dir) as crawl:
        yield crawl


@contextmanager
def _running(*arguments: str, data_dir: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A command of ours, told to stop at the end."""
    settings = ("DATA_DIR", data_dir), ("CRAWL_TOML", data_dir / "crawl.toml"), ("LOG_LEVEL", "WARNING")
    options = [word for name, value in settings for word in ("-s", f"{name}={value}")]
    process = subprocess.Popen(
        [sys.executable, "-m", "scrapy", *arguments, *options], cwd=ROOT, stdout=STDERR
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def _wait(done: Callable[[], bool], otherwise: str) -> None:
    """Raises EngineError when it takes too long."""
    deadline = time.monotonic() + START_SECONDS
    while not done():
        if time.monotonic() > deadline:
            raise EngineError(f"{otherwise} within {START_SECONDS:.0f} s; what it said stands above")
        time.sleep(LOOK_SECONDS)


def _is_ready(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/health/ready") as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _percentile(values: Sequence[float], percent: int) -> float:
    return quantiles(values, n=100, method="inclusive")[percent - 1]
