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

from engine.index.found import DENSE, Documents, Found, Scores, are_own, merged

COUNTED = 10_000  # hits; whether there are more, nobody reads
STRETCH = 1 << 16  # documents added up at a time: a quarter of a megabyte stays near the processor
_ROWS = 16  # of a table of scores whose columns are compared first
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
    at, _ = leading(scores, count)
    return Best(found.documents[at], scores[at], are_own(found.scores[at]), len(found))


def best_of_any(parts: Sequence[Found], size: int, count: int, flagged: Flagged) -> Best:
    """The best `count` of what any of the parts finds, their scores added up; `size` documents exist."""
    chosen = _pruned(parts, size, count, flagged) if size > STRETCH else None
    documents, scores, total, exact = chosen or _added_up(parts, size, count, flagged)
    own = np.zeros(len(documents), np.bool_)
    for part in parts:
        own |= are_own(part.at(documents))
    return Best(documents, scores, own, total, exact)


def leading(scores: Scores, count: int, least: float = 0) -> tuple[NDArray[np.intp], float]:
    """The places, ascending, of the `count` best scores above 0 and of some more; what they have at least.

    Scores below `least` are left out.
    """
    width = len(scores) // _ROWS
    if width < 2 * count:
        if len(scores) > count:
            least = max(least, float(np.partition(scores, -count)[-count]))
        return np.flatnonzero(scores >= least if least else scores > 0), least
    table = scores[: _ROWS * width].reshape(_ROWS, width)
    maxima = table.max(axis=0)
    least = max(least, float(np.partition(maxima, -count)[-count]))
    if not least:
        return np.flatnonzero(scores), least
    columns = np.flatnonzero(maxima >= least)
    row, column = (table.take(columns, axis=1) >= least).nonzero()
    places = columns[column] + row * width
    if len(scores) == _ROWS * width:
        return places, least
    tail = np.flatnonzero(scores[_ROWS * width :] >= least) + _ROWS * width
    return np.concatenate((places, tail)), least


class _Chosen(NamedTuple):
    documents: Documents
    scores: Scores
    total: int
    exact: bool


def _added_up(parts: Sequence[Found], size: int, count: int, flagged: Flagged) -> _Chosen:
    """Everything is scored, a stretch at a time."""
    chosen: list[_Chosen] = []
    least = 0.0
    for start in range(0, max(size, 1), STRETCH):
        sums = np.zeros(-(-min(STRETCH, size - start) // _ROWS) * _ROWS, np.float32)
        for part in parts:
            part.add_to(sums, start)
        total = int(np.count_nonzero(sums > 0))
        flagged.lower(sums, start)
        at, least = leading(sums, count, least)
        chosen.append(_Chosen((at + start).astype(np.int32), sums[at], total, True))
    if len(chosen) == 1:
        return chosen[0]
    scores = np.concatenate([of.scores for of in chosen])
    at, _ = leading(scores, count)
    documents = np.concatenate([of.documents for of in chosen])
    return _Chosen(documents[at], scores[at], sum(of.total for of in chosen), True)


def _pruned(parts: Sequence[Found], size: int, count: int, flagged: Flagged) -> _Chosen | None:
    """Only what can be among the best is scored; None where that is not much less than everything."""
    parts = sorted(parts, key=lambda part: -part.best)
    later = [*accumulate((part.best for part in parts[:0:-1]), initial=0.0)][::-1]
    first = merged([part.documents[leading(part.scores, count)[0]] for part in parts[:_LEADERS]])
    scores = flagged.lowered(first, sum((part.at(first) for part in parts), np.zeros(len(first), np.float32)))
    least = float(np.partition(scores, -count)[-count]) * _ROUNDING if len(first) >= count else 0.0
    reaching = []
    for part, after in zip(parts, later, strict=True):
        if part.best + after < least:
            break
        enough = part.scores >= np.float32(least - after)
        reaching.append(part.documents[enough] if after < least else part.documents)
    if sum(map(len, reaching)) * len(parts) * DENSE > size:
        return None
    documents, scores = _reached(parts, later, merged(reaching), least)
    scores = flagged.lowered(documents, scores)
    at, _ = leading(scores, count)
    total, exact = _counted(parts, size)
    return _Chosen(documents[at], scores[at], total, exact)


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
