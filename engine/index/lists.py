"""Lists of documents with marked scores, walked through by compiled loops.

A list is ascending and has each document once. The last bits of a score are its marks: they are looked up
with it at no cost, and move it by less than a millionth.
"""

import numpy as np
from numpy.typing import NDArray

from engine.compiled import BOOL, F32, I32, I64, NONE, U8, Number, compiled, filled, given, inlined, several
from engine.segment.loops import first_from

Documents = NDArray[np.int32]
"""Numbers, ascending."""

Scores = NDArray[np.float32]

MARKS = 7
OWN_MARK = 1
_LIST = (given(I32), given(F32))
_SCORED = several(filled(I32), filled(F32))
_COARSE = 18  # bits of a score that make no difference when the best are parted from the rest: some 3 %
_KINDS = 256  # of scores, the best first: down to a 256th of the best


@compiled(NONE(*_LIST, given(I32), filled(F32)))
def look_up(documents: Documents, scores: Scores, wanted: Documents, found: Scores) -> None:
    """The score of each that is wanted (ascending), 0 where it is not in the list."""
    place, size = np.int64(0), np.int64(len(documents))
    for at in range(len(wanted)):
        place = first_from(documents, wanted[at], place)
        there = place < size and documents[place] == wanted[at]
        found[at] = scores[place] if there else np.float32(0)


@compiled(I64(*_LIST, I64, filled(F32), filled(U8), filled(I64), I64))
def add_up(
    documents: Documents,
    scores: Scores,
    start: Number,
    sums: Scores,
    marks: NDArray[np.uint8],
    touched: NDArray[np.int64],
    count: Number,
) -> Number:
    """Add the scores of the documents start, start + 1 ... to `sums`; marks are put together.

    The first `count` of `touched`, which has room for one more than all of them, are the places that have a
    sum already; gives how many have one now.
    """
    first = first_from(documents, start, 0)
    end = first_from(documents, start + len(sums), first)
    bits, used = scores[first:end].view(np.uint32), np.uint64(count)
    for document, score, marked in zip(documents[first:end], scores[first:end], bits):  # noqa: B905 (numba)
        place = np.uint64(document - start)  # unsigned, as that costs no check for places from the end
        before = sums[place]
        touched[used] = place
        used += np.uint64(before == 0)
        sums[place] = before + score
        marks[place] |= np.uint8(marked & np.uint32(MARKS))
    return np.int64(used)


@inlined
def _border(bits: NDArray[np.int32], count: Number) -> Number:
    """A score, in bits, that `count` of the scores have at least, and few others."""
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


@compiled(several(filled(I64), F32)(given(F32), I64, F32))
def best_places(scores: Scores, count: Number, least: Number) -> tuple[NDArray[np.int64], Number]:
    """The places, ascending, of the `count` best scores and of some more; and what they have at least.

    All scores are above 0; those below `least` are left out.
    """
    border = np.int32(_border(scores.view(np.int32), count))
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


@compiled(
    several(filled(I32), filled(F32), filled(BOOL), F32)(given(F32), given(U8), given(I64), I64, I64, F32)
)
def best_summed(
    sums: Scores,
    marks: NDArray[np.uint8],
    touched: NDArray[np.int64],
    start: Number,
    count: Number,
    least: Number,
) -> tuple[Documents, Scores, NDArray[np.bool_], Number]:
    """The documents that best_places() finds among those that add_up() filled in, ascending, their scores,
    whether each is found for its own text, and what they have at least. `touched` have a sum.
    """
    scores = np.empty(len(touched), np.float32)
    for at, place in enumerate(touched):
        scores[at] = sums[np.uint64(place)]
    places, lowest = best_places(scores, count, least)
    best = np.sort(touched[places])
    documents, own = np.empty(len(best), np.int32), np.empty(len(best), np.bool_)
    for at, place in enumerate(best):
        documents[at], own[at] = start + place, marks[place] & OWN_MARK
    return documents, sums[best], own, lowest


@compiled(_SCORED(*_LIST, *_LIST))
def union(one: Documents, ones: Scores, other: Documents, others: Scores) -> tuple[Documents, Scores]:
    """What is in either list: scores are added up, marks put together."""
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
def both(one: Documents, ones: Scores, other: Documents, others: Scores) -> tuple[Documents, Scores]:
    """What is in both lists, the shorter one first: scores are added up, and only common marks are left."""
    documents, scores = np.empty(len(one), np.int32), np.empty(len(one), np.float32)
    bits, bits_one, bits_other = scores.view(np.uint32), ones.view(np.uint32), others.view(np.uint32)
    place, count = np.int64(0), np.int64(0)
    for at in range(len(one)):
        place = first_from(other, one[at], place)
        if place == len(other):
            break
        if other[place] == one[at]:
            documents[count], scores[count] = one[at], ones[at] + others[place]
            marks = bits_one[at] & bits_other[place] & np.uint32(MARKS)
            bits[count] = bits[count] & ~np.uint32(MARKS) | marks
            count += 1
    return documents[:count], scores[:count]


@compiled(_SCORED(*_LIST, given(I32)))
def among(documents: Documents, scores: Scores, wanted: Documents) -> tuple[Documents, Scores]:
    """Those that are wanted (ascending)."""
    left, kept = np.empty(len(documents), np.int32), np.empty(len(documents), np.float32)
    place, count = np.int64(0), np.int64(0)
    for at in range(len(documents)):
        place = first_from(wanted, documents[at], place)
        if place < len(wanted) and wanted[place] == documents[at]:
            left[count], kept[count] = documents[at], scores[at]
            count += 1
    return left[:count], kept[:count]
