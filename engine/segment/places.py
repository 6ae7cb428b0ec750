"""Locates the positions of postings without decoding those between."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels import (
    I32,
    I64,
    U16,
    U64,
    Number,
    inlined,
    mutable,
    outlined,
    readonly,
    record_of,
    tuple_of,
)
from engine.segment.packed import BLOCK, Bits, Heads, Starts, unpack

POSITION = 22  # bits, one more than a position has: neighbours in two texts are never side by side
MASK = (1 << POSITION) - 1
_ONE = np.uint64(1)

Stands = NDArray[np.int32]
"""Text << POSITION | position, for one document after the other: ascending, each once."""


class PositionArrays(NamedTuple):
    """The arrays of a segment that tell where terms stand: packed gaps, packed rows, and where gaps begin."""

    gap_starts: Starts
    gap_heads: Heads
    gap_bits: Bits
    row_starts: Starts
    row_heads: Heads
    row_bits: Bits
    first_gaps: NDArray[np.uint64]  # of each block of postings
    befores: NDArray[np.int32]  # (rows, placed texts + 1): positions before each text, and in all


POSITION_ARRAYS = record_of(
    PositionArrays,
    gap_starts=readonly(U64),
    gap_heads=readonly(U16),
    gap_bits=readonly(U64),
    row_starts=readonly(U64),
    row_heads=readonly(U16),
    row_bits=readonly(U64),
    first_gaps=readonly(U64),
    befores=readonly(I32, 2),
)
"""PositionArrays, for compiled functions."""


@inlined
def _find_postings(
    arrays: PositionArrays, places: NDArray[np.int64], rows: NDArray[np.int64], gaps: NDArray[np.int64]
) -> None:
    """Finds the rows of postings, -1 where there is none, and where their positions begin, for each term
    (row).

    Places ascend. A block's postings are read from its first one, or from the one that was read last.
    """
    starts, heads, bits = arrays.row_starts, arrays.row_heads, arrays.row_bits
    first_gaps, befores = arrays.first_gaps, arrays.befores
    read = np.empty(BLOCK, np.int64)
    for term in range(len(places)):
        last, gap = np.int64(-1), np.int64(0)
        for at in range(places.shape[1]):
            place = places[term, at]
            rows[term, at] = -1
            if place >= 0:
                begin = last
                if last < place // BLOCK * BLOCK:
                    begin, gap = place // BLOCK * BLOCK, np.int64(first_gaps[place // BLOCK])
                unpack(starts, heads, bits, begin, read[: place - begin + 1])
                for before in range(place - begin):
                    gap += befores[read[before], -1]
                rows[term, at], gaps[term, at] = read[place - begin], gap
                last = place


@inlined
def _merge_ascending(found: Stands, first: Number, middle: Number, end: Number, aside: Stands) -> Number:
    """Merges two ascending lists, one behind the other, into one that has each number once; returns where
    that ends.
    """
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
    for at in range(size):
        found[np.uint64(first) + at] = aside[at]
    return first + np.int64(size)


@inlined
def _read_postings(
    arrays: PositionArrays,
    rows: NDArray[np.int64],
    gaps: NDArray[np.int64],
    text: Number,
    end: Number,
    found: Stands,
    ends: NDArray[np.int64],
) -> None:
    """Reads the positions of these postings, document by document; each once where several terms
    stand there.
    """
    starts, heads, bits, befores = arrays.gap_starts, arrays.gap_heads, arrays.gap_bits, arrays.befores
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
                position = np.int64(column << POSITION) - 1
                for _ in range(befores[row, column], befores[row, column + 1]):
                    position += found[place] + 1
                    found[place] = position
                    place += _ONE
            if middle > first:
                size = _merge_ascending(found, first, middle, size, aside)
        ends[at] = size


@outlined(tuple_of(mutable(I32), mutable(I64))(POSITION_ARRAYS, mutable(I64, 2), I64, I64))
def read_positions(
    arrays: PositionArrays, places: NDArray[np.int64], text: Number, end: Number
) -> tuple[Stands, NDArray[np.int64]]:
    """Reads the positions of any of the terms in the texts text ... end - 1 of some documents, one after the
    other, and where each document ends. `places` (terms, documents) are those of the postings, -1 for none.
    """
    rows, gaps = np.empty(places.shape, np.int64), np.empty(places.shape, np.int64)
    befores = arrays.befores
    _find_postings(arrays, places, rows, gaps)
    count = np.int64(0)
    for row in rows.ravel():
        if row >= 0:
            count += befores[row, end] - befores[row, text]
    found, ends = np.empty(count, np.int32), np.empty(places.shape[1], np.int64)
    _read_postings(arrays, rows, gaps, text, end, found, ends)
    return found, ends
