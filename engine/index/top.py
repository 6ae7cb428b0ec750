"""The best documents so far, while a compiled loop goes through the strips of a segment."""

import numpy as np
from numpy.typing import NDArray

from engine.compiled import BOOL, F32, I32, I64, Number, filled, inlined, several
from engine.index.lists import OWN_MARK, Documents, Scores, best_places

TOP = several(filled(I32), filled(F32), filled(BOOL), F32, I64)
ROUNDING = np.float32(1 - 1e-5)  # sums of the same scores in another order
_ROOM = 4  # times the documents that are wanted: then only the best are kept


@inlined
def room_for(count: Number, in_strip: Number) -> tuple[Documents, Scores, NDArray[np.bool_]]:
    """Documents, scores, and whether each is found for its own text: room for what gathered() finds."""
    size = _ROOM * count + 2 * in_strip
    return np.empty(size, np.int32), np.empty(size, np.float32), np.empty(size, np.bool_)


@inlined
def lower(sums: Scores, flagged: Documents, start: Number, share: Number) -> None:
    """Of the scores of the documents start, start + 1 ... flagged ones keep a share (requirement 85)."""
    at = np.searchsorted(flagged, np.int32(start))
    while at < len(flagged) and flagged[at] < start + len(sums):
        sums[flagged[at] - start] *= share
        at += 1


@inlined
def gathered(
    touched: NDArray[np.int32],
    size: Number,
    strip: Number,
    in_strip: Number,
    sums: Scores,
    marks: NDArray[np.uint8],
    alive: NDArray[np.bool_],
    flagged: Documents,
    share: Number,
    documents: Documents,
    scores: Scores,
    own: NDArray[np.bool_],
    found: Number,
    count: Number,
    least: Number,
) -> tuple[Documents, Scores, NDArray[np.bool_], Number, Number, Number]:
    """Take those of a strip's documents that are touched and have `least`; what they touched is 0 again.

    Documents, scores, own; how many there are of these, how many of the strip's match, and what those that
    come later must have at least.
    """
    start, matching = strip * in_strip, np.int64(0)
    lower(sums, flagged, start, share)
    for at in range(size):
        place = np.uint64(touched[at])
        document, score, marked = start + np.int64(place), sums[place], marks[place]
        sums[place], marks[place] = 0, 0
        if score >= 0 and (len(alive) == 0 or alive[np.uint64(document)]):
            matching += 1
            if score >= least:
                documents[found], scores[found], own[found] = document, score, marked & OWN_MARK != 0
                found += 1
    if found + in_strip > len(documents):
        places, least = best_places(scores[:found], count, least)
        for at, place in enumerate(places):
            documents[at], scores[at], own[at] = documents[place], scores[place], own[place]
        found = np.int64(len(places))
        if found + in_strip > len(documents) // 2:  # many are equal
            documents = np.concatenate((documents, np.empty(len(documents), np.int32)))
            scores = np.concatenate((scores, np.empty(len(scores), np.float32)))
            own = np.concatenate((own, np.empty(len(own), np.bool_)))
    return documents, scores, own, found, matching, least


@inlined
def finished(
    documents: Documents,
    scores: Scores,
    own: NDArray[np.bool_],
    count: Number,
    least: Number,
    total: Number,
) -> tuple[Documents, Scores, NDArray[np.bool_], Number, Number]:
    """The best `count` of what was gathered, with all that are as good as the last of them, ascending."""
    places, least = best_places(scores, count, least)
    places = places[np.argsort(documents[places])]
    return documents[places], scores[places], own[places], least, total
