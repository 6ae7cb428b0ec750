"""Weighs a word in those documents of a block that hold all words of a query."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled import Number, inlined
from engine.index.reader import MARKS, Scores
from engine.index.scoring.blocks import BITS, ENDS, FACTOR, FACTORS, K1, block_start, first_list, saturate
from engine.index.scoring.bm25f import LEAST
from engine.index.scoring.postings import weigh_some
from engine.segment import skip_to

_NOT = np.float32(-np.inf)  # a sum of what no field that counts has


@inlined
def make_room(size: Number) -> Any:
    """Makes room for what add_word() needs, for blocks of so many documents."""
    return (
        (np.empty(size, np.int32), np.empty(size, np.int32)),
        (np.empty(size, np.float32), np.empty(size, np.float32)),
        np.empty((2, size), np.int64),
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
    lists: Any,
    leaf: Any,
    norms: Scores,
    word: Number,
    block: Number,
    held: NDArray[np.int32],
    matching: NDArray[np.int32],
    size: Number,
    room: Any,
    of_block: tuple[Scores, NDArray[np.uint8]],
) -> None:
    """Adds what a word counts in the documents that match; marks that not all words have go."""
    base, places, numbers, (sums, marks) = block << lists[BITS], room[2][0], room[2][1], of_block
    (rows, documents), (together, weights), found = room[0], room[1], room[3]
    together[:size], found[:size] = 0, 0
    for at in range(first_list(lists, word), lists[ENDS][word]):
        begin, end = block_start(lists, at, block), block_start(lists, at, block + 1)
        count = _find_held(held[at, : end - begin], matching, size, base, places, numbers)
        for number in range(count):
            documents[number] = held[at, places[number]]
        weigh_some(lists, leaf, norms, at, begin, end, places, documents, count, rows, weights)
        bits = weights.view(np.uint32)
        for number in range(count):
            if weights[number] >= LEAST:
                together[numbers[number]] += weights[number]
                found[numbers[number]] |= np.uint8(bits[number] & np.uint32(MARKS))
    factor, k1 = lists[FACTORS][word, FACTOR], lists[FACTORS][word, K1]
    for number in range(size):
        place = np.uint64(matching[number])
        if together[number] > 0:
            sums[place] += saturate(factor, k1, together[number])
            marks[place] &= found[number]
        else:
            sums[place] = _NOT
