"""Adds what names count that consist of the query's words: titles and headings.

BM25F saturates: a title that is the query scores hardly more than one that has its words among others. So a
name counts by how much of the query it says, the share of the idf, and by how much of it the query says, the
share of its words; of a title cubed, and without the words that the host repeats in its titles.
"""

from collections.abc import Sequence, Set
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.query import Word
from engine.index.reader import FIELD, Documents, LeafArrays, Scores
from engine.index.schema import HEADINGS, LAYOUT, STUFFED_FROM, SUBJECT, TEXT_FIELDS
from engine.index.scoring.blocks import Lists, first_list
from engine.index.scoring.bm25f import field_length, read_rows
from engine.kernels import Number, inlined, outlined
from engine.segment import MASK, PositionArrays, read_positions

LEAST_TOLD = 0.5  # part of the query's idf that a heading has; one that has less names something else
STUFFED_NAMES = 0.3  # of the words of all headings; a guide to caching has the word in a fifth of them
STUFFED_BODY = 0.15  # of the words of a text; a short page of a manual has its name in up to .14
NOT_COUNTED = -1.0
MOST_REPEATED = 2  # occurrences of a word that cover a title: a list of one word is none
_TITLE_TEXT, _SUBJECT_TEXT, _HEADINGS_TEXT, _BODY_TEXT = map(
    TEXT_FIELDS.index, ("title", SUBJECT, HEADINGS, FIELD)
)
_HEADINGS_COLUMN = LAYOUT.placed_columns.index(_HEADINGS_TEXT)


class NamePostings(NamedTuple):
    """Some documents (ascending); (lists, documents) which postings of the segment they have, -1 for none;
    and the rows of those of the words themselves, no variants of them, -1 for none.
    """

    documents: Documents
    places: NDArray[np.int64]
    rows: NDArray[np.int32]


class HeadingSums(NamedTuple):
    """For each heading of some documents, one after the other, how many of its words are the query's, and
    their idf; `starts` says of each document, and behind the last, where its headings are.
    """

    starts: NDArray[np.int64]
    covered: NDArray[np.int32]
    told: Scores


def weigh_name_words(typed: Sequence[Word], low_weight: Set[Word], idfs: Sequence[float]) -> Scores:
    """Weighs the words of a query, as typed, by their idf: 0 if of low weight, NOT_COUNTED for wholes, whose
    parts are there, and for what was there before.
    """
    known, weights = set[Word](), list[float]()
    for at, word in enumerate(typed):
        is_whole = word.surface and at + 1 < len(typed) and not typed[at + 1].surface
        if is_whole or word in known:
            weights.append(NOT_COUNTED)
        else:
            weights.append(0.0 if word in low_weight else idfs[at])
        known.add(word)
    return np.array(weights, np.float32)


@inlined
def _sum_idfs(idfs: Scores) -> Number:
    """Adds up the idf of the words that count."""
    asked = np.float32(0)
    for idf in idfs:
        asked += max(idf, np.float32(0))
    return asked


@inlined
def _score_name(told: Number, asked: Number, share: Number) -> Number:
    """Scores a name that says `told` of the idf that is `asked` for with this share of its words.

    1 more than the idf: so a name of common words comes before pages that more others link to.
    """
    return (told + 1) * told / asked * share


@inlined
def _is_stuffed(leaf: LeafArrays, row: Number, document: Number) -> Number:
    """Tells whether a word is stuffed into a document's text or headings: it names that no more
    (requirement 302).
    """
    in_headings, in_body = leaf.rows[row, _HEADINGS_TEXT], leaf.rows[row, _BODY_TEXT]
    if in_headings > STUFFED_FROM and in_headings > STUFFED_NAMES * field_length(
        leaf, _HEADINGS_TEXT, document
    ):
        return True
    return in_body > STUFFED_FROM and in_body > STUFFED_BODY * field_length(leaf, _BODY_TEXT, document)


@outlined
def read_name_rows(
    lists: Lists, leaf: LeafArrays, documents: Documents, places: NDArray[np.int64], idfs: Scores
) -> NamePostings:
    """Reads the rows of the postings, at these places of the segment, that documents have of the words."""
    found = np.full(places.shape, -1, np.int32)
    for word in range(len(idfs)):
        for at in range(first_list(lists.ends, word), lists.ends[word] if idfs[word] >= 0 else 0):
            for number in range(len(documents) if lists.shares[at] == 1 else 0):
                if places[at, number] >= 0:
                    row = found[at, number : number + 1]
                    read_rows(leaf, places[at, number], row)
                    if _is_stuffed(leaf, row[0], documents[number]):
                        row[0] = -1
    return NamePostings(documents, places, found)


@outlined
def add_title_coverage(
    lists: Lists, leaf: LeafArrays, postings: NamePostings, idfs: Scores, gained: Scores
) -> None:
    """Adds what documents gain by titles."""
    documents, rows = postings.documents, postings.rows
    asked, table = _sum_idfs(idfs), leaf.rows
    for at in range(len(documents) if asked > 0 else 0):
        covered, told = np.int64(0), np.float32(0)
        for word in range(len(idfs)):
            is_there = False
            for one in range(first_list(lists.ends, word), lists.ends[word]):
                row = rows[one, at]
                if row >= 0 and table[row, _TITLE_TEXT] > 0:
                    covered += min(table[row, _SUBJECT_TEXT], MOST_REPEATED)
                    is_there = True
            told += idfs[word] if is_there else np.float32(0)
        if covered > 0:
            length = field_length(leaf, _SUBJECT_TEXT, documents[at])
            share = min(np.float32(covered) / length, np.float32(1))
            gained[at] += _score_name(told, asked, share * share * share)


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
    asked, found = _sum_idfs(idfs), np.zeros(rows.shape[1], np.bool_)
    for at in range(len(found) if asked > 0 else 0):
        told = np.float32(0)
        for word in range(len(idfs)):
            is_there = False
            for one in range(first_list(lists.ends, word), lists.ends[word]):
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
            best = max(best, _score_name(told[heading], asked, share))
        before = end
    return best


@outlined
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
        first, end = first_list(lists.ends, word), lists.ends[word]
        wanted, is_there = places[first:end].copy(), False
        for one in range(end - first):
            for at in range(len(documents)):
                row = rows[first + one, at]
                if not named[at] or row < 0 or leaf.rows[row, _HEADINGS_TEXT] == 0:
                    wanted[one, at] = -1
                is_there |= wanted[one, at] >= 0
        if is_there:
            positions, ends = read_positions(position_arrays, wanted, _HEADINGS_COLUMN, _HEADINGS_COLUMN + 1)
            _sum_headings(leaf, documents, positions, ends, idfs[word], sums)
    asked = _sum_idfs(idfs)
    for at in range(len(documents) if starts[-1] else 0):
        some = slice(starts[at], starts[at + 1])
        gained[at] += _score_headings(leaf, documents[at], asked, sums.covered[some], sums.told[some])
