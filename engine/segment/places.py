"""Where terms stand in documents: found without reading what lies between those that are asked for."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import I32, I64, NONE, U64, Number, called, compiled, filled, given, inlined, several
from engine.segment.loops import first_from, first_gap
from engine.segment.packed import GIVEN, Bits, Heads, Starts, unpack
from engine.segment.segment import Postings, Segment

POSITION = 22  # bits, one more than a position has: neighbours in two texts are never side by side
MASK = (1 << POSITION) - 1
PLACED = several(*GIVEN, given(I32, 2))  # Segment.placed, for compiled functions
TERMS = several(given(I32), given(I32), given(I64, 2), given(I64))  # a tuple of Terms, for them
STRIP = 16  # postings of a term: where the positions of the first one begin is kept
_ROWS = (*GIVEN, given(U64), given(I32, 2))  # Segment.row_arrays
_ONE = np.uint64(1)
_END, _STRIPS = 0, 1  # columns of the bounds of a term

Stands = NDArray[np.int32]
"""Text << POSITION | position, for one document after the other: ascending, each once."""


class Terms(NamedTuple):
    """Some terms of a segment, and their documents: those of one term, ascending, after those of another.

    `rows` are those of the postings. `bounds` (terms, 2): where the documents of a term end, and where in
    `begins` it has its part: for each strip of its postings where the positions of the first one begin.
    """

    documents: NDArray[np.int32]
    rows: NDArray[np.int32]
    bounds: NDArray[np.int64]
    begins: NDArray[np.int64]

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """A plain tuple, which is another type for compiled functions."""
        return self[:]


NO_TERMS = Terms(
    np.empty(0, np.int32), np.empty(0, np.int32), np.empty((0, 2), np.int64), np.empty(0, np.int64)
)


def terms_of(segment: Segment, postings: Sequence[Postings]) -> Terms:
    """The terms that have these postings."""
    if not postings:
        return NO_TERMS
    bounds, end, strips = np.empty((len(postings), 2), np.int64), 0, 0
    for at, of_term in enumerate(postings):
        end += len(of_term.documents)
        bounds[at] = end, strips
        strips += -(-len(of_term.documents) // STRIP)
    documents, rows, begins = np.empty(end, np.int32), np.empty(end, np.int32), np.empty(strips, np.int64)
    for of_term, (end, strips) in zip(postings, bounds.tolist(), strict=True):
        start = end - len(of_term.documents)
        documents[start:end] = of_term.documents
        _begin(*segment.row_arrays, of_term.start, of_term.rows, rows[start:end], begins[strips:])
    return Terms(documents, rows, bounds, begins)


@compiled(NONE(*_ROWS, I64, given(I64), filled(I32), filled(I64)))
def _begin(
    starts: Starts,
    heads: Heads,
    bits: Bits,
    first_gaps: NDArray[np.uint64],
    befores: NDArray[np.int32],
    first: Number,
    given_rows: NDArray[np.int64],
    rows: NDArray[np.int32],
    begins: NDArray[np.int64],
) -> None:
    """Fill `rows` and `begins` as Terms has them, for the term whose first posting this is."""
    gap = first_gap(starts, heads, bits, first_gaps, befores, first)
    for at in range(len(given_rows)):
        if at % STRIP == 0:
            begins[at // STRIP] = gap
        rows[at] = given_rows[at]
        gap += befores[given_rows[at], -1]


@inlined
def _find(
    terms: Any,
    placed: Any,
    wanted: NDArray[np.int32],
    rows: NDArray[np.int64],
    gaps: NDArray[np.int64],
) -> None:
    """For each term and document that holds it the row of its posting, and where its positions begin."""
    documents, of_postings, bounds, begins = terms
    befores, start = placed[3], np.int64(0)
    for term in range(len(bounds)):
        end, place = bounds[term, _END], start
        for at in range(len(wanted)):
            place = first_from(documents[:end], wanted[at], place)
            if place == end:
                break
            if documents[place] == wanted[at]:
                strip = (place - start) // STRIP
                gap = begins[bounds[term, _STRIPS] + strip]
                for before in range(start + strip * STRIP, place):
                    gap += befores[of_postings[before], -1]
                rows[term, at], gaps[term, at] = of_postings[place], gap
        start = end


@inlined
def _unite(found: Stands, first: Number, middle: Number, end: Number, aside: Stands) -> Number:
    """Two ascending lists, one behind the other, become one that has each number once; where that ends."""
    one, other, size = np.uint64(first), np.uint64(middle), np.uint64(0)
    ones_end, others_end = np.uint64(middle), np.uint64(end)
    while one < ones_end and other < others_end:
        ones, others = found[one], found[other]
        aside[size] = min(ones, others)
        size += _ONE
        one += np.uint64(ones <= others)
        other += np.uint64(others <= ones)
    while one < ones_end:
        aside[size] = found[one]
        size, one = size + _ONE, one + _ONE
    while other < others_end:
        aside[size] = found[other]
        size, other = size + _ONE, other + _ONE
    found[first : first + np.int64(size)] = aside[: np.int64(size)]
    return first + np.int64(size)


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
    starts, heads, bits, befores = placed
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
            place = np.uint64(middle)
            for column in range(text, end):
                stand = np.int64(column << POSITION) - 1
                for _ in range(befores[row, column], befores[row, column + 1]):
                    stand += found[place] + 1
                    found[place] = stand
                    place += _ONE
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
    rows = np.full((len(terms[2]), len(documents)), -1, np.int64)
    gaps = np.empty((len(terms[2]), len(documents)), np.int64)
    befores = placed[3]
    _find(terms, placed, documents, rows, gaps)
    count = np.int64(0)
    for row in rows.ravel():
        if row >= 0:
            count += befores[row, end] - befores[row, text]
    found, ends = np.empty(count, np.int32), np.empty(len(documents), np.int64)
    _read(placed, rows, gaps, text, end, found, ends)
    return found, ends
