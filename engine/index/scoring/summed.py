"""Adds up what a word's terms weigh in the documents of a block."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import LEAF, MARKS, LeafArrays, Scores
from engine.index.scoring.blocks import LISTS, Lists, block_start, first_list
from engine.index.scoring.bm25f import LEAST
from engine.index.scoring.postings import (
    POSTINGS_ROOM,
    PostingsRoom,
    make_postings_room,
    read_block,
    weigh_block,
    weigh_some,
)
from engine.kernels import BOOL, F32, I32, I64, U8, Number, inlined, linked, made_of, mutable, readonly

_MARKS = np.uint32(MARKS)


class Scratch(NamedTuple):
    """What read_word() gives, documents and weights, and what it needs to add up those of several terms."""

    postings: PostingsRoom
    touched: NDArray[np.int32]
    staged: Scores  # for each document of the block: 0 but while a word is read, as the marks
    marks: NDArray[np.uint8]


SCRATCH = made_of(
    Scratch, postings=POSTINGS_ROOM, touched=mutable(I32), staged=mutable(F32), marks=mutable(U8)
)
"""Scratch, for compiled functions."""


@inlined
def make_scratch(size: Number) -> Scratch:
    """Makes room for blocks of so many documents."""
    return Scratch(
        make_postings_room(size),
        np.empty(size, np.int32),
        np.zeros(size, np.float32),
        np.zeros(size, np.uint8),
    )


@inlined
def _read_list(
    lists: Lists,
    leaf: LeafArrays,
    at: Number,
    block: Number,
    only: bool,
    wanted: Scores,
    room: PostingsRoom,
) -> Number:
    """Reads the part of a list that lies in a block; with `only`, of the documents that are wanted."""
    documents, places = room.documents, room.places
    size, count = read_block(lists, leaf, at, block, documents), np.uint64(0)
    if not only:
        weigh_block(lists, leaf, at, block, room)
        return size
    base = block << lists.bits
    for place in range(size):
        document = documents[np.uint64(place)]
        if wanted[np.uint64(document - base)] > 0:
            documents[count], places[count] = document, place
            count += np.uint64(1)
    begin, end = block_start(lists.blocks, at, block), block_start(lists.blocks, at, block + 1)
    weigh_some(lists, leaf, at, begin, end, room, np.int64(count))
    return np.int64(count)


@inlined
def _stage_weights(count: Number, total: Number, base: Number, scratch: Scratch) -> Number:
    """Adds the weights of one term to those of others; returns how many documents there are by now."""
    documents, weights = scratch.postings.documents, scratch.postings.weights
    touched, staged, marks, bits = scratch.touched, scratch.staged, scratch.marks, weights.view(np.uint32)
    for place in range(count):
        if weights[place] >= LEAST:
            document = np.uint64(documents[place] - base)
            if staged[document] == 0:
                touched[total] = document
                total += 1
            staged[document] += weights[place]
            marks[document] |= np.uint8(bits[place] & _MARKS)
    return total


@linked(I64(LISTS, LEAF, I64, I64, BOOL, readonly(F32), SCRATCH))
def read_word(
    lists: Lists,
    leaf: LeafArrays,
    word: Number,
    block: Number,
    only: bool,
    wanted: Scores,
    scratch: Scratch,
) -> Number:
    """Reads the documents of a block that hold a word, and returns how many. The first documents of the
    scratch, which are counted from the block's first, are they, in no order, and the first weights their
    marked weights.

    With `only`, the documents whose `wanted` is not 0.
    """
    documents, weights = scratch.postings.documents, scratch.postings.weights
    first, end = first_list(lists.ends, word), np.int64(lists.ends[word])
    base, count, total = block << lists.bits, np.int64(0), np.int64(0)
    for at in range(first, end):
        count = _read_list(lists, leaf, at, block, only, wanted, scratch.postings)
        if end - first > 1:
            total = _stage_weights(count, total, base, scratch)
    if end - first > 1:
        touched, staged, marks = scratch.touched, scratch.staged, scratch.marks
        bits = weights.view(np.uint32)
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
