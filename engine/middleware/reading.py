"""Reads pages in reader processes, once, before anything decides about them."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.http import Response

from engine.config import Config, ReadingLimits
from engine.errors import EngineError, PageError
from engine.model import LISTS, Purpose, Reading, State, Visit
from engine.workers import ReaderPool, ReadingContext, TextRecognition

MAX_WAITING = 48_000_000  # bytes of documents that wait for OCR, besides those of own sites
# Bytes of answers in work, beyond which Scrapy asks for nothing more: what waits for OCR should not stop a
# crawl. It is the bound of engine.middleware.in_flight, which counts the same bodies.
MAX_ACTIVE = 96_000_000
LOOK = 0.5  # seconds between looks whether a crawl that has to wait for OCR is to end
VALIDATORS = ("etag", "last-modified")  # RFC 9110, 8.8


class ReadingMiddleware:
    """Awaits the reader of each page and sitemap: none is parsed in the crawl's own process."""

    _recognition: TextRecognition | None = None  # none where OCR is off

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._spider: Any = crawler.spider
        self._waiting = 0  # bytes of documents

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
        self._spider.readers = ReaderPool(
            lambda: self._spider.crawl.discovery.aliases,
            config.screening,
            config.duplicates,
            ReadingLimits(config.types, config.limits.page_cpu_seconds),
        )
        if self._spider.tesseract:
            self._recognition = TextRecognition(self._spider.readers, self._spider.tesseract)
            assert self._crawler.engine
            assert self._crawler.engine.scraper.slot
            self._crawler.engine.scraper.slot.max_active_size = MAX_ACTIVE

    def close(self) -> None:
        """Ends the readers."""
        self._spider.readers.close()

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Adds to each visit its reading, or why there is none; passes requests on."""
        async for found in result:
            if not isinstance(found, Visit):
                yield found
            elif read := await self.read(found):
                yield read

    async def read(self, visit: Visit) -> Visit | None:
        """Returns the visit with its reading. Without any reader it is not committed, and the crawl ends.

        None while OCR was awaited and the crawl is to end: its URL stays queued, as after a kill.
        """
        if visit.state is not State.STORED or visit.unchanged:
            return _without_body(visit)
        try:
            return await self._read(visit)
        except PageError as error:
            return replace(_without_body(visit), state=State.SKIPPED, reason=error.kind)
        except EngineError as error:
            self._spider.fail(error)
            return replace(visit, state=State.SKIPPED, reason="not read")

    async def _read(self, visit: Visit) -> Visit | None:
        fetch = visit.fetch
        url, body, unpacked = fetch.claim.url, fetch.body, fetch.unpacked
        if fetch.claim.kind in LISTS:
            scope = (
                "any" if fetch.claim.kind is Purpose.FEED else "host"
            )  # the crawl's own rules are stricter
            sitemap = await self._spider.readers.sitemap(body, url, unpacked=unpacked, scope=scope)
            return replace(_without_body(visit), sitemap=sitemap)
        content_type = fetch.header("content-type")
        reading: Reading = await self._spider.readers.read(
            body,
            url,
            content_type,
            fetch.headers,
            unpacked=unpacked,
            context=ReadingContext(published=fetch.claim.published),
        )
        if reading.pictures and self._recognition:
            return await self._recognize(visit, reading, self._recognition)
        return replace(_without_body(visit), reading=reading)

    async def _recognize(self, visit: Visit, reading: Reading, recognition: TextRecognition) -> Visit | None:
        """Waits for OCR, while the crawl goes on; what there is no room for is read at its next visit."""
        fetch, size = visit.fetch, len(visit.fetch.body)
        own = fetch.claim.host in self._spider.crawl.discovery.sites.own_hosts
        if self._waiting + size > MAX_WAITING and not own:
            return replace(_without_body(visit, again=True), reading=reading)
        self._waiting += size
        completing = asyncio.ensure_future(recognition.complete(reading, fetch))
        try:
            while not completing.done():
                await asyncio.wait([completing], timeout=LOOK)
                if not self._crawler.crawling or self._spider.crawl.error:
                    return None
            return replace(_without_body(visit), reading=completing.result())
        finally:
            completing.cancel()
            self._waiting -= size


def _without_body(visit: Visit, *, again: bool = False) -> Visit:
    """Drops the body of a visit, which has been read: visits that wait for a commit need not keep it.

    `again`: its next visit asks for all of it, also where it has not changed.
    """
    fetch = visit.fetch
    headers = [one for one in fetch.headers if one[0] not in VALIDATORS] if again else fetch.headers
    return replace(visit, fetch=replace(fetch, headers=headers, body=b"", unpacked=fetch.size))
