"""Splits a page into its main text and what else can be seen on it."""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from engine.model import Section
from engine.text.html.boxes import PLAIN_BOXES, find_boxes, remove_boilerplate, remove_hidden, text_length
from engine.text.html.elements import (
    BLOCK,
    BUTTON,
    HEADINGS,
    Elements,
    ancestors,
    block_text,
    collect_elements,
    is_within,
    normalize_lines,
    remove_element,
)
from engine.text.html.main_text import (
    ProseSizes,
    choose_main_element,
    find_comments,
    remove_comments,
    remove_copyright_notice,
    remove_link_lists,
)
from engine.text.html.outlinks import Found, LinkBase, find_links
from engine.text.html.sections import cut_sections, mark_headings
from engine.url import registrable_domain

MAX_REST = 100_000  # characters
ENOUGH = 250  # characters of a main text; of fewer, the elements around are looked at, too
NEAR = 3  # elements between a heading and its button
MOST_BESIDE = 4  # times that many beside it
KEPT_SHARE = 0.25  # of a page's prose; when less is kept, the guess was wrong

_COMMENTS = "[class*=omment],[id*=omment]"  # Comments, Kommentare; all that is looked for are a few boxes
_ELSEWHERE = "a,area,iframe,frame,h1,h2,h3,h4,h5,h6,dt"


class PageSplit(NamedTuple):
    """The texts of a page, and its links."""

    sections: tuple[Section, ...]
    rest: str
    links: Sequence[Found]
    beside: Collection[int]  # places of links that do not stand in the main text


def split_page(
    parse: Callable[[], LexborHTMLParser], tree: LexborHTMLParser, base: LinkBase, hides: bool
) -> PageSplit:
    """Splits a tree, which is taken apart; `parse` gives it anew; some is hidden only if it `hides`."""
    if found := _split_by_element(tree, base, hides):
        if _is_enough(found):
            return found
        tree = parse()
    body = tree.body
    if body is None:
        return PageSplit((Section("", "", ""),), "", find_links(tree.css("frame"), base)[0], frozenset())
    if found := _split_by_guess(body, base, hides):
        return found
    again = parse()
    return _keep_everything(again.body or body, base, hides)


def _is_enough(found: PageSplit) -> bool:
    main = sum(len(heading) + len(text) for heading, _, text in found.sections)
    return main >= ENOUGH or (main > 0 and len(found.rest) <= ENOUGH * MOST_BESIDE)


def _split_by_element(tree: LexborHTMLParser, base: LinkBase, hides: bool) -> PageSplit | None:
    """Splits by the element that its author calls main; None if there is none."""
    root, body = tree.css_first("main,[role=main]"), tree.body
    if root is None or body is None or root.mem_id == body.mem_id:
        return None
    inside = collect_elements(root)
    comments = _exclude_frames(root, find_comments(find_boxes(body.css(_COMMENTS))))
    root.replace_with(BLOCK)  # whatever is around it
    outside = collect_elements(body)
    links, signs = find_links(inside.links + outside.links, base)
    _remove_unread(root, inside, signs, hides)
    _remove_unread(body, outside, (), hides)
    found = find_boxes(inside.boxes)
    pieces = remove_boilerplate(root, found)
    pieces += remove_comments(root, found)
    beside = _collect_places(pieces) | {node.mem_id for node in outside.links}
    links = _mark_ugc(links, beside & _collect_places(comments + find_comments(found)), base)
    _flatten(outside)
    return _read_sections(root, inside, [body, *reversed(pieces)], links, beside)


def _split_by_guess(body: LexborNode, base: LinkBase, hides: bool) -> PageSplit | None:
    """Splits by names and by where the prose stands; None when too little would be left of it."""
    inside = collect_elements(body)
    links, signs = find_links(inside.links, base)
    _remove_unread(body, inside, signs, hides)
    before, found = ProseSizes(body).unlinked_size(body), find_boxes(inside.boxes)
    pieces = remove_boilerplate(body, found)
    prose = ProseSizes(body)
    root = choose_main_element(body, found, prose)
    pieces += remove_link_lists(root, prose)
    pieces += remove_comments(root, found)
    pieces += remove_copyright_notice(root)
    if text_length(root) < KEPT_SHARE * before:
        return None
    comments = _exclude_frames(root, find_comments(found))
    pieces.reverse()
    if root.mem_id != body.mem_id:
        root.replace_with(BLOCK)
        pieces.insert(0, body)
    beside = _collect_places(pieces)
    links = _mark_ugc(links, beside & _collect_places(comments), base)
    return _read_sections(root, inside, pieces, links, beside)


def _keep_everything(body: LexborNode, base: LinkBase, hides: bool) -> PageSplit:
    """Keeps all of it but what is boilerplate by its element."""
    inside = collect_elements(body)
    links, signs = find_links(inside.links, base)
    _remove_unread(body, inside, signs, hides)
    pieces = remove_boilerplate(
        body, find_boxes(node for node in inside.boxes if node.tag_id not in PLAIN_BOXES)
    )
    return _read_sections(body, inside, pieces, links, _collect_places(pieces))


def _remove_unread(root: LexborNode, inside: Elements, signs: Sequence[LexborNode], hides: bool) -> None:
    """Removes what nobody reads: programs, drawings, controls, what is hidden, signs behind headings."""
    for node in reversed(inside.unread):
        # A button in a heading unfolds what is under it and bears its name.
        if node.tag_id not in BUTTON or not _is_in_heading(node):
            remove_element(node)
    for node in signs:
        remove_element(node)
    if hides:
        remove_hidden(root)


def _is_in_heading(node: LexborNode) -> bool:
    return any(above.tag_id in HEADINGS for above in islice(ancestors(node), NEAR))


def _collect_places(pieces: Sequence[LexborNode]) -> frozenset[int]:
    """Collects the places of links, headings and terms in pieces that were removed."""
    return frozenset(node.mem_id for piece in pieces for node in piece.css(_ELSEWHERE))


def _exclude_frames(root: LexborNode, comments: Iterable[LexborNode]) -> list[LexborNode]:
    """Excludes frames around the main text, as of a page that is named after its having comments."""
    return [node for node in comments if not is_within(root, node)]


def _mark_ugc(links: list[Found], comments: Collection[int], base: LinkBase) -> list[Found]:
    """Marks links of readers to other sites as rel=ugc, whether they say so or not."""
    if not comments:
        return links
    own = registrable_domain(base.url)
    return [
        (place, url, anchor, nofollow or (place in comments and registrable_domain(url) != own))
        for place, url, anchor, nofollow in links
    ]


def _flatten(inside: Elements) -> None:
    """Leaves nothing but blocks and their text."""
    for node in inside.inline:  # from the outside in, so that no text moves twice
        node.unwrap(True)  # and take out what is empty; by its name this argument would cost a third more


def _read_sections(
    root: LexborNode,
    inside: Elements,
    pieces: Sequence[LexborNode],
    links: Sequence[Found],
    beside: Collection[int],
) -> PageSplit:
    """Reads the main part, cut at its headings and definitions, and the pieces beside it."""
    headings, terms = (
        [node for node in nodes if node.mem_id not in beside] for nodes in (inside.headings, inside.terms)
    )
    found = mark_headings(headings, terms)
    _flatten(inside)
    rest = [normalize_lines(block_text(piece)[:MAX_REST]) for piece in pieces]
    return PageSplit(
        cut_sections(root, found), "\n".join(text for text in rest if text)[:MAX_REST], links, beside
    )
