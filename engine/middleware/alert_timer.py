"""Looks each minute of a crawl whether the operator has to know of something."""

from threading import Thread
from typing import Any, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import create_looping_call

from engine.alerts import LOOK_SECONDS, CrawlWatch


class AlertTimer:
    """A Scrapy extension; a thread does what takes longer than a look at the queues, one at a time."""

    def __init__(self) -> None:
        self._thread: Thread | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds it for a crawler, as Scrapy does."""
        timer = cls()
        crawler.signals.connect(timer.begin, signals.spider_opened)
        crawler.signals.connect(timer.end, signals.spider_closed)
        return timer

    def begin(self, spider: Spider) -> None:
        """Begins to look."""
        self._watch: CrawlWatch = spider.alerts  # type: ignore[attr-defined]
        self._loop: Any = create_looping_call(self._look)
        self._loop.start(LOOK_SECONDS, now=False)

    def end(self) -> None:
        """Ends, once the look that is under way has."""
        self._loop.stop()
        if self._thread:
            self._thread.join()

    def _look(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            found = self._watch.judge()
            self._thread = Thread(target=self._watch.look, args=[found], name="alerts", daemon=True)
            self._thread.start()
