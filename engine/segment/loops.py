"""Loops over packed postings: documents of a term, and where the positions of a posting begin."""

import numpy as np
from numpy.typing import NDArray

from engine.compiled import I32, I64, NONE, U64, Number, compiled, filled, given
from engine.segment.packed import BLOCK, GIVEN, Bits, Heads, Places, Starts, unpack


@compiled(NONE(*GIVEN, I64, filled(I32)))
def ascending(
    starts: Starts,
    heads: Heads,
    bits: Bits,
    start: Number,
    found: NDArray[np.int32],
) -> None:
    """Fill `found` with the documents of a term whose steps begin at a place."""
    unpack(starts, heads, bits, start, found)
    document = np.int64(-1)
    for at in range(len(found)):
        document += np.int64(found[at]) + 1
        found[at] = document


@compiled(NONE(*GIVEN, given(U64), given(I64), given(I64), filled(I64)))
def first_gaps(
    starts: Starts,
    heads: Heads,
    bits: Bits,
    first: NDArray[np.uint64],
    occurrences: NDArray[np.int64],
    places: Places,
    found: Places,
) -> None:
    """Where the positions of the postings at these places begin: as the block says, and so many behind."""
    rows = np.empty(BLOCK, np.int64)
    for at in range(len(places)):
        block = places[at] // BLOCK
        before = rows[: places[at] % BLOCK]
        unpack(starts, heads, bits, block * BLOCK, before)
        gap = np.int64(first[block])
        for row in before:
            gap += occurrences[row]
        found[at] = gap
