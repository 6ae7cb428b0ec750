"""Packs a page's texts so that what a hit shows of them can be read without the rest.

A mark and a frame of three lines of JSON, of which a hit needs the first (title, description, and how much
may be shown), then Page.text as it is: text inside JSON takes three times as long to read. The second line
is how many characters each section's heading and text have, the third is all else.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.model import Flag, Page, ScannedPages, Section, SectionAnchor
from engine.packing import compressed
from engine.robots import Directives

MARK = b"text"  # neither frames begin so nor lengths: it would be one of 1.9 GB

Place = tuple[int, int, int, int]
"""Where in a text the heading of a section begins and ends, and where its own text does."""


class PackedParts(NamedTuple):
    """What pack() made, unpacked: three lines of JSON and the text."""

    first: bytes
    sizes: bytes
    rest: bytes
    text: bytes


def pack(page: Page) -> bytes:
    """Packs everything of a page but its URL, language, media type and links."""
    rest = {  # the fragments and anchors first: see PageFront
        "fragments": [section.fragment for section in page.sections],
        "anchors": [
            (number, *anchor) for number, section in enumerate(page.sections) for anchor in section.anchors
        ],
        "archive": page.directives.archive,
        "follow": page.directives.follow,
        "keywords": page.keywords,
        "rest": page.rest,
        "published": page.published,
        "modified": page.modified,
        "flag": page.flag,
        **({"scanned": page.scanned} if page.scanned else {}),  # others are packed as by an older Lycosa
        **({"rendered": True} if page.rendered else {}),
    }
    front = [page.title, page.description, page.directives.max_snippet]
    lengths = [len(part) for section in page.sections for part in (section.heading, section.text)]
    lines = [*map(compressed.encode_json, (front, lengths, rest)), page.text]
    return MARK + compressed.compress("\n".join(lines).encode())


def split_parts(content: bytes) -> PackedParts:
    """Decompresses what pack() made, without reading it."""
    return PackedParts(*compressed.decompress(content[len(MARK) :]).split(b"\n", 3))


def unpack(content: bytes, columns: Mapping[str, Any]) -> Page:
    """Unpacks a page; `columns`: url, language, media_type."""
    found = split_parts(content)
    title, description, max_snippet = json.loads(found.first)
    text, rest, lengths = found.text.decode(), json.loads(found.rest), json.loads(found.sizes)
    anchors: list[list[SectionAnchor]] = [[] for _ in rest["fragments"]]
    for number, *anchor in rest.get("anchors", ()):  # an older Lycosa packed none
        anchors[number].append(SectionAnchor(*anchor))
    sections = [
        Section(text[start:end], fragment, text[begin:stop], tuple(inside))
        for fragment, inside, (start, end, begin, stop) in zip(
            rest["fragments"], anchors, section_offsets(lengths), strict=True
        )
    ]
    return Page(
        url=columns["url"],
        title=title,
        description=description,
        language=columns["language"],
        media_type=columns["media_type"],
        sections=tuple(sections),
        directives=Directives(follow=rest["follow"], archive=rest["archive"], max_snippet=max_snippet),
        keywords=rest["keywords"],
        rest=rest["rest"],
        published=rest["published"],
        modified=rest["modified"],
        flag=Flag(rest["flag"]) if rest["flag"] else None,
        scanned=_scanned(rest),
        rendered="rendered" in rest,
    )


def unpack_scanned(content: bytes) -> ScannedPages | None:
    """Unpacks how many pages of a document are scanned, without its texts."""
    return _scanned(json.loads(split_parts(content).rest))


def unpack_rendered(content: bytes) -> bool:
    """Unpacks whether a page was read as its scripts have drawn it, without its texts."""
    return "rendered" in json.loads(split_parts(content).rest)


def _scanned(rest: Mapping[str, Any]) -> ScannedPages | None:
    return ScannedPages(*rest["scanned"]) if "scanned" in rest else None


def unpacked_size(content: bytes) -> int:
    """Returns the bytes that what pack() made takes unpacked."""
    return compressed.unpacked_size(content[len(MARK) :])


def section_offsets(lengths: Sequence[int]) -> Iterator[Place]:
    """Yields where each section's heading begins and ends in a text, and its text; the empty have no line."""
    at = 0
    for heading, length in zip(lengths[::2], lengths[1::2], strict=True):
        end = at + heading
        begin = end + 1 if heading else at
        stop = begin + length
        yield at, end, begin, stop
        at = stop + 1 if length else begin
