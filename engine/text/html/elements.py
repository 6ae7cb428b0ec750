"""Classifies elements: which separate words, which are headings, which are no text."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from engine.text.html import hidden

MAX_ANCESTORS = 16  # elements looked at around one; headers and footers of a page are near its root
MAX_INSIDE = 64  # elements looked at in a heading or link; more than that is a page's fault

BLOCK = "\f"
"""Parts blocks in the text of an element: white space to a parser, and on a page only from printouts."""

SAME_SHAPE = 3  # children that tell the kind of an element without a class

Kind = tuple[object, ...]
"""What elements of a kind have in common."""

_DIGIT = re.compile(r"\d")
_BLOCK_NAMES = """
    address article aside blockquote body br button caption center dd details dialog div dl dt fieldset
    figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr iframe legend li main menu nav ol optgroup
    option p pre section select summary table tbody td textarea tfoot th thead tr ul
"""


def tag_ids(names: str) -> frozenset[int]:
    """Returns the parser's numbers for the elements of these names: a number costs half of a name."""
    tree = LexborHTMLParser("")
    return frozenset(tree.create_node(name).tag_id for name in names.split())


BLOCKS = tag_ids(_BLOCK_NAMES)
HEADINGS = tag_ids("h1 h2 h3 h4 h5 h6")
TERM = tag_ids("dt")
CELLS = tag_ids("dd td th")
UNREAD = tag_ids(
    "script style iframe object svg input select textarea datalist button template " + hidden.FALLBACK_NAMES
)
BUTTON = tag_ids("button")
SECTIONING = tag_ids("article section main")  # HTML, 4.3: their headers and footers are not the page's
BOXES = tag_ids("div section ul ol dl table form aside header footer nav main article center dialog fieldset")
ANCHOR = tag_ids("a")
LINKS = tag_ids("a area iframe frame")


class Elements(NamedTuple):
    """What a page is made of, each list in its order; blocks that are nothing else are in none of them."""

    inline: list[LexborNode]
    links: list[LexborNode]
    boxes: list[LexborNode]
    headings: list[LexborNode]
    terms: list[LexborNode]  # of lists of definitions
    cells: list[LexborNode]  # of tables, and definitions
    unread: list[LexborNode]


_INLINE = Elements._fields.index("inline")
_OTHER = len(Elements._fields)  # blocks that are nothing else
_LISTS = {
    "unread": UNREAD,
    "boxes": BOXES,
    "headings": HEADINGS,
    "terms": TERM,
    "cells": CELLS,
}
_LIST_OF_TAG = dict.fromkeys(BLOCKS, _OTHER) | {
    tag: Elements._fields.index(name) for name, tags in _LISTS.items() for tag in tags
}


def collect_elements(root: LexborNode) -> Elements:
    """Collects the content of an element, in one walk."""
    found = Elements([], [], [], [], [], [], [])
    lists, links = (*found, list[LexborNode]()), found.links
    for node in islice(root.traverse(), 1, None):
        tag = node.tag_id
        lists[_LIST_OF_TAG.get(tag, _INLINE)].append(node)
        if tag in LINKS:
            links.append(node)
    return found


def element_text(node: LexborNode) -> str:
    """Returns an element's text on one line; blocks in it part words, as they do everywhere."""
    child = node.first_child
    if child is None:
        return ""
    if child.next is None and (text := child.text_content) is not None:
        return " ".join(text.split())  # as most links are
    text = node.text(separator=BLOCK)
    if BLOCK in text:  # inline elements do not part words, and most pages have none in a link
        for inner in islice(node.traverse(), 1, MAX_INSIDE):
            if inner.tag_id in BLOCKS and not _is_separated(inner):
                inner.insert_before(BLOCK)
                inner.insert_after(BLOCK)
        text = node.text()
    return " ".join(text.split())


def _is_separated(block: LexborNode) -> bool:
    """Tells whether element_text() was here before: a link may be in a link, by way of a table."""
    after = block.next
    return after is not None and after.text_content == BLOCK


def ancestors(node: LexborNode) -> Iterator[LexborNode]:
    """Yields the elements around a node, the nearest first."""
    above = node.parent
    for _ in range(MAX_ANCESTORS):
        if above is None:
            return
        yield above
        above = above.parent


def is_within(node: LexborNode, root: LexborNode) -> bool:
    """Tells whether an element is still in another, which nothing is that was removed."""
    above, root_id = node.parent, root.mem_id
    while above is not None and above.mem_id != root_id:
        above = above.parent
    return above is not None


def kind_of(node: LexborNode) -> Kind:
    """Returns what elements of a kind have in common: tag and first class, or their first children.

    Classes with digits count only where there are no others: they number what is of a kind.
    """
    names = (node.attributes.get("class") or "").split()
    if names:
        return node.tag_id, next((name for name in names if not _DIGIT.search(name)), names[0])
    return node.tag_id, *(child.tag_id for child in islice(node.iter(), SAME_SHAPE))


def remove_element(node: LexborNode) -> None:
    """Removes an element, but for its parting words, if it did."""
    node.replace_with(BLOCK if node.tag_id in BLOCKS else "")


def block_text(node: LexborNode) -> str:
    """Returns the text of an element with nothing in it but blocks and text, with BLOCK between blocks.

    Child by child, because the parser joins no texts directly in what was taken out of its tree.
    """
    parts = []
    for child in node.iter(include_text=True):
        if (text := child.text_content) is None:
            child.merge_text_nodes()
            text = f"{BLOCK}{child.text(separator=BLOCK, skip_empty=True)}{BLOCK}"
        parts.append(text)
    return "".join(parts)


def normalize_lines(text: str) -> str:
    """Normalizes a text to a line for each block and single spaces."""
    # White space that is no space does not print; most lines have none, nor two spaces in a row.
    return "\n".join(
        [
            line if "  " not in line and line.isprintable() else " ".join(line.split())
            for line in map(str.strip, text.replace("\n", " ").split(BLOCK))
            if line
        ]
    )
