"""Obeys META robots and X-Robots-Tag before any pipeline: the META gate."""

from collections.abc import AsyncIterator
from typing import Any, Self

from scrapy.crawler import Crawler
from scrapy.http import Response

from engine.crawl import Walk
from engine.model import Visit


class MetaRobotsMiddleware:
    """Obeys META robots and X-Robots-Tag of a page that was read (engine.middleware.reading)."""

    def __init__(self, crawler: Crawler) -> None:
        spider: Any = crawler.spider
        self._walk: Walk = spider.crawl.walk

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds it for a crawler, as Scrapy does."""
        return cls(crawler)

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Reduces visits to what their owners permit; passes requests on."""
        async for found in result:
            yield self._walk.meta_robots(found) if isinstance(found, Visit) else found
