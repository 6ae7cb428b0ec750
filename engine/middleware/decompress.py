"""Unpacks gzip and deflate bodies, to a limit.

Scrapy's own middleware asks for the charset of the body while it is still
packed: charset detection on gzip bytes costs 2.5 ms a page.
"""

import zlib
from typing import NamedTuple

from scrapy import Request
from scrapy.http import Response

from engine.errors import PageError
from engine.judge import SUCCESS
from engine.middleware.cut import LIMITS
from engine.settings import DOWNLOAD_MAXSIZE

LOST = "dataloss"  # a flag of Scrapy's: an answer that ended before its end
_CODINGS = (b"gzip", b"x-gzip", b"deflate")
_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32


class Decompress:
    """Downloader middleware; the response that leaves it holds plain bytes."""

    def process_response(self, request: Request, response: Response) -> Response:
        """The response unpacked. Raises PageError for a body that is damaged or too large."""
        coding = response.headers.get(b"Content-Encoding")
        if not coding or not response.body or coding.lower() not in _CODINGS:
            return response
        if response.status not in SUCCESS:  # it has said all
            return response
        claim = request.meta.get("claim")
        limit = LIMITS.get(claim.kind, 0) if claim else 0
        body, whole = unpack(response.body, limit or DOWNLOAD_MAXSIZE, cut=bool(limit))
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


class Unpacked(NamedTuple):
    """A body as it was packed; `whole` when it went to its end or to the limit."""

    body: bytes
    whole: bool


def unpack(body: bytes, limit: int, *, cut: bool = False) -> Unpacked:
    """At most `limit` bytes of a gzip, zlib or raw deflate body. Raises PageError for anything else.

    What is larger is cut there, or refused.
    """
    for window in (_GZIP_OR_ZLIB, -zlib.MAX_WBITS):  # some servers send deflate without zlib's frame
        unpacker = zlib.decompressobj(window)
        try:
            unpacked = unpacker.decompress(body, limit)
        except zlib.error:
            continue
        full = not unpacker.eof and len(unpacked) >= limit
        if full and not cut:
            raise PageError("too large")
        return Unpacked(unpacked, unpacker.eof or full)
    raise PageError("damaged body")
