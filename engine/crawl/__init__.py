"""One crawl, without Scrapy: claims go out, visits come back, some fifty of them to a commit."""

from engine.crawl.crawl import MAX_DEPTH, Crawl, Limits

__all__ = ["MAX_DEPTH", "Crawl", "Limits"]
