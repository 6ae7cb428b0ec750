"""Shows a crawl's progress while it runs."""

import logging
from typing import Any, Self

from scrapy import Spider, signals
from scrapy.crawler import Crawler
from scrapy.logformatter import LogFormatter
from scrapy.utils.asyncio import create_looping_call

from engine.folder import OF_DATABASE
from engine.monitor import ProgressLine, format_progress

LOOK_SECONDS = 0.5


class ProgressDisplay:
    """An extension: the progress line."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make one."""
        display = cls()
        crawler.signals.connect(display.begin, signals.spider_opened)
        crawler.signals.connect(display.end, signals.spider_closed)
        return display

    def begin(self, spider: Spider) -> None:
        """Look every half second."""
        crawl: Any = spider.crawl  # type: ignore[attr-defined]
        self._line = ProgressLine()
        self._loop = create_looping_call(lambda: self._line.show(format_progress(crawl.progress())))
        self._loop.start(LOOK_SECONDS, now=False)

    def end(self) -> None:
        """Clear the line."""
        self._loop.stop()
        with self._line:
            pass


def not_a_certificate(record: logging.LogRecord) -> bool:
    """A log filter: a bad certificate is its site's fault, counted as such, and no traceback of ours."""
    return not record.getMessage().startswith("while verifying certificate")


def not_of_the_database(record: logging.LogRecord) -> bool:
    """A log filter: with a damaged crawl database the crawl ends, and says so in a line."""
    return not (record.exc_info and isinstance(record.exc_info[1], OF_DATABASE))


class QuietLogFormatter(LogFormatter):
    """No log record for each page: the run log counts them, and a record costs as much as a gate."""

    def crawled(self, *_: Any) -> None:  # type: ignore[override]
        """A response."""

    def scraped(self, *_: Any) -> None:  # type: ignore[override]
        """A visit that passed all stations."""

    def download_error(self, *_: Any, **__: Any) -> None:  # type: ignore[override]
        """No answer; the visit says so."""
