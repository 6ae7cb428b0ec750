"""Splits a page into its main text and what else can be seen on it."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from engine.model import Section
from engine.text.html.anchors import find_own_targets, mark_anchors
from engine.text.html.box_contents import BoxContents, find_controls
from engine.text.html.boxes import PLAIN_BOXES, find_boxes, remove_boilerplate, remove_hidden
from engine.text.html.dates import WRITTEN_DATE
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
    bring_title,
    choose_main_element,
    find_comments,
    find_title,
    include_title,
    keep_title,
    prose_length,
    remove_comments,
    remove_copyright_notice,
    remove_link_lists,
)
from engine.text.html.outlinks import Found, LinkBase, find_links
from engine.text.html.pruning import Pruning
from engine.text.html.rows import mark_rows
from engine.text.html.running_text import find_running_text
from engine.text.html.sections import cut_sections, mark_headings
from engine.url import registrable_domain

MAX_REST = 100_000  # characters
ENOUGH = 250  # characters of a main text; of fewer, the elements around are looked at, too
NEAR = 3  # elements between a heading and its button
MOST_BESIDE = 4  # times that many beside it
BEGINNING = 1_000  # characters of the main element in which a post has its date
MAX_BYLINE = 80  # characters of a line that says when a text was written; paragraphs have more
KEPT_SHARE = 0.25  # of a page's prose; when less is kept, the guess was wrong

_DATE_IN_PATH = re.compile(r"/(?:19|20)\d\d/(?:0?[1-9]|1[0-2])/")
_SHARING = re.compile(
    r"://(?:[a-z]+\.)?(?:facebook\.com/shar|(?:twitter|x)\.com/(?:intent|share)|linkedin\.com/share|vk\.com/share"
    r"|pinterest\.com/pin/create|reddit\.com/submit|whatsapp\.com/send|t\.me/share|addtoany\.com/share)"
)
_COMMENTS = "[class*=omment],[id*=omment]"  # Comments, Kommentare; all that is looked for are a few boxes
_ELSEWHERE = "a,area,iframe,frame,h1,h2,h3,h4,h5,h6,dt,dd,td,th"


class PageTraits(NamedTuple):
    """What is known of a page before it is split."""

    title: str
    hides: bool  # an attribute may hide something
    is_dated: bool  # as news and posts are, which have more beside them than other pages


class PageSplit(NamedTuple):
    """The texts of a page, and its links."""

    sections: tuple[Section, ...]
    rest: str
    links: Sequence[Found]
    beside: Collection[int]  # places of links that do not stand in the main text


class LinkedPlaces(NamedTuple):
    """Where signs in headings and terms link to, as find_own_targets() has it, and A that have a name."""

    targets: Mapping[int, str]
    named: Sequence[LexborNode]


def split_page(
    parse: Callable[[], LexborHTMLParser], tree: LexborHTMLParser, base: LinkBase, page: PageTraits
) -> PageSplit:
    """Splits a tree, which is taken apart; `parse` gives it anew."""
    if found := _split_by_element(tree, base, page):
        if _is_enough(found):
            return found
        tree = parse()
    body = tree.body
    if body is None:
        return PageSplit((Section("", "", ""),), "", find_links(tree.css("frame"), base).links, frozenset())
    if found := _split_by_guess(body, base, page):
        return found
    again = parse()
    return _keep_everything(again.body or body, base, page.hides)


def _is_enough(found: PageSplit) -> bool:
    main = sum(len(heading) + len(text) for heading, _, text, _ in found.sections)
    return main >= ENOUGH or (main > 0 and len(found.rest) <= ENOUGH * MOST_BESIDE)


def _split_by_element(tree: LexborHTMLParser, base: LinkBase, page: PageTraits) -> PageSplit | None:
    """Splits by the element that its author calls main; None if there is none."""
    root, body = tree.css_first("main,[role=main]"), tree.body
    if root is None or body is None or root.mem_id == body.mem_id:
        return None
    bring_title(root, body)
    inside = collect_elements(root)
    comments = _exclude_frames(root, find_comments(find_boxes(body.css(_COMMENTS))))
    root.replace_with(BLOCK)  # whatever is around it
    outside = collect_elements(body)
    links, signs, named = find_links(inside.links + outside.links, base)
    places = LinkedPlaces(find_own_targets(signs), named)
    is_dated = page.is_dated or bool(comments)
    controls = find_controls(inside.unread) if is_dated else frozenset()
    _remove_unread(root, inside, signs, page.hides)
    _remove_unread(body, outside, (), page.hides)
    found = find_boxes(inside.boxes)
    pieces = remove_boilerplate(root, found)
    pieces += remove_comments(root, found)
    if is_dated:  # to look at all links of a manual's page would cost a third of its reading
        prose = ProseSizes(root)
        title = find_title(inside.headings, root, page.title)
        pieces += _prune(root, root, Pruning(BoxContents(prose, controls), title), prose)
    beside = _collect_places(pieces) | {node.mem_id for node in outside.links}
    links = _mark_ugc(links, beside & _collect_places(comments + find_comments(found)), base)
    _flatten(outside)
    return _read_sections(root, inside, [body, *reversed(pieces)], links, beside, places)


def _split_by_guess(body: LexborNode, base: LinkBase, page: PageTraits) -> PageSplit | None:
    """Splits by names and by where the prose stands; None when too little would be left of it."""
    inside = collect_elements(body)
    links, signs, named = find_links(inside.links, base)
    places = LinkedPlaces(find_own_targets(signs), named)
    controls = find_controls(inside.unread)
    _remove_unread(body, inside, signs, page.hides)
    before, found = prose_length(body), find_boxes(inside.boxes)
    pieces = remove_boilerplate(body, found)
    prose = ProseSizes(body)
    chosen = choose_main_element(body, found, prose)
    if prose.size(chosen) < KEPT_SHARE * before:
        return None
    title = find_title(inside.headings, body, page.title)
    root = include_title(chosen, title)
    if page.is_dated or _is_post(base.url, links, root):
        pieces += _prune(chosen, root, Pruning(BoxContents(prose, controls), title), prose)
    else:
        pieces += remove_link_lists(chosen, prose)
        pieces += keep_title(chosen, root, title)
    pieces += remove_comments(root, found)
    pieces += remove_copyright_notice(root)
    comments = _exclude_frames(root, find_comments(found))
    pieces.reverse()
    if root.mem_id != body.mem_id:
        root.replace_with(BLOCK)
        pieces.insert(0, body)
    beside = _collect_places(pieces)
    links = _mark_ugc(links, beside & _collect_places(comments), base)
    return _read_sections(root, inside, pieces, links, beside, places)


def _is_post(url: str, links: Iterable[Found], root: LexborNode) -> bool:
    """Tells whether a page without metadata is of news or a post: its URL has a date, or it can be shared."""
    return (
        _DATE_IN_PATH.search(url) is not None
        or any(_SHARING.search(target) for _, target, *_ in links)
        or _begins_with_date(root)
    )


def _begins_with_date(root: LexborNode) -> bool:
    """Tells whether a date stands alone before the first paragraph."""
    for line in root.text(separator=BLOCK)[:BEGINNING].split(BLOCK):
        if len(line) > MAX_BYLINE and len(" ".join(line.split())) > MAX_BYLINE:
            return False
        if WRITTEN_DATE.search(line):
            return True
    return False


def _prune(chosen: LexborNode, root: LexborNode, pruning: Pruning, prose: ProseSizes) -> list[LexborNode]:
    """Prunes the main element of a dated page, and what stands between it and the title."""
    text = find_running_text(chosen, prose)
    if text is None:
        return remove_link_lists(root, prose)
    pruning.prune(text, root)
    return pruning.pieces


def _keep_everything(body: LexborNode, base: LinkBase, hides: bool) -> PageSplit:
    """Keeps all of it but what is boilerplate by its element."""
    inside = collect_elements(body)
    links, signs, named = find_links(inside.links, base)
    places = LinkedPlaces(find_own_targets(signs), named)
    _remove_unread(body, inside, signs, hides)
    pieces = remove_boilerplate(
        body, find_boxes(node for node in inside.boxes if node.tag_id not in PLAIN_BOXES)
    )
    return _read_sections(body, inside, pieces, links, _collect_places(pieces), places)


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
    """Collects the places of links, headings, terms and cells in pieces that were removed."""
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
    places: LinkedPlaces,
) -> PageSplit:
    """Reads the main part, cut at its headings and definitions, and the pieces beside it."""
    headings, terms, cells = (
        [node for node in nodes if node.mem_id not in beside]
        for nodes in (inside.headings, inside.terms, inside.cells)
    )
    mark_rows(cells)
    found = mark_headings(headings, terms, places.targets)
    named = (node for node in places.named if node.mem_id not in beside)
    fragments = mark_anchors(root, named, {begun.fragment for begun in found.values()})
    _flatten(inside)
    rest = [normalize_lines(block_text(piece)[:MAX_REST]) for piece in pieces]
    return PageSplit(
        cut_sections(root, found, fragments),
        "\n".join(text for text in rest if text)[:MAX_REST],
        links,
        beside,
    )
