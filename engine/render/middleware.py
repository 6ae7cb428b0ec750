"""Renders pages between their reading and the META gate, as Scrapy's spider middleware."""

from collections.abc import AsyncIterator
from typing import Any, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import Response

from engine.errors import EngineError
from engine.middleware import UNPACKED
from engine.model import Visit
from engine.render.browser import Chromium
from engine.render.host_turns import HostTurns
from engine.render.rendering import Rendering
from engine.render.resource_requests import ResourceRequests
from engine.workers import ReadingContext, decompress


class RenderingMiddleware:
    """Has no browser where no site asks for one; then pages that are empty without scripts are left out."""

    _rendering: Rendering

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._spider: Any = crawler.spider

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds it for a crawler, as Scrapy does; its browser lives no longer than the crawl."""
        made = cls(crawler)
        crawler.signals.connect(made.open, signals.spider_opened)
        crawler.signals.connect(made.close, signals.spider_closed)
        return made

    async def open(self) -> None:
        """Checks that Chromium starts, in its sandbox; else the crawl ends before it asks for anything."""
        spider, crawl = self._spider, self._spider.crawl
        chromium = None
        try:
            if crawl.discovery.sites.renders:
                chromium = Chromium(spider.identity.user_agent)
                await chromium.check()
        except EngineError as error:
            spider.fail(error)
        turns = HostTurns(crawl.frontier, spider.clock)
        requests = ResourceRequests(self._crawler, turns)
        self._rendering = Rendering(
            chromium,
            turns,
            lambda url: crawl.discovery.sites.rendering(url),
            requests.ask,
            lambda body, claim, headers: spider.readers.read(
                body,
                claim.url,
                "text/html; charset=utf-8",
                headers,
                context=ReadingContext(rendered=True, published=claim.published),
            ),
            lambda what, number: crawl.counters.counts.update({what: number}),
        )

    async def close(self) -> None:
        """Ends the browser."""
        await self._rendering.close()

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Yields each visit with its page as it is after its scripts; passes requests on."""
        async for found in result:
            yield await self._apply(found, response) if isinstance(found, Visit) else found

    async def _apply(self, visit: Visit, response: Response) -> Visit:
        try:
            return await self._rendering.apply(visit, lambda: _unpack(response))
        except EngineError as error:  # no browser starts any more, or no reader: the page waits
            self._spider.fail(error)
            return visit


def _unpack(response: Response) -> bytes:
    """Returns the body of a page, unpacked."""
    assert response.request
    size = response.request.meta.get(UNPACKED, 0)
    return decompress(response.body, size, cut=True).body if size else response.body
