"""The lists of several words in one segment, side by side, for loops that go through them strip by strip."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import F32, I32, I64, Number, filled, inlined, several
from engine.index.listed import BEFORE, BOUND, START, Listed, strip_bits, strips_of
from engine.index.lists import EXACT_MARK, MARKS, Documents, Scores
from engine.index.weighing import LEAST, read_documents, weigh
from engine.segment.loops import first_from
from engine.segment.packed import unpack_apart

LISTS = several(
    *(filled(I32), filled(F32), filled(I64, 2), filled(I32, 3), filled(F32, 3)),
    *(filled(F32), filled(I64), filled(F32, 2), I64),
)
"""Lists, for compiled functions."""

KEPT_AT, PLACE, KIND = range(3)  # where a kept list begins, -1 for none; its first posting; by which norms
FACTOR, K1 = 0, 1  # of a word: a weight w gives FACTOR * w / (K1 + w); w itself where K1 is below 0
DOCUMENTS, _ROWS, _PLACES, _TOUCHED = range(4)  # rows of scratch arrays
WEIGHTS, _STAGED = range(2)
SPARSE = 8  # a strip of a list is read as a whole where more than one in so many is wanted
_MARKS = np.uint32(MARKS)


_NO_DOCUMENTS, _NO_WEIGHTS = np.empty(0, np.int32), np.empty(0, np.float32)


class Part(NamedTuple):
    """A word in one segment: its terms' lists and their shares, its factor and k1, its kind of norms."""

    lists: Sequence[Listed]
    shares: Sequence[float]
    factor: float
    k1: float
    kind: int = 0


class Lists(NamedTuple):
    """Lists of several words, those of one after those of another; compiled functions know them by number."""

    documents: Documents  # of all that are kept
    weights: Scores
    table: NDArray[np.int64]  # (lists, 3): KEPT_AT, PLACE, KIND
    strips: NDArray[np.int32]  # (lists, 3, strips + 1), as Listed has them
    bounds: Scores  # the same memory: its row BOUND are such numbers
    shares: Scores  # what the weights in a list count
    ends: NDArray[np.int64]  # (words): which of the lists are each word's
    factors: Scores  # (words, 2): FACTOR, K1
    bits: int  # engine.index.listed.strip_bits()


KEPT_DOCUMENTS, KEPT_WEIGHTS, TABLE, STRIPS, BOUNDS, SHARES, ENDS, FACTORS, BITS = range(9)


def side_by_side(parts: Sequence[Part], size: int) -> tuple[Any, ...]:
    """The Lists of these parts in a segment of so many documents: a plain tuple, for compiled functions."""
    lists: list[Listed] = []
    table: list[int] = []
    shares: list[float] = []
    ends: list[int] = []
    factors: list[float] = []
    kept = 0
    for part in parts:
        for one in part.lists:
            table += (kept if one.is_kept else -1, one.place, part.kind)
            kept += one.documents.size
        lists += part.lists
        shares += part.shares
        ends.append(len(lists))
        factors += (part.factor, part.k1)
    bits = strip_bits(size)
    strips = np.concatenate(
        [one.strips for one in lists] or [np.empty((0, strips_of(size, bits) + 1), np.int32)]
    )
    strips = strips.reshape(len(lists), 3, -1) if lists else strips.reshape(0, 3, strips.shape[1])
    return Lists(
        np.concatenate([one.documents for one in lists] or [_NO_DOCUMENTS]),
        np.concatenate([one.weights for one in lists] or [_NO_WEIGHTS]),
        np.array(table, np.int64).reshape(-1, 3),
        strips,
        strips.view(np.float32),
        np.array(shares, np.float32),
        np.array(ends, np.int64),
        np.array(factors, np.float32).reshape(-1, 2),
        bits,
    )[:]


@inlined
def size_of(lists: Any, leaf: Any) -> Number:
    """How many documents a strip has at most."""
    return min(np.int64(1) << lists[BITS], np.int64(leaf[10].shape[1]))


@inlined
def scratch_of(size: Number) -> Any:
    """Room for what read_word() gives and needs, for strips of so many documents."""
    return np.empty((4, size), np.int32), np.zeros((2, size), np.float32), np.zeros(size, np.uint8)


@inlined
def score_of(factor: Number, k1: Number, weight: Number) -> Number:
    """What a weight is worth."""
    return weight if k1 < 0 else factor * weight / (k1 + weight)


@inlined
def bound_of(lists: Any, word: Number, strip: Number) -> Number:
    """The most that a document of a strip may score by a word."""
    bounds, shares, ends, factors = lists[BOUNDS], lists[SHARES], lists[ENDS], lists[FACTORS]
    most = np.float32(0)
    for at in range(ends[word - 1] if word else 0, ends[word]):
        most += bounds[at, BOUND, strip] * shares[at]
    return score_of(factors[word, FACTOR], factors[word, K1], most)


