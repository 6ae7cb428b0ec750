"""Values as bytes in one column: JSON, compressed. A page's links as rows would cost five times as much."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from threading import local
from typing import Any

import zstandard

from engine.page import Flag, Link, Page, Section
from engine.robots import Directives, RobotsState, Verdict

MAX_UNPACKED = 64 * 1024 * 1024  # bytes; far above what text/markup lets a page hold


class _Zstd(local):
    """One pair for each thread: they must not be shared, and making one costs as much as a page."""

    def __init__(self) -> None:
        self.compressor = zstandard.ZstdCompressor(level=1)
        self.decompressor = zstandard.ZstdDecompressor()


_zstd = _Zstd()


def pack(page: Page) -> bytes:
    """Everything of a page but its URL, language and media type, which are columns."""
    fields = {
        "title": page.title,
        "description": page.description,
        "sections": page.sections,
        "links": page.links,
        "archive": page.directives.archive,
        "follow": page.directives.follow,
        "max_snippet": page.directives.max_snippet,
        "keywords": page.keywords,
        "rest": page.rest,
        "published": page.published,
        "modified": page.modified,
        "flag": page.flag,
    }
    return _pack(fields)


def unpack(content: bytes, columns: Mapping[str, Any]) -> Page:
    """The page again; `columns` has url, language and media_type."""
    fields = _unpack(content)
    return Page(
        url=columns["url"],
        title=fields["title"],
        description=fields["description"],
        language=columns["language"],
        media_type=columns["media_type"],
        sections=tuple(Section(*section) for section in fields["sections"]),
        links=tuple(Link(*link) for link in fields["links"]),
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


def pack_robots(state: RobotsState) -> bytes:
    """An answer to GET /robots.txt; its bytes as Latin-1, which maps each byte to a character."""
    return _pack({**asdict(state), "body": state.body.decode("latin-1")})


def unpack_robots(content: bytes) -> RobotsState:
    """The answer again."""
    fields = _unpack(content)
    verdict, body = Verdict(fields["verdict"]), fields["body"].encode("latin-1")
    return RobotsState(**{**fields, "verdict": verdict, "body": body})


def _pack(fields: dict[str, Any]) -> bytes:
    return _zstd.compressor.compress(json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode())


def _unpack(content: bytes) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(_zstd.decompressor.decompress(content, max_output_size=MAX_UNPACKED))
    return fields
