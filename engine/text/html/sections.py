"""Cuts the main text of a page into sections, at its headings and definitions.

A term that links can reach, as manuals have one for each function, begins a section, too. It is the first
line of its text and no heading, which weighs more: with headings of terms nDCG@10 on the Python manual is
.874, without .883. Behind a list of terms another section goes on with that in which the list stands.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from engine.model import Section
from engine.text.html.elements import ANCHOR, SECTIONING, block_text, element_text, normalize_lines
from engine.text.html.rows import join_rows

MAX_TEXT = 2_000_000  # characters of a page, white space included: three long novels
MAX_SECTIONS = 2_000  # headings, and as many terms; those that follow are text of the last section
MAX_FRAGMENT = 200  # characters of an id
MAX_BEGUN = 5  # elements that begin with one heading, or with which one term begins

_MARK = "\ue000{}\ue001"  # stands where number {} begins: private use, so it means nothing on a page
_MARKED = re.compile(_MARK.format("([0-9]{1,7})"))


class SectionStart(NamedTuple):
    """What begins at a mark: the section of a heading, or of a term, which has none (None)."""

    heading: str | None
    fragment: str
    is_first: bool = False  # term of its list


NOTHING = SectionStart("", "")
OUT_OF = 0  # a list of terms: the number of its end, which has nothing more to say
_END = _MARK.format(OUT_OF)

Marked = dict[int, SectionStart]
"""What begins at each mark, by its number."""


def mark_headings(headings: Iterable[LexborNode], terms: Iterable[LexborNode]) -> Marked:
    """Marks the place of each heading, of each term that has an id, and of the end of its list."""
    found: Marked = {}
    for number, node in enumerate(islice(headings, MAX_SECTIONS), OUT_OF + 1):
        heading = element_text(node)  # one in another says its words there
        if "\ue000" in heading:
            heading = " ".join(_MARKED.sub(" ", heading).split())
        found[number] = SectionStart(heading.removesuffix("¶").rstrip(), _fragment(node))
        node.replace_with(_MARK.format(number))
    return found | _mark_terms(terms, OUT_OF + 1 + len(found))


def cut_sections(root: LexborNode, found: Marked) -> tuple[Section, ...]:
    """Cuts an element that has nothing in it but blocks, their text, and marks, into sections."""
    first, *rest = map(str.strip, _MARKED.split(join_rows(normalize_lines(block_text(root)[:MAX_TEXT]))))
    return Section("", "", first), *_build_sections(map(int, rest[::2]), rest[1::2], found)


def _build_sections(numbers: Iterable[int], texts: Iterable[str], found: Marked) -> Iterator[Section]:
    """Builds the sections behind marks of these numbers; those without a heading only if they have text."""
    around: list[str] = []  # fragments of the sections in which lists of terms stand
    fragment = ""
    for number, text in zip(numbers, texts, strict=True):
        if number == OUT_OF:
            fragment = around.pop() if around else ""
            if text:
                yield Section("", fragment, text)
            continue
        begun = found.get(number, NOTHING)
        if begun.is_first:
            around.append(fragment)
        fragment = begun.fragment
        if text or begun.heading is not None:
            yield Section(begun.heading or "", fragment, text)


def _mark_terms(terms: Iterable[LexborNode], first: int) -> Marked:
    named = ((node, fragment) for node in terms if (fragment := _fragment_of_term(node)))
    found: Marked = {}
    lists: set[int] = set()
    for number, (node, fragment) in enumerate(islice(named, MAX_SECTIONS), first):
        around = node.parent
        if around is None:  # it was taken out
            continue
        if is_first := around.mem_id not in lists:
            lists.add(around.mem_id)
            around.insert_after(_END)
        node.insert_before(_MARK.format(number))
        found[number] = SectionStart(None, fragment, is_first)
    return found


def _fragment_of_term(term: LexborNode) -> str:
    """Returns the id by which a link reaches a term: its own, or that of what it begins with."""
    node: LexborNode | None = term
    for _ in range(MAX_BEGUN):
        if node is None or node.is_text_node:
            return ""
        if fragment := node.id or (node.tag_id in ANCHOR and node.attributes.get("name")) or "":
            return fragment if len(fragment) <= MAX_FRAGMENT else ""
        node = node.first_child
    return ""


def _fragment(heading: LexborNode) -> str:
    """Returns the id by which a link reaches a heading: on or in it, an anchor before it, its section."""
    fragment = heading.id or _fragment_around(heading)
    return fragment if len(fragment) <= MAX_FRAGMENT else ""


def _fragment_around(heading: LexborNode) -> str:
    inner = next(heading.iter(), None)  # most have none, and a search costs more than the rest of this
    named = heading.css_first("[id],a[name]") if inner is not None else None
    return _id_of(named) or _fragment_before(heading)


def _fragment_before(heading: LexborNode) -> str:
    """Returns the anchor just before a heading, or the id of what begins with it."""
    node = heading
    for _ in range(MAX_BEGUN):
        before, around = _previous_visible(node), node.parent
        if before is not None and before.tag_id in ANCHOR and (fragment := _id_of(before)):
            return fragment
        if around is None or (before is not None and around.tag_id not in SECTIONING):
            return ""
        if fragment := _id_of(around):
            return fragment
        if before is not None:
            return ""
        node = around
    return ""


def _previous_visible(node: LexborNode) -> LexborNode | None:
    """Returns what stands before it that readers see: no comment, no white space."""
    before = node.prev
    while before is not None and (
        before.is_comment_node or (before.is_text_node and not before.text().strip())
    ):
        before = before.prev
    return before


def _id_of(node: LexborNode | None) -> str:
    attributes = node.attributes if node is not None else {}
    return attributes.get("id") or attributes.get("name") or ""
