"""One crawl, without Scrapy: claims go out, visits come back, some fifty of them to a commit."""

from engine.crawl.crawl import Crawl, Limits

__all__ = ["Crawl", "Limits"]
