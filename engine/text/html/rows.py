"""Marks rows: a definition goes on what its term began, a cell what the one before it did."""

import re
from itertools import islice

from selectolax.lexbor import LexborNode

from engine.model import CELL_END
from engine.text.html.elements import BLOCK, TERM, tag_ids

_MARK = "\ue002"  # stands alone before what goes on a row: private use, so it means nothing on a page
MAX_NODES = 16  # of a cell that are looked at for a word; one with more before its first word counts as empty

_CELLS = "dd,td,th"  # to ask for those alone that follow another costs half as much again
_DEFINITION = tag_ids("dd")
_MARKS = re.compile(rf"(?:\n|\A)(?:{_MARK}(?:\n|\Z))+")


def mark_rows(root: LexborNode) -> None:
    """Marks the place of each definition and cell that has words, where its row has words before it."""
    for node in root.css(_CELLS):
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
        if not part.is_text_node:
            part = part.first_child
        elif _is_word(part):
            return True
        else:
            part = part.next
    return any(
        part.is_text_node and _is_word(part) for part in islice(node.traverse(include_text=True), MAX_NODES)
    )


def _is_word(node: LexborNode) -> bool:
    text = node.text_content
    return text is not None and not text.isspace()


def join_rows(text: str) -> str:
    """Puts CELL_END behind the lines before marks, which go, in a text with a line for each block."""
    return _MARKS.sub(f"{CELL_END}\n", text) if _MARK in text else text
