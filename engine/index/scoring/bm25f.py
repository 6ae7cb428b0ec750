"""Weighs postings for BM25F: amounts by field, each less in a longer text, added up.

BM25F as engine.index.schema has it. The last bits of a weight are marks: they tell where the term stands.
"""

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import EXACT_MARK, LEAF, MARKS, Documents, LeafArrays, Scores
from engine.kernels import F32, I32, I64, NONE, Number, inlined, linked, mutable, readonly
from engine.ranking import STUFFED_FROM, STUFFED_SHARE, STUFFED_SQUARE
from engine.segment import unpack_noinline

NORMS = mutable(F32, 3)
"""(kinds, texts, 5): how an occurrence counts in a text; for words, and for keys, which have their amount."""

# An occurrence counts WEIGHT / (SAME + SLOPE * length), where the length is LONGEST at most.
WEIGHT, SAME, SLOPE, LONGEST, STUFFABLE = range(5)
LEAST = np.float32(1e-30)  # a weight; what is below are marks alone, as no field counts that has the term
_MARKS = np.uint32(MARKS)


@inlined
def count_documents(leaf: LeafArrays) -> Number:
    """Returns how many documents a segment has."""
    return np.int64(leaf.lengths.shape[1])


@inlined
def field_length(leaf: LeafArrays, text: Number, document: Number) -> Number:
    """Returns how long a text of a document is, in words."""
    return np.float32(leaf.lengths[text, document])


@inlined
def read_documents(
    leaf: LeafArrays, place: Number, count: Number, before: Number, documents: NDArray[np.int32]
) -> None:
    """Decodes the documents of the postings place, place + 1 ...; `before` is the one before them, or -1."""
    unpack_noinline(leaf.document_starts, leaf.document_heads, leaf.document_bits, place, documents[:count])
    document = np.int64(before)
    for at in range(count):
        document += documents[at] + 1
        documents[at] = document


@inlined
def read_rows(leaf: LeafArrays, place: Number, rows: NDArray[np.int32]) -> None:
    """Decodes the rows of the postings place, place + 1 ..."""
    unpack_noinline(leaf.row_starts, leaf.row_heads, leaf.row_bits, place, rows)


@inlined
def limit_stuffing(amount: Number, length: Number) -> Number:
    """Counts a word once that is stuffed into its text: it says nothing more (requirement 302)."""
    often = np.float32(amount)
    is_stuffed = (
        often > STUFFED_FROM and often > STUFFED_SHARE * length and often * often > STUFFED_SQUARE * length
    )
    return np.float32(1) if is_stuffed else often


@inlined
def normalize(norms: Scores, kind: Number, text: Number, length: Number) -> Number:
    """Returns by what the weight of an occurrence is divided in a text of so many words."""
    return norms[kind, text, SAME] + norms[kind, text, SLOPE] * min(length, norms[kind, text, LONGEST])


@linked(NONE(LEAF, NORMS, I64, readonly(I32), readonly(I32), I64, mutable(F32)))
def weigh(
    leaf: LeafArrays,
    norms: Scores,
    kind: Number,
    documents: Documents,
    rows: NDArray[np.int32],
    count: Number,
    found: Scores,
) -> None:
    """Computes the BM25F weights of postings, with their marks, into `found`."""
    table, marks, lengths = leaf.rows, leaf.marks, leaf.lengths
    firsts, columns = leaf.firsts, leaf.columns
    bits = found.view(np.uint32)
    for at in range(count):
        row, document, sum_ = np.uint64(rows[at]), np.uint64(documents[at]), np.float32(0)
        for place in range(firsts[row], firsts[row + np.uint64(1)]):
            column = np.uint64(columns[np.uint64(place)])
            amount = np.float32(table[row, column])
            length = np.float32(lengths[column, document])
            if amount > STUFFED_FROM and norms[kind, column, STUFFABLE] > 0:
                amount = limit_stuffing(amount, length)
            sum_ += norms[kind, column, WEIGHT] * amount / normalize(norms, kind, column, length)
        found[at] = sum_
        bits[at] = bits[at] & ~_MARKS | marks[row]


@inlined
def scale_related(weights: Scores, count: Number, share: Number) -> None:
    """Scales the weights of a term akin to a word by a share, and clears its exact mark."""
    bits = weights.view(np.uint32)
    for at in range(count):
        marks = bits[at] & np.uint32(MARKS - EXACT_MARK)
        weights[at] *= share
        bits[at] = bits[at] & ~_MARKS | marks
