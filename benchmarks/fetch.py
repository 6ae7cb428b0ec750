"""Fetches the URLs of a file with our settings, and nothing else: `python -m benchmarks.fetch FILE`.

Prints one JSON object: pages, and CPU seconds from the first request to the last answer.
"""

import json
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Self

from scrapy import Request, signals
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.http import Response
from scrapy.settings import Settings
from twisted.python.failure import Failure

from engine.config import Config
from engine.middleware.fetching import build_request, fetch_from_response
from engine.model.page import Claim
from engine.url import host_of
from spiders.network import NetworkSpider


class ListScheduler(BaseScheduler):
    """A scheduler that hands out the spider's claims in their order."""

    def open(self, spider: Any) -> None:
        """Scrapy's way to tell whose."""
        self._spider = spider
        self._claims: deque[Claim] = spider.claims

    def has_pending_requests(self) -> bool:
        """False ends the run."""
        return bool(self._claims)

    def enqueue_request(self, request: Request) -> bool:
        """Nobody adds requests."""
        return False

    def next_request(self) -> Request | None:
        """The next claim's request."""
        return build_request(self._claims.popleft(), self._spider) if self._claims else None


class FetchSpider(NetworkSpider):
    """Counts answers; everything before the read station is as in a crawl, the frontier left out."""

    name = "fetching"
    clock = staticmethod(time.time)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Self:
        """With the list of claims."""
        spider = super().from_crawler(crawler)
        urls = list(kwargs["urls"])
        spider.claims = deque(Claim(0, url, host_of(url)) for url in urls)
        spider.open_network(Config(Path()), map(host_of, urls))
        spider.pages = 0
        crawler.signals.connect(spider.begin, signals.spider_opened)
        crawler.signals.connect(spider.end, signals.spider_closed)
        return spider

    claims: deque[Claim]
    pages: int

    async def start(self) -> AsyncIterator[Request]:
        """The scheduler has them all."""
        return
        yield  # makes this the generator that Scrapy expects

    def begin(self) -> None:
        """The clock starts."""
        self._began = time.process_time()

    def parse(self, response: Response, **_: Any) -> Iterator[Request]:
        """The answer as our own value."""
        fetch_from_response(response)
        self.in_flight.release(response.request)
        self.pages += 1
        return iter(())

    parse_robots = parse

    def errback(self, failure: Failure) -> None:
        """No answer: not a page."""
        self.in_flight.release(failure.request)  # type: ignore[attr-defined]  # Scrapy puts it there

    def end(self) -> None:
        """The figures."""
        print(json.dumps({"pages": self.pages, "cpu": time.process_time() - self._began}))


def main(urls: list[str]) -> None:
    """Fetch them all."""
    settings = Settings()
    settings.setmodule("engine.settings")
    alone = {
        "ITEM_PIPELINES_BASE": {},
        "SCHEDULER": ListScheduler,
        "CONCURRENT_REQUESTS": 8,  # as the frontier gives out for an own host; more would open connections
        "DOWNLOADER_MIDDLEWARES_BASE": {"engine.middleware.decompress.DecompressionMiddleware": 200},
        "SPIDER_MIDDLEWARES_BASE": {},  # nothing is read
        "EXTENSIONS_BASE": {
            "engine.middleware.media_type_filter.MediaTypeFilter": 100,
            "engine.middleware.body_limit.BodyLimit": 110,
        },
        "LOG_LEVEL": "ERROR",
    }
    settings.update(alone, priority="cmdline")
    process = CrawlerProcess(settings)
    process.crawl(FetchSpider, urls=urls)
    process.start()


if __name__ == "__main__":
    main(Path(sys.argv[1]).read_text(encoding="utf-8").split())
