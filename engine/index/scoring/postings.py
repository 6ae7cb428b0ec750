"""Reads a block's documents and weights: copied from cached lists, decoded of the others."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import LEAF, Documents, LeafArrays, Scores
from engine.index.scoring.block_max import BEFORE
from engine.index.scoring.blocks import KEPT_AT, KIND, LISTS, PLACE, Lists, block_size, block_start
from engine.index.scoring.bm25f import read_documents, read_rows, scale_related, weigh
from engine.kernels import F32, I32, I64, NONE, Number, inlined, linked, made_of, mutable, readonly
from engine.segment import skip_to

_SPARSE = 8  # rows of a block are read all together where more than one in so many is wanted


class PostingsRoom(NamedTuple):
    """Room for some postings of a list: their places in it, documents, rows and weights."""

    places: NDArray[np.int64]
    documents: NDArray[np.int32]
    rows: NDArray[np.int32]
    weights: Scores


POSTINGS_ROOM = made_of(
    PostingsRoom, places=mutable(I64), documents=mutable(I32), rows=mutable(I32), weights=mutable(F32)
)
"""PostingsRoom, for compiled functions."""


@inlined
def make_postings_room(size: Number) -> PostingsRoom:
    """Makes room for so many postings."""
    places, narrow = np.empty(size, np.int64), np.empty((2, size), np.int32)
    return PostingsRoom(places, narrow[0], narrow[1], np.empty(size, np.float32))


@linked(I64(LISTS, LEAF, I64, I64, mutable(I32)))
def read_block(
    lists: Lists, leaf: LeafArrays, at: Number, block: Number, documents: NDArray[np.int32]
) -> Number:
    """Fills in the documents of a list that lie in a block; returns how many."""
    start, kept = block_start(lists.blocks, at, block), lists.table[at, KEPT_AT]
    size = block_start(lists.blocks, at, block + 1) - start
    if kept >= 0:
        documents[:size] = lists.documents[kept + start : kept + start + size]
    else:
        last = lists.blocks[at, BEFORE, block]
        read_documents(leaf, lists.table[at, PLACE] + start, size, last, documents)
    return size


@inlined
def weigh_block(lists: Lists, leaf: LeafArrays, at: Number, block: Number, room: PostingsRoom) -> None:
    """Weighs the postings of a list in a block, whose documents are there."""
    documents, rows, weights = room.documents, room.rows, room.weights
    start, kept = block_start(lists.blocks, at, block), lists.table[at, KEPT_AT]
    size = block_start(lists.blocks, at, block + 1) - start
    if kept >= 0:
        weights[:size] = lists.weights[kept + start : kept + start + size]
    else:
        read_rows(leaf, lists.table[at, PLACE] + start, rows[:size])
        weigh(leaf, lists.norms, lists.table[at, KIND], documents, rows, size, weights)
    if lists.shares[at] != 1:
        scale_related(weights, size, lists.shares[at])


@linked(NONE(LISTS, LEAF, I64, I64, I64, POSTINGS_ROOM, I64))
def weigh_some(
    lists: Lists, leaf: LeafArrays, at: Number, begin: Number, end: Number, room: PostingsRoom, count: Number
) -> None:
    """Weighs so many of a list's postings: those at the places, ascending and counted from `begin`, that are
    there with their documents.

    There is room for the rows up to `end`, which may have to be read together.
    """
    places, documents, rows, weights = room.places, room.documents, room.rows, room.weights
    kept, sparse = lists.table[at, KEPT_AT], count * _SPARSE < end - begin
    if kept >= 0:
        for number in range(count):
            weights[number] = lists.weights[np.uint64(kept + begin + places[number])]
    else:
        first = lists.table[at, PLACE] + begin
        for number in range(count if sparse else min(count, 1)):
            place, stop = (places[number], number + 1) if sparse else (np.int64(0), end - begin)
            read_rows(leaf, first + place, rows[number:stop])
        for number in range(0 if sparse else count):
            rows[number] = rows[places[number]]
        weigh(leaf, lists.norms, lists.table[at, KIND], documents, rows, count, weights)
    if lists.shares[at] != 1:
        scale_related(weights, count, lists.shares[at])


@linked(NONE(LISTS, LEAF, I64, readonly(I32), mutable(I64)))
def find_postings(
    lists: Lists, leaf: LeafArrays, at: Number, documents: Documents, places: NDArray[np.int64]
) -> None:
    """Finds the posting of a list, counted from its first, of each document (ascending); -1 for none."""
    if lists.table[at, KEPT_AT] >= 0:
        first, blocks = lists.table[at, KEPT_AT], lists.blocks.shape[2] - 1
        kept = lists.documents[first : first + block_start(lists.blocks, at, blocks)]
        place: Number = np.int64(0)
        for number in range(len(documents)):
            place = skip_to(kept, documents[number], place)
            is_there = place < len(kept) and kept[place] == documents[number]
            places[number] = place if is_there else -1
        return
    read, bits = np.empty(block_size(lists, leaf), np.int32), lists.bits
    start: Number = np.int64(0)
    while start < len(documents):
        block: Number = np.int64(documents[start] >> bits)
        number = start
        begin, size, place = (
            block_start(lists.blocks, at, block),
            read_block(lists, leaf, at, block, read),
            np.int64(0),
        )
        while number < len(documents) and documents[number] >> bits == block:
            place = skip_to(read[:size], documents[number], place)
            is_there = place < size and read[place] == documents[number]
            places[number] = begin + place if is_there else -1
            number += 1
        start = number
