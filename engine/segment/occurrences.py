"""Sorts occurrences of terms into postings, positions and the table of amounts: compiled loops.

An occurrence is one number:

    document (38 bits) | text (4) | position (21)
"""

import numpy as np
from numpy.typing import NDArray

from engine.kernels import BOOL, I32, I64, NONE, U16, Number, compiled, inlined, mutable, readonly

MAX_POSITION = (1 << 21) - 1  # of a text; what stands behind it is found, but not where
MAX_AMOUNT = (1 << 16) - 1  # times that a term counts in a text: no weight tells more apart
FEW = 64  # times; a row of one text that has a term less often is known without looking for it
_MAX_TEXTS = 16
_DOCUMENT, _TEXT = 25, 21  # bits below each
_FEWEST_SLOTS = 1 << 10  # of the rows that are known; at most half of the slots are taken
_SEEDS = np.random.default_rng(0x4C59).integers(1, 1 << 62, _MAX_TEXTS, np.int64) | 1  # one of each text

Numbers = NDArray[np.int32]
Wide = NDArray[np.int64]


@compiled(NONE(readonly(I32), readonly(I32), readonly(I32), readonly(I32), mutable(I64), mutable(I64)))
def sort_by_term(
    terms: Numbers, documents: Numbers, columns: Numbers, positions: Numbers, places: Wide, found: Wide
) -> None:
    """Puts each occurrence at the next place of its term; `places` says for each term where that is."""
    for at in range(len(terms)):
        place = places[terms[at]]
        places[terms[at]] = place + 1
        text = np.int64(documents[at]) << _DOCUMENT | np.int64(columns[at]) << _TEXT
        found[place] = text | min(np.int64(positions[at]), np.int64(MAX_POSITION))


@inlined
def _read_text(
    occurrences: Wide, first: Number, at: Number, end: Number, gaps: Numbers
) -> tuple[Number, Number]:
    """Reads a term's occurrences in one text; returns where they end, and how many of them count.

    What comes twice counts once. `gaps` is filled with their positions if it has room for any.
    """
    text, amount, last = occurrences[at] >> _TEXT, np.int64(0), np.int64(-1)
    while at < end and occurrences[at] >> _TEXT == text:
        if at > first and occurrences[at] < occurrences[at - 1]:
            raise ValueError("a term's occurrences come by document, text and position")
        if amount < MAX_AMOUNT and (at == first or occurrences[at] > occurrences[at - 1]):
            position = np.int64(occurrences[at] & MAX_POSITION)
            if len(gaps):
                gaps[amount] = position - last - 1
            amount += 1
            last = position
        at += 1
    return at, amount


@inlined
def _hash_row(row: NDArray[np.uint16]) -> Number:
    """Hashes a row to a number that hardly any other has: a sum of products with random numbers."""
    found = np.int64(0)
    for column in range(len(row)):
        found += np.int64(row[column]) * _SEEDS[column]
    return found


@inlined
def _first_slot(slots: Numbers, mixed: Number) -> Number:
    """Returns the first slot to be looked at: the upper bits depend on all of the row."""
    return (mixed >> 32) & (len(slots) - 1)


@inlined
def _find_row(slots: Numbers, table: NDArray[np.uint16], known: Number) -> Number:
    """Finds the place of a row like the one behind those that are known; its own, if there is none."""
    slot = _first_slot(slots, _hash_row(table[known]))
    while slots[slot] >= 0:
        row, column = np.int64(slots[slot]), 0
        while column < table.shape[1] and table[row, column] == table[known, column]:
            column += 1
        if column == table.shape[1]:
            return row
        slot = (slot + 1) & (len(slots) - 1)
    slots[slot] = known
    return known


@inlined
def _grow_table(slots: Numbers, table: NDArray[np.uint16], known: Number) -> Numbers:
    """Makes twice as many slots, for all rows that are known."""
    found = np.full(2 * len(slots), -1, np.int32)
    for row in range(known):
        slot = _first_slot(found, _hash_row(table[row]))
        while found[slot] >= 0:
            slot = (slot + 1) & (len(found) - 1)
        found[slot] = row
    return found


_FILLED = (
    mutable(I64),
    mutable(I32),
    mutable(I32),
    mutable(I32),
    mutable(U16, 2),
    mutable(I64),
    mutable(I64),
)


@compiled(NONE(readonly(I64), readonly(I64), I64, readonly(BOOL), *_FILLED))
def build_postings(
    occurrences: Wide,
    ends: Wide,
    of_texts: Number,
    placed: NDArray[np.bool_],
    counts: Wide,
    steps: Numbers,
    rows: Numbers,
    gaps: Numbers,
    table: NDArray[np.uint16],
    often: Wide,
    sizes: Wide,
) -> None:
    """Builds postings of the occurrences of terms, which end at `ends`; the first `of_texts` terms have
    positions.

    Fills: for each term its postings (counts), for each posting the step from the document before and the
    row, the gaps between positions, the table of rows (zeros are given) and how often each occurs. `sizes`
    says how many postings, gaps and rows there are, and postings of the first terms. A row is written
    behind those that are known, and stays if there is none like it. Raises ValueError: see _read_text().
    """
    # In one piece: a part for each posting counts references to its arrays, and all takes a third longer.
    slots, simple = np.full(_FEWEST_SLOTS, -1, np.int32), np.full(_MAX_TEXTS * FEW, -1, np.int32)
    at, posting, gap, known = np.int64(0), 0, np.int64(0), 0
    for term in range(len(ends)):
        first, first_posting, last = at, posting, np.int64(-1)
        while at < ends[term]:
            document, texts = occurrences[at] >> _DOCUMENT, 0
            column, amount = np.int64(0), np.int64(0)
            while at < ends[term] and occurrences[at] >> _DOCUMENT == document:
                column = occurrences[at] >> _TEXT & (_MAX_TEXTS - 1)
                kept = gaps[gap:] if term < of_texts and placed[column] else gaps[:0]
                at, amount = _read_text(occurrences, first, at, ends[term], kept)
                table[known, column] = amount
                gap += amount if len(kept) else 0
                texts += 1
            alone = column * FEW + amount if texts == 1 and amount < FEW else -1
            row = np.int64(simple[alone]) if alone >= 0 else np.int64(-1)
            if row < 0:
                row = _find_row(slots, table, known)
                if alone >= 0:
                    simple[alone] = row
            if row < known:
                for text in range(table.shape[1]):
                    table[known, text] = 0
            elif 2 * (known + 1) > len(slots):
                slots = _grow_table(slots, table, known + 1)
            known += row == known
            often[row] += 1
            steps[posting], rows[posting] = document - last - 1, row
            last = document
            posting += 1
        counts[term] = posting - first_posting
        if term < of_texts:
            sizes[3] = posting
    sizes[0], sizes[1], sizes[2] = posting, gap, known
