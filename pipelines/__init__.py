"""Runs a visit through the stations after its fetch, in the order of `engine.settings.WALK`."""

from typing import Any, Self, cast

from scrapy.crawler import Crawler

from engine.crawl import Crawl, Walk


class CrawlPipeline:
    """A pipeline that needs the crawl, which does not exist yet when Scrapy makes it."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds it for a crawler, as Scrapy does."""
        return cls(crawler)

    @property
    def crawl(self) -> Crawl:
        """The crawl of the spider."""
        spider: Any = self._crawler.spider
        return cast(Crawl, spider.crawl)

    @property
    def walk(self) -> Walk:
        """The decisions of that crawl."""
        return self.crawl.walk
