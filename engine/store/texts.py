"""A page's texts as bytes: what a hit shows of them can be read without the rest.

A mark and a frame of three lines of JSON, of which a hit needs the first (title, description, and how much
may be shown), then Page.text as it is: text inside JSON takes three times as long to read. The second line
is how many characters each section's heading and text have, the third is all else.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from engine.page import Flag, Page, Section
from engine.robots import Directives
from engine.store import compressed
from engine.text.utf8 import Utf8

MARK = b"text"  # neither frames begin so nor lengths: it would be one of 1.9 GB

_FIRST, _SECOND, _THIRD, _LAST = (
    f',"{name}":'.encode() for name in ("fragments", "archive", "keywords", "published")
)
"""Where parts of the third line begin; inside of a string no quotation mark stands by itself."""


Place = tuple[int, int, int, int]
"""Where in a text the heading of a section begins and ends, and where its own text does."""

Span = tuple[int, int]
"""Where something begins and ends in a text."""


class About(NamedTuple):
    """What its owner lets us show, what it says of its date (seconds since 1970, UTC), and its flag."""

    archive: bool
    published: float | None
    modified: float | None
    flag: Flag | None


@dataclass(frozen=True)
class Front:
    """What a hit shows of a page."""

    title: str
    description: str
    max_snippet: int | None
    sizes: bytes  # JSON
    text: Utf8
    rest: bytes  # JSON, of which the sections' fragments come first

    @cached_property
    def lengths(self) -> list[int]:
        """Characters of each section's heading and text, in turn; an empty one takes no line."""
        found: list[int] = json.loads(self.sizes)
        return found

    @cached_property
    def fragments(self) -> list[str]:
        """Of each section the id by which a link reaches it, '' for none; nothing else of `rest` is read."""
        found: list[str] = json.loads(self.rest[len(_FIRST) : self.rest.index(_SECOND)])
        return found

    @cached_property
    def about(self) -> About:
        """The rest without its words, which are not read."""
        first, third = self.rest.index(_SECOND) + 1, self.rest.index(_THIRD)
        rest = json.loads(b"{" + self.rest[first:third] + self.rest[self.rest.rindex(_LAST) :])
        flag = Flag(rest["flag"]) if rest["flag"] else None
        return About(rest["archive"], rest["published"], rest["modified"], flag)


def pack(page: Page) -> bytes:
    """Everything of a page but its URL, language, media type and links."""
    rest = {  # the fragments first: see Front
        "fragments": [section.fragment for section in page.sections],
        "archive": page.directives.archive,
        "follow": page.directives.follow,
        "keywords": page.keywords,
        "rest": page.rest,
        "published": page.published,
        "modified": page.modified,
        "flag": page.flag,
    }
    front = [page.title, page.description, page.directives.max_snippet]
    lengths = [len(part) for section in page.sections for part in (section.heading, section.text)]
    lines = [*map(compressed.json_of, (front, lengths, rest)), page.text]
    return MARK + compressed.compress("\n".join(lines).encode())


def front(content: bytes) -> Front:
    """What a hit shows of what pack() made."""
    head, sizes, rest, text = compressed.decompress(content[len(MARK) :]).split(b"\n", 3)
    title, description, max_snippet = json.loads(head)
    return Front(title, description, max_snippet, sizes, Utf8(text), rest)


def unpack(content: bytes, columns: Mapping[str, Any]) -> Page:
    """The page again; `columns`: url, language, media_type."""
    first = front(content)
    text, rest = first.text.octets.decode(), json.loads(first.rest)
    sections = [
        Section(text[start:end], fragment, text[begin:stop])
        for fragment, (start, end, begin, stop) in zip(rest["fragments"], places(first.lengths), strict=True)
    ]
    return Page(
        url=columns["url"],
        title=first.title,
        description=first.description,
        language=columns["language"],
        media_type=columns["media_type"],
        sections=tuple(sections),
        directives=Directives(follow=rest["follow"], archive=rest["archive"], max_snippet=first.max_snippet),
        keywords=rest["keywords"],
        rest=rest["rest"],
        published=rest["published"],
        modified=rest["modified"],
        flag=Flag(rest["flag"]) if rest["flag"] else None,
    )


def size(content: bytes) -> int:
    """Bytes that what pack() made takes unpacked."""
    return compressed.size(content[len(MARK) :])


def places(lengths: Sequence[int]) -> Iterator[Place]:
    """Where in a page's text each section's heading begins and ends, and its text; the empty have no line."""
    at = 0
    for heading, said in zip(lengths[::2], lengths[1::2], strict=True):
        end = at + heading
        begin = end + 1 if heading else at
        stop = begin + said
        yield at, end, begin, stop
        at = stop + 1 if said else begin
