"""Reads pages in reader processes, once, before anything decides about them."""

from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import Response

from engine.config import Config, ReadingLimits
from engine.errors import EngineError, PageError
from engine.model import Purpose, State, Visit
from engine.workers import ReaderPool


class ReadingMiddleware:
    """Awaits the reader of each page and sitemap: none is parsed in the crawl's own process."""

    _readers: ReaderPool

    def __init__(self, crawler: Crawler) -> None:
        self._spider: Any = crawler.spider

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds it for a crawler, as Scrapy does; its readers live as long as the crawl."""
        made = cls(crawler)
        crawler.signals.connect(made.open, signals.spider_opened)
        crawler.signals.connect(made.close, signals.spider_closed)
        return made

    def open(self) -> None:
        """Starts the readers."""
        config: Config = self._spider.config
        self._readers = ReaderPool(
            lambda: self._spider.crawl.discovery.aliases,
            config.screening,
            config.duplicates,
            ReadingLimits(config.types, config.limits.page_cpu_seconds),
        )

    def close(self) -> None:
        """Ends the readers."""
        self._readers.close()

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Adds to each visit its reading, or why there is none; passes requests on."""
        async for found in result:
            yield await self.read(found) if isinstance(found, Visit) else found

    async def read(self, visit: Visit) -> Visit:
        """Returns the visit with its reading. Without any reader it is not committed, and the crawl ends."""
        if visit.state is not State.STORED or visit.unchanged:
            return _without_body(visit)
        try:
            return await self._read(visit)
        except PageError as error:
            return replace(_without_body(visit), state=State.SKIPPED, reason=error.kind)
        except EngineError as error:
            self._spider.fail(error)
            return replace(visit, state=State.SKIPPED, reason="not read")

    async def _read(self, visit: Visit) -> Visit:
        fetch = visit.fetch
        url, body, unpacked = fetch.claim.url, fetch.body, fetch.unpacked
        if fetch.claim.kind is Purpose.SITEMAP:
            return replace(
                _without_body(visit), sitemap=await self._readers.sitemap(body, url, unpacked=unpacked)
            )
        content_type = fetch.header("content-type")
        reading = await self._readers.read(body, url, content_type, fetch.headers, unpacked=unpacked)
        return replace(_without_body(visit), reading=reading)


def _without_body(visit: Visit) -> Visit:
    """Drops the body of a visit, which has been read: visits that wait for a commit need not keep it."""
    return replace(visit, fetch=replace(visit.fetch, body=b"", unpacked=visit.fetch.size))
