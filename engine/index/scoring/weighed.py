"""Weighs a word in those documents of a block that hold all words of a query."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import MARKS, LeafArrays, Scores
from engine.index.scoring.blocks import FACTOR, K1, Lists, block_start, first_list, saturate
from engine.index.scoring.bm25f import LEAST
from engine.index.scoring.postings import PostingsRoom, make_postings_room, weigh_some
from engine.index.scoring.top import Accumulators
from engine.kernels import Number, inlined
from engine.segment import skip_to

_NOT = np.float32(-np.inf)  # a sum of what no field that counts has


class WordRoom(NamedTuple):
    """Room for what add_word() needs."""

    postings: PostingsRoom
    numbers: NDArray[np.int64]  # of the documents that match which one each posting is of
    held: NDArray[np.int32]  # (lists, documents): those of each list in the block
    weights: Scores  # of the documents that match, and marks
    marks: NDArray[np.uint8]


@inlined
def make_word_room(lists: Lists, size: Number) -> WordRoom:
    """Makes room for blocks of so many documents."""
    return WordRoom(
        make_postings_room(size),
        np.empty(size, np.int64),
        np.empty((len(lists.table), size), np.int32),
        np.empty(size, np.float32),
        np.empty(size, np.uint8),
    )


@inlined
def _find_held(
    documents: NDArray[np.int32],
    matching: NDArray[np.int32],
    size: Number,
    base: Number,
    places: NDArray[np.int64],
    numbers: NDArray[np.int64],
) -> Number:
    """Fills in which of a list's documents (ascending) match, by their places and numbers;
    returns how many.
    """
    count, place, last = np.int64(0), np.int64(0), np.int64(-1)
    for number in range(size):
        document = np.int64(matching[number]) + base
        place = skip_to(documents, document, place if document > last else np.int64(0))
        last = document
        if place < len(documents) and documents[place] == document:
            places[count], numbers[count] = place, number
            count += 1
    return count


@inlined
def add_word(
    lists: Lists,
    leaf: LeafArrays,
    word: Number,
    block: Number,
    room: WordRoom,
    accumulators: Accumulators,
    size: Number,
) -> None:
    """Adds what a word counts in the `size` documents that match; marks that not all words have go."""
    numbers, held, together, found = room.numbers, room.held, room.weights, room.marks
    places, documents, weights = room.postings.places, room.postings.documents, room.postings.weights
    matching, sums, marks = accumulators
    base = block << lists.bits
    together[:size], found[:size] = 0, 0
    for at in range(first_list(lists.ends, word), lists.ends[word]):
        begin, end = block_start(lists.blocks, at, block), block_start(lists.blocks, at, block + 1)
        count = _find_held(held[at, : end - begin], matching, size, base, places, numbers)
        for number in range(count):
            documents[number] = held[at, places[number]]
        weigh_some(lists, leaf, at, begin, end, room.postings, count)
        bits = weights.view(np.uint32)
        for number in range(count):
            if weights[number] >= LEAST:
                together[numbers[number]] += weights[number]
                found[numbers[number]] |= np.uint8(bits[number] & np.uint32(MARKS))
    factor, k1 = lists.factors[word, FACTOR], lists.factors[word, K1]
    for number in range(size):
        place = np.uint64(matching[number])
        if together[number] > 0:
            sums[place] += saturate(factor, k1, together[number])
            marks[place] &= found[number]
        else:
            sums[place] = _NOT
