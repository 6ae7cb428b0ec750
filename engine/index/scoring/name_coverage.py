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
from engine.index.schema import HEADINGS, LAYOUT, SUBJECT, TEXT_FIELDS
from engine.index.scoring.blocks import Lists, first_list
from engine.index.scoring.bm25f import field_length, limit_stuffing, read_rows
from engine.kernels import BOOL, F32, Number, inlined, outlined, readonly, record_of
from engine.segment import MASK, PositionArrays, read_positions

MOST_REPEATED = 2  # occurrences of a word that cover a title: a list of one word is none
_TITLE_TEXT, _SUBJECT_TEXT, _HEADINGS_TEXT, _BODY_TEXT = map(
    TEXT_FIELDS.index, ("title", SUBJECT, HEADINGS, FIELD)
)
_HEADINGS_COLUMN = LAYOUT.placed_columns.index(_HEADINGS_TEXT)


class NameWords(NamedTuple):
    """The words of a query as names are looked through for them."""

    counted: NDArray[np.bool_]  # not wholes, whose parts are there, and not what was there before
    rarities: Scores  # the idf of what is counted; 0 for words of low weight


NAME_WORDS = record_of(NameWords, counted=readonly(BOOL), rarities=readonly(F32))
"""NameWords, for compiled functions."""


class HeadingSums(NamedTuple):
    """For each heading of some documents, one after the other, how many of its words are the query's, and
    their idf; `starts` says of each document, and behind the last, where its headings are.
    """

    starts: NDArray[np.int64]
    covered: NDArray[np.int32]
    told: Scores


def weigh_name_words(typed: Sequence[Word], low_weight: Set[Word], idfs: Sequence[float]) -> NameWords:
    """Weighs the words of a query, as typed, by their idf."""
    counted, known = np.ones(len(typed), np.bool_), set[Word]()
    for number, word in enumerate(typed):
        has_parts = word.surface and number + 1 < len(typed) and not typed[number + 1].surface
        counted[number] = not has_parts and word not in known
        known.add(word)
    has_weight = counted & np.array([word not in low_weight for word in typed], np.bool_)
    return NameWords(counted, np.where(has_weight, np.array(idfs, np.float32), np.float32(0)))


@inlined
def _score_name(told: Number, asked: Number, share: Number) -> Number:
    """Scores a name that says `told` of the idf that is `asked` for with this share of its words.

    1 more than the idf: so a name of common words comes before pages that more others link to.
    """
    return (told + 1) * told / asked * share


@inlined
def _read_row(leaf: LeafArrays, place: Number, document: Number, row: NDArray[np.int32]) -> Number:
    """Reads the row of a document's posting; -1 of a word that is stuffed into its text or headings, which
    names it no more (requirement 302).
    """
    read_rows(leaf, place, row)
    for text in (_HEADINGS_TEXT, _BODY_TEXT):
        amount = np.float32(leaf.rows[row[0], text])
        if limit_stuffing(amount, field_length(leaf, text, document)) < amount:
            return np.int64(-1)
    return np.int64(row[0])


@outlined
def add_title_coverage(
    lists: Lists,
    leaf: LeafArrays,
    documents: Documents,
    places: NDArray[np.int64],
    words: NameWords,
    gained: Scores,
) -> None:
    """Adds what documents gain by titles. `places` (lists, documents) tells which postings of the segment
    they have.
    """
    asked, room = words.rarities.sum(), np.empty(1, np.int32)
    for at in range(len(documents) if asked > 0 else 0):
        length = field_length(leaf, _SUBJECT_TEXT, documents[at])
        covered, told = np.int64(0), np.float32(0)
        for word in range(len(words.counted) if length > 0 else 0):
            is_there = False
            for one in range(first_list(lists.ends, word), lists.ends[word] if words.counted[word] else 0):
                if places[one, at] >= 0 and lists.shares[one] == 1:
                    row = _read_row(leaf, places[one, at], documents[at], room)
                    if row >= 0:
                        covered += min(leaf.rows[row, _SUBJECT_TEXT], MOST_REPEATED)
                        is_there |= leaf.rows[row, _TITLE_TEXT] > 0
            told += words.rarities[word] if is_there else np.float32(0)
        if covered > 0:
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
def _select_placed(
    lists: Lists, leaf: LeafArrays, documents: Documents, places: NDArray[np.int64], word: Number
) -> NDArray[np.int64]:
    """Selects the postings of a word itself, no variant of it, in documents that have it in a heading; -1 for
    the others.
    """
    first, end = first_list(lists.ends, word), lists.ends[word]
    room, wanted = np.empty(1, np.int32), places[first:end].copy()
    for one in range(end - first):
        for at in range(len(documents)):
            row = np.int64(-1)
            if wanted[one, at] >= 0 and lists.shares[first + one] == 1:
                row = _read_row(leaf, wanted[one, at], documents[at], room)
            if row < 0 or leaf.rows[row, _HEADINGS_TEXT] == 0:
                wanted[one, at] = -1
    return wanted


@outlined
def add_heading_coverage(
    lists: Lists,
    leaf: LeafArrays,
    position_arrays: PositionArrays,
    documents: Documents,
    places: NDArray[np.int64],
    words: NameWords,
    gained: Scores,
) -> None:
    """Adds what documents gain by the best of their headings."""
    asked, starts = words.rarities.sum(), np.zeros(len(documents) + 1, np.int64)
    for at in range(len(documents) if asked > 0 else 0):
        count = leaf.heading_starts[documents[at] + 1] - leaf.heading_starts[documents[at]]
        starts[at + 1] = starts[at] + np.int64(count)
    sums = HeadingSums(starts, np.zeros(starts[-1], np.int32), np.zeros(starts[-1], np.float32))
    for word in range(len(words.counted) if asked > 0 else 0):
        if words.counted[word]:
            wanted = _select_placed(lists, leaf, documents, places, word)
            positions, ends = read_positions(position_arrays, wanted, _HEADINGS_COLUMN, _HEADINGS_COLUMN + 1)
            _sum_headings(leaf, documents, positions, ends, words.rarities[word], sums)
    for at in range(len(documents) if asked > 0 else 0):
        best, begin, before = np.float32(0), np.int64(leaf.heading_starts[documents[at]]), np.int64(0)
        for heading in range(starts[at + 1] - starts[at]):
            end, where = np.int64(leaf.heading_ends[begin + heading]), starts[at] + heading
            if sums.covered[where]:
                share = min(np.float32(sums.covered[where]) / (end - before), np.float32(1))
                best = max(best, _score_name(sums.told[where], asked, share))
            before = end
        gained[at] += best
