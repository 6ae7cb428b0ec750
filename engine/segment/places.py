"""Where terms stand in documents: found without reading what lies between those that are asked for."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import I32, I64, NONE, U64, Number, called, compiled, filled, given, inlined
from engine.segment.loops import first_from, first_gap
from engine.segment.packed import GIVEN, Bits, Heads, Starts, unpack
from engine.segment.segment import Segment

POSITION = 22  # bits, one more than a position has: neighbours in two texts are never side by side
MASK = (1 << POSITION) - 1
PLACED = (*GIVEN, *GIVEN, given(I32, 2))  # Segment.placed, for compiled functions
TERMS = (given(I32), given(I64, 2), given(I64))  # Terms, for them
STRIP = 16  # postings, by their numbers: where the positions of the first one of a term begin is kept
_ROWS = (*GIVEN, given(U64), given(I32, 2))  # Segment.row_arrays
_END, _FIRST, _STRIPS = 0, 1, 2  # columns of the bounds of a term

Stands = NDArray[np.int32]
"""Text << POSITION | position, for one document after the other: ascending, each once."""


class Terms(NamedTuple):
    """Some terms of a segment, and their documents: those of one term, ascending, after those of another.

    `bounds` (terms, 3): where the documents of a term end, the number of its first posting, and where in
    `begins` it has its part: for each strip of its postings where the positions of the first one begin.
    """

    documents: NDArray[np.int32]
    bounds: NDArray[np.int64]
    begins: NDArray[np.int64]


NO_TERMS = Terms(np.empty(0, np.int32), np.empty((0, 3), np.int64), np.empty(0, np.int64))


def terms_of(segment: Segment, firsts: Sequence[int], documents: Sequence[NDArray[np.int32]]) -> Terms:
    """The terms whose first postings these are, and the documents of each."""
    if not firsts:
        return NO_TERMS
    bounds, end, strips = np.empty((len(firsts), 3), np.int64), 0, 0
    for at, (first, of_term) in enumerate(zip(firsts, documents, strict=True)):
        end += len(of_term)
        bounds[at] = end, first, strips
        strips += (first + len(of_term) - 1) // STRIP - first // STRIP + 1
    begins = np.empty(strips, np.int64)
    _begin(*segment.row_arrays, bounds, begins)
    return Terms(documents[0] if len(firsts) == 1 else np.concatenate(documents), bounds, begins)


@compiled(NONE(*_ROWS, given(I64, 2), filled(I64)))
def _begin(
    starts: Starts,
    heads: Heads,
    bits: Bits,
    first_gaps: NDArray[np.uint64],
    befores: NDArray[np.int32],
    bounds: NDArray[np.int64],
    begins: NDArray[np.int64],
) -> None:
    """Fill `begins` as Terms has it."""
    start, of_strip = np.int64(0), np.empty(STRIP, np.int64)
    for term in range(len(bounds)):
        place, at = bounds[term, _FIRST], bounds[term, _STRIPS]
        gap = first_gap(starts, heads, bits, first_gaps, befores, place)
        end, start = place + bounds[term, _END] - start, bounds[term, _END]
        while place < end:
            begins[at] = gap
            rows = of_strip[: min(end, (place // STRIP + 1) * STRIP) - place]
            unpack(starts, heads, bits, place, rows)
            for row in rows:
                gap += befores[row, -1]
            place, at = place + len(rows), at + 1


@inlined
def _find(
    terms: Any,
    placed: Any,
    wanted: NDArray[np.int32],
    rows: NDArray[np.int64],
    gaps: NDArray[np.int64],
) -> None:
    """For each term and document that holds it the row of its posting, and where its positions begin."""
    documents, bounds, begins = terms
    starts, heads, bits, befores = placed[0], placed[1], placed[2], placed[6]
    start, of_strip = np.int64(0), np.empty(STRIP, np.int64)
    for term in range(len(bounds)):
        first, of_term = bounds[term, _FIRST], documents[start : bounds[term, _END]]
        start = bounds[term, _END]
        here, place, strip, gap = np.int64(0), first, np.int64(-1), np.int64(0)
        for at in range(len(wanted)):
            here = first_from(of_term, wanted[at], here)
            if here == len(of_term):
                break
            if of_term[here] != wanted[at]:
                continue
            if (first + here) // STRIP != strip:
                strip = (first + here) // STRIP
                begin, end = max(first, strip * STRIP), min(first + len(of_term), (strip + 1) * STRIP)
                unpack(starts, heads, bits, begin, of_strip[begin - strip * STRIP : end - strip * STRIP])
                place, gap = begin, begins[bounds[term, _STRIPS] + strip - first // STRIP]
            while place < first + here:
                gap += befores[of_strip[place % STRIP], -1]
                place += 1
            rows[term, at], gaps[term, at] = of_strip[place % STRIP], gap


@inlined
def _unite(found: Stands, first: Number, middle: Number, end: Number, aside: Stands) -> Number:
    """Two ascending lists, one behind the other, become one that has each number once; where that ends."""
    one, other, size = first, middle, np.int64(0)
    while one < middle and other < end:
        ones, others = found[one], found[other]
        aside[size] = min(ones, others)
        size += 1
        one += ones <= others
        other += others <= ones
    while one < middle:
        aside[size] = found[one]
        size, one = size + 1, one + 1
    while other < end:
        aside[size] = found[other]
        size, other = size + 1, other + 1
    for at in range(size):
        found[first + at] = aside[at]
    return first + size


@inlined
def _read(
    placed: Any,
    rows: NDArray[np.int64],
    gaps: NDArray[np.int64],
    text: Number,
    end: Number,
    found: Stands,
    ends: NDArray[np.int64],
) -> None:
    """The positions of these postings, document by document; each once where several terms stand there."""
    starts, heads, bits, befores = placed[3], placed[4], placed[5], placed[6]
    size, aside = np.int64(0), np.empty(len(found), np.int32)
    for at in range(rows.shape[1]):
        first = size
        for term in range(len(rows)):
            row = rows[term, at]
            if row < 0 or befores[row, end] == befores[row, text]:
                continue
            middle = size
            size += befores[row, end] - befores[row, text]
            unpack(starts, heads, bits, gaps[term, at] + befores[row, text], found[middle:size])
            place = middle
            for column in range(text, end):
                stand = np.int64(column << POSITION) - 1
                for _ in range(befores[row, column], befores[row, column + 1]):
                    stand += found[place] + 1
                    found[place] = stand
                    place += 1
            if middle > first:
                size = _unite(found, first, middle, size, aside)
        ends[at] = size


@called
def stands_of(
    terms: Any, placed: Any, documents: NDArray[np.int32], text: Number, end: Number
) -> tuple[Stands, NDArray[np.int64]]:
    """Where any of the terms stands in the texts text ... end - 1 of the documents (ascending), one after the
    other, and where each document ends.
    """
    rows = np.full((len(terms[1]), len(documents)), -1, np.int64)
    gaps = np.empty((len(terms[1]), len(documents)), np.int64)
    befores = placed[6]
    _find(terms, placed, documents, rows, gaps)
    count = np.int64(0)
    for row in rows.ravel():
        if row >= 0:
            count += befores[row, end] - befores[row, text]
    found, ends = np.empty(count, np.int32), np.empty(len(documents), np.int64)
    _read(placed, rows, gaps, text, end, found, ends)
    return found, ends
