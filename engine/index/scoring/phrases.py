"""Finds documents with words side by side."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled import I32, I64, Number, compiled, filled, given, inlined
from engine.index.query import Phrase
from engine.index.reader import Documents
from engine.index.schema import LAYOUT, TEXT_FIELDS
from engine.index.scoring.best import EVERY, matching_segments
from engine.index.scoring.blocks import ENDS, LISTS, PLACE, TABLE, first_list
from engine.index.scoring.bm25f import LEAF
from engine.index.scoring.conjunction import intersect_words
from engine.index.scoring.postings import find_postings
from engine.index.scoring.words import WordMatches, Words
from engine.segment import MASK, PLACED, Stands, stands_of

PIECE = 64  # documents read at a time: 64 MB of places at most, mostly some kilobytes
_TEXTS = len(LAYOUT.placed_columns)


def match_phrase(words: Words, phrase: Phrase) -> Documents:
    """The documents in one of whose texts, or in the phrase's, its words follow each other.

    Which of a segment's they are, deleted ones included, is kept while commits come and go.
    """
    typed, found = list(map(words, phrase.words)), [np.empty(0, np.int32)]
    for number, member in matching_segments(words.reader, typed, all):
        find = partial(_of_segment, words, number, typed, phrase.text)
        found.append(member.documents(words.reader.cache.get((member.name, phrase), find)))
    return np.concatenate(found)


def _of_segment(words: Words, number: int, typed: Sequence[WordMatches], text: str) -> Documents:
    """The rarest word is looked for first, then the others where that stands."""
    first = LAYOUT.placed_columns.index(TEXT_FIELDS.index(text)) if text else 0
    texts = first, first + 1 if text else _TEXTS
    order = np.array(sorted(range(len(typed)), key=lambda at: typed[at].counts.all), np.int64)
    lists, leaf = words.lists(number, typed), words.reader.members[number].leaf
    holding_all = intersect_words(lists, order, leaf.arrays, EVERY)
    return _followed(lists, leaf.arrays, leaf.placed, order, holding_all, *texts).copy()


@inlined
def _begun(
    stands: Stands,
    ends: NDArray[np.int64],
    behind: Number,
    left: Documents,
    able: Stands,
    able_ends: NDArray[np.int64],
) -> Number:
    """Fill in which of the documents `left` may begin a phrase, by its word so far behind that; where, one
    document's places after another's; and where each document ends. How many documents there are.
    """
    count, size, stand = np.int64(0), np.int64(0), np.int64(0)
    for at in range(len(ends)):
        before = size
        while stand < ends[at]:
            if stands[stand] & MASK >= behind:
                able[size] = stands[stand] - behind
                size += 1
            stand += 1
        if size > before:
            left[count], able_ends[count] = left[at], size
            count += 1
    return count


@inlined
def _narrowed(
    stands: Stands,
    ends: NDArray[np.int64],
    behind: Number,
    left: Documents,
    able: Stands,
    able_ends: NDArray[np.int64],
) -> Number:
    """Of those documents and places only where another word stands so far behind are left."""
    count, size, stand, one = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for at in range(len(ends)):
        before, end = size, able_ends[at]
        while one < end:
            while stand < ends[at] and stands[stand] < able[one] + behind:
                stand += 1
            if stand < ends[at] and stands[stand] == able[one] + behind:
                able[size] = able[one]
                size += 1
            one += 1
        stand = ends[at]
        if size > before:
            left[count], able_ends[count] = left[at], size
            count += 1
    return count


@compiled(filled(I32)(LISTS, LEAF, PLACED, given(I64), given(I32), I64, I64))
def _followed(
    lists: tuple[Any, ...],
    leaf: tuple[NDArray[Any], ...],
    placed: tuple[NDArray[Any], ...],
    order: NDArray[np.int64],
    documents: Documents,
    text: Number,
    end: Number,
) -> Documents:
    """Those of a segment's documents that have the words side by side in one of the texts `text` ... end - 1;
    `order` tells which word is looked for first.
    """
    found, count = np.empty(len(documents), np.int32), np.int64(0)
    for start in range(0, len(documents), PIECE):
        left = documents[start : start + PIECE].copy()
        able, able_ends = np.empty(0, np.int32), np.empty(len(left), np.int64)
        for step in range(len(order)):
            word = order[step]
            first = first_list(lists, word)
            places = np.empty((lists[ENDS][word] - first, len(left)), np.int64)
            for term in range(len(places)):
                find_postings(lists, leaf, first + term, left, places[term])
                for at in range(len(left)):
                    if places[term, at] >= 0:
                        places[term, at] += lists[TABLE][first + term, PLACE]
            stands, ends = stands_of(placed, places, text, end)
            if step == 0:
                able = np.empty(len(stands), np.int32)
                some = _begun(stands, ends, word, left, able, able_ends)
            else:
                some = _narrowed(stands, ends, word, left, able, able_ends)
            left = left[:some]
        found[count : count + len(left)] = left
        count += len(left)
    return found[:count]
