"""Sorts the top k and applies the boosts of signals and inlinks."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import Scores
from engine.kernels import BOOL, F32, I64, Number, compiled, mutable, readonly, record_of


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


def rank_top(scores: Scores, count: int, start: int) -> tuple[NDArray[np.int64], bool]:
    """Ranks the top `count` scores: their places, best first, with all that are as good as the last of them;
    and whether some of them but the first `start` are as good as their neighbours.
    """
    at = np.flatnonzero(scores >= _kth_score(scores, count))
    order = at[np.argsort(-scores[at], kind="stable")]
    ranked, first = scores[order], max(start, 1)
    return order, bool((ranked[first:] == ranked[first - 1 : -1]).any())


def select_leaders(scores: Scores, count: int) -> NDArray[np.int64]:
    """Selects the places, ascending, of at most `count` scores that are better than all others,
    and than 0.
    """
    return np.flatnonzero(scores > _kth_score(scores, count + 1))


def _kth_score(scores: Scores, count: int) -> np.float32:
    """Returns the score that so many reach, 0 where there are fewer."""
    if len(scores) < count:
        return np.float32(0)
    least: np.float32 = np.partition(scores, len(scores) - count)[len(scores) - count]
    return least


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
    least = _kth_score(scores, weights.rescored)
    return _add_boosts(scores, own, flagged, gained, votes, weights, least)


@compiled(
    mutable(F32)(
        readonly(F32), readonly(BOOL), readonly(BOOL), RERANK_GAINS, readonly(F32), BOOST_WEIGHTS, F32
    )
)
def _add_boosts(
    scores: Scores,
    own: NDArray[np.bool_],
    flagged: NDArray[np.bool_],
    gained: RerankGains,
    votes: Scores,
    weights: BoostWeights,
    least: Number,
) -> Scores:
    (places, amounts), found = gained, scores.copy()
    for at in range(len(places)):
        place, amount = places[at], np.float32(0)
        for signal in range(len(amounts)):
            amount += weights.signals[signal] * amounts[signal, at]
        found[place] += amount * weights.share if flagged[place] else amount
    for at in range(len(scores)):
        if own[at] and not flagged[at] and scores[at] >= least:
            found[at] += np.float32(np.log1p(votes[at])) * weights.inlink
    return found
