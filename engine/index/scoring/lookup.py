"""Looks up scores of given documents, and all documents that hold a word."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import LEAF, MARKS, Documents, LeafArrays, Scores, argsort_documents
from engine.index.scoring.blocks import (
    FACTOR,
    K1,
    LISTS,
    PLACE,
    Lists,
    block_size,
    block_start,
    first_list,
    saturate,
)
from engine.index.scoring.bm25f import LEAST
from engine.index.scoring.postings import (
    PostingsRoom,
    find_postings,
    make_postings_room,
    weigh_some,
)
from engine.index.scoring.summed import make_scratch, read_word
from engine.kernels import F32, I32, I64, Number, compiled, inlined, mutable, outlined, readonly, tuple_of

_FAR = 1 << 62  # no list is so long: of what is looked up each is read by itself
_MARKS = np.uint32(MARKS)


class LookupRoom(NamedTuple):
    """Room for postings that are looked up, and for which of the documents each is of."""

    postings: PostingsRoom
    numbers: NDArray[np.int64]


@inlined
def _add_list(
    lists: Lists,
    leaf: LeafArrays,
    at: Number,
    documents: Documents,
    places: NDArray[np.int64],
    found: Scores,
    room: LookupRoom,
) -> None:
    """Adds the weights of a list's postings at these places (-1: none) to those of the documents."""
    numbers, count, bits = room.numbers, np.int64(0), found.view(np.uint32)
    postings, of_held, weights = room.postings.places, room.postings.documents, room.postings.weights
    for number in range(len(documents)):
        if places[number] >= 0:
            numbers[count], postings[count], of_held[count] = number, places[number], documents[number]
            count += 1
    weigh_some(lists, leaf, at, 0, _FAR, room.postings, count)
    of_weights = weights.view(np.uint32)
    for at_ in range(count):
        number = numbers[at_]
        if weights[at_] >= LEAST:
            marks = (bits[number] | of_weights[at_]) & _MARKS
            found[number] += weights[at_]
            bits[number] = bits[number] & ~_MARKS | marks


@outlined(tuple_of(mutable(F32, 2), mutable(I64, 2))(LISTS, LEAF, readonly(I32)))
def look_up_words(lists: Lists, leaf: LeafArrays, documents: Documents) -> tuple[Scores, NDArray[np.int64]]:
    """Looks up the scores of words in documents (ascending): (words, documents), marked, 0 where one does not
    hold the word; and (lists, documents): which posting of the segment it has, -1 for none.
    """
    size, words = len(documents), len(lists.ends)
    found, places = np.zeros((words, size), np.float32), np.empty((len(lists.table), size), np.int64)
    bits = found.view(np.uint32)
    room = LookupRoom(make_postings_room(size), np.empty(size, np.int64))
    for word in range(words):
        for at in range(first_list(lists.ends, word), lists.ends[word]):
            find_postings(lists, leaf, at, documents, places[at])
            _add_list(lists, leaf, at, documents, places[at], found[word], room)
            for number in range(size):
                if places[at, number] >= 0:
                    places[at, number] += lists.table[at, PLACE]
        factor, k1 = lists.factors[word, FACTOR], lists.factors[word, K1]
        for number in range(size):
            if found[word, number] > 0:
                marks = bits[word, number] & _MARKS
                found[word, number] = saturate(factor, k1, found[word, number])
                bits[word, number] = bits[word, number] & ~_MARKS | marks
    return found, places


@compiled(mutable(F32, 2)(LISTS, LEAF, readonly(I32)))
def look_up_scores(lists: Lists, leaf: LeafArrays, documents: Documents) -> Scores:
    """Looks up the scores alone, as look_up_words() does."""
    return look_up_words(lists, leaf, documents)[0]


@compiled(tuple_of(mutable(I32), mutable(F32))(LISTS, LEAF))
def score_word(lists: Lists, leaf: LeafArrays) -> tuple[Documents, Scores]:
    """Scores all documents, ascending, that hold the one word of these lists."""
    bits, size = lists.bits, np.int64(0)
    for at in range(len(lists.table)):
        size += block_start(lists.blocks, at, lists.blocks.shape[2] - 1)
    documents, scores, done = np.empty(size, np.int32), np.empty(size, np.float32), np.int64(0)
    in_block = block_size(lists, leaf)
    scratch, nothing = make_scratch(in_block), np.empty(0, np.float32)
    found, weights = scratch.postings.documents, scratch.postings.weights
    score_bits, factor, k1 = scores.view(np.uint32), lists.factors[0, FACTOR], lists.factors[0, K1]
    for block in range(lists.blocks.shape[2] - 1):
        count = read_word(lists, leaf, 0, block, False, nothing, scratch)
        weight_bits = weights.view(np.uint32)
        for at in argsort_documents(found[:count]):
            documents[done] = found[at] + (block << bits)
            scores[done] = saturate(factor, k1, weights[at])
            score_bits[done] = score_bits[done] & ~_MARKS | weight_bits[at] & _MARKS
            done += 1
    return documents[:done], scores[:done]
