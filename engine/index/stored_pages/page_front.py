"""Unpacks what a hit shows of a stored page, without the rest of it."""

import json
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from engine.model import Flag, SectionAnchor
from engine.packing import texts
from engine.text.tokens import Utf8

_FRAGMENTS, _ANCHORS, _SECOND, _THIRD, _LAST = (
    f',"{name}":'.encode() for name in ("fragments", "anchors", "archive", "keywords", "published")
)
"""Where parts of the third line begin; inside of a string no quotation mark stands by itself."""

Span = tuple[int, int]
"""Where something begins and ends in a text."""


class FrontFacts(NamedTuple):
    """What its owner lets us show, what it says of its date (seconds since 1970, UTC), and its flag."""

    archive: bool
    published: float | None
    modified: float | None
    flag: Flag | None


@dataclass(frozen=True)
class PageFront:
    """What a hit shows of a page."""

    title: str
    description: str
    max_snippet: int | None
    sizes: bytes  # JSON
    text: Utf8
    rest: bytes  # JSON, of which the sections' fragments come first, then anchors

    @cached_property
    def lengths(self) -> list[int]:
        """Reads the characters of each section's heading and text, in turn; an empty one takes no line."""
        found: list[int] = json.loads(self.sizes)
        return found

    @cached_property
    def fragments(self) -> list[str]:
        """Reads the id by which a link reaches each section, '' for none; nothing else of `rest` is read."""
        found: list[str] = json.loads(self.rest[len(_FRAGMENTS) : self._after_fragments])
        return found

    def section_anchors(self, section: int) -> list[SectionAnchor]:
        """Lists the anchors in the text of a section, in their order."""
        rows = self._anchors
        first, behind = (bisect_left(rows, [number]) for number in (section, section + 1))
        return [SectionAnchor(place, fragment) for _, place, fragment in rows[first:behind]]

    @cached_property
    def _anchors(self) -> list[list[Any]]:
        """Reads the number of the section, the place in its text, and the fragment of each anchor."""
        start, end = self._after_fragments + len(_ANCHORS), self.rest.index(_SECOND)
        found: list[list[Any]] = json.loads(self.rest[start:end] or b"[]")
        return found

    @cached_property
    def about(self) -> FrontFacts:
        """Reads the rest without its words."""
        first, third = self.rest.index(_SECOND) + 1, self.rest.index(_THIRD)
        rest = json.loads(b"{" + self.rest[first:third] + self.rest[self.rest.rindex(_LAST) :])
        flag = Flag(rest["flag"]) if rest["flag"] else None
        return FrontFacts(rest["archive"], rest["published"], rest["modified"], flag)

    @cached_property
    def _after_fragments(self) -> int:
        at = self.rest.find(_ANCHORS)
        return at if at >= 0 else self.rest.index(_SECOND)  # an older Lycosa packed no anchors


def unpack_front(content: bytes) -> PageFront:
    """Unpacks what a hit shows of what texts.pack() made."""
    found = texts.split_parts(content)
    title, description, max_snippet = json.loads(found.first)
    return PageFront(title, description, max_snippet, found.sizes, Utf8(found.text), found.rest)
