"""Opens hosts that a site names for the scripts of its pages, though nothing of them is crawled.

Such a host has its queue and lease as all others have, without any URL in it: its pages are not crawled, nor
are its sitemaps looked for. So the crawl never asks for its robots.txt by itself.
"""

import asyncio
from collections import defaultdict
from dataclasses import replace
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler
from twisted.python.failure import Failure

from engine.database import write_transaction
from engine.errors import PageError
from engine.folder import OF_DATABASE
from engine.frontier import HostQueue
from engine.middleware import build_request
from engine.model import Claim, Origin
from engine.render.host_turns import NOT_NOW, HostTurns


class NamedHosts:
    """Hosts of render_hosts in crawl.toml; they are as many as the operator has written there."""

    def __init__(self, crawler: Crawler, turns: HostTurns) -> None:
        spider: Any = crawler.spider
        self._crawler, self._turns, self._spider = crawler, turns, spider
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def open(self, host: str) -> None:
        """Asks a host for its robots.txt if that is due, in its turn.

        Raises PageError where another crawl has leased it, or the database fails.
        """
        async with self._locks[host]:
            queue = self._load_queue(host)
            if self._is_robots_due(queue):
                claim = replace(queue.robots_claim(), origin=Origin.RENDERING)
                await self._turns.take(host)
                asking = asyncio.ensure_future(self._ask_robots(claim))
                try:
                    await asyncio.shield(asking)
                except asyncio.CancelledError:
                    await asyncio.wait([asking])  # its host has its turn until it ends
                    raise

    def _load_queue(self, host: str) -> HostQueue:
        """Returns the host's queue, leased. Raises PageError where it cannot be."""
        frontier = self._spider.crawl.frontier
        queue: HostQueue | None = frontier.host_queues.get(host)
        if queue is None or not queue.leased:
            try:
                with write_transaction(self._spider.crawl.store.engine) as connection:
                    queue = frontier.host_queues.open(connection, frontier.host_leases.share, host)
            except OF_DATABASE as error:
                self._spider.fail(error)
        if queue is None or not queue.leased:
            raise PageError(NOT_NOW)
        return queue

    def _is_robots_due(self, queue: HostQueue) -> bool:
        """Tells whether robots.txt is to be asked for here and now.

        Where URLs wait the crawl itself asks. A host that was down is tried with it, once its time is over.
        """
        now = self._spider.clock()
        if queue.waiting or queue.abandoned or (queue.pause_reason and queue.ready_at > now):
            return False
        if self._spider.crawl.frontier.paused.is_paused(queue.host, now):
            return False
        return bool(queue.pause_reason) or queue.is_robots_due(now)

    async def _ask_robots(self, claim: Claim) -> None:
        """Sends the request, and those that redirects lead to; the spider reads the answers as ever."""
        assert self._crawler.engine
        request: Request | None = build_request(claim, self._spider)
        while request:
            try:
                response = await self._crawler.engine.download_async(request)
            except Exception:
                failure = Failure()  # type: ignore[no-untyped-call]
                failure.request = request  # type: ignore[attr-defined]  # as Scrapy does
                request = next(self._spider.errback(failure), None)
            else:
                request = next(iter([hop async for hop in self._spider.parse_robots(response)]), None)
