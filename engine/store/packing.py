"""Values as bytes in one column: JSON, compressed; a page's links apart from its text.

Links as rows would cost five times as much.
"""

import json
import struct
from collections.abc import Mapping
from dataclasses import asdict
from itertools import starmap
from threading import local
from typing import Any, NamedTuple

import zstandard

from engine.page import Flag, Link, Page, Section
from engine.robots import Directives, RobotsState, Verdict

_LENGTH = struct.Struct("<I")  # of the text, in front of it; none where there are no links
_ZSTD = bytes.fromhex("28b52ffd")  # RFC 8878, 3.1.1: how a frame begins; no text is as long as that
MAX_UNPACKED = 64 * 1024 * 1024  # bytes; far above what text/markup lets a page hold


class _Zstd(local):
    """One pair for each thread: they must not be shared, and making one costs as much as a page."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=1)
        self.decompressor = zstandard.ZstdDecompressor()


_zstd = _Zstd()


class Packed(NamedTuple):
    """A page as the crawl database keeps it, but for its URL."""

    content: bytes  # pack()
    language: str
    media_type: str


def pack(page: Page) -> bytes:
    """Everything of a page but its URL, language and media type, which are columns.

    Its links stand apart behind its text, column by column: what the index asks for is the one or the other.
    """
    fields = {
        "title": page.title,
        "description": page.description,
        "sections": page.sections,
        "archive": page.directives.archive,
        "follow": page.directives.follow,
        "max_snippet": page.directives.max_snippet,
        "keywords": page.keywords,
        "rest": page.rest,
        "published": page.published,
        "modified": page.modified,
        "flag": page.flag,
    }
    text = _pack(fields)
    return b"".join([_LENGTH.pack(len(text)), text, _pack(list(zip(*page.links, strict=True)))])


def packed(page: Page) -> Packed:
    """A page with what the database has in columns."""
    return Packed(pack(page), page.language, page.media_type)


def unpack(content: bytes, columns: Mapping[str, Any]) -> Page:
    """The page again without its links, from pack() or text_of(); `columns`: url, language, media_type."""
    fields = _unpack(text_of(content))
    return Page(
        url=columns["url"],
        title=fields["title"],
        description=fields["description"],
        language=columns["language"],
        media_type=columns["media_type"],
        sections=tuple(starmap(Section, fields["sections"])),
        # .get: what an older Lycosa has stored has no such fields
        directives=Directives(
            follow=fields["follow"], archive=fields["archive"], max_snippet=fields.get("max_snippet")
        ),
        keywords=fields.get("keywords", ""),
        rest=fields.get("rest", ""),
        published=fields.get("published"),
        modified=fields.get("modified"),
        flag=Flag(flag) if (flag := fields.get("flag")) else None,
    )


def text_of(content: bytes) -> bytes:
    """What pack() made, without the links; of an older Lycosa's as it is, with them."""
    return content if content.startswith(_ZSTD) else content[_LENGTH.size : _LENGTH.size + _length(content)]


def links_of(content: bytes) -> tuple[Link, ...]:
    """The links of what pack() made."""
    if content.startswith(_ZSTD):
        return tuple(starmap(Link, _unpack(content)["links"]))
    columns = _unpack(content[_LENGTH.size + _length(content) :])
    return tuple(starmap(Link, zip(*columns, strict=True)))


def size(content: bytes) -> int:
    """Bytes that the text and the links of what pack() made take unpacked."""
    if content.startswith(_ZSTD):
        return zstandard.frame_content_size(content)
    start = _LENGTH.size
    middle = start + _length(content)
    return sum(map(zstandard.frame_content_size, (content[start:middle], content[middle:])))


def pack_robots(state: RobotsState) -> bytes:
    """An answer to GET /robots.txt; its bytes as Latin-1, which maps each byte to a character."""
    return _pack({**asdict(state), "body": state.body.decode("latin-1")})


def unpack_robots(content: bytes) -> RobotsState:
    """The answer again."""
    fields: dict[str, Any] = _unpack(content)
    verdict, body = Verdict(fields["verdict"]), fields["body"].encode("latin-1")
    return RobotsState(**{**fields, "verdict": verdict, "body": body})


def _length(content: bytes) -> int:
    length: int
    (length,) = _LENGTH.unpack_from(content)
    return length


def _pack(value: Any) -> bytes:
    return _zstd.compressor.compress(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def _unpack(content: bytes) -> Any:
    return json.loads(_zstd.decompressor.decompress(content, max_output_size=MAX_UNPACKED))
