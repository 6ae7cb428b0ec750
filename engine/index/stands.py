"""Where the words of a query stand on a page: in its body, side by side, and in its headings."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.index.beside import phrases
from engine.index.laid_out import MAX_TEXT, LaidOut, Numbers
from engine.index.named import named
from engine.index.placed import Placed
from engine.index.shown import Shown
from engine.index.sought import Sought
from engine.text.analysis import terms_of
from engine.text.places import places


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
    placed = Placed(places(laid.text, sought.rough, MAX_TEXT), laid, sought.behind)
    headed = np.zeros(laid.sections.shape[1], np.int64)
    columns, begins = placed.columns(sought.sure(placed.readings(), page.language), headed)
    for section, says in _of_names(page, sought):
        if section < len(headed):
            headed[section] |= says
    added = _openings(headed, laid, len(sought.needles) + len(sought.phrases))
    every = [columns, *phrases(laid.text.array, columns, begins, sought.phrases, len(sought.needles))]
    if added.size or sought.phrases:
        columns = np.concatenate([*every, added], axis=1)
        columns = np.ascontiguousarray(columns[:, np.lexsort((columns[0], columns[3]))])
    titled = frozenset(number for number, needle in enumerate(sought.needles) if needle.among(page.titled))
    return Stands(columns, headed, titled)


def _of_names(page: Shown, sought: Sought) -> Iterator[tuple[int, int]]:
    """The sections whose ids are names in the query, and what these say: a bit for each word and phrase."""
    for section, number in named(page.front.fragments, page.ids, sought.said):
        terms = terms_of(page.front.fragments[section], page.language)
        words = {other for other, needle in enumerate(sought.needles) if needle.among(terms)} | {number}
        yield section, sum(1 << word for word in words)
        for phrase, of in enumerate(sought.phrases, len(sought.needles)):
            yield section, int(words.issuperset(of)) << phrase


def _openings(headed: Numbers, laid: LaidOut, number: int) -> Numbers:
    """Columns with this number, of where sections begin whose headings have a word."""
    sections = headed.nonzero()[0]
    if not sections.size:
        return np.empty((4, 0), np.int64)
    spans = laid.spans[2].searchsorted(sections)
    begun = spans < laid.spans.shape[1]
    at = laid.spans[3, spans[begun]]
    return np.stack([at, at, np.full_like(at, number), sections[begun]])
