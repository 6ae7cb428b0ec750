"""Reads a block's documents and weights: copied from cached lists, decoded of the others."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled import Number, inlined
from engine.index.reader import Documents, Scores
from engine.index.scoring.block_max import BEFORE
from engine.index.scoring.blocks import (
    BITS,
    BLOCKS,
    KEPT_AT,
    KEPT_DOCUMENTS,
    KEPT_WEIGHTS,
    KIND,
    PLACE,
    SHARES,
    TABLE,
    block_size,
    block_start,
)
from engine.index.scoring.bm25f import read_documents, read_rows, scale_related, weigh
from engine.segment import skip_to

_SPARSE = 8  # rows of a block are read all together where more than one in so many is wanted


@inlined
def read_block(lists: Any, leaf: Any, at: Number, block: Number, documents: NDArray[np.int32]) -> Number:
    """Fills in the documents of a list that lie in a block; returns how many."""
    start, kept = block_start(lists, at, block), lists[TABLE][at, KEPT_AT]
    size = block_start(lists, at, block + 1) - start
    if kept >= 0:
        documents[:size] = lists[KEPT_DOCUMENTS][kept + start : kept + start + size]
    else:
        last = lists[BLOCKS][at, BEFORE, block]
        read_documents(leaf, lists[TABLE][at, PLACE] + start, size, last, documents)
    return size


@inlined
def weigh_block(
    lists: Any,
    leaf: Any,
    norms: Scores,
    at: Number,
    block: Number,
    documents: NDArray[np.int32],
    rows: NDArray[np.int32],
    weights: Scores,
) -> None:
    """Weighs the postings of a list in a block, whose documents are these; `rows` is room."""
    start, kept = block_start(lists, at, block), lists[TABLE][at, KEPT_AT]
    size = block_start(lists, at, block + 1) - start
    if kept >= 0:
        weights[:size] = lists[KEPT_WEIGHTS][kept + start : kept + start + size]
    else:
        read_rows(leaf, lists[TABLE][at, PLACE] + start, rows[:size])
        weigh(leaf, norms, lists[TABLE][at, KIND], documents, rows, size, weights)
    if lists[SHARES][at] != 1:
        scale_related(weights, size, lists[SHARES][at])


@inlined
def weigh_some(
    lists: Any,
    leaf: Any,
    norms: Scores,
    at: Number,
    begin: Number,
    end: Number,
    places: NDArray[np.int64],
    documents: NDArray[np.int32],
    count: Number,
    rows: NDArray[np.int32],
    weights: Scores,
) -> None:
    """Weighs some of a list's postings, those at `places` (ascending) from begin to end.

    Their documents are these; `rows` is room for what may have to be read together.
    """
    kept, sparse = lists[TABLE][at, KEPT_AT], count * _SPARSE < end - begin
    if kept >= 0:
        for number in range(count):
            weights[number] = lists[KEPT_WEIGHTS][np.uint64(kept + begin + places[number])]
    else:
        first = lists[TABLE][at, PLACE] + begin
        for number in range(count if sparse else min(count, 1)):
            place, stop = (places[number], number + 1) if sparse else (np.int64(0), end - begin)
            read_rows(leaf, first + place, rows[number:stop])
        for number in range(0 if sparse else count):
            rows[number] = rows[places[number]]
        weigh(leaf, norms, lists[TABLE][at, KIND], documents, rows, count, weights)
    if lists[SHARES][at] != 1:
        scale_related(weights, count, lists[SHARES][at])


@inlined
def find_postings(lists: Any, leaf: Any, at: Number, documents: Documents, places: NDArray[np.int64]) -> None:
    """Finds the posting of a list, counted from its first, of each document (ascending); -1 for none."""
    if lists[TABLE][at, KEPT_AT] >= 0:
        first, blocks = lists[TABLE][at, KEPT_AT], lists[BLOCKS].shape[2] - 1
        kept = lists[KEPT_DOCUMENTS][first : first + block_start(lists, at, blocks)]
        place: Number = np.int64(0)
        for number in range(len(documents)):
            place = skip_to(kept, documents[number], place)
            is_there = place < len(kept) and kept[place] == documents[number]
            places[number] = place if is_there else -1
        return
    read, bits = np.empty(block_size(lists, leaf), np.int32), lists[BITS]
    start: Number = np.int64(0)
    while start < len(documents):
        block: Number = np.int64(documents[start] >> bits)
        number = start
        begin, size, place = (
            block_start(lists, at, block),
            read_block(lists, leaf, at, block, read),
            np.int64(0),
        )
        while number < len(documents) and documents[number] >> bits == block:
            place = skip_to(read[:size], documents[number], place)
            is_there = place < size and read[place] == documents[number]
            places[number] = begin + place if is_there else -1
            number += 1
        start = number
