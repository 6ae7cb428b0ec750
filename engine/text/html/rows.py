"""Marks rows: a definition goes on what its term began, a cell what the one before it did."""

import re
from collections.abc import Iterable
from itertools import islice

from selectolax.lexbor import LexborNode

from engine.model import CELL_END
from engine.text.html.elements import BLOCK, TERM, tag_ids

_MARK = "\ue002"  # stands alone before what goes on a row: private use, so it means nothing on a page
MAX_NODES = 16  # of a cell that are looked at for a word; one with more before its first word counts as empty

_DEFINITION = tag_ids("dd")
_MARKS = re.compile(rf"\n{_MARK}\n(?:{_MARK}\n)*")


def mark_rows(cells: Iterable[LexborNode]) -> None:
    """Marks the place of each definition and cell that has words, where its row has words before it."""
    for node in cells:
        if _has_words(node) and _has_begun(node):  # so that a row of empty cells is walked back once
            node.insert_before(BLOCK + _MARK)


def _has_begun(node: LexborNode) -> bool:
    """Tells whether there are words before a cell in its row, or in the term before a definition."""
    before = node.prev
    while before is not None:
        if not before.is_text_node:
            if before.tag_id in _DEFINITION:
                return False
            if _has_words(before):
                return True
            if before.tag_id in TERM:
                return False
        before = before.prev
    return False


def _has_words(node: LexborNode) -> bool:
    part = node.first_child
    for _ in range(MAX_NODES):  # nearly all begin with their first word, and only in depth it costs little
        if part is None:
            break
        if (text := part.text_content) is None:
            part = part.first_child
        elif text.strip():
            return True
        else:
            part = part.next
    parts = islice(node.traverse(include_text=True), MAX_NODES)
    return any((part.text_content or "").strip() for part in parts)


def join_rows(text: str) -> str:
    """Puts CELL_END behind the lines before marks, which go, in a text with a line for each block."""
    return _MARKS.sub(f"{CELL_END}\n", f"\n{text}\n")[1:-1] if _MARK in text else text
