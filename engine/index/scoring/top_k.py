"""Sorts the top k and applies the boosts of signals and inlinks."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import Scores, select_top
from engine.kernels import (
    BOOL,
    F32,
    I64,
    Number,
    compiled,
    inlined,
    mutable,
    outlined,
    readonly,
    record_of,
    tuple_of,
)


class RerankGains(NamedTuple):
    """What the `places` of the best texts (places, ascending) gain: (RERANK_SIGNALS, places), before their
    weights.
    """

    places: NDArray[np.int64]
    amounts: Scores


RERANK_GAINS = record_of(RerankGains, places=readonly(I64), amounts=readonly(F32, 2))
"""RerankGains, for compiled functions."""


class BoostWeights(NamedTuple):
    """How much boosts count."""

    signals: Scores  # in the order of RERANK_SIGNALS
    share: float  # of what these add, where a document is flagged
    rescored: int  # how many of the best scores votes are added to
    inlink: float


BOOST_WEIGHTS = record_of(BoostWeights, signals=readonly(F32), share=F32, rescored=I64, inlink=F32)
"""BoostWeights, for compiled functions."""


@outlined(mutable(I64)(readonly(F32), readonly(I64)))
def _sort_descending(scores: Scores, places: NDArray[np.int64]) -> NDArray[np.int64]:
    """Sorts places by their scores, the best first; of equal ones the first one's first.

    np.argsort() of a stable kind would take seconds to compile.
    """
    order, others, width = places.copy(), np.empty_like(places), 1
    while width < len(order):
        for start in range(0, len(order), 2 * width):
            one, middle = start, min(start + width, len(order))
            other, stop = middle, min(middle + width, len(order))
            for at in range(start, stop):
                if other == stop or (one < middle and scores[order[one]] >= scores[order[other]]):
                    others[at] = order[one]
                    one += 1
                else:
                    others[at] = order[other]
                    other += 1
        order, others = others, order
        width *= 2
    return order


@compiled(tuple_of(mutable(I64), BOOL)(readonly(F32), I64, I64))
def rank_top(scores: Scores, count: Number, start: Number) -> tuple[NDArray[np.int64], bool]:
    """Ranks the top `count` scores: their places, best first, with all that are as good as the last of them;
    and whether some of them but the first `start` are as good as their neighbours.
    """
    places, _ = select_top(scores, count, np.float32(0))
    order, end, tied = _sort_descending(scores, places), count, False
    while end < len(order) and scores[order[end]] == scores[order[count - 1]]:
        end += 1
    order = order[:end]
    for place in range(max(start, 1), len(order)):
        tied |= scores[order[place]] == scores[order[place - 1]]
    return order, tied


@inlined
def _kth_score(scores: Scores, count: Number) -> Number:
    """Returns the score that so many reach, 0 where there are fewer."""
    least = np.float32(0)
    if len(scores) >= count:
        places, _ = select_top(scores, count, least)
        least = scores[_sort_descending(scores, places)[count - 1]]
    return least


@compiled(mutable(I64)(readonly(F32), I64))
def select_leaders(scores: Scores, count: Number) -> NDArray[np.int64]:
    """Selects the places, ascending, of at most `count` scores that are better than all others,
    and than 0.
    """
    return np.flatnonzero(scores > _kth_score(scores, count + 1))


@compiled(
    mutable(F32)(readonly(F32), readonly(BOOL), readonly(BOOL), RERANK_GAINS, readonly(F32), BOOST_WEIGHTS)
)
def apply_boosts(
    scores: Scores,
    own: NDArray[np.bool_],
    flagged: NDArray[np.bool_],
    gained: RerankGains,
    votes: Scores,
    weights: BoostWeights,
) -> Scores:
    """Adds what signals give to the leading scores, and votes to the best, where they are found for their
    own text and not flagged.
    """
    (places, amounts), found = gained, scores.copy()
    for at in range(len(places)):
        place, amount = places[at], np.float32(0)
        for signal in range(len(amounts)):
            amount += weights.signals[signal] * amounts[signal, at]
        found[place] += amount * weights.share if flagged[place] else amount
    least = _kth_score(scores, weights.rescored)
    for at in range(len(scores)):
        if own[at] and not flagged[at] and scores[at] >= least:
            found[at] += np.float32(np.log1p(votes[at])) * weights.inlink
    return found
