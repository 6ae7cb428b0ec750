"""Fetches one robots.txt for `scrapy robots --refresh`."""

import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response
from twisted.python.failure import Failure

from engine.config import load_config
from engine.crawl import next_hop
from engine.middleware import RateLimiter, build_request, fetch_from_failure, fetch_from_response
from engine.model import Claim, Fetch, Purpose
from spiders.network import NetworkSpider


class RobotsSpider(NetworkSpider):
    """Asks one host, over redirects; `answer` holds the result. Nameless, it is in no list."""

    custom_settings = {  # noqa: RUF012 Scrapy's way
        "SCHEDULER": "scrapy.core.scheduler.Scheduler",
        "ITEM_PROCESSOR": "scrapy.pipelines.ItemPipelineManager",
        "SPIDER_MIDDLEWARES_BASE": {},
        "ITEM_PIPELINES_BASE": {},
        "EXTENSIONS_BASE": {"engine.middleware.body_limit.BodyLimit": 100},
    }
    host: str
    answer: Fetch
    clock = staticmethod(time.time)

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **arguments: str) -> Self:
        """Builds it for `host`, scheme://name[:port]; naming it allows its private addresses."""
        spider = super().from_crawler(crawler, "robots", *args, **arguments)
        config = load_config(crawler.settings)
        spider.open_network(config, (spider.host,))
        spider.rate_limiter = RateLimiter(
            config.limits
        )  # naming a host to see its rules makes nobody its owner
        return spider

    async def start(self) -> AsyncIterator[Request]:
        """Yields the one request."""
        yield build_request(Claim(0, f"{self.host}/robots.txt", self.host, kind=Purpose.ROBOTS), self)

    def parse_robots(self, response: Response) -> Iterator[Request]:
        """Keeps the answer, or requests the next hop to it."""
        self.answer = fetch_from_response(response)
        if hop := next_hop(self.answer):
            yield build_request(hop, self)

    def errback(self, failure: Failure) -> None:
        """Records that there was no answer."""
        self.answer = fetch_from_failure(failure)