@inlined
def find_places(lists: Any, leaf: Any, at: Number, documents: Documents, places: NDArray[np.int64]) -> None:
    """Fill in which posting of a list, from its first, each of the documents (ascending) has; -1 for none."""
    if lists[TABLE][at, KEPT_AT] >= 0:
        kept = lists[KEPT_DOCUMENTS][lists[TABLE][at, KEPT_AT] :][: lists[STRIPS][at, START, -1]]
        place: Number = np.int64(0)
        for number in range(len(documents)):
            place = first_from(kept, documents[number], place)
            is_there = place < len(kept) and kept[place] == documents[number]
            places[number] = place if is_there else -1
        return
    read, bits = np.empty(size_of(lists, leaf), np.int32), lists[BITS]
    start: Number = np.int64(0)
    while start < len(documents):
        strip: Number = np.int64(documents[start] >> bits)
        number = start
        begin, size = (
            np.int64(lists[STRIPS][at, START, strip]),
            lists[STRIPS][at, START, strip + 1] - lists[STRIPS][at, START, strip],
        )
        read_documents(leaf, lists[TABLE][at, PLACE] + begin, size, lists[STRIPS][at, BEFORE, strip], read)
        place = np.int64(0)
        while number < len(documents) and documents[number] >> bits == strip:
            place = first_from(read[:size], documents[number], place)
            is_there = place < size and read[place] == documents[number]
            places[number] = begin + place if is_there else -1
            number += 1
        start = number


@inlined
def _kept(
    lists: Any,
    at: Number,
    strip: Number,
    start: Number,
    size: Number,
    only: bool,
    wanted: Scores,
    scratch: Any,
) -> Number:
    """Copy a part of a list that is kept, each weight times the list's share; how many postings that is."""
    documents, weights = scratch[0][DOCUMENTS], scratch[1][WEIGHTS]
    bits, share, base = weights.view(np.uint32), lists[SHARES][at], strip << lists[BITS]
    kept, kept_weights, count = lists[KEPT_DOCUMENTS], lists[KEPT_WEIGHTS], np.uint64(0)
    for place in range(lists[TABLE][at, KEPT_AT] + start, lists[TABLE][at, KEPT_AT] + start + size):
        document = kept[np.uint64(place)]
        if not only or wanted[np.uint64(document - base)] > 0:
            documents[count], weights[count] = document, kept_weights[np.uint64(place)]
            count += np.uint64(1)
    if share != 1:
        for place in range(np.int64(count)):
            marks = bits[place] & np.uint32(MARKS - EXACT_MARK)
            weights[place] *= share
            bits[place] = bits[place] & ~_MARKS | marks
    return np.int64(count)


@inlined
def _read(
    lists: Any,
    leaf: Any,
    norms: Scores,
    at: Number,
    strip: Number,
    only: bool,
    wanted: Scores,
    scratch: Any,
) -> Number:
    """Read the part of a list that lies in a strip; with `only`, at least the documents that are wanted."""
    start, size = (
        np.int64(lists[STRIPS][at, START, strip]),
        np.int64(lists[STRIPS][at, START, strip + 1] - lists[STRIPS][at, START, strip]),
    )
    if lists[TABLE][at, KEPT_AT] >= 0:
        return _kept(lists, at, strip, start, size, only, wanted, scratch)
    documents, rows, places = scratch[0][DOCUMENTS], scratch[0][_ROWS], scratch[0][_PLACES]
    begin, base, share = lists[TABLE][at, PLACE] + start, strip << lists[BITS], lists[SHARES][at]
    read_documents(leaf, begin, size, lists[STRIPS][at, BEFORE, strip], documents)
    count = np.int64(0)
    for place in range(size if only else 0):
        if wanted[np.uint64(documents[place] - base)] > 0:
            places[count] = place
            count += 1
    is_sparse = only and count * SPARSE < size
    done, end = np.int64(0), count if is_sparse else size
    while done < end:
        first = np.int64(places[done]) if is_sparse else np.int64(0)
        stop = done + 1 if is_sparse else size
        unpack_apart(leaf[3], leaf[4], leaf[5], begin + first, rows[done:stop])
        if is_sparse:
            documents[done] = documents[first]
        done = stop
    without = 0 if share == 1 else EXACT_MARK
    weigh(leaf, norms, lists[TABLE][at, KIND], documents, rows, end, share, without, scratch[1][WEIGHTS])
    return end


@inlined
def _staged(count: Number, total: Number, base: Number, scratch: Any) -> Number:
    """Add what was read of one term to what was read of others; how many documents there are by now."""
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
    strip: Number,
    only: bool,
    wanted: Scores,
    scratch: Any,
) -> Number:
    """How many documents of a strip hold a word. The first of scratch[0][DOCUMENTS], which are counted from
    the strip's first, are they, in no order, and the first of scratch[1][WEIGHTS] their marked weights.

    With `only`, at least the documents whose `wanted` is not 0.
    """
    first, end = np.int64(lists[ENDS][word - 1] if word else 0), np.int64(lists[ENDS][word])
    documents, weights, touched = scratch[0][DOCUMENTS], scratch[1][WEIGHTS], scratch[0][_TOUCHED]
    base, count, total = strip << lists[BITS], np.int64(0), np.int64(0)
    for at in range(first, end):
        count = _read(lists, leaf, norms, at, strip, only, wanted, scratch)
        if end - first > 1:
            total = _staged(count, total, base, scratch)
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
