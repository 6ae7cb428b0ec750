"""Stops a download after its headers when they name a type that we do not read (requirement 262)."""

from typing import Any, Self

from scrapy import Request, signals
from scrapy.crawler import Crawler
from scrapy.exceptions import StopDownload
from scrapy.http.headers import Headers

from engine.page import Kind
from engine.text import READABLE


class TypeGate:
    """An extension; the response goes on without its body and is counted as skipped by its type."""

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Scrapy's way to make one."""
        gate = cls()
        crawler.signals.connect(gate.headers_received, signal=signals.headers_received)
        return gate

    def headers_received(self, headers: Headers, request: Request, **_: Any) -> None:
        """Raises StopDownload for a page of a type that nobody could read."""
        kind = (headers.get(b"Content-Type") or b"").split(b";")[0].strip().lower().decode("latin-1")
        claim = request.meta.get("claim")
        if kind and kind not in READABLE and claim and claim.kind in (Kind.PAGE, Kind.PROBE):
            raise StopDownload(fail=False)
