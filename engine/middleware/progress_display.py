"""Shows a crawl's progress while it runs."""

from typing import Any, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.utils.asyncio import create_looping_call

from engine.monitor import ProgressLine, format_progress

LOOK_SECONDS = 0.5


class ProgressDisplay:
    """A Scrapy extension that shows the progress line."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds it for a crawler, as Scrapy does."""
        display = cls()
        crawler.signals.connect(display.begin, signals.spider_opened)
        crawler.signals.connect(display.end, signals.spider_closed)
        return display

    def begin(self, spider: Spider) -> None:
        """Shows the line anew every half second."""
        crawl: Any = spider.crawl  # type: ignore[attr-defined]
        self._line = ProgressLine()
        self._loop = create_looping_call(lambda: self._line.show(format_progress(crawl.progress())))
        self._loop.start(LOOK_SECONDS, now=False)

    def end(self) -> None:
        """Clears the line."""
        self._loop.stop()
        with self._line:
            pass
