"""Decodes a sitemap into pieces of text, unpacked and cut at the limit (requirements 230, 243, 249)."""

import re
import zlib
from codecs import getincrementaldecoder
from collections.abc import Iterator
from io import IncrementalNewlineDecoder
from itertools import chain

from w3lib.encoding import resolve_encoding

MAX_SITEMAP_BYTES = 52_428_800  # octets, unpacked; sitemaps.org: 50 MB a file; requirement 243, C26
PIECE_BYTES = 64 * 1024  # octets of a plain body that are decoded at once; the first piece has as many
PACKED_PIECE_BYTES = 1024  # octets; deflate packs 1,032 to 1 at best, so 1 MiB is the most at once
MAX_MEMBERS = 10_000  # of one gzip body; a block gzip of 50 MB has some 800

_GZIP = b"\x1f\x8b"  # RFC 1952, 2.3.1
_GZIP_ONLY = zlib.MAX_WBITS | 16
# Byte order marks, and what `<` looks like without one (XML 1.0, appendix F.1).
_MARKS = {
    b"\xef\xbb\xbf": "utf-8-sig",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
    b"<\0": "utf-16-le",
    b"\0<": "utf-16-be",
}
_DECLARED = re.compile(rb"\s*<\?xml\s[^>]*?\bencoding\s*=\s*[\"']([\w.:-]{1,40})[\"']")
# Python has codecs that are no charsets, and some that take quadratic time: they are not for strangers.
_CHARSETS = re.compile(r"utf-8|ascii|(iso8859-|cp|koi8-|mac-)\w+|(gb|big5|euc_|shift_jis)\w*")


def decode_sitemap(body: bytes, warnings: list[str]) -> Iterator[str]:
    """Yields the text of a body, piece by piece, ends of lines as `\n`; U+FFFD for what is no character.

    The first piece has 64 KiB, if there are as many. What was odd is added to `warnings`, each thing once.
    """
    pieces = _limit(_decompress(body, warnings) if body.startswith(_GZIP) else _cut(body), warnings)
    head = _head(pieces)
    charset = _detect_charset(head, warnings)
    decoder = IncrementalNewlineDecoder(getincrementaldecoder(charset)("replace"), translate=True)
    damaged = False
    for piece in chain([head], pieces):
        text = decoder.decode(piece)
        damaged = damaged or "\ufffd" in text
        yield text
    yield decoder.decode(b"", True)
    if damaged:
        warnings.append(f"bytes that are not valid {charset}, or characters that were lost before")


def _cut(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), PIECE_BYTES):
        yield body[start : start + PIECE_BYTES]


def _decompress(body: bytes, warnings: list[str]) -> Iterator[bytes]:
    """Unpacks a gzip body, one member after the other; damage costs the KiB it is in, and the rest."""
    unpacker, members, ended = zlib.decompressobj(_GZIP_ONLY), 0, False
    for start in range(0, min(len(body), MAX_SITEMAP_BYTES), PACKED_PIECE_BYTES):
        packed = body[start : start + PACKED_PIECE_BYTES]
        while packed:
            try:
                yield unpacker.decompress(packed)
            except zlib.error as error:
                warnings.append(f"damaged gzip: {error}")
                return
            packed = unpacker.unused_data
            if ended := unpacker.eof:
                unpacker = zlib.decompressobj(_GZIP_ONLY)
                members += 1
        if members > MAX_MEMBERS:
            warnings.append(f"more than {MAX_MEMBERS} gzip members: the rest is not read")
            return
    if not ended:
        warnings.append("gzip that ends too early")


def _limit(pieces: Iterator[bytes], warnings: list[str]) -> Iterator[bytes]:
    left = MAX_SITEMAP_BYTES
    for piece in pieces:
        yield piece[:left]
        left -= len(piece)
        if left < 0:
            warnings.append(f"larger than {MAX_SITEMAP_BYTES} octets: the rest is not read")
            return


def _head(pieces: Iterator[bytes]) -> bytes:
    head = bytearray()
    for piece in pieces:
        head += piece
        if len(head) >= PIECE_BYTES:
            break
    return bytes(head)


def _detect_charset(head: bytes, warnings: list[str]) -> str:
    """Detects Python's name of the charset: by BOM, XML declaration, or UTF-8 (requirement 230)."""
    for mark, charset in _MARKS.items():
        if head.startswith(mark):
            return charset
    declared = _DECLARED.match(head)
    if not declared:
        return "utf-8"
    name = declared[1].decode("ascii")
    resolved = resolve_encoding(name) or ""
    if _CHARSETS.fullmatch(resolved):
        return resolved
    # Who could read the declaration octet by octet is not reading UTF-16, whatever it says.
    if not resolved.startswith("utf-16"):
        warnings.append(f"unknown charset {name!r}: read as UTF-8")
    return "utf-8"
