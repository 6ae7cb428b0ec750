"""Scores documents: BM25F, conjunctions, disjunctions, phrases, proximity, exact forms."""

from engine.index.scoring.best import (
    COUNTED,
    SMALL,
    Best,
    Chosen,
    Flagged,
    Sayable,
    best_of_any,
    best_of_each,
)
from engine.index.scoring.bm25f import SAME
from engine.index.scoring.phrases import side_by_side
from engine.index.scoring.rerank import gain
from engine.index.scoring.terms import MAX_BEGUN, alike, begin_many, begun, between, every, of_field
from engine.index.scoring.top_k import foremost, leaders, raised
from engine.index.scoring.words import Words, weights_of

__all__ = [
    "COUNTED",
    "MAX_BEGUN",
    "SAME",
    "SMALL",
    "Best",
    "Chosen",
    "Flagged",
    "Sayable",
    "Words",
    "alike",
    "begin_many",
    "begun",
    "best_of_any",
    "best_of_each",
    "between",
    "every",
    "foremost",
    "gain",
    "leaders",
    "of_field",
    "raised",
    "side_by_side",
    "weights_of",
]
