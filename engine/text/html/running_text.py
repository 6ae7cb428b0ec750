"""Finds the element that holds the running text of a page: its paragraphs, one after the other.

Paragraphs of an article are children of one element; those of teasers and comments have one each. Where a
page puts each of its paragraphs into a box of its own, boxes of the same kind in one element count together.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from selectolax.lexbor import LexborNode

from engine.text.html.elements import ANCHOR, BLOCKS, Kind, ancestors, is_within, kind_of, tag_ids
from engine.text.html.main_text import ENOUGH_PROSE, ProseSizes

LONG = 40  # characters outside links: a block with as many is a paragraph, no label
MAX_PARAGRAPHS = 2_000  # of a page that are looked at
LITTLE_PROSE = 200  # characters of a text that is there alone
MOST = 0.5  # of the paragraphs of a page
BOXED = 6  # elements around a paragraph that may be there for it alone
IN_LINK = 4  # elements between a link around a block and the block
FEW_LINES = 2  # BR in an element: it holds a text, not a paragraph

_BR = tag_ids("br")
_LISTS = tag_ids("li dd dt ul ol dl")
_TEXT_HOLDERS = "div,td,font,section,article,span"


class RunningText(NamedTuple):
    """The element that holds a text; and of what kind are the boxes in it, if each paragraph has its own."""

    holder: LexborNode
    boxes: Kind | None = None


def find_running_text(root: LexborNode, prose: ProseSizes) -> RunningText | None:
    """Finds the holder of most of the paragraphs of an element; None where there is none with enough."""
    blocks = _measure_paragraphs(root.css("p")[:MAX_PARAGRAPHS], prose)
    found = _find_holder(blocks, ENOUGH_PROSE)
    if found is None:
        blocks += _measure_lines(root.css(_TEXT_HOLDERS)[:MAX_PARAGRAPHS], prose)
        found = _find_holder(blocks, ENOUGH_PROSE) or _find_short(blocks, root)
    return found


def _find_short(blocks: Sequence[tuple[LexborNode, int]], root: LexborNode) -> RunningText | None:
    """Finds the holder of a text that is short or in boxes, among more comments or teasers."""
    boxed = _find_boxed(blocks, root, ENOUGH_PROSE)
    first = blocks[0][0].mem_id if blocks else 0
    little = _find_holder([block for block in blocks if block[0].mem_id == first], LITTLE_PROSE)
    if little is not None and (boxed is None or not is_within(little.holder, boxed.holder)):
        return little
    least = max(LITTLE_PROSE, sum(size for _, size in blocks) * MOST)
    return boxed or _find_holder(blocks, least) or _find_boxed(blocks, root, least)


def find_part(root: LexborNode, prose: ProseSizes) -> RunningText | None:
    """Finds the holder of most of the paragraphs in one of several boxes, as short as they may be."""
    blocks = _measure_paragraphs(root.css("p")[:MAX_PARAGRAPHS], prose)
    return _find_holder(
        blocks or _measure_lines([root, *root.css(_TEXT_HOLDERS)[:MAX_PARAGRAPHS]], prose), LONG
    )


def _measure_paragraphs(nodes: Iterable[LexborNode], prose: ProseSizes) -> list[tuple[LexborNode, int]]:
    """Measures those of some blocks that are long, by the elements that hold them."""
    found = []
    for node in nodes:
        characters = prose.unlinked_size(node)
        if characters < LONG or 2 * characters <= prose.size(node) or _is_in_link(node):
            continue
        if (parent := node.parent) is not None:
            found.append((parent, characters))
    return found


def _is_in_link(node: LexborNode) -> bool:
    """Tells whether a block is part of a card that is a link as a whole."""
    return any(above.tag_id in ANCHOR for above in islice(ancestors(node), IN_LINK))


def _measure_lines(nodes: Iterable[LexborNode], prose: ProseSizes) -> list[tuple[LexborNode, int]]:
    """Measures elements that hold nothing but a text, or one that BR cuts into paragraphs."""
    found = []
    for node in nodes:
        lines, is_leaf = 0, True
        for child in node.iter():
            if child.tag_id in _BR:
                lines += 1
            elif child.tag_id in BLOCKS:
                is_leaf = False
                break
        if lines >= FEW_LINES:
            text = sum(len(part.text().strip()) for part in node.iter(include_text=True) if part.is_text_node)
            found.append((node, text))
        elif is_leaf and node.tag_id in BLOCKS:
            found += _measure_paragraphs((node,), prose)
    return found


def _find_holder(blocks: Iterable[tuple[LexborNode, int]], least: float) -> RunningText | None:
    sums: dict[int, int] = {}
    nodes: dict[int, LexborNode] = {}
    for holder, characters in blocks:
        key = holder.mem_id
        sums[key] = sums.get(key, 0) + characters
        nodes[key] = holder
    best = max(sums, key=sums.__getitem__, default=0)  # the first of those with as many
    return RunningText(_leave_list(nodes[best])) if sums.get(best, 0) >= least else None


def _leave_list(holder: LexborNode) -> LexborNode:
    """Returns the element around the list in which paragraphs stand: its short items belong to them."""
    above: LexborNode | None = holder
    while above is not None and above.tag_id in _LISTS:
        holder, above = above, above.parent
    return holder if above is None else above


def _find_boxed(
    blocks: Iterable[tuple[LexborNode, int]], root: LexborNode, least: float
) -> RunningText | None:
    """Finds the element with most text in boxes of one kind, those nearest to the paragraphs first."""
    level = list(blocks)
    for _ in range(BOXED):
        sums: dict[tuple[int, Kind], int] = {}
        nodes: dict[tuple[int, Kind], LexborNode] = {}
        above: list[tuple[LexborNode, int]] = []
        for box, characters in level:
            parent = box.parent
            if parent is None or box.mem_id == root.mem_id:
                continue
            key = parent.mem_id, kind_of(box)
            sums[key] = sums.get(key, 0) + characters
            nodes[key] = parent
            above.append((parent, characters))
        best = max(sums, key=sums.__getitem__, default=None)
        if best is not None and sums[best] >= least:
            return RunningText(nodes[best], best[1])
        level = above
    return None
