"""Cuts the main text of a page into sections, at its headings and definitions.

A term that links can reach, as manuals have one for each function, begins a section, too. It is the first
line of its text and no heading, which weighs more: with headings of terms nDCG@10 on the Python manual is
.874, without .883. Behind a list of terms another section goes on with that in which the list stands.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from engine.model import Section, SectionAnchor
from engine.text.html.anchors import AnchoredText, fragment_of, take_anchors
from engine.text.html.elements import ANCHOR, SECTIONING, block_text, element_text, normalize_lines
from engine.text.html.rows import join_rows

MAX_TEXT = 2_000_000  # characters of a page, white space included: three long novels
MAX_SECTIONS = 2_000  # headings, and as many terms; those that follow are text of the last section
MAX_BEGUN = 5  # elements with which one term begins

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


def mark_headings(
    headings: Iterable[LexborNode], terms: Iterable[LexborNode], targets: Mapping[int, str]
) -> Marked:
    """Marks the place of each heading, of each term that has an id, and of the end of its list.

    targets: as find_own_targets() has them.
    """
    found: Marked = {}
    for number, node in enumerate(islice(headings, MAX_SECTIONS), OUT_OF + 1):
        heading = element_text(node)  # one in another says its words there
        if "\ue000" in heading:
            heading = " ".join(_MARKED.sub(" ", heading).split())
        found[number] = SectionStart(heading.removesuffix("¶").rstrip(), _fragment_of_heading(node, targets))
        node.replace_with(_MARK.format(number))
    return found | _mark_terms(terms, targets, OUT_OF + 1 + len(found))


def cut_sections(root: LexborNode, found: Marked, fragments: Sequence[str]) -> tuple[Section, ...]:
    """Cuts an element that has nothing in it but blocks, their text, and marks, into sections.

    fragments: as mark_anchors() has them.
    """
    first, *rest = _MARKED.split(join_rows(normalize_lines(block_text(root)[:MAX_TEXT])))
    begin = take_anchors(first, fragments)
    texts = (take_anchors(text, fragments) for text in rest[1::2])
    return (
        Section("", "", begin.text, begin.anchors),
        *_build_sections(map(int, rest[::2]), texts, found, begin.behind),
    )


def _build_sections(
    numbers: Iterable[int], texts: Iterable[AnchoredText], found: Marked, before: tuple[str, ...]
) -> Iterator[Section]:
    """Builds the sections behind marks of these numbers; those without a heading only if they have text.

    Anchors between the text before and a heading are the heading's; the nearest leads to it if nothing else
    does. `before` are those with which the first begins.
    """
    around: list[str] = []  # fragments of the sections in which lists of terms stand
    fragment = ""
    for number, (text, anchors, behind) in zip(numbers, texts, strict=True):
        begun = found.get(number, NOTHING)
        if number == OUT_OF:
            fragment = around.pop() if around else ""
        else:
            if begun.is_first:
                around.append(fragment)
            fragment = begun.fragment or (before[-1] if before and begun.heading is not None else "")
        if text or (number != OUT_OF and begun.heading is not None):
            others = tuple(SectionAnchor(0, one) for one in before if one != fragment)
            yield Section(begun.heading or "", fragment, text, others + anchors)
            before = behind
        else:
            before = (*before, fragment, *behind) if fragment and number != OUT_OF else before + behind


def _mark_terms(terms: Iterable[LexborNode], targets: Mapping[int, str], first: int) -> Marked:
    named = (
        (node, fragment)
        for node in terms
        if (fragment := _fragment_of_term(node) or targets.get(node.mem_id, ""))
    )
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
        if node.id or (node.tag_id in ANCHOR and node.attributes.get("name")):
            return fragment_of(node)
        node = node.first_child
    return ""


def _fragment_of_heading(heading: LexborNode, targets: Mapping[int, str]) -> str:
    """Returns the id by which a link reaches a heading: its own, that to which a sign in it links, one in it,
    or that of the section in which it stands.
    """
    if fragment := fragment_of(heading) or targets.get(heading.mem_id, ""):
        return fragment
    inner = next(heading.iter(), None)  # most have none, and a search costs more than the rest of this
    if inner is not None and (fragment := fragment_of(heading.css_first("[id],a[name]"))):
        return fragment
    around = heading.parent
    return fragment_of(around) if around is not None and around.tag_id in SECTIONING else ""
