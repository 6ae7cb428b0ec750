"""What a word counts in those documents of a strip that hold all words of a query."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled import Number, inlined
from engine.index.listed import START
from engine.index.lists import EXACT_MARK, MARKS, Scores
from engine.index.strips import (
    BITS,
    ENDS,
    FACTOR,
    FACTORS,
    K1,
    KEPT_AT,
    KEPT_WEIGHTS,
    KIND,
    PLACE,
    SHARES,
    SPARSE,
    STRIPS,
    TABLE,
    score_of,
)
from engine.index.weighing import LEAST, weigh
from engine.segment.loops import first_from
from engine.segment.packed import unpack_apart

_NOT = np.float32(-np.inf)  # a sum of what no field that counts has


@inlined
def room_of(size: Number) -> Any:
    """Room for what add_word() needs, for strips of so many documents."""
    return (
        np.empty((2, size), np.int32),
        np.empty((2, size), np.float32),
        np.empty((2, size), np.int64),
        np.empty(size, np.uint8),
    )


@inlined
def _held_places(
    documents: NDArray[np.int32],
    matching: NDArray[np.int32],
    size: Number,
    base: Number,
    places: NDArray[np.int64],
    numbers: NDArray[np.int64],
) -> Number:
    """Fill in which of a list's documents (ascending) match, by their places and numbers; how many do."""
    count, place, last = np.int64(0), np.int64(0), np.int64(-1)
    for number in range(size):
        document = np.int64(matching[number]) + base
        place = first_from(documents, document, place if document > last else np.int64(0))
        last = document
        if place < len(documents) and documents[place] == document:
            places[count], numbers[count] = place, number
            count += 1
    return count


@inlined
def _weighed(
    lists: Any,
    leaf: Any,
    norms: Scores,
    at: Number,
    begin: Number,
    places: NDArray[np.int64],
    count: Number,
    size: Number,
    room: Any,
) -> None:
    """Fill in what these of a list's postings in a strip, which begin at a posting, weigh."""
    rows, documents, weights = room[0][0], room[0][1], room[1][1]
    share, kept = lists[SHARES][at], lists[TABLE][at, KEPT_AT]
    if kept >= 0:
        bits, less = weights.view(np.uint32), np.uint32(MARKS if share == 1 else MARKS - EXACT_MARK)
        for number in range(count):
            weights[number] = lists[KEPT_WEIGHTS][kept + begin + places[number]]
            marks = bits[number] & less
            weights[number] *= share
            bits[number] = bits[number] & ~np.uint32(MARKS) | marks
    else:
        is_sparse = count * SPARSE < size
        done, end = np.int64(0), count if is_sparse else np.int64(1)
        while done < end:
            first = places[done] if is_sparse else np.int64(0)
            stop = done + 1 if is_sparse else size
            unpack_apart(leaf[3], leaf[4], leaf[5], lists[TABLE][at, PLACE] + begin + first, rows[done:stop])
            done += 1
        for number in range(0 if is_sparse else count):
            rows[number] = rows[places[number]]
        kind, without = lists[TABLE][at, KIND], 0 if share == 1 else EXACT_MARK
        weigh(leaf, norms, kind, documents, rows, count, share, without, weights)


@inlined
def add_word(
    lists: Any,
    leaf: Any,
    norms: Scores,
    word: Number,
    strip: Number,
    held: NDArray[np.int32],
    matching: NDArray[np.int32],
    size: Number,
    room: Any,
    sums: Scores,
    marks: NDArray[np.uint8],
) -> None:
    """Add what a word counts in the documents that match; marks that not all words have go."""
    base, places, numbers = strip << lists[BITS], room[2][0], room[2][1]
    together, weights, found = room[1][0], room[1][1], room[3]
    together[:size], found[:size] = 0, 0
    for at in range(lists[ENDS][word - 1] if word else 0, lists[ENDS][word]):
        start, end = np.int64(lists[STRIPS][at, START, strip]), np.int64(lists[STRIPS][at, START, strip + 1])
        count = _held_places(held[at, : end - start], matching, size, base, places, numbers)
        for number in range(count):
            room[0][1, number] = held[at, places[number]]
        _weighed(lists, leaf, norms, at, start, places, count, end - start, room)
        bits = weights.view(np.uint32)
        for number in range(count):
            if weights[number] >= LEAST:
                together[numbers[number]] += weights[number]
                found[numbers[number]] |= np.uint8(bits[number] & np.uint32(MARKS))
    factor, k1 = lists[FACTORS][word, FACTOR], lists[FACTORS][word, K1]
    for number in range(size):
        place = np.uint64(matching[number])
        if together[number] > 0:
            sums[place] += score_of(factor, k1, together[number])
            marks[place] &= found[number]
        else:
            sums[place] = _NOT
