"""Scores posting lists in compiled loops.

A list is ascending and has each document once. The last bits of a score are its marks: they are looked up
with it at no cost, and move it by less than a millionth.
"""

import numpy as np
from numpy.typing import NDArray

from engine.kernels import (
    F32,
    I32,
    I64,
    NONE,
    Number,
    compiled,
    inlined,
    mutable,
    outlined,
    readonly,
    tuple_of,
)
from engine.segment import skip_to

Documents = NDArray[np.int32]
"""Numbers, ascending."""

Scores = NDArray[np.float32]

MARKS = 7
OWN_MARK, BODY_MARK, EXACT_MARK = 1, 2, 4
_LIST = (readonly(I32), readonly(F32))
_SCORED = tuple_of(mutable(I32), mutable(F32))
_COARSE = 18  # bits of a score that make no difference when the best are parted from the rest: some 3 %
_KINDS = 256  # of scores, the best first: down to a 256th of the best


@compiled(NONE(*_LIST, readonly(I32), mutable(F32)))
def look_up_scores(documents: Documents, scores: Scores, wanted: Documents, found: Scores) -> None:
    """Looks up the score of each document wanted (ascending), 0 where it is not in the list."""
    place, size = np.int64(0), np.int64(len(documents))
    for at in range(len(wanted)):
        place = skip_to(documents, wanted[at], place)
        there = place < size and documents[place] == wanted[at]
        found[at] = scores[place] if there else np.float32(0)


@outlined(mutable(I64)(readonly(I32)))
def argsort_documents(documents: NDArray[np.int32]) -> NDArray[np.int64]:
    """Returns the order that sorts documents; np.argsort() would be compiled wherever it is called."""
    return np.argsort(documents)


@outlined(mutable(I64)(readonly(F32)))
def argsort_descending(amounts: Scores) -> NDArray[np.int64]:
    """Returns the order that sorts amounts, the greatest first."""
    return np.argsort(-amounts)


@inlined
def _find_threshold(bits: NDArray[np.int32], count: Number) -> Number:
    """Finds a score, in bits, that `count` of the scores have at least, and few others."""
    top: Number = np.int32(0)
    for score in bits:
        top = max(top, score)
    top >>= _COARSE
    kinds = np.zeros(_KINDS, np.int64)
    for score in bits:
        kinds[np.uint64(min(top - (score >> _COARSE), _KINDS - 1))] += 1
    kind, left = np.int64(0), np.int64(kinds[0])
    while left < count and kind < _KINDS - 1:
        kind += 1
        left += kinds[kind]
    return max(top - kind, 0) << _COARSE if kind < _KINDS - 1 else np.int64(0)


@compiled(tuple_of(mutable(I64), F32)(readonly(F32), I64, F32))
def select_top(scores: Scores, count: Number, least: Number) -> tuple[NDArray[np.int64], Number]:
    """Selects the places, ascending, of the top `count` scores and of some more; and what they have at least.

    All scores are above 0; those below `least` are left out.
    """
    border = np.int32(_find_threshold(scores.view(np.int32), count))
    lowest = max(np.float32(least), np.array([border], np.int32).view(np.float32)[0])
    left = np.int64(0)
    for score in scores:
        left += score >= lowest
    places, found, at = np.empty(left, np.int64), np.int64(0), np.int64(0)
    for score in scores:
        if score >= lowest:
            places[found] = at
            found += 1
        at += 1
    return places, lowest


@compiled(_SCORED(*_LIST, *_LIST))
def unite_lists(one: Documents, ones: Scores, other: Documents, others: Scores) -> tuple[Documents, Scores]:
    """Unites two lists: scores are added up, marks put together."""
    size, size_other = np.int64(len(one)), np.int64(len(other))
    documents, scores = np.empty(size + size_other, np.int32), np.empty(size + size_other, np.float32)
    bits, bits_one, bits_other = scores.view(np.uint32), ones.view(np.uint32), others.view(np.uint32)
    at, place, count = np.int64(0), np.int64(0), np.int64(0)
    while at < size or place < size_other:
        if place == size_other or (at < size and one[at] < other[place]):
            documents[count], scores[count] = one[at], ones[at]
            at += 1
        elif at == size or other[place] < one[at]:
            documents[count], scores[count] = other[place], others[place]
            place += 1
        else:
            documents[count], scores[count] = one[at], ones[at] + others[place]
            marks = (bits_one[at] | bits_other[place]) & np.uint32(MARKS)
            bits[count] = bits[count] & ~np.uint32(MARKS) | marks
            at += 1
            place += 1
        count += 1
    return documents[:count], scores[:count]


@compiled(_SCORED(*_LIST, *_LIST))
def intersect_lists(
    one: Documents, ones: Scores, other: Documents, others: Scores
) -> tuple[Documents, Scores]:
    """Intersects two lists, the shorter one first: scores are added up, and only common marks are left."""
    documents, scores = np.empty(len(one), np.int32), np.empty(len(one), np.float32)
    bits, bits_one, bits_other = scores.view(np.uint32), ones.view(np.uint32), others.view(np.uint32)
    place, count = np.int64(0), np.int64(0)
    for at in range(len(one)):
        place = skip_to(other, one[at], place)
        if place == len(other):
            break
        if other[place] == one[at]:
            documents[count], scores[count] = one[at], ones[at] + others[place]
            marks = bits_one[at] & bits_other[place] & np.uint32(MARKS)
            bits[count] = bits[count] & ~np.uint32(MARKS) | marks
            count += 1
    return documents[:count], scores[:count]
