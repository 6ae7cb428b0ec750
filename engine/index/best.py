"""The best of what a query finds, without scoring what cannot be among them.

Of few documents all are added up, a number for each. Of many only those that can reach the last place:
no document scores more than the first of its lists gives it and the later ones give anybody (MaxScore,
after Turtle and Flood, "Query evaluation: strategies and optimizations", 1995).
"""

from collections.abc import Sequence
from itertools import accumulate
from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.found import Found, are_own, merged
from engine.index.lists import Documents, Scores, add_up, best_places, best_summed

COUNTED = 10_000  # hits; whether there are more, nobody reads
STRETCH = 1 << 16  # documents added up at a time: a quarter of a megabyte stays near the processor
_DEARER = 16  # times: looking a document up, to adding one up
_LEADERS = 3  # lists whose best documents show what it takes to be among the best
_ROUNDING = 1 - 1e-5  # sums of the same scores in another order


class Best(NamedTuple):
    """The best matches by document, each with its score and whether it is found for its own text.

    Some more are among them, with all that score as the last one. `total` is how many documents match:
    a guess where it is not `exact`.
    """

    documents: Documents
    scores: Scores
    own: NDArray[np.bool_]
    total: int
    exact: bool = True


class Flagged:
    """Documents that have nothing to say: of their scores a share is left (requirement 85)."""

    def __init__(self, documents: Documents, share: float) -> None:
        self.documents, self._share = documents, np.float32(share)

    def has(self, documents: Documents) -> NDArray[np.bool_]:
        """Whether each is one of them."""
        if not len(self.documents):
            return np.zeros(len(documents), np.bool_)
        at = self.documents.searchsorted(documents)
        found: NDArray[np.bool_] = self.documents.take(at, mode="clip") == documents
        return found

    def lowered(self, documents: Documents, scores: Scores) -> Scores:
        """The documents' scores."""
        if not len(self.documents):
            return scores
        return np.where(self.has(documents), scores * self._share, scores)

    def lower(self, sums: Scores, start: int) -> None:
        """The same for the documents start, start + 1 ..."""
        if len(self.documents):
            first, end = self.documents.searchsorted((start, start + len(sums))).tolist()
            sums[self.documents[first:end] - start] *= self._share


def best_of(found: Found, count: int, flagged: Flagged) -> Best:
    """The best `count` of a list."""
    scores = flagged.lowered(found.documents, found.scores)
    at, _ = best_places(scores, count, 0)
    return Best(found.documents[at], scores[at], are_own(found.scores[at]), len(found))


def best_of_any(parts: Sequence[Found], size: int, count: int, flagged: Flagged) -> Best:
    """The best `count` of what any of the parts finds, their scores added up; `size` documents exist."""
    chosen = _pruned(parts, size, count, flagged) if size > STRETCH else None
    return chosen or _added_up(parts, size, count, flagged)


def _added_up(parts: Sequence[Found], size: int, count: int, flagged: Flagged) -> Best:
    """Everything is scored, a stretch at a time."""
    chosen: list[Best] = []
    least = 0.0
    for start in range(0, max(size, 1), STRETCH):
        size_here = min(STRETCH, size - start)
        sums, marks = np.zeros(size_here, np.float32), np.zeros(size_here, np.uint8)
        touched, total = np.empty(size_here + 1, np.int64), 0
        for part in parts:
            total = add_up(part.documents, part.scores, start, sums, marks, touched, total)
        flagged.lower(sums, start)
        documents, scores, own, least = best_summed(sums, marks, touched[:total], start, count, least)
        chosen.append(Best(documents, scores, own, total))
    if len(chosen) == 1:
        return chosen[0]
    documents, scores, owns = (np.concatenate([of[column] for of in chosen]) for column in range(3))
    at, _ = best_places(scores, count, 0)
    return Best(documents[at], scores[at], owns[at], sum(of.total for of in chosen))


def _pruned(parts: Sequence[Found], size: int, count: int, flagged: Flagged) -> Best | None:
    """Only what can be among the best is scored; None where that is not much less than everything."""
    parts = sorted(parts, key=lambda part: -part.best)
    later = [*accumulate((part.best for part in parts[:0:-1]), initial=0.0)][::-1]
    first = merged([part.documents[best_places(part.scores, count, 0)[0]] for part in parts[:_LEADERS]])
    scores = flagged.lowered(first, sum((part.at(first) for part in parts), np.zeros(len(first), np.float32)))
    least = float(np.partition(scores, -count)[-count]) * _ROUNDING if len(first) >= count else 0.0
    reaching = []
    for part, after in zip(parts, later, strict=True):
        if part.best + after < least:
            break
        enough = part.scores >= np.float32(least - after)
        reaching.append(part.documents[enough] if after < least else part.documents)
    if sum(map(len, reaching)) * len(parts) * _DEARER > size:
        return None
    documents, scores = _reached(parts, later, merged(reaching), least)
    scores = flagged.lowered(documents, scores)
    at, _ = best_places(scores, count, 0)
    documents, own = documents[at], np.zeros(len(at), np.bool_)
    for part in parts:
        own |= are_own(part.at(documents))
    return Best(documents, scores[at], own, *_counted(parts, size))


def _reached(
    parts: Sequence[Found], later: Sequence[float], documents: Documents, least: float
) -> tuple[Documents, Scores]:
    """The documents that have `least` in the end, and some more, with all of their scores."""
    scores = np.zeros(len(documents), np.float32)
    for part, after in zip(parts, later, strict=True):
        scores += part.at(documents)
        able = np.flatnonzero(scores >= np.float32(least - after))
        if 2 * len(able) < len(documents):
            documents, scores = documents[able], scores[able]
    return documents, scores


def _counted(parts: Sequence[Found], size: int) -> tuple[int, bool]:
    """How many documents match: up to COUNTED exactly, else as if parts had nothing to do with each other."""
    most = max(map(len, parts))
    if most <= COUNTED:
        return len(merged([part.documents for part in parts])), True
    return max(most, round(size * (1 - prod(1 - len(part) / size for part in parts)))), False
