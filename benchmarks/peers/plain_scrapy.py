"""`python -m benchmarks.peers.plain_scrapy PAGES URL...`: a usual Scrapy project, nothing stored.

Prints one JSON object: pages parsed, and seconds from the start to the last of them.
"""

import json
import sys
import time
from typing import Any

from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule
from w3lib.url import parse_url

SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
    "DOWNLOAD_DELAY": 0,
    "LOG_LEVEL": "ERROR",
    "HTTPPROXY_ENABLED": False,  # nothing but loopback
    "TELNETCONSOLE_ENABLED": False,  # two ports that run code
    "REMOTE_CONTROL_ENABLED": False,
}


class PlainSpider(CrawlSpider):
    """Follows every link inside its hosts, one Request a link, as the manual shows it."""

    name = "plain"

    def __init__(self, seeds: list[str], **kwargs: Any) -> None:
        hosts = [parse_url(seed).netloc for seed in seeds]
        self.start_urls = seeds
        self.rules = (Rule(LinkExtractor(allow_domains=hosts), callback="count", follow=True),)
        self.pages = 0
        super().__init__(**kwargs)
        self._began = self._parsed = time.monotonic()

    def count(self, response: Response) -> list[Any]:
        """One page parsed."""
        if isinstance(response, HtmlResponse):
            self.pages += 1
            self._parsed = time.monotonic()
        return []

    parse_start_url = count  # type: ignore[assignment]

    def closed(self, reason: str) -> None:
        """The figures."""
        print(json.dumps({"pages": self.pages, "seconds": self._parsed - self._began}))


def main(pages: int, seeds: list[str]) -> None:
    """Crawl to this many pages; those under way then are counted too."""
    process = CrawlerProcess({**SETTINGS, "CLOSESPIDER_PAGECOUNT": pages})
    process.crawl(PlainSpider, seeds=seeds)
    process.start()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
