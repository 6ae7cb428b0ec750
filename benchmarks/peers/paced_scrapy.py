"""`python -m benchmarks.peers.paced_scrapy FILE`: the usual Scrapy project, polite to many hosts.

FILE lists the seeds, a line each. One request at a time per host, a second apart; the settings are
those of the manual's page on broad crawls. It goes on until it is ended.
"""

import sys
from pathlib import Path
from typing import Any

from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import Rule

from benchmarks.peers import plain_scrapy

PACED = {
    "DOWNLOAD_DELAY": 1,
    "RANDOMIZE_DOWNLOAD_DELAY": False,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.DownloaderAwarePriorityQueue",
}


class PacedSpider(plain_scrapy.PlainSpider):
    """As Plain; no page links to another host, so no link need be looked up among so many."""

    def __init__(self, seeds: list[str], **kwargs: Any) -> None:
        super().__init__(seeds, **kwargs)
        self.rules = (Rule(LinkExtractor(), callback="count", follow=True),)
        self._compile_rules()


def main(seeds: list[str]) -> None:
    """Crawl to the end."""
    hosts = {"CONCURRENT_REQUESTS": len(seeds)}  # fewer would keep hosts waiting for each other's pause
    process = CrawlerProcess({**plain_scrapy.SETTINGS, **PACED, **hosts})
    process.crawl(PacedSpider, seeds=seeds)
    process.start()


if __name__ == "__main__":
    main(Path(sys.argv[1]).read_text(encoding="utf-8").split())
