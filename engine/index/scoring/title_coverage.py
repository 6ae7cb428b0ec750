"""Adds what titles count that consist of the query's words.

The share of a title that the query says is cubed, without the words that the host repeats in its titles. A
title that says all of the query and nothing else counts more the more of it stands there in its order.
"""

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import LEAF, LeafArrays, Scores
from engine.index.schema import LAYOUT, SUBJECT, TEXT_FIELDS
from engine.index.scoring.blocks import LISTS, Lists, first_list
from engine.index.scoring.bm25f import field_length
from engine.index.scoring.name_coverage import NAME_POSTINGS, WHOLE, NamePostings, score_name, sum_idfs
from engine.kernels import BOOL, F32, NONE, inlined, mutable, outlined, readonly
from engine.segment import MASK, POSITION_ARRAYS, PositionArrays, Stands, read_positions

IN_ORDER = 0.25  # what a title that is the query gains more if its words follow each other as there
MOST_REPEATED = 2  # occurrences of a word that cover a title: a list of one word is none
_TITLE_TEXT, _SUBJECT_TEXT = map(TEXT_FIELDS.index, ("title", SUBJECT))
_TITLE_COLUMN = LAYOUT.placed_columns.index(_TITLE_TEXT)


@inlined
def _count_following(
    before: Stands,
    before_ends: NDArray[np.int64],
    positions: Stands,
    ends: NDArray[np.int64],
    following: NDArray[np.int64],
) -> None:
    """Counts in which documents a word follows the one before it."""
    here, there = np.int64(0), np.int64(0)
    for at in range(len(ends)):
        is_there = False
        while there < ends[at]:
            while here < before_ends[at] and (before[here] & MASK) + 1 < positions[there] & MASK:
                here += 1
            if here < before_ends[at]:
                is_there |= (before[here] & MASK) + 1 == positions[there] & MASK
            there += 1
        here = before_ends[at]
        following[at] += is_there


@outlined(NONE(LISTS, LEAF, POSITION_ARRAYS, NAME_POSTINGS, readonly(F32), readonly(BOOL), mutable(F32)))
def _add_title_order(
    lists: Lists,
    leaf: LeafArrays,
    position_arrays: PositionArrays,
    postings: NamePostings,
    idfs: Scores,
    equal: NDArray[np.bool_],
    gained: Scores,
) -> None:
    """Adds what documents whose titles are equal to the query but for its order gain by that, and by
    wholes of parts.
    """
    following, pairs = np.zeros(len(equal), np.int64), np.int64(-1)
    before, before_ends = np.empty(0, np.int32), np.zeros(len(equal), np.int64)
    for word in range(len(idfs)):
        first, end = first_list(lists.ends, word), lists.ends[word]
        if idfs[word] == WHOLE:
            pairs += 1
            for at in range(len(equal)):
                is_there = False
                for row in postings.rows[first:end, at]:
                    is_there |= row >= 0 and leaf.rows[row, _TITLE_TEXT] > 0
                following[at] += equal[at] and is_there
        elif idfs[word] >= 0:
            wanted = np.empty((end - first, len(equal)), np.int64)
            for one in range(end - first):
                for at in range(len(equal)):
                    is_there = equal[at] and postings.rows[first + one, at] >= 0
                    wanted[one, at] = postings.places[first + one, at] if is_there else -1
            positions, ends = read_positions(position_arrays, wanted, _TITLE_COLUMN, _TITLE_COLUMN + 1)
            _count_following(before, before_ends, positions, ends, following)
            before, before_ends, pairs = positions, ends, pairs + 1
    for at in range(len(equal) if pairs > 0 else 0):
        gained[at] += gained[at] * IN_ORDER * following[at] / pairs


@outlined(NONE(LISTS, LEAF, POSITION_ARRAYS, NAME_POSTINGS, readonly(F32), mutable(F32)))
def add_title_coverage(
    lists: Lists,
    leaf: LeafArrays,
    position_arrays: PositionArrays,
    postings: NamePostings,
    idfs: Scores,
    gained: Scores,
) -> None:
    """Adds what documents gain by titles."""
    documents, rows = postings.documents, postings.rows
    asked, table, equal = sum_idfs(idfs), leaf.rows, np.zeros(len(documents), np.bool_)
    for at in range(len(documents) if asked > 0 else 0):
        covered, told = np.int64(0), np.float32(0)
        for word in range(len(idfs)):
            is_there, places = False, np.int64(0)
            for one in range(first_list(lists.ends, word), lists.ends[word] if idfs[word] >= 0 else 0):
                row = rows[one, at]
                if row >= 0 and table[row, _TITLE_TEXT] > 0:  # variants stand where the word does
                    places, is_there = max(places, np.int64(table[row, _SUBJECT_TEXT])), True
            covered += min(places, np.int64(MOST_REPEATED))
            told += idfs[word] if is_there else np.float32(0)
        if covered > 0:
            length = field_length(leaf, _SUBJECT_TEXT, documents[at])
            share = min(np.float32(covered) / length, np.float32(1))
            gained[at] += score_name(told, asked, share * share * share)
            equal[at] = share == 1 and told == asked
    if equal.any():
        _add_title_order(lists, leaf, position_arrays, postings, idfs, equal, gained)
