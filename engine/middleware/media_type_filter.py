"""Stops a download after its headers when they name a type that we do not read (requirement 262)."""

from typing import Any, Self

from scrapy import Request, Spider, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.http.headers import Headers

from engine.model import Purpose
from engine.text.documents import UNTYPED, parse_media_type, sniff_magic

_SAYS_NOTHING = "says nothing"  # in a request's meta: what its answer is must be seen by its first bytes


class MediaTypeFilter:
    """A Scrapy extension; the response goes on without its body, and counts as skipped by its type."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds it for a crawler, as Scrapy does."""
        gate = cls()
        crawler.signals.connect(gate.headers_received, signal=signals.headers_received)
        crawler.signals.connect(gate.bytes_received, signal=signals.bytes_received)
        return gate

    def headers_received(self, headers: Headers, request: Request, spider: Any, **_: Any) -> None:
        """Raises StopDownload for a page of a type that nobody could read."""
        claim = request.meta.get("claim")
        if not claim or claim.kind not in (Purpose.PAGE, Purpose.PROBE):
            return
        kind = parse_media_type((headers.get(b"Content-Type") or b"").decode("latin-1"))
        if kind in UNTYPED:
            request.meta[_SAYS_NOTHING] = b"Content-Encoding" not in headers
        elif kind and kind not in spider.identity.types:
            raise StopDownload(fail=False)

    def bytes_received(self, data: bytes, request: Request, spider: Spider, **_: Any) -> None:
        """Raises StopDownload for an answer of no type that does not begin as a document does."""
        if request.meta.pop(_SAYS_NOTHING, False) and not sniff_magic(data):
            raise StopDownload(fail=False)
