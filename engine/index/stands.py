"""Where the words of a query stand on a page: in its body, side by side, and in its headings."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.named import named
from engine.index.shown import LaidOut, Shown
from engine.index.sought import Sought
from engine.text.alphabet import MARKS
from engine.text.analysis import terms_of
from engine.text.places import MAX_WORD, places
from engine.text.words import has_spaceless

MAX_TEXT = 400_000  # characters searched; four times the longest page of the Python documentation

_GAP = re.compile(rf"(?:[^\W_]|[{MARKS}])*(?:_|[^\w{MARKS}]){{0,4}}")  # from a word to the one beside it

Numbers = NDArray[np.int64]


class Stands(NamedTuple):
    """Of each word where in the body it begins and ends, its number and its section; in this order.

    Phrases have the numbers behind the words. The number behind these is nobody's: it stands where a section
    begins whose heading has a word, since a passage may begin there without any.
    """

    columns: Numbers
    headed: Numbers  # words of each section's heading, or of the name that its id is, a bit for each
    titled: frozenset[int]  # words of the title


def stands(page: Shown, laid: LaidOut, sought: Sought) -> Stands:
    """All of them, but for what its host repeats and what lies behind MAX_TEXT."""
    rough = np.stack(places(page.front.text[:MAX_TEXT], sought.beginnings))
    in_body, spans = _inside(rough[0], laid.spans)
    in_heading, sections = _inside(rough[0], [place[:2] for place in laid.sections])
    sure = _sure(page, rough, in_body | in_heading, sought)
    headed = np.zeros(len(laid.sections), np.int64)
    of_heading = sure & in_heading
    np.bitwise_or.at(headed, sections[of_heading], 1 << rough[2, of_heading])
    for section, says in _of_names(page, sought):
        if section < len(headed):
            headed[section] |= says
    of_body = sure & in_body
    columns = _moved(rough[:, of_body], spans[of_body], laid)
    added = [*_phrases(columns, sought, laid.body), *_openings(headed, laid, sought)]
    if added:
        columns = np.concatenate((columns, np.array(added, np.int64).T), axis=1)
    order = np.lexsort((columns[0], columns[3]))
    return Stands(np.ascontiguousarray(columns[:, order]), headed, _titled(page, sought))


def _inside(at: Numbers, spans: Sequence[tuple[int, int]]) -> tuple[NDArray[np.bool_], Numbers]:
    """Which of the places lie in one of the spans (ascending), and in which one."""
    if not spans:
        return np.zeros(len(at), np.bool_), np.zeros(len(at), np.int64)
    starts, ends = np.array(spans, np.int64).T
    of = np.maximum(starts.searchsorted(at, side="right") - 1, 0)
    return (starts[of] <= at) & (at < ends[of]), of


def _sure(page: Shown, rough: Numbers, shown: NDArray[np.bool_], sought: Sought) -> NDArray[np.bool_]:
    """At which places that are shown the word itself stands."""
    text = page.front.text
    places = [
        (number, _chunk(text, start, end))
        for start, _, number, end in zip(*rough[:, shown].tolist(), strict=True)
    ]
    begins = {place: sought.begins(*place, page.language) for place in set(places)}
    sure = shown.copy()
    sure[shown] = [begins[place] for place in places]
    return sure


def _chunk(text: str, start: int, end: int) -> str:
    """What says which word begins there; of letters without spaces three do."""
    if text[start] >= "\u0e00" and has_spaceless(text[start]):
        return text[start : min(end, start + 3)]
    return text[start:end]


def _of_names(page: Shown, sought: Sought) -> Iterator[tuple[int, int]]:
    """The sections whose ids are names in the query, and what these say: a bit for each word and phrase."""
    for section, number in named(page.front.fragments, sought.said):
        terms = terms_of(page.front.fragments[section], page.language)
        words = {other for other, needle in enumerate(sought.needles) if needle.among(terms)} | {number}
        yield section, sum(1 << word for word in words)
        for phrase, of in enumerate(sought.phrases, len(sought.needles)):
            yield section, int(words.issuperset(of)) << phrase


def _moved(found: Numbers, spans: Numbers, laid: LaidOut) -> Numbers:
    """The same with places in the body, and with their sections."""
    if not found.size:
        return np.empty((4, 0), np.int64)
    moved = (np.array(laid.starts, np.int64) - np.array(laid.spans, np.int64)[:, 0])[spans]
    return np.stack((found[0] + moved, found[1] + moved, found[2], np.array(laid.of, np.int64)[spans]))


def _phrases(columns: Numbers, sought: Sought, body: str) -> Iterator[tuple[int, int, int, int]]:
    """Where words stand side by side that should."""
    if not sought.phrases:
        return
    rows: dict[int, dict[int, tuple[int, int]]] = {}
    of_phrases = np.isin(columns[2], list(chain.from_iterable(sought.phrases)))
    for start, end, number, section in columns[:, of_phrases].T.tolist():
        rows.setdefault(number, {})[start] = end, section
    starts = {number: list(of) for number, of in rows.items()}
    for number, phrase in enumerate(sought.phrases, len(sought.needles)):
        for start in starts.get(phrase[0], ()):
            last = _last(start, phrase, starts, body)
            if last >= 0 and rows[phrase[0]][start][1] == rows[phrase[-1]][last][1]:
                yield start, rows[phrase[-1]][last][0], number, rows[phrase[0]][start][1]


def _last(start: int, phrase: Sequence[int], starts: Mapping[int, list[int]], body: str) -> int:
    """Where the last word of a phrase begins whose first begins at `start`; -1: it does not stand there."""
    for number in phrase[1:]:
        there = starts.get(number, [])
        at = bisect_right(there, start)
        if at == len(there) or there[at] - start > MAX_WORD or not _GAP.fullmatch(body, start, there[at]):
            return -1
        start = there[at]
    return start


def _titled(page: Shown, sought: Sought) -> frozenset[int]:
    terms = terms_of(page.title, page.language)
    return frozenset(number for number, needle in enumerate(sought.needles) if needle.among(terms))


def _openings(headed: Numbers, laid: LaidOut, sought: Sought) -> Iterator[tuple[int, int, int, int]]:
    """Where sections begin whose headings have a word."""
    number = len(sought.needles) + len(sought.phrases)
    for section in np.flatnonzero(headed).tolist():
        span = bisect_left(laid.of, section)
        if span < len(laid.of):
            yield laid.starts[span], laid.starts[span], number, section
