"""Caps requests a second, to one host and to all, even if the scheduler is wrong (requirement 280).

It stands behind all of Scrapy's queues, around the exchange itself: whoever made a request, and however
it ends, it waits here for its turn and gives it back. Nothing is dropped.
"""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from typing import Any

from scrapy import Request
from scrapy.http import Response

from engine.config import LimitsConfig
from engine.frontier import TokenBucket
from engine.middleware.connection_pool import PooledDownloader
from engine.robots import MAX_REDIRECTS
from engine.url import canonicalize, host_of

HOST_BURST = 1 + MAX_REDIRECTS  # requests in a row without a pause: robots.txt and the way to it
SAVED_SECONDS = 0.1  # of what all hosts together may be asked; pages come in small bursts
MAX_HOSTS = 10_000  # remembered, some 500 bytes each; more than are asked before one's burst is paid for


class HostSlot:
    """The slot of one host of others: one request at a time, and so many a second."""

    __slots__ = ("allowance", "lock", "taken")

    def __init__(self, per_second: float) -> None:
        self.allowance = TokenBucket(per_second, (HOST_BURST - 1) / per_second)
        self.lock = asyncio.Lock()
        self.taken = 0  # under way or waiting: not to be forgotten


class RateLimiter:
    """Delays requests until they may begin. `own` hosts, scheme://name[:port], only share in the cap of all.

    In any t seconds, at most `host_requests_per_second` * t + HOST_BURST requests to a host of others begin,
    and `requests_per_second` * (t + SAVED_SECONDS) + 1 to all.
    """

    def __init__(
        self,
        bounds: LimitsConfig,
        own: Collection[str] = (),
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[Any]] = asyncio.sleep,
    ) -> None:
        self._all = TokenBucket(bounds.requests_per_second, SAVED_SECONDS)
        self._passage = asyncio.Lock()  # of the cap of all: who waits for it waits in line
        self._host_rate = bounds.host_requests_per_second
        self._own = frozenset(own)
        self._clock = clock
        self._sleep = sleep
        self._hosts: OrderedDict[str, HostSlot] = OrderedDict()  # the longest unused first

    @asynccontextmanager
    async def slot(self, host: str) -> AsyncIterator[None]:
        """Delays an exchange until it may begin; with a host of others it is the only one."""
        if host in self._own:
            await self._wait()
            yield
            return
        turns = self._slot(host)
        turns.taken += 1
        try:
            async with turns.lock:
                if wait := turns.allowance.seconds_to_wait(self._clock()):
                    await self._sleep(wait)
                await self._wait()
                turns.allowance.spend(1, self._clock())  # only now: it may have waited for all hosts
                yield
        finally:
            turns.taken -= 1

    async def _wait(self) -> None:
        """Waits for its turn.

        It is spent when a request begins: a process that was held up sends no burst.
        """
        async with self._passage:
            if wait := self._all.seconds_to_wait(self._clock()):
                await self._sleep(wait)
            self._all.spend(1, self._clock())

    def _slot(self, host: str) -> HostSlot:
        turns = self._hosts.get(host)
        if turns is None:
            turns = self._hosts[host] = HostSlot(self._host_rate)
            if len(self._hosts) > MAX_HOSTS:
                self._drop_oldest()
        else:
            self._hosts.move_to_end(host)
        return turns

    def _drop_oldest(self) -> None:
        """Drops the host that was not asked for the longest time, unless it is being asked."""
        host, turns = self._hosts.popitem(last=False)
        if turns.taken:
            self._hosts[host] = turns


class RateLimitedDownloader(PooledDownloader):
    """Downloads behind the spider's rate limiter."""

    async def download_request(self, request: Request) -> Response:
        """Downloads as Scrapy does; the host is that of the URL sent, whatever else the request says."""
        spider: Any = self.crawler.spider
        async with spider.rate_limiter.slot(host_of(canonicalize(request.url))):
            return await super().download_request(request)
