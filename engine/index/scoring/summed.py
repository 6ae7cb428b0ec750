"""Adds up what a word's terms weigh in the documents of a block."""

from typing import Any

import numpy as np

from engine.compiled import Number, inlined
from engine.index.reader import MARKS, Scores
from engine.index.scoring.blocks import BITS, ENDS, block_start, first_list
from engine.index.scoring.bm25f import LEAST
from engine.index.scoring.postings import read_block, weigh_block, weigh_some

DOCUMENTS, _ROWS, _TOUCHED = range(3)  # rows of scratch arrays
WEIGHTS, _STAGED = range(2)
_MARKS = np.uint32(MARKS)


@inlined
def make_scratch(size: Number) -> Any:
    """Makes room for what read_word() gives and needs, for blocks of so many documents."""
    return (
        np.empty((3, size), np.int32),
        np.zeros((2, size), np.float32),
        np.zeros(size, np.uint8),
        np.empty(size, np.int64),
    )


@inlined
def _read_list(
    lists: Any, leaf: Any, norms: Scores, at: Number, block: Number, only: bool, wanted: Scores, scratch: Any
) -> Number:
    """Reads the part of a list that lies in a block; with `only`, of the documents that are wanted."""
    documents, rows, weights, places = (
        scratch[0][DOCUMENTS],
        scratch[0][_ROWS],
        scratch[1][WEIGHTS],
        scratch[3],
    )
    size, base, count = read_block(lists, leaf, at, block, documents), block << lists[BITS], np.uint64(0)
    if not only:
        weigh_block(lists, leaf, norms, at, block, documents, rows, weights)
        return size
    for place in range(size):
        document = documents[np.uint64(place)]
        if wanted[np.uint64(document - base)] > 0:
            documents[count], places[count] = document, place
            count += np.uint64(1)
    begin, end = block_start(lists, at, block), block_start(lists, at, block + 1)
    weigh_some(lists, leaf, norms, at, begin, end, places, documents, np.int64(count), rows, weights)
    return np.int64(count)


@inlined
def _stage_weights(count: Number, total: Number, base: Number, scratch: Any) -> Number:
    """Adds the weights of one term to those of others; returns how many documents there are by now."""
    documents, touched, weights = scratch[0][DOCUMENTS], scratch[0][_TOUCHED], scratch[1][WEIGHTS]
    staged, marks, bits = scratch[1][_STAGED], scratch[2], scratch[1][WEIGHTS].view(np.uint32)
    for place in range(count):
        if weights[place] >= LEAST:
            document = np.uint64(documents[place] - base)
            if staged[document] == 0:
                touched[total] = document
                total += 1
            staged[document] += weights[place]
            marks[document] |= np.uint8(bits[place] & _MARKS)
    return total


@inlined
def read_word(
    lists: Any,
    leaf: Any,
    norms: Scores,
    word: Number,
    block: Number,
    only: bool,
    wanted: Scores,
    scratch: Any,
) -> Number:
    """Reads the documents of a block that hold a word, and returns how many. The first of
    scratch[0][DOCUMENTS], which are counted from the block's first, are they, in no order, and the first of
    scratch[1][WEIGHTS] their marked weights.

    With `only`, the documents whose `wanted` is not 0.
    """
    first, end = first_list(lists, word), np.int64(lists[ENDS][word])
    documents, weights, touched = scratch[0][DOCUMENTS], scratch[1][WEIGHTS], scratch[0][_TOUCHED]
    base, count, total = block << lists[BITS], np.int64(0), np.int64(0)
    for at in range(first, end):
        count = _read_list(lists, leaf, norms, at, block, only, wanted, scratch)
        if end - first > 1:
            total = _stage_weights(count, total, base, scratch)
    if end - first > 1:
        staged, marks, bits = scratch[1][_STAGED], scratch[2], weights.view(np.uint32)
        for place in range(total):
            document = np.uint64(touched[place])
            documents[place], weights[place] = document, staged[document]
            bits[place] = bits[place] & ~_MARKS | marks[document]
            staged[document], marks[document] = 0, 0
    else:
        for place in range(count):
            if weights[place] >= LEAST:
                documents[total], weights[total] = documents[place] - base, weights[place]
                total += 1
    return total
