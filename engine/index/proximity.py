"""Query words that stand close together in a text: what that adds to its score.

A pair of words that were typed one after the other counts each time it stands within REACH, less
the farther apart, and saturates as BM25 does (after Büttcher, Clarke and Lushman, "Term Proximity
Scoring for Ad-Hoc Retrieval on Very Large Text Collections", SIGIR 2006).
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled import BOOL, F32, F64, I32, I64, Number, compiled, filled, given, inlined, several
from engine.index.found import BODY, Found
from engine.index.lists import Documents, Scores
from engine.index.query import Word
from engine.index.reader import FIELD
from engine.index.schema import LAYOUT, TEXT_FIELDS
from engine.index.scoring import idf
from engine.index.words import Words
from engine.segment.places import PLACED, TERMS, Stands, stands_of
from engine.text.alphabet import SPACELESS

REACH = 8  # words; farther apart they say no more together than each says alone
SATURATION = 1.0  # pairs side by side at which half of what there is to gain is gained
_BODY = LAYOUT.placed_columns.index(TEXT_FIELDS.index(FIELD))
_BODY_MARK = int(BODY)
_GRAM = re.compile(f"[{SPACELESS}]{{1,2}}")
_MANY = 1 << 10  # words of which it is remembered whether they are grams
_ONE = np.uint64(1)  # unsigned: no check for places from the end
_NOWHERE = np.empty(0, np.int32), np.empty(0, np.int64)


def closeness(
    words: Words, typed: Sequence[Word], found: Sequence[Found], documents: Documents, looked: Scores
) -> Scores:
    """For each of the documents (ascending) what the words' nearness adds, before its weight.

    For each word what it finds, and in a row of `looked` (words, documents) the marked scores.
    """
    gained = np.zeros(len(documents), np.float32)
    tells = [_tells(*pair) for pair in pairwise(typed)]
    if not any(tells):
        return gained
    every = words.reader.documents
    rarities = [idf(every, max(one.in_body, other.in_body)) for one, other in pairwise(found)]
    beside = np.array([False, *tells, False])
    for member, where, _ in words.reader.parts(documents):
        stands, ends = _NOWHERE
        for at, word in enumerate(typed):
            of_word = words.held(member, word).terms.arrays, member.leaf.placed
            part = where.start, where.stop, member.base, looked, at, beside
            rarity = rarities[at - 1] if at else 0.0
            stands, ends = _near(*of_word, documents, *part, stands, ends, rarity, gained)
    return gained


def _tells(one: Word, other: Word) -> bool:
    """Whether nearness is news: overlapping pairs of letters always stand as they were typed."""
    return one.terms.isdisjoint(other.terms) and not (_is_gram(one) and _is_gram(other))


@lru_cache(_MANY)
def _is_gram(word: Word) -> bool:
    return any(map(_GRAM.fullmatch, word.terms))


@inlined
def _nearness(
    ones: Stands, one: Number, one_end: Number, others: Stands, other: Number, other_end: Number
) -> Number:
    """1 / distance squared, over each place of one word and the other's next to it on either side."""
    near, at, begin, end = 0.0, np.uint64(other), np.uint64(other), np.uint64(other_end)
    for here in ones[one:one_end]:
        while at < end and others[at] < here:
            at += _ONE
        if at > begin and here - others[at - _ONE] <= REACH:
            near += 1 / np.float64(here - others[at - _ONE]) ** 2
        if at < end and 0 < others[at] - here <= REACH:
            near += 1 / np.float64(others[at] - here) ** 2
    return near


@compiled(
    several(filled(I32), filled(I64))(
        TERMS,
        PLACED,
        *(given(I32), I64, I64, I64, given(F32, 2), I64, given(BOOL)),
        *(given(I32), given(I64), F64, filled(F32)),
    )
)
def _near(
    terms: tuple[NDArray[Any], ...],
    placed: tuple[NDArray[Any], ...],
    documents: Documents,
    start: Number,
    end: Number,
    base: Number,
    looked: Scores,
    word: Number,
    beside: NDArray[np.bool_],
    others: Stands,
    other_ends: NDArray[np.int64],
    rarity: Number,
    gained: Scores,
) -> tuple[Stands, NDArray[np.int64]]:
    """Where a word stands in the bodies of the documents start, start + 1 ... end - 1 (the segment numbers
    them from `base`), one after the other, and where each ends. What it gains by the word before it, which
    stands at `others`, is added to `gained`.

    `beside` tells for each word, and behind the last, whether it counts with the one before it; a document
    that has neither neighbour is left out.
    """
    marks = looked.view(np.uint32)
    wanted, count = np.empty(end - start, np.int32), np.int64(0)
    of_wanted = np.empty(end - start, np.int64)
    for at in range(start, end):
        precedes = beside[word + 1] and marks[word + 1, at] & _BODY_MARK != 0
        follows = beside[word] and marks[word - 1, at] & _BODY_MARK != 0
        if (precedes or follows) and marks[word, at] & _BODY_MARK != 0:
            wanted[count], of_wanted[count] = documents[at] - base, at
            count += 1
    stands, wanted_ends = stands_of(terms, placed, wanted[:count], _BODY, _BODY + 1)
    ends, one = np.empty(end - start, np.int64), np.int64(0)
    size, others_size = np.int64(0), np.int64(0)
    for at in range(start, end):
        first, first_other = size, others_size
        if one < count and of_wanted[one] == at:
            size, one = wanted_ends[one], one + 1
        ends[at - start] = size
        if beside[word]:
            others_size = other_ends[at - start]
            near = _nearness(others, first_other, others_size, stands, first, size)
            gained[at] += rarity * (SATURATION + 1) * near / (SATURATION + near)
    return stands, ends
