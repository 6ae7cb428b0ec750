"""How long a crawl sleeps although a host may be asked: a Scrapy extension that watches its event loop.

Idle is the time in which the crawl's process sleeps in its event loop, with nothing to compute until the
network or a timer wakes it, while the pause of at least one host with a known, unvisited URL is over
(`Frontier.seconds_to_next` says 0, or would before the sleep ends).
"""

import asyncio
import json
import time
from pathlib import Path
from typing import Any, Self

from scrapy import signals
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured


class IdleExtension:
    """Set IDLE_FILE to where the figures go, IDLE_SECONDS to how long it is to watch, from the first wait."""

    def __init__(self, path: Path, seconds: float) -> None:
        self._path, self._seconds = path, seconds
        self._due = self._asleep = 0.0
        self._written = False

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make one."""
        if not (path := crawler.settings.get("IDLE_FILE")):
            raise NotConfigured
        watch = cls(Path(path), crawler.settings.getfloat("IDLE_SECONDS"))
        crawler.signals.connect(watch.begin, signals.spider_opened)
        crawler.signals.connect(watch.end, signals.spider_closed)
        return watch

    def begin(self, spider: Any) -> None:
        """Stand between the event loop and its wait."""
        self._selector: Any = asyncio.get_running_loop()._selector  # type: ignore[attr-defined]
        self._wait, self._crawl = self._selector.select, spider.crawl
        self._began = time.monotonic()
        self._selector.select = self._select

    def end(self) -> None:
        """The figures, written once: seconds watched, asleep, and asleep while a host was due."""
        if self._written:
            return
        self._written = True
        self._selector.select = self._wait
        figures = {"seconds": time.monotonic() - self._began, "asleep": self._asleep, "due": self._due}
        self._path.write_text(json.dumps(figures), encoding="utf-8")

    def _select(self, timeout: float | None = None) -> Any:
        if time.monotonic() - self._began >= self._seconds:
            self.end()
        if timeout == 0:  # it only looks, for there is something to compute
            return self._wait(timeout)
        until_due = self._crawl.frontier.seconds_to_next(self._crawl.clock())
        slept = time.monotonic()
        events = self._wait(timeout)
        woken = time.monotonic()
        self._asleep += woken - slept
        if until_due is not None:
            self._due += max(0.0, woken - slept - until_due)
        return events
