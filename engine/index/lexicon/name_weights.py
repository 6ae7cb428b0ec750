"""Weighs what a page is called by where that stands: how good a completion it makes."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from engine.index.reader import Scores
from engine.index.schema import ANCHOR, DEFINITION, HEADING, TITLE

MAX_KEPT = 64  # names for one beginning, the best: several may be one, in other words or of other pages
_OFTEN = np.float32(0.1)  # for twice as many pages
_LATER = 0.5  # for another word of a name than its first

_FIRST = {TITLE: 8.0, HEADING: 2.0, ANCHOR: 3.0, DEFINITION: 1.0}
_INSIDE = {kind.upper(): _LATER * weight for kind, weight in _FIRST.items()}
KIND_WEIGHTS: Mapping[str, float] = _FIRST | _INSIDE
"""By the kind of a name as its terms have it."""


def weigh_names(weights: Scores, votes: Scores, counts: NDArray[np.int64]) -> Scores:
    """Weighs names by their kinds' weights, the votes of the most linked of their pages, and how many those
    are. Where no page is left, and votes are -1: 0.
    """
    often = np.log2(counts).astype(np.float32)
    return weights * (1 + votes) + np.where(votes < 0, np.float32(0), _OFTEN * often)
