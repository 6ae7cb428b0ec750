"""Checks gzip and deflate bodies: damaged and endless ones are refused, the others stay packed.

Scrapy's own middleware asks for the charset of the body while it is still packed: charset detection on gzip
bytes costs 2.5 ms a page. And it holds all of it unpacked: here only a robots.txt is, which is short.
"""

from scrapy import Request
from scrapy.http import Response

from engine.crawl import SUCCESS
from engine.middleware.body_limit import LIMITS
from engine.model import Purpose
from engine.settings import DOWNLOAD_MAXSIZE
from engine.workers import decompress, measure_decompressed

LOST = "dataloss"  # a flag of Scrapy's: an answer that ended before its end
UNPACKED = "unpacked"  # in a request's meta: how many bytes its answer has, which is still packed
_CODINGS = (b"gzip", b"x-gzip", b"deflate")


class DecompressionMiddleware:
    """Downloader middleware; it unpacks a robots.txt, and measures other bodies for their request."""

    def process_response(self, request: Request, response: Response) -> Response:
        """Returns a response whose body can be unpacked. Raises PageError for a damaged or too large one."""
        coding = response.headers.get(b"Content-Encoding")
        if not coding or not response.body or coding.lower() not in _CODINGS:
            return response
        if response.status not in SUCCESS:  # it has said all
            return response
        claim = request.meta.get("claim")
        limit = LIMITS.get(claim.kind, 0) if claim else 0
        most, body = limit or DOWNLOAD_MAXSIZE, response.body
        if claim and claim.kind is Purpose.ROBOTS:
            body, whole = decompress(body, most, cut=True)
        else:
            request.meta[UNPACKED], whole = measure_decompressed(body, most, cut=bool(limit))
        lost = not (whole or (limit and len(response.body) >= limit))  # else it was us who cut it
        headers = response.headers.copy()
        del headers[b"Content-Encoding"]
        return Response(
            response.url,
            response.status,
            headers,
            body,
            flags=[*response.flags, *([LOST] if lost else [])],
            request=request,
            ip_address=response.ip_address,
        )
