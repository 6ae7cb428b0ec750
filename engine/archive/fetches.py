"""Makes a fetch of a capture: what the crawl would have had of the server on that day."""

from collections.abc import Sequence
from dataclasses import replace

import zstandard

from engine.crawl import select_headers
from engine.errors import DAMAGED_BODY, PageError
from engine.model import Claim, Fetch
from engine.robots import ROBOTS_HEADERS
from engine.settings import DOWNLOAD_MAXSIZE
from engine.url import host_of
from engine.warc import OpenCapture
from engine.workers import decompress, measure_decompressed

DEPTH = 1  # no seed, and found as what a sitemap names: not by a page
_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"  # RFC 8878, 3.1.1


def build_fetch(opened: OpenCapture, url: str) -> Fetch:
    """Builds the fetch of a canonical URL by a capture. Raises PageError for a body damaged or too large."""
    capture = opened.capture
    try:
        body = opened.read_body(DOWNLOAD_MAXSIZE)
    except OSError as error:
        raise PageError(DAMAGED_BODY) from error
    if len(body) > DOWNLOAD_MAXSIZE:
        raise PageError("too large")
    received = len(body)
    if "chunked" in capture.header("transfer-encoding").lower():
        body = join_chunks(body)
    body, unpacked = unpack_body(body, capture.header("content-encoding").strip().lower())
    return Fetch(
        claim=Claim(0, url, host_of(url), depth=DEPTH),
        status=capture.status,
        headers=_without_codings(select_headers(capture.headers)),
        body=body,
        at=capture.at,
        address=capture.address,
        received=received,
        unpacked=unpacked,
    )


def for_url(fetch: Fetch, url: str, at: float, robots_tags: str) -> Fetch:
    """Makes the same fetch of another URL, or another time; `robots_tags`: more X-Robots-Tags, one a line."""
    headers = (*fetch.headers, *((ROBOTS_HEADERS[0], tag) for tag in robots_tags.splitlines()))
    claim = replace(fetch.claim, url=url, host=host_of(url))
    return replace(fetch, claim=claim, at=at, headers=headers)


def join_chunks(body: bytes) -> bytes:
    """Joins the chunks of a body (RFC 9112, 7.1), or returns it as it is: some writers have done it."""
    chunks, at = list[bytes](), 0
    while (end := body.find(b"\r\n", at)) >= 0:
        try:
            size = int(body[at:end].partition(b";")[0], 16)
        except ValueError:
            break
        if size <= 0:
            return b"".join(chunks) if size == 0 else body
        chunks.append(body[end + 2 : end + 2 + size])
        at = end + 2 + size + 2
    return b"".join(chunks) if at and at >= len(body) else body  # cut at the end: what is there helps


def unpack_body(body: bytes, coding: str) -> tuple[bytes, int]:
    """Unpacks a body, or measures it where the reader can unpack it: then its length unpacked is not 0.

    Writers that asked a browser have unpacked it already, whatever the header says. Raises PageError.
    """
    if coding in ("gzip", "x-gzip", "deflate") and body and (coding == "deflate" or body[:2] == _GZIP):
        try:
            size, is_complete = measure_decompressed(body, DOWNLOAD_MAXSIZE)
        except PageError:
            if coding == "deflate":
                return body, 0
            raise
        if not is_complete:
            raise PageError(DAMAGED_BODY)
        return body, size
    if coding == "br":
        return _unpack_brotli(body), 0
    if coding == "zstd" and body[:4] == _ZSTD:
        return _unpack_zstd(body), 0
    return body, 0


def unpack_robots_txt(body: bytes, headers: Sequence[tuple[str, str]], limit: int) -> bytes:
    """Unpacks the first `limit` bytes of a robots.txt. Raises PageError."""
    coding = dict(headers).get("content-encoding", "").strip().lower()
    if coding in ("gzip", "x-gzip") and body[:2] == _GZIP:
        return decompress(body, limit, cut=True).body
    return unpack_body(body, coding)[0][:limit] if coding != "deflate" else body[:limit]


def _unpack_brotli(body: bytes) -> bytes:
    """Unpacks brotli (RFC 7932), which has no magic: what is none is taken as it is."""
    import brotli  # it comes with fastwarc

    unpacker = brotli.Decompressor()
    try:
        unpacked: bytes = unpacker.process(body, output_buffer_limit=DOWNLOAD_MAXSIZE + 1)
    except brotli.error:
        return body
    return _limit(unpacked)


def _unpack_zstd(body: bytes) -> bytes:
    try:
        with zstandard.ZstdDecompressor().stream_reader(body) as reader:
            return _limit(reader.read(DOWNLOAD_MAXSIZE + 1))
    except zstandard.ZstdError as error:
        raise PageError(DAMAGED_BODY) from error


def _limit(unpacked: bytes) -> bytes:
    if len(unpacked) > DOWNLOAD_MAXSIZE:
        raise PageError("too large")
    return unpacked


def _without_codings(headers: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(pair for pair in headers if pair[0] not in ("content-encoding", "transfer-encoding"))
