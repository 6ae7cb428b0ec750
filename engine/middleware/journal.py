"""Notes requests and responses in the crawl's journal; what a killed crawl left there is not sent again."""

from typing import Any, Self

from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.http import Response

from engine.model import LISTS, Claim, Purpose
from engine.store import Journal, JournaledResponse

_HEADERS = "latin-1"  # as engine.middleware.fetching has them
REPLAYED = "left by a killed crawl"  # in a request's meta
_KINDS = {Purpose.PAGE, *LISTS}  # the others are asked for their host's sake


class JournalMiddleware:
    """Stands before the decompression: responses are noted as they came, and replayed the same way."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Builds it for a crawler, as Scrapy does."""
        return cls(crawler)

    @property
    def _journal(self) -> Journal:
        spider: Any = self._crawler.spider
        journal: Journal = spider.crawl.run.journal
        return journal

    def process_request(self, request: Request) -> Response | None:
        """Returns the response that came before the crawl was killed, None without one."""
        claim: Claim | None = request.meta.get("claim")
        if not claim or claim.kind not in _KINDS or not claim.url_id:
            return None
        left = self._journal.note_request(claim.url_id, claim.url)
        if left is None:
            return None
        request.meta.update({"started": left.at, REPLAYED: True})
        headers: dict[str, list[str]] = {}
        for name, value in left.headers:
            headers.setdefault(name, []).append(value)
        return Response(claim.url, left.status, headers, left.body, list(left.flags), request)

    def process_response(self, request: Request, response: Response) -> Response:
        """Notes the response, unless it was read from the journal."""
        claim: Claim | None = request.meta.get("claim")
        if claim and claim.kind in _KINDS and claim.url_id and REPLAYED not in request.meta:
            headers = tuple(
                (name.decode(_HEADERS), value.decode(_HEADERS))
                for name, values in response.headers.items()
                for value in values
            )
            flags = tuple(response.flags)
            answer = JournaledResponse(
                claim.url, response.status, headers, response.body, flags, request.meta["started"]
            )
            self._journal.note_response(claim.url_id, answer)
        return response
