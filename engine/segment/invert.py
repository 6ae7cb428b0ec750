"""A batch of documents -> sorted runs: each occurrence of a term is one number, and the numbers are sorted.

    term (26 bits) | document (13) | text (4) | position (21)

One sort of whole words, 5 nanoseconds each, puts everything into the order in which it is written.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.segment.build import Run
from engine.segment.layout import Layout

MAX_DOCUMENTS = 1 << 13  # of a batch
MAX_POSITION = (1 << 21) - 1  # of a text; what stands behind it is found, but not where
MAX_AMOUNT = (1 << 16) - 1  # times that a term counts in a text: no weight tells more apart
_TERM, _DOCUMENT, _TEXT = 38, 25, 21  # bits below each
_SEEDS = np.random.default_rng(0x4C59).integers(1, 2**63, 16, np.uint64) * np.uint64(2) + np.uint64(1)

Keys = NDArray[np.uint64]


class Entries(NamedTuple):
    """Occurrences of terms, in any order; a key's count as if they stood at different positions."""

    terms: NDArray[np.int64]  # index in a list of terms
    documents: NDArray[np.int64]
    columns: NDArray[np.int64]  # of the text, 0 for a key
    positions: NDArray[np.int64]


class Inverted(NamedTuple):
    """One run, and the table that its rows mean."""

    rows: NDArray[np.uint16]
    run: Run


def inverted(layout: Layout, terms: Sequence[bytes], entries: Entries) -> Inverted:
    """Sort a batch. `terms` have their groups; those that do not occur are left out."""
    used, numbers = np.unique(entries.terms, return_inverse=True)
    texts = [terms[number] for number in used.tolist()]
    order = sorted(range(len(texts)), key=texts.__getitem__)
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    keys = _sorted(ranks[numbers], entries)
    heads = _changes(keys >> _TEXT)  # where a posting's occurrences in one text begin
    amounts = np.minimum(np.diff(np.append(heads, len(keys))), MAX_AMOUNT)
    of_text = keys[heads]
    postings = _changes(of_text >> _DOCUMENT)
    rows, of_posting = _rows(of_text, amounts, postings, len(layout.texts))
    of_term = (of_text[postings] >> _TERM).astype(np.int64)
    run = Run(
        [texts[at] for at in order],
        np.bincount(of_term, minlength=len(order)),
        ((of_text[postings] >> _DOCUMENT) & (MAX_DOCUMENTS - 1)).astype(np.int64),
        of_posting,
        _gaps(layout, keys, sum(text[0] == 0 for text in texts)),
    )
    return Inverted(rows, run)


def _sorted(ranks: NDArray[np.int64], entries: Entries) -> Keys:
    """All occurrences as numbers, ascending, each once; at most MAX_AMOUNT of a term in a text."""
    places = np.minimum(entries.positions, MAX_POSITION)
    keys = (ranks << _TERM) | (entries.documents << _DOCUMENT) | (entries.columns << _TEXT) | places
    found = np.sort(keys.view(np.uint64))
    found = found[np.concatenate(([True], found[1:] != found[:-1]))] if len(found) else found
    if len(found) > MAX_AMOUNT:
        heads = _changes(found >> _TEXT)
        if np.diff(np.append(heads, len(found))).max() > MAX_AMOUNT:
            lengths = np.diff(np.append(heads, len(found)))
            found = found[np.arange(len(found)) - np.repeat(heads, lengths) < MAX_AMOUNT]
    return found


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
    placed[list(layout.placed_columns(0))] = True
    keys = keys[: np.searchsorted(keys, np.uint64(terms << _TERM))]
    keys = keys[placed[((keys >> _TEXT) & 15).astype(np.int64)]]
    positions = (keys & MAX_POSITION).astype(np.int64)
    gaps = np.diff(positions, prepend=-1) - 1
    heads = _changes(keys >> _TEXT)
    gaps[heads] = positions[heads]
    return gaps
