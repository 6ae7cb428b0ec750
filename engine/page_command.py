"""Defines the base of commands that ask for pages by hand, behind the gates of a crawl."""

import argparse
import asyncio
from collections.abc import Collection
from typing import Any

from scrapy.http import Response
from scrapy.utils.misc import load_object
from twisted.python.failure import Failure

from engine.command import LycosaCommand
from engine.config import ReadingLimits
from engine.errors import EngineError
from engine.middleware import ALLOW_PRIVATE, NO_ADDRESS, describe_failure
from engine.model import Claim, Fetch, State, Visit
from engine.url import canonicalize, host_of, parse_typed_url
from engine.workers import ReaderPool


class PageCommand(LycosaCommand):
    """Fetches pages without a queue: robots.txt, address guard, identity and pace are those of a crawl."""

    def fetch_pages(
        self, urls: Collection[str], opts: argparse.Namespace, *, redirected: bool = True
    ) -> dict[str, Response]:
        """Fetches pages, each over its redirects. Raises EngineError for one that brought no answer."""
        assert self.settings is not None
        asked = {url: parse_typed_url(url, self.config().aliases) for url in urls}
        arguments: dict[str, Any] = {"urls": tuple(asked.values()), "redirected": redirected}
        spider = self.run_spider(
            load_object(self.settings["PAGE_SPIDER"]), arguments, quiet=opts.loglevel is None
        )
        return {url: _answer(sent, spider.found.get(sent)) for url, sent in asked.items()}

    def read_pages(self, responses: Collection[Response]) -> list[Visit]:
        """Reads pages in a sandbox, as a crawl does. Raises PageError for what is no page."""
        return asyncio.run(self._read(responses))

    async def _read(self, responses: Collection[Response]) -> list[Visit]:
        config = self.config()
        allowed = ReadingLimits(config.types, config.limits.page_cpu_seconds)
        readers = ReaderPool(lambda: config.aliases, config.screening, config.duplicates, allowed)
        try:
            return [await _read_page(readers, response) for response in responses]
        finally:
            readers.close()


async def _read_page(readers: ReaderPool, response: Response) -> Visit:
    url = canonicalize(response.url)
    headers = tuple(
        (name.decode("latin-1").lower(), value.decode("latin-1"))
        for name, values in response.headers.items()
        for value in values
    )
    fetch = Fetch(Claim(0, url, host_of(url)), response.status, headers, response.body)
    reading = await readers.read(response.body, url, fetch.header("content-type"), headers)
    return Visit(fetch, State.STORED, reading=reading)


def _answer(url: str, found: Response | Failure | None) -> Response:
    if isinstance(found, Response):
        return found
    if found is not None and isinstance(found.value, EngineError):
        raise found.value
    why = (describe_failure(found.value) or repr(found.value)) if found else "no answer"
    raise EngineError(f"{url}: {why}" + (f"; {ALLOW_PRIVATE}" if why == NO_ADDRESS else ""))
