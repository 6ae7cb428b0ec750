"""Packs pages into one column, compressed; links apart from texts.

Links as rows would cost five times as much.
"""

import json
import struct
from collections.abc import Mapping
from dataclasses import asdict
from itertools import starmap
from typing import Any, NamedTuple

from engine.model import Flag, Link, Links, Page, ScannedPages, Section
from engine.packing import compressed, texts
from engine.robots import Directives, RobotsState, Verdict

_LENGTH = struct.Struct("<I")  # of the texts, in front of them; none where there are no links
_ALONE = (texts.MARK, compressed.FRAME)  # how texts begin, and those of an older Lycosa; no length does


class PackedPage(NamedTuple):
    """A page as the crawl database keeps it, but for its URL."""

    content: bytes  # pack()
    language: str
    media_type: str


def pack(page: Page) -> bytes:
    """Packs everything of a page but its URL, language and media type, which are columns.

    Its links stand apart behind its texts, column by column: what the index asks for is the one or the other.
    """
    packed = texts.pack(page)
    return b"".join(
        [_LENGTH.pack(len(packed)), packed, compressed.dumps(list(zip(*page.links, strict=True)))]
    )


def pack_page(page: Page) -> PackedPage:
    """Packs a page together with what the database has in columns."""
    return PackedPage(pack(page), page.language, page.media_type)


def unpack(content: bytes, columns: Mapping[str, Any]) -> Page:
    """Unpacks a page without links, of pack() or strip_links(); `columns`: url, language, media_type."""
    stripped = strip_links(content)
    return (
        texts.unpack(stripped, columns) if stripped.startswith(texts.MARK) else _unpack_old(stripped, columns)
    )


def unpack_title(content: bytes) -> tuple[str, str]:
    """Unpacks title and description of what pack() made, without the rest."""
    stripped = strip_links(content)
    if stripped.startswith(texts.MARK):
        title, description, _ = json.loads(texts.split_parts(stripped).first)
    else:
        fields = compressed.loads(stripped)
        title, description = fields["title"], fields["description"]
    return title, description


def unpack_scanned(content: bytes) -> ScannedPages | None:
    """Unpacks how many pages of what pack() made are scanned; None for none, and where nobody looked."""
    stripped = strip_links(content)
    return texts.unpack_scanned(stripped) if stripped.startswith(texts.MARK) else None


def unpack_rendered(content: bytes) -> bool:
    """Unpacks whether the page that pack() made was read as its scripts have drawn it."""
    stripped = strip_links(content)
    return stripped.startswith(texts.MARK) and texts.unpack_rendered(stripped)


def strip_links(content: bytes) -> bytes:
    """Strips the links from what pack() made; of an older Lycosa's nothing, it keeps them."""
    return (
        content
        if content.startswith(_ALONE)
        else content[_LENGTH.size : _LENGTH.size + _text_length(content)]
    )


def unpack_links(content: bytes) -> Links:
    """Unpacks the links of what pack() made."""
    if content.startswith(compressed.FRAME):
        return Links.of(starmap(Link, compressed.loads(content)["links"]))
    columns = compressed.loads(content[_LENGTH.size + _text_length(content) :])
    return Links(*columns) if columns else Links.of(())


def unpacked_size(content: bytes) -> int:
    """Returns the bytes that the texts and the links of what pack() made take unpacked."""
    packed = strip_links(content)
    of_texts = (
        texts.unpacked_size(packed) if packed.startswith(texts.MARK) else compressed.unpacked_size(packed)
    )
    links = content[_LENGTH.size + len(packed) :]
    return of_texts + (compressed.unpacked_size(links) if links else 0)


def pack_robots(state: RobotsState) -> bytes:
    """Packs an answer to GET /robots.txt; its bytes as Latin-1, which maps each byte to a character."""
    return compressed.dumps({**asdict(state), "body": state.body.decode("latin-1")})


def unpack_robots(content: bytes) -> RobotsState:
    """Unpacks an answer of pack_robots()."""
    fields: dict[str, Any] = compressed.loads(content)
    verdict, body = Verdict(fields["verdict"]), fields["body"].encode("latin-1")
    return RobotsState(**{**fields, "verdict": verdict, "body": body})


def _unpack_old(content: bytes, columns: Mapping[str, Any]) -> Page:
    """Unpacks a page packed before version 7, all of it as JSON; some fields have come since."""
    fields = compressed.loads(content)
    return Page(
        url=columns["url"],
        title=fields["title"],
        description=fields["description"],
        language=columns["language"],
        media_type=columns["media_type"],
        sections=tuple(starmap(Section, fields["sections"])),
        directives=Directives(
            follow=fields["follow"], archive=fields["archive"], max_snippet=fields.get("max_snippet")
        ),
        keywords=fields.get("keywords", ""),
        rest=fields.get("rest", ""),
        published=fields.get("published"),
        modified=fields.get("modified"),
        flag=Flag(flag) if (flag := fields.get("flag")) else None,
    )


def _text_length(content: bytes) -> int:
    length: int
    (length,) = _LENGTH.unpack_from(content)
    return length
