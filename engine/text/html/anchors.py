"""Finds anchors: the elements to which a fragment can lead a browser, and where in the text each stands.

Those are all with an id, and A with a name (HTML, 7.4.6.4).
"""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import accumulate, chain, islice
from typing import NamedTuple
from urllib.parse import unquote

from selectolax.lexbor import LexborNode

from engine.model import CELL_END, SectionAnchor
from engine.text.html.elements import ANCHOR, BLOCKS, HEADINGS, TERM, ancestors

MAX_ANCHORS = 2_000  # of a page; listings of programs have one for each line
MAX_FRAGMENT = 200  # characters of an id
NEAR = 3  # elements between a heading and the sign that links to it

_NAMED = HEADINGS | TERM
_SIGN = "\ue003"
_MARK = _SIGN + "{}\ue004"  # stands where anchor {} does: private use, so it means nothing on a page
_MARKED = re.compile(_MARK.format("([0-9]{1,7})"))


class AnchoredText(NamedTuple):
    """A text without its marks, where anchors stand in it, and those behind all of it."""

    text: str
    anchors: tuple[SectionAnchor, ...]
    behind: tuple[str, ...]


def find_own_targets(signs: Iterable[LexborNode]) -> Mapping[int, str]:
    """Finds the fragments of headings and terms without an id that have a sign: its own, or that to which it
    links; by the place of the heading or term.
    """
    found = {}
    for sign in signs:
        named = find_named_around(sign)
        if named is not None and not named.id:
            found[named.mem_id] = fragment_of(sign) or unquote((sign.attributes.get("href") or "")[1:])
    return found


def find_named_around(link: LexborNode) -> LexborNode | None:
    """Finds the heading or the term in which a link stands."""
    return next((one for one in islice(ancestors(link), NEAR) if one.tag_id in _NAMED), None)


def fragment_of(node: LexborNode | None) -> str:
    """Returns the fragment that leads to an element itself, '' for none."""
    if node is None or node.is_text_node:
        return ""
    fragment = node.id or (node.tag_id in ANCHOR and node.attributes.get("name")) or ""
    return fragment if len(fragment) <= MAX_FRAGMENT else ""


def mark_anchors(root: LexborNode, named: Iterable[LexborNode], known: Container[str]) -> list[str]:
    """Marks the place of each anchor in an element but for those that are `known`; returns the fragments, by
    number.

    named: A that have a name, and no id; a search for them would cost as much as one for ids.
    """
    fragments: list[str] = []
    for node in islice(chain(root.css("[id]"), named), MAX_ANCHORS):
        fragment = node.id or fragment_of(node)
        if not fragment or fragment in known or len(fragment) > MAX_FRAGMENT:
            continue
        mark = _MARK.format(len(fragments))
        fragments.append(fragment)
        if node.tag_id not in BLOCKS:
            node.insert_before(mark)
        elif (first := node.first_child) is not None:
            first.insert_before(mark)
        else:
            node.insert_child(mark)
    return fragments


def take_anchors(text: str, fragments: Sequence[str]) -> AnchoredText:
    """Takes the marks out of a text with a line for each block; all else is as it were without them."""
    if _SIGN not in text:
        return AnchoredText(text.strip(), (), ())
    first, *rest = _MARKED.split(text)
    numbers, pieces = map(int, rest[::2]), _close_gaps([first.lstrip(), *rest[1::2]])
    plain = "".join(pieces).rstrip()
    end = len(plain)
    anchors = [
        SectionAnchor(min(place, end), fragments[number])
        for place, number in zip(accumulate(map(len, pieces)), numbers, strict=False)
        if number < len(fragments)
    ]
    inside = tuple(anchor for anchor in anchors if anchor.place < end)
    return AnchoredText(plain, inside, tuple(one.fragment for one in anchors[len(inside) :]))


def _close_gaps(pieces: list[str]) -> list[str]:
    """Closes the gaps that marks leave between words and lines, of which one stands before and one behind."""
    last = 0  # the last piece so far that says anything
    for at in range(1, len(pieces)):
        piece, before = pieces[at], pieces[last]
        if piece[:1].isspace() and (not before or before[-1].isspace()):
            said, piece = before.rstrip(), piece.lstrip()
            gap = before[len(said) :] + pieces[at][: len(pieces[at]) - len(piece)]
            pieces[at] = piece
            if before:
                pieces[last] = said + (f"{CELL_END * (CELL_END in gap)}\n" if "\n" in gap else " ")
        if piece:
            last = at
    return pieces
