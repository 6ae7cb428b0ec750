"""Marks rows: a definition goes on what its term began, a cell what the one before it did."""

import re

from selectolax.lexbor import LexborNode

from engine.model import CELL_END

_MARK = "\ue002"  # stands alone before what goes on a row: private use, so it means nothing on a page
_CONTINUED = "dt+dd,:is(td,th)+:is(td,th)"
_MARKS = re.compile(rf"(?:\n|\A)(?:{_MARK}(?:\n|\Z))+")


def mark_rows(root: LexborNode) -> None:
    """Marks the place of each definition and cell before which its row has begun."""
    for node in root.css(_CONTINUED):
        node.insert_before(_MARK)


def join_rows(text: str) -> str:
    """Puts CELL_END behind the lines before marks, which go, in a text with a line for each block."""
    return _MARKS.sub(f"{CELL_END}\n", text) if _MARK in text else text
