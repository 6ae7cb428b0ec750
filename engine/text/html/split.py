"""Splits a page into its main text and what else can be seen on it."""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from engine.model import Section
from engine.text.html.boxes import PLAIN_BOXES, boxes, size, take_out_furniture, take_out_unseen
from engine.text.html.elements import (
    BLOCK,
    BUTTON,
    HEADINGS,
    Elements,
    ancestors,
    elements,
    is_within,
    lines,
    parted,
    take_out,
)
from engine.text.html.main_text import (
    Prose,
    choose,
    take_out_lists_of_links,
    take_out_notice,
    take_out_talk,
    talks,
)
from engine.text.html.outlinks import Base, Found, find_links
from engine.text.html.sections import cut, mark
from engine.url import voter

MAX_REST = 100_000  # characters
ENOUGH = 250  # characters of a main text; of fewer, the elements around are looked at, too
NEAR = 3  # elements between a heading and its button
MOST_BESIDE = 4  # times that many beside it
KEPT_SHARE = 0.25  # of a page's prose; when less is kept, the guess was wrong

_COMMENTS = "[class*=omment],[id*=omment]"  # Comments, Kommentare; all that is looked for are a few boxes
_ELSEWHERE = "a,area,iframe,frame,h1,h2,h3,h4,h5,h6,dt"


class Split(NamedTuple):
    """What a page says, and its links."""

    sections: tuple[Section, ...]
    rest: str
    links: Sequence[Found]
    beside: Collection[int]  # places of links that do not stand in the main text


def split(parse: Callable[[], LexborHTMLParser], tree: LexborHTMLParser, base: Base, hides: bool) -> Split:
    """The page in a tree, which is taken apart; `parse` gives it anew; some is unseen only if it `hides`."""
    if found := _by_element(tree, base, hides):
        if _is_enough(found):
            return found
        tree = parse()
    body = tree.body
    if body is None:
        return Split((Section("", "", ""),), "", find_links(tree.css("frame"), base)[0], frozenset())
    if found := _by_guess(body, base, hides):
        return found
    again = parse()
    return _everything(again.body or body, base, hides)


def _is_enough(found: Split) -> bool:
    main = sum(len(heading) + len(text) for heading, _, text in found.sections)
    return main >= ENOUGH or (main > 0 and len(found.rest) <= ENOUGH * MOST_BESIDE)


def _by_element(tree: LexborHTMLParser, base: Base, hides: bool) -> Split | None:
    """By the element that its author calls main, without the furniture in it; None if there is none."""
    root, body = tree.css_first("main,[role=main]"), tree.body
    if root is None or body is None or root.mem_id == body.mem_id:
        return None
    inside = elements(root)
    talk = _apart_from(root, talks(boxes(body.css(_COMMENTS))))
    root.replace_with(BLOCK)  # whatever is around it
    outside = elements(body)
    links, signs = find_links(inside.links + outside.links, base)
    _clean(root, inside, signs, hides)
    _clean(body, outside, (), hides)
    found = boxes(inside.boxes)
    pieces = take_out_furniture(root, found)
    pieces += take_out_talk(root, found)
    beside = _elsewhere(pieces) | {node.mem_id for node in outside.links}
    links = _vouched_for(links, beside & _elsewhere(talk + talks(found)), base)
    _flatten(outside)
    return _read(root, inside, [body, *reversed(pieces)], links, beside)


def _by_guess(body: LexborNode, base: Base, hides: bool) -> Split | None:
    """By names and by where its prose stands; None when too little would be left of it."""
    inside = elements(body)
    links, signs = find_links(inside.links, base)
    _clean(body, inside, signs, hides)
    before, found = Prose(body).of(body), boxes(inside.boxes)
    pieces = take_out_furniture(body, found)
    prose = Prose(body)
    root = choose(body, found, prose)
    pieces += take_out_lists_of_links(root, prose)
    pieces += take_out_talk(root, found)
    pieces += take_out_notice(root)
    if size(root) < KEPT_SHARE * before:
        return None
    talk = _apart_from(root, talks(found))
    pieces.reverse()
    if root.mem_id != body.mem_id:
        root.replace_with(BLOCK)
        pieces.insert(0, body)
    beside = _elsewhere(pieces)
    links = _vouched_for(links, beside & _elsewhere(talk), base)
    return _read(root, inside, pieces, links, beside)


def _everything(body: LexborNode, base: Base, hides: bool) -> Split:
    """All of it but what is furniture by its element."""
    inside = elements(body)
    links, signs = find_links(inside.links, base)
    _clean(body, inside, signs, hides)
    pieces = take_out_furniture(body, boxes(node for node in inside.boxes if node.tag_id not in PLAIN_BOXES))
    return _read(body, inside, pieces, links, _elsewhere(pieces))


def _clean(root: LexborNode, inside: Elements, signs: Sequence[LexborNode], hides: bool) -> None:
    """Take out what nobody reads: programs, drawings, controls, what is hidden, the signs behind headings."""
    for node in reversed(inside.unread):
        # A button in a heading unfolds what is under it and bears its name.
        if node.tag_id not in BUTTON or not _is_in_heading(node):
            take_out(node)
    for node in signs:
        take_out(node)
    if hides:
        take_out_unseen(root)


def _is_in_heading(node: LexborNode) -> bool:
    return any(above.tag_id in HEADINGS for above in islice(ancestors(node), NEAR))


def _elsewhere(pieces: Sequence[LexborNode]) -> frozenset[int]:
    """The places of links, headings and terms in pieces that were taken out."""
    return frozenset(node.mem_id for piece in pieces for node in piece.css(_ELSEWHERE))


def _apart_from(root: LexborNode, talk: Iterable[LexborNode]) -> list[LexborNode]:
    """Those that are no frame around the main text, as of a page that is named after its having comments."""
    return [node for node in talk if not is_within(root, node)]


def _vouched_for(links: list[Found], talk: Collection[int], base: Base) -> list[Found]:
    """The links; to other sites those that readers have written are rel=ugc, whether they say so or not."""
    if not talk:
        return links
    own = voter(base.url)
    return [
        (place, url, anchor, nofollow or (place in talk and voter(url) != own))
        for place, url, anchor, nofollow in links
    ]


def _flatten(inside: Elements) -> None:
    """Leave nothing but blocks and their text."""
    for node in inside.inline:  # from the outside in, so that no text moves twice
        node.unwrap(True)  # and take out what is empty; by its name this argument would cost a third more


def _read(
    root: LexborNode,
    inside: Elements,
    pieces: Sequence[LexborNode],
    links: Sequence[Found],
    beside: Collection[int],
) -> Split:
    """The text of the main part, cut at its headings and definitions, and of the pieces beside it."""
    headings, terms = (
        [node for node in nodes if node.mem_id not in beside] for nodes in (inside.headings, inside.terms)
    )
    found = mark(headings, terms)
    _flatten(inside)
    rest = [lines(parted(piece)[:MAX_REST]) for piece in pieces]
    return Split(cut(root, found), "\n".join(text for text in rest if text)[:MAX_REST], links, beside)
