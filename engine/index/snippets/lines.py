"""Joins lines of a page to the one line of a snippet, with a sign between those that are no sentences.

Search engines put a dot between the items of a list; dictionaries a dash behind a word.
"""

import re

from engine.model import CELL_END
from engine.text.analysis import next_grapheme_boundary, previous_grapheme_boundary, strip_bidi_controls

BETWEEN = " · "  # two blocks: items, rows, a line and the next
WITHIN = " — "  # a term and its definition, a cell and the next
MAX_SLACK = 24  # characters given up at an edge to end it between words

_ENDING = ".!?…؟।۔。！？"  # of a sentence
_STOPS = _ENDING + ":;,،؛：；，、·•|–—→/="  # what parts by itself what follows
_BEGINNING = "·•|–—→:;,)"  # what parts by itself what came before
_CLOSING = r"\"'”’»)\]」』）"
_BREAK = re.compile(
    rf"(?<![{_STOPS}\s])(?<![{_STOPS}][{_CLOSING}])\s*?({CELL_END}?)\n\s*(?=[^\s{_BEGINNING}])"
)
_SENTENCE_END = re.compile(rf"[{_ENDING}][{_CLOSING}]*\Z")
_SENTENCE_WITHIN = re.compile(rf"[{_ENDING}][{_CLOSING}]*(?:\s|\Z)|[。！？]")
_WORD_START = re.compile(r"(?<=\s)\S")
NAVIGATION = re.compile(r"(?:[^|›»>]*\s[|›»>]\s){2}")
"""Signs between the names of a menu or a path."""
SENTENCE = re.compile(rf"(?:[.!?…؟।۔][{_CLOSING}]*\s+|[。！？][{_CLOSING}]*\s*|(?<!{CELL_END})\n)(?=\S)")
"""What stands before a sentence, or before a line that begins a block or a row of the page."""


def join_lines(text: str) -> str:
    """Joins lines to one, in which nothing runs into what it does not belong to."""
    text = strip_bidi_controls(text).strip()
    if "\n" in text:
        text = _BREAK.sub(_sign_between, text)
    return " ".join(text.split())


def _sign_between(found: re.Match[str]) -> str:
    return WITHIN if found[1] else BETWEEN


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
    return f"{line} …" if line and not is_sentence_end(line) else line
