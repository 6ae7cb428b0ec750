"""What documents of a segment score by words, and all documents that hold a word."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled import F32, I32, I64, NONE, compiled, filled, given, several
from engine.index.listed import START
from engine.index.lists import EXACT_MARK, MARKS, Documents, Scores
from engine.index.strips import (
    BITS,
    DOCUMENTS,
    ENDS,
    FACTOR,
    FACTORS,
    K1,
    KEPT_AT,
    KEPT_WEIGHTS,
    KIND,
    LISTS,
    PLACE,
    SHARES,
    STRIPS,
    TABLE,
    WEIGHTS,
    find_places,
    read_word,
    score_of,
    scratch_of,
    size_of,
)
from engine.index.weighing import LEAF, LEAST, NORMS, weigh
from engine.segment.packed import unpack_apart

_MARKS = np.uint32(MARKS)


@compiled(NONE(LISTS, LEAF, NORMS, given(I32), filled(F32, 2), filled(I64, 2)))
def look_up_all(
    lists: tuple[Any, ...],
    leaf: tuple[NDArray[Any], ...],
    norms: Scores,
    documents: Documents,
    found: Scores,
    places: NDArray[np.int64],
) -> None:
    """Fill `found` (words, documents): the marked score of each of the documents (ascending), 0 where it does
    not hold the word; and `places` (lists, documents): which posting of the segment it has, -1 for none.
    """
    bits, words, first = found.view(np.uint32), len(lists[ENDS]), np.int64(0)
    row, one, weight = np.empty(1, np.int32), np.empty(1, np.int32), np.empty(1, np.float32)
    weight_bits = weight.view(np.uint32)
    found[:] = 0
    for word in range(words):
        for at in range(first, lists[ENDS][word]):
            share, kept = lists[SHARES][at], lists[TABLE][at, KEPT_AT]
            without = np.int64(0) if share == 1 else np.int64(EXACT_MARK)
            find_places(lists, leaf, at, documents, places[at])
            for number in range(len(documents)):
                place = places[at, number]
                if place < 0:
                    continue
                places[at, number] = lists[TABLE][at, PLACE] + place
                if kept >= 0:
                    weight[0] = lists[KEPT_WEIGHTS][kept + place]
                    marks = weight_bits[0] & np.uint32(MARKS) & ~np.uint32(without)
                    weight[0] *= share
                    weight_bits[0] = weight_bits[0] & ~_MARKS | marks
                else:
                    one[0] = documents[number]
                    unpack_apart(leaf[3], leaf[4], leaf[5], places[at, number], row)
                    weigh(leaf, norms, lists[TABLE][at, KIND], one, row, 1, share, without, weight)
                if weight[0] >= LEAST:
                    marks = (bits[word, number] | weight_bits[0]) & _MARKS
                    found[word, number] += weight[0]
                    bits[word, number] = bits[word, number] & ~_MARKS | marks
        factor, k1, first = (
            lists[FACTORS][word, FACTOR],
            lists[FACTORS][word, K1],
            np.int64(lists[ENDS][word]),
        )
        for number in range(len(documents)):
            if found[word, number] > 0:
                marks = bits[word, number] & _MARKS
                found[word, number] = score_of(factor, k1, found[word, number])
                bits[word, number] = bits[word, number] & ~_MARKS | marks


@compiled(several(filled(I32), filled(F32))(LISTS, LEAF, NORMS))
def whole(lists: tuple[Any, ...], leaf: tuple[NDArray[Any], ...], norms: Scores) -> tuple[Documents, Scores]:
    """All documents, ascending, that hold the one word of these lists, with their marked scores."""
    bits, size = lists[BITS], np.int64(lists[STRIPS][:, START, -1].sum())
    documents, scores, done = np.empty(size, np.int32), np.empty(size, np.float32), np.int64(0)
    in_strip = size_of(lists, leaf)
    scratch, nothing = scratch_of(in_strip), np.empty(0, np.float32)
    score_bits, factor, k1 = scores.view(np.uint32), lists[FACTORS][0, FACTOR], lists[FACTORS][0, K1]
    for strip in range(lists[STRIPS].shape[2] - 1):
        count = read_word(lists, leaf, norms, 0, strip, False, nothing, scratch)
        weights = scratch[1][WEIGHTS]
        weight_bits = weights.view(np.uint32)
        order = np.argsort(scratch[0][DOCUMENTS, :count])
        for at in order:
            documents[done] = scratch[0][DOCUMENTS, at] + (strip << bits)
            scores[done] = score_of(factor, k1, weights[at])
            score_bits[done] = score_bits[done] & ~_MARKS | weight_bits[at] & _MARKS
            done += 1
    return documents[:done], scores[:done]
