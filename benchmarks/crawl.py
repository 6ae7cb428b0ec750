"""Measures crawling: pages per second beside a plain Scrapy project and wget, and CPU time by station."""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.instruments.plot import require_folder, write_timeline
from benchmarks.instruments.row import Row, rate_row, report_progress
from benchmarks.instruments.stopwatch import Stopwatch
from benchmarks.instruments.timeline import Moment, Timeline, timeline_curves, timeline_rows
from benchmarks.instruments.walk import open_crawl, run_walk
from benchmarks.peers import wget
from benchmarks.sites import ROOT, STDERR, Site, served
from engine import generations
from engine.crawl import Limits
from engine.errors import EngineError
from engine.index.indexing.follow import Follower
from engine.model.page import Claim, Fetch
from engine.store.page_store import Store
from engine.store.runs import load_last_run
from engine.url import authority_of

PACKAGES = ("openjdk-17-doc",)
# Microseconds of CPU per page, all processes counted.
BUDGET = {"fetch": 800, "gates": 60, "read": 800, "fingerprint": 100, "store": 400, "index": 600}
WHY = {
    "fetch": "Scrapy's and Twisted's own way of one request",
    "gates": "each of a page's outlinks passes scope and traps",
    "read": "parsing alone takes 300 on a page of 41 KB; then links and sections, node by node in Python",
    "fingerprint": "it folds the whole text of a page",
    "store": "a page is packed with all its links as JSON, and its new URLs go into two indexes",
    "index": "link graph and templates come first; then words are numbered, sorted and packed",
}
LOOK_SECONDS = 0.05  # between looks for a commit
MICRO = 1e6


@dataclass(frozen=True, slots=True)
class CrawlResult:
    """One crawl; `lag` in changes that were not yet indexed when the last page was committed."""

    pages: int
    seconds: float  # from first request to last commit
    cpu_seconds: float  # all processes, their start included
    lag: int
    moments: Sequence[Moment]


def rows(sites: Sequence[Site], pages: int | None, plot: Path | None) -> Iterator[Row]:
    """Ours, then its peers to as many pages, against the same server; then ours station by station.

    The plot is of ours: where its seconds went. Raises EngineError where it cannot be written.
    """
    if plot:
        require_folder(plot)
    with served(sites) as seeds:
        report_progress("crawling with Lycosa")
        ours = _crawl(seeds, pages)
        yield from timeline_rows(ours.moments)
        if plot:
            title = f"Seconds of a crawl of {ours.pages:,} pages"
            write_timeline(plot, title, timeline_curves(ours.moments))
        report_progress(f"{ours.pages} pages; crawling with a plain Scrapy project")
        speed = ours.pages / ours.seconds
        yield rate_row("crawl.pages", speed, "scrapy", _plain_scrapy(seeds, ours.pages))
        if wget.is_installed():
            report_progress("crawling with wget")
            yield rate_row("crawl.pages", speed, "wget", wget.crawl(seeds, ours.pages))
        else:
            yield Row("crawl.info.wget", 0.0)  # not on this machine
        yield Row("crawl.info.lag", ours.lag)
        yield Row("crawl.info.total_cpu", ours.cpu_seconds / ours.pages * MICRO)
        report_progress("the stations one by one")
        for station, cost in _stations(seeds, pages):
            budget = BUDGET[station]
            yield Row(
                f"crawl.info.{station}", cost, budget=budget, why=WHY[station] if cost > budget else None
            )


def _crawl(seeds: Sequence[str], pages: int | None) -> CrawlResult:
    """The real command. Raises EngineError when it fails.

    The clock starts with the run log's entry, a moment before the request for robots.txt; it stops
    when the last commit that brought a page is seen from outside.
    """
    with TemporaryDirectory() as folder, closing(Store(Path(folder))) as store:
        used = _children_cpu()
        process = subprocess.Popen(_command(seeds, Path(folder), pages), cwd=ROOT, stdout=STDERR)
        try:
            committed_at, lag, moments = _watch(process, store, Path(folder))
        finally:
            process.terminate()
            code = process.wait()
        if code:
            raise EngineError(f"the crawl failed with exit code {code}; what it said stands above")
        with store.engine.connect() as connection:
            run = load_last_run(connection, "crawl")
        count = store.census().pages
        assert run
    if not count:
        raise EngineError(f"the crawl found no page from {seeds[0]}")
    return CrawlResult(count, committed_at - run.started_at, _children_cpu() - used, lag, moments)


def _command(seeds: Sequence[str], folder: Path, pages: int | None) -> list[str]:
    command = [
        sys.executable,
        "-m",
        "scrapy",
        "crawl",
        "web",
        "-a",
        f"seeds={','.join(seeds)}",
        "-a",
        "own=1",
    ]
    command += ["-s", f"DATA_DIR={folder}", "-s", f"CRAWL_TOML={folder / 'none.toml'}"]
    return [*command, "-a", f"max_pages={pages}"] if pages else command


def _watch(
    process: subprocess.Popen[bytes], store: Store, folder: Path
) -> tuple[float, int, Sequence[Moment]]:
    """When the last page was committed, in seconds since 1970, how far the index lagged then, and the way."""
    committed, committed_at, lag = 0, time.time(), 0
    timeline = Timeline(process.pid)
    while process.poll() is None:
        generation = generations.current_generation(folder)
        indexed = generation.caught_up if generation else 0
        if (last := store.last_change()) > committed:
            committed, committed_at, lag = last, time.time(), last - indexed
        timeline.look(last, last - indexed)
        time.sleep(LOOK_SECONDS)
    return committed_at, lag, timeline.moments


def _plain_scrapy(seeds: Sequence[str], pages: int) -> float:
    found = _figures("benchmarks.peers.plain_scrapy", str(pages), *seeds)
    return float(found["pages"] / found["seconds"])


def _stations(seeds: Sequence[str], pages: int | None) -> Iterator[tuple[str, float]]:
    """Each station's CPU in microseconds per stored page, all but fetch from one walk without Scrapy."""
    watch = Stopwatch()
    with TemporaryDirectory() as folder, closing(Store(Path(folder))) as store:
        crawl = open_crawl(store, seeds, Limits(pages=pages), watch)
        asked = run_walk(crawl, _fetch, watch)
        with watch("index"):
            Follower(store, Path(folder)).catch_up()
        stored = store.census().pages
        listed = Path(folder, "urls")
        listed.write_text("\n".join(asked), encoding="utf-8")
        fetch = _figures("benchmarks.fetch", str(listed))
    yield "fetch", fetch["cpu"] / fetch["pages"] * MICRO
    for station in BUDGET:
        if station != "fetch":
            yield station, watch.seconds[station] / stored * MICRO


def _fetch(claim: Claim) -> Fetch:
    """One exchange with as little around it as can be."""
    authority = authority_of(claim.url)
    with closing(HTTPConnection(authority)) as connection:
        connection.request("GET", claim.url.partition(authority)[2])
        response = connection.getresponse()
        headers = tuple((name.lower(), value) for name, value in response.getheaders())
        return Fetch(claim, response.status, headers, response.read(), at=time.time())


def _figures(module: str, *arguments: str) -> dict[str, Any]:
    """The JSON object that a module prints. Raises EngineError when it fails."""
    command = [sys.executable, "-m", module, *arguments]
    run = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE)
    if run.returncode or not run.stdout:
        raise EngineError(f"{module} failed with exit code {run.returncode}; what it said stands above")
    figures: dict[str, Any] = json.loads(run.stdout)
    return figures


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
