"""The walk without Scrapy: the crawl's own stations on pages that are in memory already."""

import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast
from urllib.parse import quote

from scrapy import Request
from scrapy.utils.misc import build_from_crawler, load_object

from benchmarks.instruments.stopwatch import Stopwatch
from benchmarks.sites import Site
from engine.config import SiteConfig
from engine.crawl import Crawl, Limits
from engine.crawl.response_policy import classify_response
from engine.frontier.sites import Sites, build_sites
from engine.middleware.reading import ReadingMiddleware
from engine.middleware.robots_txt import RobotsTxtMiddleware
from engine.model.page import Claim, Fetch, Purpose, Reading, Visit
from engine.settings import WALK
from engine.store.page_store import Store
from engine.text.documents.documents import read_document
from engine.text.duplicates.fingerprint import compute_digests
from engine.url import canonicalize
from engine.workers.body import build_reading
from engine.workers.page_screen import PageScreen
from engine.workers.reading_context import ReadingContext

INDEX = "index.IndexPipeline"  # a process of its own, measured apart
HTML = (("content-type", "text/html"),)


@dataclass(frozen=True)
class TimedSites(Sites):
    """The gate that every outlink passes, timed."""

    watch: Stopwatch

    def refusal(self, url: str) -> str:
        """As Sites has it."""
        with self.watch("gates"):
            return Sites.refusal(self, url)


def run_walk(crawl: Crawl, fetch: Callable[[Claim], Fetch], watch: Stopwatch) -> list[str]:
    """Crawl to the end; the URLs asked. What `fetch` costs counts for no station.

    Gates are the robots gate before the network, the judgement of the answer and the refusal of
    outlinks; the frontier counts as part of the store, its own look at robots.txt included.
    """
    crawl.discovery.sites = TimedSites(crawl.discovery.sites.sites, watch)
    robots_state = crawl.frontier.host_queues.robots
    crawler: Any = SimpleNamespace(spider=SimpleNamespace(crawl=crawl, robots_state=robots_state))
    gate, reading = RobotsTxtMiddleware(crawler), ReadingMiddleware(crawler)
    crawler.spider.readers = InProcessReader(watch)
    stations: dict[str, Any] = {
        path.partition(".")[0]: build_from_crawler(load_object(f"pipelines.{path}"), crawler)
        for path in WALK
        if path != INDEX
    }
    asked = []
    while claim := _claim(crawl, watch):
        request, answer = Request(claim.url, meta={"claim": claim}), fetch(claim)
        with watch("gates"):
            gate.process_request(request)
            visit = classify_response(answer)
        with watch("store"):
            crawl.record_response(answer)
        with watch("read"):
            visit = _done(reading.read(visit))
        with watch("gates"):
            visit = crawl.walk.meta_robots(visit)
        for name, station in stations.items():
            with watch(name):
                visit = _done(station.process_item(visit))
        asked.append(claim.url)
    with watch("store"):
        crawl.close("finished")
    return asked


@dataclass(frozen=True, slots=True)
class InProcessReader:
    """What a reader process does, in this one, its parts timed."""

    watch: Stopwatch
    sieve: PageScreen = PageScreen()

    async def read(
        self,
        body: bytes,
        url: str,
        content_type: str,
        headers: Sequence[tuple[str, str]],
        *,
        unpacked: int = 0,
        context: ReadingContext,
    ) -> Reading:
        """As `engine.workers.body.read_body`; no page of a benchmark is packed, or named by a feed."""
        assert not unpacked
        assert context == ReadingContext()
        page = self.sieve.screen(read_document(body, url, content_type, headers))
        with self.watch("fingerprint"):
            found = compute_digests(page)
        with self.watch("store"):
            return build_reading(page, found)


def _done(result: Any) -> Visit:
    """What a station returned, or what it awaited at once."""
    if not isinstance(result, Coroutine):
        return cast(Visit, result)
    try:
        result.send(None)
    except StopIteration as end:
        return cast(Visit, end.value)
    raise AssertionError("nothing here has to be waited for")


def open_crawl(store: Store, seeds: Sequence[str], limits: Limits, watch: Stopwatch) -> Crawl:
    """An opened crawl of our own hosts, on a clock that stands: it commits when a batch is full."""
    sites = build_sites([SiteConfig(tuple(seeds), own=True)])
    now = time.time()
    with watch("store"):
        crawl = Crawl(store, sites, limits, clock=lambda: now)
        crawl.open()
    return crawl


def collect_pages(store: Store, sites: Sequence[Site], pages: int | None) -> None:
    """Store the HTML files of the sites, as a crawl that knows all their URLs would."""
    files = {
        canonicalize(f"http://{site.package}/{quote(str(path.relative_to(site.root)))}"): path
        for site in sites
        for path in sorted(site.root.rglob("*.htm*"))
        if path.is_file() and not path.is_symlink()
    }
    watch = Stopwatch()
    crawl = open_crawl(store, list(files), Limits(pages=pages, depth=0), watch)
    run_walk(
        crawl, lambda claim: Fetch(claim, 200, HTML, files[claim.url].read_bytes(), at=time.time()), watch
    )


def _claim(crawl: Crawl, watch: Stopwatch) -> Claim | None:
    """The next page; robots.txt and sitemap, on the way, are answered with 404."""
    with watch("store"):
        while (claim := crawl.claim()) and claim.kind is not Purpose.PAGE:
            missing = Fetch(claim, 404)
            if claim.kind is Purpose.ROBOTS:
                crawl.record_robots(missing)
            else:
                crawl.record_response(missing)
                crawl.finish(classify_response(missing))
        return claim
