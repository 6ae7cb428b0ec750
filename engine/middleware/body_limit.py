"""Counts the bytes of bodies, and stops a robots.txt or sitemap at its limit; what came until then is used.

For pages Scrapy's own limit holds (DOWNLOAD_MAXSIZE), which throws away what is too long.
"""

from typing import Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload

from engine.middleware.in_flight import InFlightBytes
from engine.model import Purpose
from engine.robots import MAX_ROBOTS_BYTES, MAX_SITEMAP_BYTES

LIMITS = {
    Purpose.ROBOTS: MAX_ROBOTS_BYTES + 1,
    Purpose.SITEMAP: MAX_SITEMAP_BYTES + 1,
    Purpose.FEED: MAX_SITEMAP_BYTES + 1,
}  # one more, to see the cut


class BodyLimit:
    """A Scrapy extension that counts the bytes of every body as they come, in the request's meta."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds it for a crawler, as Scrapy does."""
        cut = cls(crawler)
        crawler.signals.connect(cut.bytes_received, signal=signals.bytes_received)
        for ended in (signals.item_scraped, signals.item_dropped, signals.item_error, signals.spider_error):
            crawler.signals.connect(cut.record_size, signal=ended)
        return cut

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    def bytes_received(self, data: bytes, request: Request, **_: Any) -> None:
        """Raises StopDownload once there is more than would be read."""
        claim = request.meta.get("claim")
        in_flight: InFlightBytes = self._crawler.spider.in_flight  # type: ignore[union-attr]
        in_flight.add(request, len(data))
        received = request.meta["received"] = request.meta.get("received", 0) + len(data)
        if claim and claim.kind in LIMITS and received >= LIMITS[claim.kind]:
            raise StopDownload(fail=False)

    def record_size(self, response: Any, **_: Any) -> None:
        """Releases the bytes of an answer, or of a failure, that has gone through the whole walk."""
        self._crawler.spider.in_flight.release(getattr(response, "request", None))  # type: ignore[union-attr]
