"""Inverts a batch of documents into a run, counted by term and read once.

Those of one term come in their order, so none is compared with another. Memory: 8 bytes for each occurrence,
16 for each posting, 4 for each position.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.segment.build import PostingsRun
from engine.segment.layout import FIRST_KEY, Layout
from engine.segment.occurrences import build_postings, sort_by_term
from engine.segment.terms import Terms, argsort_terms

MAX_DOCUMENTS = 1 << 13  # of a batch

Numbers = NDArray[np.int32]


class Entries(NamedTuple):
    """Occurrences of terms; those of one term come by document, column and position.

    A key's count as if they stood at different positions.
    """

    terms: Numbers  # number of the term
    documents: Numbers
    columns: Numbers  # of the text, 0 for a key
    positions: Numbers


class BatchEntries(NamedTuple):
    """All that the dictionary has of documents, numbered below `known`; `encode` returns the terms of some
    numbers.
    """

    known: int
    encode: Callable[[NDArray[np.int64]], Terms]
    entries: Entries


class Inverted(NamedTuple):
    """One run, and the table that its rows mean."""

    rows: NDArray[np.uint16]
    run: PostingsRun


def invert_entries(
    layout: Layout, known: int, encode: Callable[[NDArray[np.int64]], Terms], entries: Entries
) -> Inverted:
    """Inverts a batch. `encode` returns the terms of numbers below `known`, ascending, groups included.

    Raises ValueError when the occurrences of a term do not come in order.
    """
    amounts = np.bincount(entries.terms, minlength=known)
    used = np.flatnonzero(amounts)
    terms = encode(used)
    order = argsort_terms(terms)
    ranked = used[order]
    ends = np.cumsum(amounts[ranked])
    places = np.zeros(known, np.int64)
    places[ranked] = ends - amounts[ranked]
    occurrences = np.empty(len(entries.terms), np.int64)
    sort_by_term(*entries, places, occurrences)
    return _build_run(layout, terms.at(order), ends, occurrences)


def _build_run(
    layout: Layout, terms: Terms, ends: NDArray[np.int64], occurrences: NDArray[np.int64]
) -> Inverted:
    """Builds postings of occurrences in their places; the commonest of the rows is the first."""
    size, columns = len(occurrences), len(layout.texts)
    placed = np.zeros(columns, np.bool_)
    placed[list(layout.placed_columns)] = True
    of_texts = terms.count_before(FIRST_KEY[0])
    steps, rows, gaps = (np.empty(size, np.int32) for _ in range(3))
    counts, sizes = np.empty(len(ends), np.int64), np.zeros(4, np.int64)
    table = np.zeros((size + 1, columns), np.uint16)  # takes memory for what is written of it
    often = np.zeros(size + 1, np.int64)
    build_postings(occurrences, ends, of_texts, placed, counts, steps, rows, gaps, table, often, sizes)
    postings, positions, kinds, postings_of_texts = sizes.tolist()
    order = np.argsort(-often[:kinds], kind="stable")
    new = np.empty(kinds, np.int32)
    new[order] = np.arange(kinds)
    run = PostingsRun(
        terms, counts, postings_of_texts, steps[:postings], new[rows[:postings]], gaps[:positions]
    )
    return Inverted(table[order], run)
