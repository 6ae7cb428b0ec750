"""Compresses bytes and JSON into frames (Zstandard, RFC 8878)."""

import json
from threading import local
from typing import Any

import zstandard

FRAME = bytes.fromhex("28b52ffd")  # RFC 8878, 3.1.1: how a frame begins
MAX_UNPACKED = 64 * 1024 * 1024  # bytes; far above what text/markup lets a page hold


class _Zstd(local):
    """One pair for each thread: they must not be shared, and making one costs as much as a page."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=1, write_checksum=True)
        self.decompressor = zstandard.ZstdDecompressor()


_zstd = _Zstd()


def compress(content: bytes) -> bytes:
    """Compresses as one frame, with a checksum: SQLite has none for what a row holds."""
    return _zstd.compressor.compress(content)


def decompress(frame: bytes) -> bytes:
    """Decompresses a frame of compress(). Raises zstandard.ZstdError where a byte is not what was written."""
    if unpacked_size(frame) > MAX_UNPACKED:  # so much memory would be taken at once
        raise zstandard.ZstdError("the frame is too long")
    return _zstd.decompressor.decompress(frame, max_output_size=MAX_UNPACKED)


def unpacked_size(frame: bytes) -> int:
    """Returns the bytes that a frame takes unpacked."""
    return zstandard.frame_content_size(frame)


def encode_json(value: Any) -> str:
    """Encodes JSON on one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def dumps(value: Any) -> bytes:
    """Encodes JSON as one frame."""
    return compress(encode_json(value).encode())


def loads(frame: bytes) -> Any:
    """Decodes a frame of dumps(). Raises zstandard.ZstdError for what is none."""
    try:
        return json.loads(decompress(frame))
    except ValueError as error:
        raise zstandard.ZstdError(f"no JSON is in it: {error}") from error
