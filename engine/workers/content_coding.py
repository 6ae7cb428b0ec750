"""Decompresses gzip and deflate bodies up to a limit, in a reader process.

The crawl's process never holds what a body holds unpacked: fifty kilobytes can be fifty megabytes.
"""

import zlib
from typing import NamedTuple

from engine.errors import DAMAGED_BODY, PageError

_GZIP_OR_ZLIB = zlib.MAX_WBITS | 32
_WINDOWS = (_GZIP_OR_ZLIB, -zlib.MAX_WBITS)  # some servers send deflate without zlib's frame
_PACKED_PIECE = 16 * 1024  # bytes that are looked at at once, and
_PIECE = 256 * 1024  # bytes unpacked of them, which are forgotten


class UnpackedBody(NamedTuple):
    """A decompressed body; `is_complete` if the stream ended properly or reached the limit."""

    body: bytes
    is_complete: bool


class BodySize(NamedTuple):
    """Length of a decompressed body, as far as it was read; `is_complete` as in UnpackedBody."""

    size: int
    is_complete: bool


def decompress(body: bytes, limit: int, *, cut: bool = False) -> UnpackedBody:
    """Decompresses at most `limit` bytes of a gzip, zlib or raw deflate body. Raises PageError otherwise.

    What is larger is cut there, or refused.
    """
    for window in _WINDOWS:
        unpacker = zlib.decompressobj(window)
        try:
            unpacked = unpacker.decompress(body, limit)
        except zlib.error:
            continue
        full = not unpacker.eof and len(unpacked) >= limit
        if full and not cut:
            raise PageError("too large")
        return UnpackedBody(unpacked, unpacker.eof or full)
    raise PageError(DAMAGED_BODY)


def measure_decompressed(body: bytes, limit: int, *, cut: bool = False) -> BodySize:
    """Measures the decompressed length as `decompress` would find it, without keeping the body."""
    for window in _WINDOWS:
        unpacker = zlib.decompressobj(window)
        try:
            size = _size(unpacker, body, limit)
        except zlib.error:
            continue
        if size > limit and not cut:
            raise PageError("too large")
        return BodySize(min(size, limit), unpacker.eof or size > limit)
    raise PageError(DAMAGED_BODY)


def _size(unpacker: "zlib._Decompress", body: bytes, limit: int) -> int:
    """Counts decompressed bytes, until they exceed the limit."""
    size = 0
    for start in range(0, len(body), _PACKED_PIECE):
        packed = body[start : start + _PACKED_PIECE]
        while packed and not unpacker.eof:
            size += len(unpacker.decompress(packed, _PIECE))
            packed = unpacker.unconsumed_tail
            if size > limit:
                return size
    return size
