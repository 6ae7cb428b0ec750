"""Keeps the best documents so far while a compiled loop goes through the blocks of a segment."""

import numpy as np
from numpy.typing import NDArray

from engine.compiled import BOOL, F32, I32, I64, Number, filled, given, inlined, several
from engine.index.reader import OWN_MARK, Documents, Scores, select_top

Able = tuple[NDArray[np.bool_], Documents, float]
"""Which documents of a segment may be found, () for all; which are flagged, and the share these keep."""

Top = tuple[Documents, Scores, NDArray[np.bool_], Number, Number]
"""The best, ascending: documents, scores, whether each is found for its own text; what they have at least;
and how many match, of those that were looked at."""

ABLE = several(given(BOOL), given(I32), F32)
TOP = several(filled(I32), filled(F32), filled(BOOL), F32, I64)
ROUNDING = np.float32(1 - 1e-5)  # sums of the same scores in another order
_ROOM = 4  # times the documents that are wanted: then only the best are kept


@inlined
def make_sums(size: Number) -> tuple[Scores, NDArray[np.uint8]]:
    """Makes the sums and marks of the documents of a block, all 0."""
    return np.zeros(size, np.float32), np.zeros(size, np.uint8)


@inlined
def make_top(count: Number, in_block: Number) -> tuple[Documents, Scores, NDArray[np.bool_]]:
    """Makes room for what collect_block() finds: documents, scores, and whether each is found for its own
    text.
    """
    size = _ROOM * count + 2 * in_block
    return np.empty(size, np.int32), np.empty(size, np.float32), np.empty(size, np.bool_)


@inlined
def lower_flagged(sums: Scores, flagged: Documents, start: Number, share: Number) -> None:
    """Lowers the scores of flagged documents among start, start + 1 ... to a share (requirement 85)."""
    at = np.searchsorted(flagged, np.int32(start))
    while at < len(flagged) and flagged[at] < start + len(sums):
        sums[flagged[at] - start] *= share
        at += 1


@inlined
def collect_block(
    touched: NDArray[np.int32],
    size: Number,
    block: Number,
    of_block: tuple[Scores, NDArray[np.uint8]],
    filters: Able,
    best: tuple[Documents, Scores, NDArray[np.bool_]],
    found: Number,
    count: Number,
    least: Number,
) -> tuple[tuple[Documents, Scores, NDArray[np.bool_]], Number, Number, Number]:
    """Collects those of a block's documents that are touched and have `least`; what they touched is 0 again.

    The best as make_top() has them, how many there are by now, how many of the block's match, and what those
    that come later must have at least.
    """
    (sums, marks), (alive, flagged, share), (documents, scores, own) = of_block, filters, best
    start, matching, in_block = block * len(sums), np.int64(0), np.int64(len(sums))
    lower_flagged(sums, flagged, start, share)
    for at in range(size):
        place = np.uint64(touched[at])
        document, score, marked = start + np.int64(place), sums[place], marks[place]
        sums[place], marks[place] = 0, 0
        if score >= 0 and (len(alive) == 0 or alive[np.uint64(document)]):
            matching += 1
            if score >= least:
                documents[found], scores[found], own[found] = document, score, marked & OWN_MARK != 0
                found += 1
    if found + in_block > len(documents):
        places, least = select_top(scores[:found], count, least)
        for at, place in enumerate(places):
            documents[at], scores[at], own[at] = documents[place], scores[place], own[place]
        found = np.int64(len(places))
        if found + in_block > len(documents) // 2:  # many are equal
            documents = np.concatenate((documents, np.empty(len(documents), np.int32)))
            scores = np.concatenate((scores, np.empty(len(scores), np.float32)))
            own = np.concatenate((own, np.empty(len(own), np.bool_)))
    return (documents, scores, own), found, matching, least


@inlined
def finish_top(
    best: tuple[Documents, Scores, NDArray[np.bool_]],
    found: Number,
    count: Number,
    least: Number,
    total: Number,
) -> Top:
    """Sorts out the top `count` of what was collected, with all that are as good as the last of them."""
    documents, scores, own = best
    places, least = select_top(scores[:found], count, least)
    places = places[np.argsort(documents[places])]
    return documents[places], scores[places], own[places], least, total
