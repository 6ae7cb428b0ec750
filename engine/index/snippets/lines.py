"""Joins lines of a page to the one line of a snippet, with a sign between those that are no sentences.

Search engines put a dot between the items of a list; dictionaries a dash behind a word.
"""

import re
from collections.abc import Iterable

from engine.model import CELL_END
from engine.text.analysis import next_grapheme_boundary, previous_grapheme_boundary, strip_bidi_controls

BETWEEN = " · "  # two blocks: items, rows, a line and the next
WITHIN = " — "  # a term and its definition, a cell and the next
BEFORE, BEHIND = "…\u00a0", "\u00a0…"  # where a sentence is cut; never on a line of its own
MAX_SLACK = 24  # characters given up at an edge to end it between words

_ENDING = ".!?…؟।۔。！？"  # of a sentence
_STOPS = frozenset(_ENDING + ":;,،؛：；，、·•|–—→/=")  # what parts by itself what follows
_BEGINNING = frozenset("·•|–—→:;,)")  # what parts by itself what came before
_CLOSING = "\"'”’»)]」』）"
_CLOSINGS = f"[{re.escape(_CLOSING)}]*"
_SENTENCE_END = re.compile(rf"[{_ENDING}]{_CLOSINGS}\Z")
_SENTENCE_WITHIN = re.compile(rf"[{_ENDING}](?:{_CLOSINGS}(?:\s|\Z)|(?<=[。！？]))")
_WORD_START = re.compile(r"(?<=\s)\S")
NAVIGATION = re.compile(r"(?:[^|›»>]*\s[|›»>]\s){2}")
"""Signs between the names of a menu or a path."""
SENTENCE = re.compile(  # it begins with one set of characters, which is found four times as fast
    rf"[{_ENDING}\n](?:(?<=[.!?…؟।۔]){_CLOSINGS}\s+|(?<=[。！？]){_CLOSINGS}\s*|(?<=\n)(?<!{CELL_END}\n))(?=\S)"
)
"""What stands before a sentence, or before a line that begins a block or a row of the page."""


def join_lines(text: str) -> str:
    """Joins lines to one, in which nothing runs into what it does not belong to."""
    line = "".join(_add_signs(strip_bidi_controls(text).split("\n")))
    # White space that is no space does not print.
    return line if "  " not in line and line.isprintable() else " ".join(line.split())


def _add_signs(lines: Iterable[str]) -> list[str]:
    """Lists the lines that say something, with what parts them between them."""
    found: list[str] = []
    sign = ""
    for line in lines:
        if said := line.strip():
            if found:
                last = found[-1]
                end = last[-1] if last[-1] not in _CLOSING else (last.rstrip(_CLOSING) or last)[-1]
                found.append(" " if end in _STOPS or said[0] in _BEGINNING else sign)
            found.append(said)
            sign = WITHIN if line.endswith(CELL_END) else BETWEEN
    return found


def is_ascii(line: str) -> bool:
    """Tells whether a line is ASCII but for the signs that are put into it."""
    for sign in (BEHIND, BEFORE, BETWEEN, WITHIN):
        line = line.replace(sign, "")
    return line.isascii()


def has_sentence_end(line: str) -> bool:
    """Tells whether a sentence ends in a line."""
    return _SENTENCE_WITHIN.search(line) is not None


def is_sentence_end(text: str) -> bool:
    """Tells whether a text ends where a sentence does."""
    return _SENTENCE_END.search(text) is not None


def find_word(text: str, at: int) -> int:
    """Finds where a word begins near a place, or else a character."""
    if edge := _WORD_START.search(text, at, at + MAX_SLACK):
        return edge.start()
    before = text.rfind(" ", max(0, at - MAX_SLACK), at) + 1
    return before or next_grapheme_boundary(text, at)


def cut_line(line: str, length: int) -> str:
    """Cuts a line that goes on between words, with an ellipsis unless a sentence ends there."""
    if len(line) > length:
        edge = line.rfind(" ", max(0, length - MAX_SLACK), length + 1)
        line = line[: edge if edge >= 0 else previous_grapheme_boundary(line, length)]
    line = line.rstrip(f"{BETWEEN}{WITHIN}")
    return f"{line}{BEHIND}" if line and not is_sentence_end(line) else line
