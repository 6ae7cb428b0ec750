"""The lines of text shown under a hit, with the query's words marked in them.

The place is found roughly, by the beginnings of the query's terms, which takes a long page a
fraction of a millisecond; only the passage that is shown is analysed in full.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from engine.index.query import Word
from engine.index.shown import Shown
from engine.text.accents import simplified
from engine.text.analysis import spans
from engine.text.direction import undirected

LENGTH = 240  # characters: two to three lines on a result page
LEAD = 60  # characters before the first match
MAX_PLACES = 200  # rough matches of a term; a page with more of them has good ones among these
MAX_SLACK = 24  # characters given up at an edge to end it between words
MAX_TEXT = 400_000  # characters searched; four times the longest page of the Python documentation
_SPACELESS_FROM = "\u0e00"  # Thai; scripts from here on mostly have no spaces, so a word may start anywhere


class Snippet(NamedTuple):
    """Plain text, and the spans (start, end) in it that the query's words cover."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()


def snippet(page: Shown, words: Sequence[Word]) -> Snippet:
    """The passage with most of the words, near each other; without any, the description or the beginning.

    Never longer than the page's owner permits (max-snippet, nosnippet).
    """
    limit, description = page.front.max_snippet, page.front.description
    text = page.body[:MAX_TEXT]
    wanted = frozenset[str]().union(*(word.terms | word.akin for word in words))
    passage = _marked(_passage(text, _best_start(text, words))[:limit], page.language, wanted)
    if passage.marks or not description:
        return passage
    return _marked(_passage(description, 0)[:limit], page.language, wanted)


def _best_start(text: str, words: Sequence[Word]) -> int:
    """Where the passage begins that has most of the words, then most matches, then the first."""
    simple = simplified(text)
    places = sorted(
        (at, number) for number, word in enumerate(words) for at in _rough_places(text, simple, word)
    )
    inside: Counter[int] = Counter()
    best, start, end = (0, 0), 0, 0
    for first, (at, number) in enumerate(places):
        while end < len(places) and places[end][0] < at + LENGTH - LEAD:
            inside[places[end][1]] += 1
            end += 1
        if (found := (len(+inside), end - first)) > best:
            best, start = found, at
        inside[number] -= 1
    return max(0, start - LEAD)


def _rough_places(text: str, simple: str, word: Word) -> set[int]:
    """Where words begin as the word's terms do; a stem may end otherwise than the word in the text."""
    beginnings = {simplified(term)[: max(3, len(term) - 2)] for term in word.terms}
    return {
        place.start()
        for beginning in beginnings
        for place in islice(re.finditer(re.escape(beginning), simple), MAX_PLACES)
        if beginning >= _SPACELESS_FROM or _begins(text, place.start())
    }


def _begins(text: str, at: int) -> bool:
    """Whether a word may begin there, or a part of one that case shows."""
    return not text[at - 1 : at].isalnum() or text[at : at + 1].isupper()


def _passage(text: str, start: int) -> str:
    """LENGTH characters on one line from about there, whole words, an ellipsis where something is cut."""
    end = min(len(text), start + LENGTH)
    if start:
        edge = re.search(r"(?<=\s)\S", text[start : start + MAX_SLACK])
        start += edge.start() if edge else 0
    tail = ""
    if end < len(text):
        edges = [gap.start() for gap in re.finditer(r"\s", text[end - MAX_SLACK : end + 1])]
        end += edges[-1] - MAX_SLACK if edges else 0
        tail = " …"
    return ("… " if start else "") + " ".join(undirected(text[start:end]).split()) + tail


def _marked(passage: str, language: str, wanted: frozenset[str]) -> Snippet:
    """The passage with its matches; those that touch (pairs of Chinese letters) are one mark."""
    marks: list[tuple[int, int]] = []
    for term, start, end in spans(passage, language):
        if term not in wanted:
            continue
        if marks and start <= marks[-1][1]:
            start, before = marks.pop()
            end = max(end, before)
        marks.append((start, end))
    return Snippet(passage, tuple(marks))
