"""Schedules requests from the frontier: a Request exists only when it may be sent now."""

from collections import deque
from typing import Any, Self

from scrapy import Request
from scrapy.core.scheduler import BaseScheduler
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import CallLaterResult, call_later

from engine.crawl import Crawl
from engine.middleware.fetching import build_request
from engine.model import Claim, State

LONGEST_NAP = 1.0  # seconds; also how soon answers that left nothing to claim are committed


class FrontierScheduler(BaseScheduler):
    """Asks the crawl for a claim whenever Scrapy has room, and wakes Scrapy when a host's pause is over."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        assert crawler.stats
        self._stats = crawler.stats
        self._given: deque[Request] = deque()  # hops of redirected robots.txt, and what a nap brought
        self._nap: CallLaterResult | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds it for a crawler, as Scrapy does."""
        return cls(crawler)

    def open(self, spider: Any) -> None:
        """Takes the crawl from the spider."""
        self._spider = spider
        self._crawl: Crawl = spider.crawl

    def close(self, reason: str) -> None:
        """Cancels the timer that wakes Scrapy."""
        if self._nap:
            self._nap.cancel()

    def has_pending_requests(self) -> bool:
        """Tells whether the crawl goes on; False ends it."""
        try:
            return bool(self._given) or not self._crawl.is_finished()
        except Exception as error:
            self._spider.fail(error)
            return False

    def enqueue_request(self, request: Request) -> bool:
        """Queues a request that is to be sent at once."""
        self._given.append(request)
        return True

    def next_request(self) -> Request | None:
        """Returns the next request that may be sent now; without one, sets a timer that wakes Scrapy."""
        try:
            return self._next()
        except Exception as error:
            self._spider.fail(error)
            return None

    def _next(self) -> Request | None:
        if self._given:
            return self._given.popleft()
        if not self._spider.in_flight.is_full and (claim := self._claim()):
            self._stats.inc_value("scheduler/dequeued")
            return build_request(claim, self._spider)
        wait = self._crawl.seconds_to_next()
        if self._nap is None and wait is not None:
            self._nap = call_later(min(wait, LONGEST_NAP), self._wake)
        return None

    def _claim(self) -> Claim | None:
        """Takes a claim; what robots.txt forbids is skipped meanwhile."""
        claim = self._crawl.claim()
        self._stats.set_value("robotstxt/forbidden", self._crawl.counters.counts[State.DISALLOWED])
        return claim

    def _wake(self) -> None:
        self._nap = None
        if request := self.next_request():
            assert self._crawler.engine
            self._crawler.engine.crawl(request)
