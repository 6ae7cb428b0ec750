"""Keeps the best documents so far while a compiled loop goes through the blocks of a segment."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import OWN_MARK, Documents, Scores, argsort_documents, select_top
from engine.kernels import (
    BOOL,
    F32,
    I32,
    I64,
    U8,
    Number,
    inlined,
    linked,
    made_of,
    mutable,
    readonly,
    record_of,
    tuple_of,
)

ROUNDING = np.float32(1 - 1e-5)  # sums of the same scores in another order
_ROOM = 4  # times the documents that are wanted: then only the best are kept

Top = tuple[Documents, Scores, NDArray[np.bool_], Number, Number]
"""The best, ascending: documents, scores, whether each is found for its own text; what they have at least;
and how many match, of those that were looked at."""

TOP = tuple_of(mutable(I32), mutable(F32), mutable(BOOL), F32, I64)
"""Top, for compiled functions."""


class Selection(NamedTuple):
    """Which documents of a segment are wanted: the top `size` of those that may be found."""

    alive: NDArray[np.bool_]  # whether each may be found; empty: all of them
    flagged: Documents  # those that keep a share of their scores (requirement 85)
    share: float
    size: int  # how many
    least: float  # the score that they have at least


SELECTION = record_of(Selection, alive=readonly(BOOL), flagged=readonly(I32), share=F32, size=I64, least=F32)
"""Selection, for compiled functions."""


class Accumulators(NamedTuple):
    """What the documents of a block score so far, and their marks, all 0 at first; and which have some.

    Documents are counted from the block's first.
    """

    touched: NDArray[np.int32]
    scores: Scores
    marks: NDArray[np.uint8]


ACCUMULATORS = made_of(Accumulators, touched=mutable(I32), scores=mutable(F32), marks=mutable(U8))
"""Accumulators, for compiled functions."""


class Candidates(NamedTuple):
    """The best documents so far, `size` of them: scores, and whether each is found for its own text."""

    documents: NDArray[np.int32]
    scores: Scores
    own: NDArray[np.bool_]
    size: Number
    least: Number  # the score that those which come later must have at least


CANDIDATES = made_of(
    Candidates, documents=mutable(I32), scores=mutable(F32), own=mutable(BOOL), size=I64, least=F32
)
"""Candidates, for compiled functions."""


@inlined
def make_accumulators(size: Number) -> Accumulators:
    """Makes accumulators for blocks of so many documents."""
    return Accumulators(np.empty(size + 1, np.int32), np.zeros(size, np.float32), np.zeros(size, np.uint8))


@inlined
def make_candidates(selection: Selection, in_block: Number) -> Candidates:
    """Makes room for the candidates of blocks of so many documents."""
    size = _ROOM * selection.size + 2 * in_block
    return Candidates(
        np.empty(size, np.int32),
        np.empty(size, np.float32),
        np.empty(size, np.bool_),
        np.int64(0),
        selection.least,
    )


@inlined
def lower_flagged(sums: Scores, flagged: Documents, start: Number, share: Number) -> None:
    """Lowers the scores of flagged documents among start, start + 1 ... to a share (requirement 85)."""
    at = np.searchsorted(flagged, np.int32(start))
    while at < len(flagged) and flagged[at] < start + len(sums):
        sums[flagged[at] - start] *= share
        at += 1


@linked(tuple_of(CANDIDATES, I64)(ACCUMULATORS, I64, I64, SELECTION, CANDIDATES))
def collect_block(
    accumulators: Accumulators, size: Number, block: Number, selection: Selection, candidates: Candidates
) -> tuple[Candidates, Number]:
    """Collects those of a block's `size` touched documents that score enough, and clears the accumulators;
    returns the candidates, and how many of the block's match.
    """
    (touched, sums, marks), alive = accumulators, selection.alive
    documents, scores, own, found, least = candidates
    start, matching, in_block = block * len(sums), np.int64(0), np.int64(len(sums))
    lower_flagged(sums, selection.flagged, start, selection.share)
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
        places, least = select_top(scores[:found], selection.size, least)
        for at, place in enumerate(places):
            documents[at], scores[at], own[at] = documents[place], scores[place], own[place]
        found = np.int64(len(places))
        if found + in_block > len(documents) // 2:  # many are equal
            documents = np.concatenate((documents, np.empty(len(documents), np.int32)))
            scores = np.concatenate((scores, np.empty(len(scores), np.float32)))
            own = np.concatenate((own, np.empty(len(own), np.bool_)))
    return Candidates(documents, scores, own, found, least), matching


@linked(TOP(CANDIDATES, I64, I64))
def finish_top(candidates: Candidates, count: Number, total: Number) -> Top:
    """Sorts out the top `count` of the candidates, with all that are as good as the last of them."""
    documents, scores, own = candidates.documents, candidates.scores, candidates.own
    places, least = select_top(scores[: candidates.size], count, candidates.least)
    places = places[argsort_documents(documents[places])]
    return documents[places], scores[places], own[places], least, total
