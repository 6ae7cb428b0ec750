"""Adds what the best heading of a page counts that consists of the query's words."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import LEAF, Documents, LeafArrays, Scores
from engine.index.schema import HEADINGS, LAYOUT, TEXT_FIELDS
from engine.index.scoring.blocks import LISTS, Lists, first_list
from engine.index.scoring.name_coverage import NAME_POSTINGS, NamePostings, score_name, sum_idfs
from engine.kernels import F32, NONE, Number, inlined, mutable, outlined, readonly
from engine.segment import MASK, POSITION_ARRAYS, PositionArrays, read_positions

LEAST_TOLD = 0.5  # part of the query's idf that a heading has; one that has less names something else
_HEADINGS_TEXT = TEXT_FIELDS.index(HEADINGS)
_HEADINGS_COLUMN = LAYOUT.placed_columns.index(_HEADINGS_TEXT)


class HeadingSums(NamedTuple):
    """For each heading of some documents, one after the other, how many of its words are the query's, and
    their idf; `starts` says of each document, and behind the last, where its headings are.
    """

    starts: NDArray[np.int64]
    covered: NDArray[np.int32]
    told: Scores


@inlined
def _sum_headings(
    leaf: LeafArrays,
    documents: Documents,
    positions: NDArray[np.int32],
    ends: NDArray[np.int64],
    rarity: Number,
    sums: HeadingSums,
) -> None:
    """Adds a word, which stands at these positions of documents' headings, to what these have."""
    place = np.int64(0)
    for at in range(len(documents)):
        first, last = np.int64(leaf.heading_starts[documents[at]]), np.int64(-1)
        count = sums.starts[at + 1] - sums.starts[at]
        heading = np.int64(0)
        while place < ends[at]:
            position = positions[place] & MASK
            while heading < count and leaf.heading_ends[first + heading] <= position:
                heading += 1
            if heading < count:
                sums.covered[sums.starts[at] + heading] += 1
                if heading != last:
                    sums.told[sums.starts[at] + heading] += rarity
                last = heading
            place += 1


@inlined
def _select_named(lists: Lists, leaf: LeafArrays, rows: NDArray[np.int32], idfs: Scores) -> NDArray[np.bool_]:
    """Selects the documents whose headings have enough of the query for one of them to be it."""
    asked, found = sum_idfs(idfs), np.zeros(rows.shape[1], np.bool_)
    for at in range(len(found) if asked > 0 else 0):
        told = np.float32(0)
        for word in range(len(idfs)):
            is_there = False
            for one in range(first_list(lists.ends, word), lists.ends[word] if idfs[word] >= 0 else 0):
                is_there |= rows[one, at] >= 0 and leaf.rows[rows[one, at], _HEADINGS_TEXT] > 0
            told += idfs[word] if is_there else np.float32(0)
        found[at] = told >= LEAST_TOLD * asked
    return found


@inlined
def _score_headings(
    leaf: LeafArrays, document: Number, asked: Number, covered: NDArray[np.int32], told: Scores
) -> Number:
    """Scores the best of a document's headings, of which so many words are the query's."""
    best, begin, before = np.float32(0), np.int64(leaf.heading_starts[document]), np.int64(0)
    for heading in range(len(covered)):
        end = np.int64(leaf.heading_ends[begin + heading])
        if told[heading] >= LEAST_TOLD * asked:
            share = min(np.float32(covered[heading]) / (end - before), np.float32(1))
            best = max(best, score_name(told[heading], asked, share))
        before = end
    return best


@outlined(NONE(LISTS, LEAF, POSITION_ARRAYS, NAME_POSTINGS, readonly(F32), mutable(F32)))
def add_heading_coverage(
    lists: Lists,
    leaf: LeafArrays,
    position_arrays: PositionArrays,
    postings: NamePostings,
    idfs: Scores,
    gained: Scores,
) -> None:
    """Adds what documents gain by the best of their headings."""
    documents, places, rows = postings
    named, starts = _select_named(lists, leaf, rows, idfs), np.zeros(len(documents) + 1, np.int64)
    for at in range(len(documents)):
        count = leaf.heading_starts[documents[at] + 1] - leaf.heading_starts[documents[at]]
        starts[at + 1] = starts[at] + (np.int64(count) if named[at] else 0)
    sums = HeadingSums(starts, np.zeros(starts[-1], np.int32), np.zeros(starts[-1], np.float32))
    for word in range(len(idfs) if starts[-1] else 0):
        first, end = first_list(lists.ends, word), np.int64(lists.ends[word])
        end = end if idfs[word] >= 0 else first
        wanted, is_there = np.empty((end - first, len(documents)), np.int64), False
        for one in range(end - first):
            for at in range(len(documents)):
                row = rows[first + one, at]
                is_named = named[at] and row >= 0 and leaf.rows[row, _HEADINGS_TEXT] > 0
                wanted[one, at] = places[first + one, at] if is_named else -1
                is_there |= is_named
        if is_there:
            positions, ends = read_positions(position_arrays, wanted, _HEADINGS_COLUMN, _HEADINGS_COLUMN + 1)
            _sum_headings(leaf, documents, positions, ends, idfs[word], sums)
    asked = sum_idfs(idfs)
    for at in range(len(documents) if starts[-1] else 0):
        some = slice(starts[at], starts[at + 1])
        gained[at] += _score_headings(leaf, documents[at], asked, sums.covered[some], sums.told[some])
