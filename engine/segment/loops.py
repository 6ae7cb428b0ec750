"""Decodes packed postings in compiled loops: documents of a term, and where positions stand."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels import I32, I64, NONE, U64, Number, compiled, inlined, mutable, readonly
from engine.segment.packed import BLOCK, GIVEN, Bits, Heads, Places, Starts, unpack


@inlined
def unpack_ascending(
    starts: Starts,
    heads: Heads,
    bits: Bits,
    start: Number,
    found: NDArray[Any],
) -> None:
    """Decodes ascending numbers into `found`: each is kept as what it is more than the one before, less 1."""
    unpack(starts, heads, bits, start, found)
    number = np.int64(-1)
    for at in range(len(found)):
        number += np.int64(found[at]) + 1
        found[at] = number


@compiled(NONE(*GIVEN, I64, mutable(I32)))
def unpack_documents(
    starts: Starts,
    heads: Heads,
    bits: Bits,
    start: Number,
    found: NDArray[np.int32],
) -> None:
    """Decodes the documents of a term whose gaps begin at a place into `found`."""
    unpack_ascending(starts, heads, bits, start, found)


@inlined
def skip_to(documents: NDArray[np.int32], wanted: Number, start: Number) -> Number:
    """Finds the first document from a place on that is not before this one, by galloping: sooner if it is
    near.
    """
    size = np.int64(len(documents))
    start, end, step = np.int64(start), np.int64(start), np.int64(1)
    while end < size and documents[end] < wanted:
        start = end + 1
        end += step
        step <<= 1
    end = min(end, size)
    while start < end:
        middle = (start + end) >> 1
        if documents[middle] < wanted:
            start = middle + 1
        else:
            end = middle
    return start


@inlined
def find_positions(
    starts: Starts,
    heads: Heads,
    bits: Bits,
    first: NDArray[np.uint64],
    befores: NDArray[np.int32],
    place: Number,
) -> Number:
    """Finds where the positions of a posting begin: as its block says, and so many behind."""
    rows = np.empty(place % BLOCK, np.int64)
    unpack(starts, heads, bits, place - len(rows), rows)
    gap = np.int64(first[place // BLOCK])
    for row in rows:
        gap += befores[row, -1]
    return gap


@compiled(NONE(*GIVEN, readonly(U64), readonly(I32, 2), readonly(I64), mutable(I64)))
def find_all_positions(
    starts: Starts,
    heads: Heads,
    bits: Bits,
    first: NDArray[np.uint64],
    befores: NDArray[np.int32],
    places: Places,
    found: Places,
) -> None:
    """Finds the same for several postings. `befores` has for each row how many positions are before each
    text.
    """
    for at in range(len(places)):
        found[at] = find_positions(starts, heads, bits, first, befores, places[at])


@compiled(NONE(*GIVEN, readonly(I64), readonly(I64), mutable(I64)))
def unpack_positions(
    starts: Starts,
    heads: Heads,
    bits: Bits,
    begins: Places,
    ends: Places,
    found: Places,
) -> None:
    """Decodes lists of positions that begin at these places into `found`; they end there at `ends`."""
    behind = np.int64(0)
    for at in range(len(begins)):
        unpack_ascending(starts, heads, bits, begins[at], found[behind : ends[at]])
        behind = ends[at]
