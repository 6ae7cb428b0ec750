"""A batch of documents -> sorted runs: each occurrence of a term is one number, and the numbers are sorted.

    term (26 bits) | document (13) | text (4) | position (21)

One sort of whole words, 5 nanoseconds each, puts everything into the order in which it is written.
"""

from bisect import bisect_left
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.segment.build import Run
from engine.segment.layout import FIRST_KEY, Layout

MAX_DOCUMENTS = 1 << 13  # of a batch
MAX_POSITION = (1 << 21) - 1  # of a text; what stands behind it is found, but not where
MAX_AMOUNT = (1 << 16) - 1  # times that a term counts in a text: no weight tells more apart
_TERM, _DOCUMENT, _TEXT = 38, 25, 21  # bits below each
_SEEDS = np.random.default_rng(0x4C59).integers(1, 2**63, 16, np.uint64) * np.uint64(2) + np.uint64(1)

Keys = NDArray[np.uint64]


class Entries(NamedTuple):
    """Occurrences of terms, in any order; a key's count as if they stood at different positions."""

    terms: NDArray[np.integer]  # number of the term
    documents: NDArray[np.integer]
    columns: NDArray[np.integer]  # of the text, 0 for a key
    positions: NDArray[np.integer]


class Inverted(NamedTuple):
    """One run, and the table that its rows mean."""

    rows: NDArray[np.uint16]
    run: Run


def inverted(layout: Layout, known: int, term_of: Callable[[int], bytes], entries: Entries) -> Inverted:
    """Sort a batch. `term_of` tells what a number below `known` stands for, its group included."""
    occurs = np.zeros(known, np.bool_)
    occurs[entries.terms] = True
    used = np.flatnonzero(occurs)
    texts = list(map(term_of, used.tolist()))
    order = sorted(range(len(texts)), key=texts.__getitem__)
    ascending = [texts[at] for at in order]
    ranks = np.empty(known, np.uint64)
    ranks[used[order]] = np.arange(len(order))
    keys = _sorted(ranks, entries)
    heads = _changes(keys >> _TEXT)  # where a posting's occurrences in one text begin
    amounts = np.diff(np.append(heads, len(keys)))
    of_text = keys[heads]
    postings = _changes(of_text >> _DOCUMENT)
    rows, of_posting = _rows(of_text, amounts, postings, len(layout.texts))
    of_term = (of_text[postings] >> _TERM).astype(np.int64)
    run = Run(
        ascending,
        np.bincount(of_term, minlength=len(order)),
        ((of_text[postings] >> _DOCUMENT) & (MAX_DOCUMENTS - 1)).astype(np.int64),
        of_posting,
        _gaps(layout, keys, bisect_left(ascending, FIRST_KEY)),
    )
    return Inverted(rows, run)


def _sorted(ranks: Keys, entries: Entries) -> Keys:
    """All occurrences as numbers, ascending, each once; at most MAX_AMOUNT of a term in a text."""
    keys: Keys = ranks[entries.terms]
    keys <<= _TERM
    keys |= entries.documents.astype(np.uint64) << _DOCUMENT
    keys |= entries.columns.astype(np.uint64) << _TEXT
    keys |= np.minimum(entries.positions, MAX_POSITION).astype(np.uint64)
    keys.sort()
    keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))] if len(keys) else keys
    heads = _changes(keys >> _TEXT)
    lengths = np.diff(np.append(heads, len(keys)))
    if lengths.max(initial=0) > MAX_AMOUNT:
        keys = keys[np.arange(len(keys)) - np.repeat(heads, lengths) < MAX_AMOUNT]
    return keys


def _changes(keys: NDArray[Any]) -> NDArray[np.int64]:
    """Where a number differs from the one before; the first does."""
    if not len(keys):
        return np.empty(0, np.int64)
    return np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))


def _rows(
    of_text: Keys, amounts: NDArray[np.int64], postings: NDArray[np.int64], texts: int
) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
    """The table of amounts that occur, the commonest first, and the row of each posting.

    Rows are told apart by a sum of products with random numbers: 64 bits, so that the 50,000 different
    ones of a large batch are mistaken for each other once in 10**10 batches.
    """
    columns = ((of_text >> _TEXT) & 15).astype(np.int64)
    sums = np.add.reduceat(_SEEDS[columns] * amounts.view(np.uint64), postings) if len(postings) else of_text
    _, examples, numbers, often = np.unique(sums, return_index=True, return_inverse=True, return_counts=True)
    order = np.argsort(-often, kind="stable")
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    table = np.zeros((len(order), texts), np.uint16)
    starts = postings[examples[order]]
    ends = np.append(postings, len(of_text))[examples[order] + 1]
    owners = np.repeat(np.arange(len(order)), ends - starts)
    at = np.arange(len(owners)) - np.repeat(np.cumsum(ends - starts) - (ends - starts), ends - starts)
    table[owners, columns[starts[owners] + at]] = amounts[starts[owners] + at]
    return table, places[numbers]


def _gaps(layout: Layout, keys: Keys, terms: int) -> NDArray[np.int64]:
    """Positions of what is placed, of the first so many terms: they are those of texts."""
    placed = np.zeros(16, np.bool_)
    placed[list(layout.placed_columns)] = True
    keys = keys[: np.searchsorted(keys, np.uint64(terms << _TERM))]
    keys = keys[placed[((keys >> _TEXT) & 15).astype(np.int64)]]
    positions = (keys & MAX_POSITION).astype(np.int64)
    gaps = np.diff(positions, prepend=-1) - 1
    heads = _changes(keys >> _TEXT)
    gaps[heads] = positions[heads]
    return gaps
