"""Finds documents with words side by side."""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from engine.index.query import Phrase
from engine.index.reader import LEAF, Documents, LeafArrays
from engine.index.schema import LAYOUT, TEXT_FIELDS
from engine.index.scoring.best import EVERY, find_segments
from engine.index.scoring.blocks import LISTS, PLACE, Lists, first_list
from engine.index.scoring.conjunction import intersect_words
from engine.index.scoring.postings import find_postings
from engine.index.scoring.words import WordMatches, Words
from engine.kernels import I32, I64, Number, compiled, inlined, mutable, readonly
from engine.segment import MASK, POSITION_ARRAYS, PositionArrays, Stands, read_positions

PIECE = 64  # documents read at a time: 64 MB of places at most, mostly some kilobytes
_TEXTS = len(LAYOUT.placed_columns)


def match_phrase(words: Words, phrase: Phrase) -> Documents:
    """Finds the documents in one of whose texts, or in the phrase's, its words follow each other.

    Which of a segment's they are, deleted ones included, is kept while commits come and go.
    """
    typed, found = list(map(words, phrase.words)), [np.empty(0, np.int32)]
    for number, member in find_segments(words.reader, typed, all):
        find = partial(_match_segment, words, number, typed, phrase.text)
        found.append(member.to_snapshot(words.reader.cache.get((member.name, phrase), find)))
    return np.concatenate(found)


def _match_segment(words: Words, number: int, typed: Sequence[WordMatches], text: str) -> Documents:
    """Matches a phrase in a segment: the rarest word first, then the others where that stands."""
    first = LAYOUT.placed_columns.index(TEXT_FIELDS.index(text)) if text else 0
    texts = first, first + 1 if text else _TEXTS
    order = np.array(sorted(range(len(typed)), key=lambda at: typed[at].counts.all), np.int64)
    lists, leaf = words.pack_lists(number, typed), words.reader.members[number].leaf
    holding_all = intersect_words(lists, order, leaf.arrays, EVERY)
    return _match_documents(lists, leaf.arrays, leaf.position_arrays, order, holding_all, *texts).copy()


@inlined
def _start_phrases(
    positions: Stands,
    ends: NDArray[np.int64],
    offset: Number,
    left: Documents,
    starts: Stands,
    start_ends: NDArray[np.int64],
) -> Number:
    """Fills in where phrases may start, by one of their words and its offset: documents into `left`,
    positions into `starts`, one document's after another's, and where each document's end. Returns how many
    documents.
    """
    count, size, cursor = np.int64(0), np.int64(0), np.int64(0)
    for at in range(len(ends)):
        before = size
        while cursor < ends[at]:
            if positions[cursor] & MASK >= offset:
                starts[size] = positions[cursor] - offset
                size += 1
            cursor += 1
        if size > before:
            left[count], start_ends[count] = left[at], size
            count += 1
    return count


@inlined
def _narrow_phrases(
    positions: Stands,
    ends: NDArray[np.int64],
    offset: Number,
    left: Documents,
    starts: Stands,
    start_ends: NDArray[np.int64],
) -> Number:
    """Keeps the starts, and their documents, where another word stands at its offset; returns how many
    documents.
    """
    count, size, cursor, one = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    for at in range(len(ends)):
        before, end = size, start_ends[at]
        while one < end:
            while cursor < ends[at] and positions[cursor] < starts[one] + offset:
                cursor += 1
            if cursor < ends[at] and positions[cursor] == starts[one] + offset:
                starts[size] = starts[one]
                size += 1
            one += 1
        cursor = ends[at]
        if size > before:
            left[count], start_ends[count] = left[at], size
            count += 1
    return count


@compiled(mutable(I32)(LISTS, LEAF, POSITION_ARRAYS, readonly(I64), readonly(I32), I64, I64))
def _match_documents(
    lists: Lists,
    leaf: LeafArrays,
    position_arrays: PositionArrays,
    order: NDArray[np.int64],
    documents: Documents,
    text: Number,
    end: Number,
) -> Documents:
    """Finds those of a segment's documents that have the phrase in one of the texts `text` ... end - 1;
    `order` tells which word is looked for first.
    """
    found, count = np.empty(len(documents), np.int32), np.int64(0)
    for start in range(0, len(documents), PIECE):
        left = documents[start : start + PIECE].copy()
        starts, start_ends = np.empty(0, np.int32), np.empty(len(left), np.int64)
        for step in range(len(order)):
            word = order[step]
            first = first_list(lists.ends, word)
            places = np.empty((lists.ends[word] - first, len(left)), np.int64)
            for term in range(len(places)):
                find_postings(lists, leaf, first + term, left, places[term])
                for at in range(len(left)):
                    if places[term, at] >= 0:
                        places[term, at] += lists.table[first + term, PLACE]
            positions, ends = read_positions(position_arrays, places, text, end)
            if step == 0:
                starts = np.empty(len(positions), np.int32)
                some = _start_phrases(positions, ends, word, left, starts, start_ends)
            else:
                some = _narrow_phrases(positions, ends, word, left, starts, start_ends)
            left = left[:some]
        found[count : count + len(left)] = left
        count += len(left)
    return found[:count]
