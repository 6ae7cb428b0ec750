"""Weighs what a page is called by where that stands: how good a completion it makes."""

from collections.abc import Mapping

from engine.index.schema import ANCHOR, DEFINITION, HEADING, TITLE

MAX_KEPT = 64  # names for one beginning, the best: several may be one, in other words or of other pages
OFTEN = 0.1  # for twice as many pages
_LATER = 0.5  # for another word of a name than its first

_FIRST = {TITLE: 8.0, HEADING: 2.0, ANCHOR: 3.0, DEFINITION: 1.0}
_INSIDE = {kind.upper(): _LATER * weight for kind, weight in _FIRST.items()}
KIND_WEIGHTS: Mapping[str, float] = _FIRST | _INSIDE
"""By the kind of a name as its terms have it."""
