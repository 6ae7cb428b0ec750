"""Scrapy's way to the network, but each request is sent once: the frontier decides when to try again."""

from scrapy.core.downloader.handlers.http11 import HTTP11DownloadHandler
from scrapy.crawler import Crawler


class OneTry(HTTP11DownloadHandler):
    """Twisted sends a request again, at once, when a kept connection ends without an answer.

    The host would see two requests without a pause between them, and we would not see that it
    hung up (requirement 312).
    """

    def __init__(self, crawler: Crawler) -> None:
        super().__init__(crawler)
        self._pool.retryAutomatically = False
