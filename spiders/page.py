"""Fetches what is asked by hand: for `scrapy fetch`, `shell`, `parse` and contracts."""

import time
from collections.abc import AsyncIterator, Iterable
from contextlib import closing
from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from engine.config import Config, load_config
from engine.database import FILE, CrawlDatabase
from engine.frontier import PausedHosts, build_sites, open_pauses
from engine.robots import RobotsState
from engine.store import Blocklist, load_blocklist
from engine.url import host_of
from spiders.network import NetworkSpider
from spiders.seeds import build_root_set

ASKED = "asked"  # in a request's meta: the URL that was asked for, before any redirect


class PageSpider(NetworkSpider):
    """Asks for `urls` behind the gates of a crawl, over redirects; `found` has what came of each.

    Without a name `scrapy list` leaves it out. Nothing is stored.
    """

    custom_settings = {  # noqa: RUF012 Scrapy's way
        "SCHEDULER": "scrapy.core.scheduler.Scheduler",
        "DUPEFILTER_CLASS": "scrapy.dupefilters.BaseDupeFilter",
        "ITEM_PROCESSOR": "scrapy.pipelines.ItemPipelineManager",
        "ITEM_PIPELINES_BASE": {},
        "ITEM_PIPELINES": {},
        "SPIDER_MIDDLEWARES_BASE": {"scrapy.spidermiddlewares.referer.RefererMiddleware": 100},
        "SPIDER_MIDDLEWARES": {},
        "EXTENSIONS_BASE": {"engine.middleware.body_limit.BodyLimit": 100},
        "EXTENSIONS": {},
        "DOWNLOADER_MIDDLEWARES_BASE": {
            "engine.middleware.page_gate.PageGate": 100,
            "scrapy.downloadermiddlewares.redirect.RedirectMiddleware": 200,  # each hop is a new request
            "scrapy.downloadermiddlewares.httpcompression.HttpCompressionMiddleware": 300,
        },
        "DOWNLOADER_MIDDLEWARES": {},
    }
    urls: Iterable[str] = ()
    redirected = True  # redirects are followed
    paused: PausedHosts
    blocklist: Blocklist
    robots: dict[str, RobotsState]  # by host
    found: dict[str, Response | Failure]  # by the URL that was asked for
    clock = staticmethod(time.time)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **arguments: Any) -> Self:
        """Builds it for `urls`; private addresses are those that crawl.toml allows."""
        spider = super().from_crawler(crawler, "page", *args, **arguments)
        config = load_config(crawler.settings)
        sites = build_sites(build_root_set(config, {}) if config.sites else (), config.aliases)
        spider.open_network(config, sites.own_hosts)
        spider.paused = PausedHosts(open_pauses(config.database).load)
        spider.blocklist = _load_blocklist(config)
        spider.robots, spider.found = {}, {}
        return spider

    def refusal(self, url: str) -> str:
        """Says why the operator wants nothing asked at a canonical URL, '' where that is not so."""
        if self.paused.is_paused(host_of(url), self.clock()):
            return "its host is paused; 'scrapy pause --list' lists those that are"
        if self.blocklist.refuses(url):
            return "it was removed; 'scrapy remove --list' lists what was"
        return ""

    def robots_state(self, host: str) -> RobotsState | None:
        """Returns what a host's robots.txt says, None where it was not asked for."""
        return self.robots.get(host)

    async def start(self) -> AsyncIterator[Request]:
        """Yields the requests."""
        for url in self.urls:
            meta = {ASKED: url, "dont_redirect": not self.redirected}
            yield Request(url, self.parse, errback=self.errback, meta=meta, dont_filter=True)

    def parse(self, response: Response, **kwargs: Any) -> None:
        """Keeps an answer, whatever its status."""
        self.found[response.meta[ASKED]] = response

    def errback(self, failure: Failure) -> None:
        """Keeps what kept an answer away."""
        self.found[failure.request.meta[ASKED]] = failure  # type: ignore[attr-defined]  # Scrapy puts it there

    parse_robots = parse  # its answers are awaited where they are asked for (engine.middleware.page_gate)


def _load_blocklist(config: Config) -> Blocklist:
    """Loads what was removed; nothing where no crawl has made a database yet."""
    if not config.database_url and not (config.data_dir / FILE).exists():
        return Blocklist()
    with (
        closing(CrawlDatabase(config.database)) as database,
        database.open_engine() as engine,
        engine.connect() as connection,
    ):
        return load_blocklist(connection)
