"""Applies the hooks of an own spider: what it reads in a page, and which links of it are followed.

They run in the crawl's own process, behind the META gate, on pages that were read in a sandbox before.
A hook that raises is counted, and the page stays as it was read: no page is lost.
"""

import logging
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any, Self, TypeVar

from scrapy.crawler import Crawler
from scrapy.http import Response
from scrapy.responsetypes import responsetypes

from engine.config import Config
from engine.crawl import page_of
from engine.middleware import UNPACKED
from engine.model import Link, Page, Reading, State, Visit
from engine.packing import unpack_links
from engine.url import Aliases, canonicalize
from engine.workers import PageScreen, decompress, renew_reading

logger = logging.getLogger("lycosa")
Found = TypeVar("Found")
# Bytes of a body, unpacked. lxml takes 66 MB and a second for as many, in the process
# that fetches; the HTML of all but a few pages is shorter.
MAX_BYTES = 2_000_000
MAX_LINKS = 20_000  # of one page, as of one commit (engine.crawl.pending)
MAX_ITEMS = 1_000  # of one page: each passes the pipelines before the next page does


class SpiderHooks:
    """The hooks of a spider; `count` counts what is raised, `aliases` gives the spellings known now."""

    def __init__(
        self, spider: Any, config: Config, aliases: Callable[[], Aliases], count: Callable[[str], object]
    ) -> None:
        self._spider, self._aliases, self._count = spider, aliases, count
        self._told: set[tuple[str, str]] = set()
        self._screen, self._duplicates = PageScreen(config.screening), config.duplicates

    def apply(self, visit: Visit, response: Response) -> Iterator[Any]:
        """Yields a visit as the hooks make it, and the items of its page behind it."""
        reading = visit.reading
        if not reading or visit.state is State.ALIAS or not self._spider.own_hooks:
            yield visit
            return
        answer = unpack_response(response)
        if answer is None:
            self._count("lycosa/hooks_skipped")
            yield visit
            return
        hooks, page = self._spider.own_hooks, _page_with_links(visit, reading)
        if "links" in hooks and reading.directives.follow:
            reading = replace(reading, outlinks=self._follow(page, answer, reading.outlinks))
        if visit.state is not State.STORED:
            yield replace(visit, reading=reading)
            return
        if "extract" in hooks:
            page, reading = self._call(
                "extract", partial(self._extract, page, reading, answer), (page, reading)
            )
        yield replace(visit, reading=reading)
        if "items" in hooks and not reading.secrets:
            yield from self._call(
                "items", lambda: tuple(islice(self._spider.items(page, answer), MAX_ITEMS)), ()
            )

    def _extract(self, page: Page, reading: Reading, answer: Response) -> tuple[Page, Reading]:
        found = self._spider.extract(page, answer)
        if not isinstance(found, Page):
            raise TypeError(f"extract returned {type(found).__name__}, not a page")
        found = replace(found, url=page.url, links=page.links, media_type=page.media_type)
        if found == page:
            return page, reading
        return found, renew_reading(reading, found, self._screen, self._duplicates)

    def _follow(self, page: Page, answer: Response, outlinks: Iterable[str]) -> tuple[str, ...]:
        """Returns the URLs to follow, each once; of those that the page marks with nofollow none."""
        written: Iterable[str] = self._call(
            "links", lambda: tuple(islice(self._spider.links(page, answer), MAX_LINKS)), tuple(outlinks)
        )
        refused = {link.url for link in page.links if link.nofollow}.difference(outlinks)
        resolve = self._aliases().resolve
        found: dict[str, None] = {}
        for one in written:
            with suppress(ValueError):  # mailto: and its like
                found[resolve(canonicalize(str(one), page.url))] = None
        return tuple(url for url in found if url not in refused)

    def _call(self, hook: str, call: Callable[[], Found], default: Found) -> Found:
        """Calls a hook; returns the default where it raises, as Scrapy counts it."""
        try:
            return call()
        except Exception as error:
            kind = type(error).__name__
            self._count("spider_exceptions/count")
            self._count(f"spider_exceptions/{kind}")
            if (hook, kind) not in self._told:
                self._told.add((hook, kind))
                logger.exception(
                    "%s() of spider %s raised; the page is kept as read", hook, self._spider.name
                )
            return default


class SpiderHooksMiddleware:
    """Passes visits on as they are where the spider has no hooks."""

    def __init__(self, crawler: Crawler) -> None:
        spider: Any = crawler.spider
        assert crawler.stats
        self._hooks = SpiderHooks(
            spider, spider.config, lambda: spider.crawl.discovery.aliases, crawler.stats.inc_value
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds it for a crawler, as Scrapy does."""
        return cls(crawler)

    async def process_spider_output(
        self, response: Response, result: AsyncIterator[Any]
    ) -> AsyncIterator[Any]:
        """Yields each visit as the hooks make it, and the items of its page behind it."""
        async for found in result:
            for one in self._hooks.apply(found, response) if isinstance(found, Visit) else (found,):
                yield one


def unpack_response(response: Response) -> Response | None:
    """Returns a response as Scrapy's users expect it, HtmlResponse and so on; None for a very long one."""
    request = response.request
    size = request.meta.get(UNPACKED, 0) if request else 0
    if max(size, len(response.body)) > MAX_BYTES:
        return None
    body = decompress(response.body, size, cut=True).body if size else response.body
    kind = responsetypes.from_args(headers=response.headers, url=response.url, body=body)
    return kind(
        response.url,
        status=response.status,
        headers=response.headers,
        body=body,
        request=request,
        ip_address=response.ip_address,
    )


def _page_with_links(visit: Visit, reading: Reading) -> Page:
    links = tuple(map(Link, *unpack_links(reading.content)))
    return replace(page_of(visit), links=links, directives=reading.directives)
