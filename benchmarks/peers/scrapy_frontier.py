"""Scrapy's own scheduler as a frontier: requests in a queue on disk, fingerprints in a set in memory."""

import time
from collections.abc import Iterable, Sequence
from contextlib import closing
from tempfile import TemporaryDirectory

from scrapy import Request, Spider
from scrapy.core.scheduler import Scheduler
from scrapy.utils.test import get_crawler

# First in, first out: breadth first, as ours.
SETTINGS = {
    "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_PRIORITY_QUEUE": "scrapy.pqueues.ScrapyPriorityQueue",
    "LOG_ENABLED": False,
}


def measure(known: Iterable[str], pages: Sequence[Sequence[str]], claims: int) -> tuple[float, float]:
    """CPU seconds for a claim and for the links of a page, once so many URLs are known and queued."""
    with TemporaryDirectory() as folder:
        crawler = get_crawler(Spider, {**SETTINGS, "JOBDIR": folder})
        spider = crawler.spider = Spider.from_crawler(crawler, name="peer")
        with closing(_OpenScheduler(Scheduler.from_crawler(crawler), spider)) as opened:
            scheduler = opened.scheduler
            for url in known:
                scheduler.enqueue_request(Request(url))
            began = time.process_time()
            for _ in range(claims):
                scheduler.next_request()
            claim = (time.process_time() - began) / claims
            began = time.process_time()
            for links in pages:
                for url in links:
                    scheduler.enqueue_request(Request(url))
            return claim, (time.process_time() - began) / len(pages)


class _OpenScheduler:
    """A scheduler, open until it is closed."""

    def __init__(self, scheduler: Scheduler, spider: Spider) -> None:
        self.scheduler = scheduler
        scheduler.open(spider)

    def close(self) -> None:
        """Give the files back."""
        self.scheduler.close("finished")
