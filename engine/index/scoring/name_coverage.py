"""Weighs words as names have them: titles and headings that consist of the query's words.

BM25F saturates: a title that is the query scores hardly more than one that has its words among others. So a
name counts by how much of the query it says, the share of the idf, and by how much of it the query says, the
share of its words.
"""

from collections.abc import Sequence, Set
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.query import Word
from engine.index.reader import FIELD, LEAF, Documents, LeafArrays, Scores
from engine.index.schema import HEADINGS, TEXT_FIELDS
from engine.index.scoring.blocks import LISTS, Lists, first_list
from engine.index.scoring.bm25f import field_length, read_rows
from engine.kernels import F32, I32, I64, Number, inlined, made_of, mutable, outlined, readonly
from engine.ranking import STUFFED_FROM

STUFFED_NAMES = 0.3  # of the words of all headings; a guide to caching has the word in a fifth of them
STUFFED_BODY = 0.15  # of the words of a text; a short page of a manual has its name in up to .14
WHOLE, REPEATED = -1.0, -2.0  # instead of an idf: of words that do not count
_HEADINGS_TEXT, _BODY_TEXT = map(TEXT_FIELDS.index, (HEADINGS, FIELD))


class NamePostings(NamedTuple):
    """Some documents (ascending); (lists, documents) which postings of the segment they have, -1 for none;
    and the rows of those that name something, -1 for none.
    """

    documents: Documents
    places: NDArray[np.int64]
    rows: NDArray[np.int32]


NAME_POSTINGS = made_of(NamePostings, documents=readonly(I32), places=mutable(I64, 2), rows=mutable(I32, 2))
"""NamePostings, for compiled functions."""


def weigh_name_words(typed: Sequence[Word], low_weight: Set[Word], idfs: Sequence[float]) -> Scores:
    """Weighs the words of a query, as typed, by their idf: 0 if of low weight, WHOLE where its parts follow,
    and REPEATED for what was there before.
    """
    known, weights = set[Word](), list[float]()
    for at, word in enumerate(typed):
        is_whole = word.surface and at + 1 < len(typed) and not typed[at + 1].surface
        if word in known:
            weights.append(REPEATED)
        elif is_whole:
            weights.append(WHOLE)
        else:
            weights.append(0.0 if word in low_weight else idfs[at])
        known.add(word)
    return np.array(weights, np.float32)


@inlined
def sum_idfs(idfs: Scores) -> Number:
    """Adds up the idf of the words that count."""
    asked = np.float32(0)
    for idf in idfs:
        asked += max(idf, np.float32(0))
    return asked


@inlined
def score_name(told: Number, asked: Number, share: Number) -> Number:
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


@outlined(NAME_POSTINGS(LISTS, LEAF, readonly(I32), mutable(I64, 2), readonly(F32)))
def read_name_rows(
    lists: Lists, leaf: LeafArrays, documents: Documents, places: NDArray[np.int64], idfs: Scores
) -> NamePostings:
    """Reads the rows of the postings, at these places of the segment, that documents have of the words.

    Variants as well: of the parts of RewriteMap a name has nothing else.
    """
    found = np.full(places.shape, -1, np.int32)
    for word in range(len(idfs)):
        for at in range(first_list(lists.ends, word), lists.ends[word] if idfs[word] > REPEATED else 0):
            for number in range(len(documents)):
                if places[at, number] >= 0:
                    row = found[at, number : number + 1]
                    read_rows(leaf, places[at, number], row)
                    if _is_stuffed(leaf, row[0], documents[number]):
                        row[0] = -1
    return NamePostings(documents, places, found)
