"""One crawl, without Scrapy: claims go out, visits come back, some fifty of them to a commit."""

from engine.crawl.crawl import Crawl
from engine.crawl.limits import Limits

__all__ = ["Crawl", "Limits"]
