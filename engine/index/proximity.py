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

from engine.compiled import Number, inlined
from engine.index.found import BODY
from engine.index.lists import Scores
from engine.index.query import Word
from engine.index.reader import FIELD
from engine.index.schema import LAYOUT, TEXT_FIELDS
from engine.index.strips import ENDS, first_of
from engine.segment.places import Stands, stands_of
from engine.text.alphabet import SPACELESS

REACH = 8  # words; farther apart they say no more together than each says alone
SATURATION = 1.0  # pairs side by side at which half of what there is to gain is gained
_BODY = LAYOUT.placed_columns.index(TEXT_FIELDS.index(FIELD))
_BODY_MARK = int(BODY)
_GRAM = re.compile(f"[{SPACELESS}]{{1,2}}")
_MANY = 1 << 10  # words of which it is remembered whether they are grams
_ONE = np.uint64(1)  # unsigned: no check for places from the end


def beside(typed: Sequence[Word]) -> NDArray[np.bool_]:
    """For each word, and behind the last, whether it tells something that it stands near the one before it.

    Overlapping pairs of letters always stand as they were typed.
    """
    return np.array([False, *[_tells(*pair) for pair in pairwise(typed)], False])


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


@inlined
def add_near(
    lists: Any,
    placed: Any,
    places: NDArray[np.int64],
    marks: NDArray[np.uint32],
    beside: NDArray[np.bool_],
    rarities: Scores,
    gained: Scores,
) -> None:
    """Add what documents gain. `places` tells which postings of the lists they have, `marks` (words,
    documents) where the words stand, `rarities` how rare these are in bodies.

    A document that has neither neighbour of a word in its body is left out.
    """
    size_all = len(gained)
    others, other_ends = np.empty(0, np.int32), np.zeros(size_all, np.int64)
    for word in range(len(rarities)):
        of_wanted, count = np.empty(size_all, np.int64), np.int64(0)
        for at in range(size_all):
            precedes = beside[word + 1] and marks[word + 1, at] & _BODY_MARK != 0
            follows = beside[word] and marks[word - 1, at] & _BODY_MARK != 0
            if (precedes or follows) and marks[word, at] & _BODY_MARK != 0:
                of_wanted[count] = at
                count += 1
        first: Number = first_of(lists, word)
        wanted = np.empty((lists[ENDS][word] - first, count), np.int64)
        for term in range(len(wanted)):
            for number in range(count):
                wanted[term, number] = places[first + term, of_wanted[number]]
        stands, wanted_ends = stands_of(placed, wanted, _BODY, _BODY + 1)
        ends = np.empty(size_all, np.int64)
        one: Number = np.int64(0)
        size: Number = np.int64(0)
        others_size: Number = np.int64(0)
        for at in range(size_all):
            start, start_other = size, others_size
            if one < count and of_wanted[one] == at:
                size, one = wanted_ends[one], one + 1
            ends[at], others_size = size, other_ends[at]
            if beside[word]:
                near = _nearness(others, start_other, others_size, stands, start, size)
                rarity = min(rarities[word - 1], rarities[word])
                gained[at] += rarity * (SATURATION + 1) * near / (SATURATION + near)
        others, other_ends = stands, ends
