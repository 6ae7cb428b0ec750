"""Sorts the top k and applies proximity, exact-form and inlink boosts."""

import numpy as np
from numpy.typing import NDArray

from engine.compiled import BOOL, F32, I64, Number, compiled, filled, given, inlined, several
from engine.index.reader import Scores


@inlined
def _kth_score(scores: Scores, count: Number) -> Number:
    """Returns the score that so many reach, 0 where there are fewer."""
    if len(scores) < count:
        return np.float32(0)
    return np.partition(scores, len(scores) - count)[len(scores) - count]


@compiled(several(filled(I64), BOOL)(given(F32), I64, I64))
def rank_top(scores: Scores, count: Number, start: Number) -> tuple[NDArray[np.int64], bool]:
    """Ranks the top `count` scores: their places, best first, with all that are as good as the last of them;
    and whether some of them but the first `start` are as good as their neighbours.
    """
    at = np.flatnonzero(scores >= _kth_score(scores, count))
    order, tied = at[np.argsort(-scores[at], kind="mergesort")], False
    for place in range(max(start, 1), len(order)):
        tied |= scores[order[place]] == scores[order[place - 1]]
    return order, tied


@compiled(filled(I64)(given(F32), I64))
def select_leaders(scores: Scores, count: Number) -> NDArray[np.int64]:
    """Selects the places, ascending, of at most `count` scores that are better than all others,
    and than 0.
    """
    return np.flatnonzero(scores > _kth_score(scores, count + 1))


@compiled(
    filled(F32)(
        *(given(F32), given(BOOL), given(BOOL)),
        *(given(I64), given(F32), given(F32), F32, F32, I64, given(F32), F32),
    )
)
def apply_boosts(
    scores: Scores,
    own: NDArray[np.bool_],
    flagged: NDArray[np.bool_],
    leading: NDArray[np.int64],
    near: Scores,
    forms: Scores,
    proximity: Number,
    share: Number,
    rescored: Number,
    votes: Scores,
    inlink_weight: Number,
) -> Scores:
    """Adds proximity and exact forms to the scores at `leading` places (`share` of it where they are
    flagged), and votes to the best `rescored`, where they are found for their own text and not flagged.
    """
    found = scores.copy()
    for at in range(len(leading)):
        place = leading[at]
        gained = proximity * near[at] + forms[at]
        found[place] += gained * share if flagged[place] else gained
    least = _kth_score(scores, rescored)
    for at in range(len(scores)):
        if own[at] and not flagged[at] and scores[at] >= least:
            found[at] += np.float32(np.log1p(votes[at])) * inlink_weight
    return found
