"""Unpacks gzip and deflate bodies, to a limit.

Scrapy's own middleware asks for the charset of the body while it is still
packed: charset detection on gzip bytes costs 2.5 ms a page.
"""

import zlib

from scrapy import Request
from scrapy.http import Response

from engine.errors import PageError
from engine.middleware.cut import LIMITS
from engine.settings import DOWNLOAD_MAXSIZE

_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


class Decompress:
    """Downloader middleware; the response that leaves it holds plain bytes."""

    def process_response(self, request: Request, response: Response) -> Response:
        """The response unpacked. Raises PageError for a body that is damaged or too large."""
        coding = response.headers.get(b"Content-Encoding")
        if not coding or not response.body or coding.lower() not in (b"gzip", b"x-gzip", b"deflate"):
            return response
        claim = request.meta.get("claim")
        if claim and claim.kind in LIMITS:
            body = unpack(response.body, LIMITS[claim.kind], cut=True)
        else:
            body = unpack(response.body, DOWNLOAD_MAXSIZE)
        headers = response.headers.copy()
        del headers[b"Content-Encoding"]
        return Response(response.url, response.status, headers, body, request=request)


def unpack(body: bytes, limit: int, *, cut: bool = False) -> bytes:
    """At most `limit` bytes of a gzip, zlib or raw deflate body. Raises PageError for anything else.

    What is larger is cut there, or refused.
    """
    for window in (_GZIP_OR_ZLIB, -zlib.MAX_WBITS):  # some servers send deflate without zlib's frame
        unpacker = zlib.decompressobj(window)
        try:
            unpacked = unpacker.decompress(body, limit)
        except zlib.error:
            continue
        if unpacker.unconsumed_tail and not cut:
            raise PageError("too large")
        return unpacked
    raise PageError("damaged body")
