"""The main text of a page as a person sees it, cut at its headings."""

import re
from itertools import islice

from selectolax.lexbor import LexborNode

from engine.page import Section
from engine.text.elements import ANCHOR, SECTIONING, lines, parted, words

MAX_TEXT = 2_000_000  # characters of a page, white space included: three long novels
MAX_SECTIONS = 2_000  # headings; those that follow are text of the last section
MAX_FRAGMENT = 200  # characters of a heading's id
MAX_BEGUN = 5  # elements that begin with one heading

_MARK = "\ue000{}\ue001"  # stands where heading number {} was: private use, so it means nothing on a page
_MARKED = re.compile(_MARK.format("([0-9]{1,7})"))

Headings = dict[int, tuple[str, str]]
"""The words and the fragment of each heading, by the number in its mark."""


def mark(headings: list[LexborNode]) -> Headings:
    """Put a mark in the place of each heading."""
    found: Headings = {}
    for number, node in enumerate(islice(headings, MAX_SECTIONS)):  # one in another says its words there
        heading = words(node)
        if "\ue000" in heading:
            heading = " ".join(_MARKED.sub(" ", heading).split())
        found[number] = heading.removesuffix("¶").rstrip(), _fragment(node)
        node.replace_with(_MARK.format(number))
    return found


def cut(root: LexborNode, found: Headings) -> tuple[Section, ...]:
    """The sections of an element that has nothing in it but blocks, their text, and marks for headings."""
    first, *rest = _MARKED.split(parted(root)[:MAX_TEXT])
    sections = [Section("", "", lines(first))]
    for number, text in zip(rest[::2], rest[1::2], strict=True):
        sections.append(Section(*found.get(int(number), ("", "")), lines(text)))
    return tuple(sections)


def _fragment(heading: LexborNode) -> str:
    """The id by which a link reaches a heading: on it or in it, on an anchor before it, or on its section."""
    fragment = heading.id or _fragment_around(heading)
    return fragment if len(fragment) <= MAX_FRAGMENT else ""


def _fragment_around(heading: LexborNode) -> str:
    inner = next(heading.iter(), None)  # most have none, and a search costs more than the rest of this
    named = heading.css_first("[id],a[name]") if inner is not None else None
    return _name_of(named) or _fragment_before(heading)


def _fragment_before(heading: LexborNode) -> str:
    """The anchor just before a heading, or the id of what begins with it."""
    node = heading
    for _ in range(MAX_BEGUN):
        before, around = node.prev, node.parent
        if before is not None and before.is_text_node and not before.text().strip():
            before = before.prev
        if before is not None and before.tag_id in ANCHOR and (fragment := _name_of(before)):
            return fragment
        if around is None or (before is not None and around.tag_id not in SECTIONING):
            return ""
        if fragment := _name_of(around):
            return fragment
        if before is not None:
            return ""
        node = around
    return ""


def _name_of(node: LexborNode | None) -> str:
    attributes = node.attributes if node is not None else {}
    return attributes.get("id") or attributes.get("name") or ""
