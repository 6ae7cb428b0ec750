"""Runs a visit through the stations after its fetch, in the order of `engine.settings.WALK`."""

from typing import Any, Self, cast

from scrapy.crawler import Crawler

from engine.crawl import Crawl, Walk


class CrawlPipeline:
    """A pipeline of a crawl, whose decisions it applies."""

    def __init__(self, crawler: Crawler) -> None:
        spider: Any = crawler.spider
        self.spider, self.crawl = spider, cast(Crawl, spider.crawl)

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds it for a crawler, as Scrapy does."""
        return cls(crawler)

    @property
    def walk(self) -> Walk:
        """The decisions of the crawl."""
        return self.crawl.walk
