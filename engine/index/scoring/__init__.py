"""Scores documents: BM25F, conjunctions, disjunctions, phrases, proximity, exact forms."""

from engine.index.scoring.best import (
    COUNTED,
    SMALL,
    AcceptedDocuments,
    Best,
    Flagged,
    QueryPart,
    collect_conjunction,
    collect_disjunction,
)
from engine.index.scoring.block_max import DocumentCounts
from engine.index.scoring.bm25f import SAME
from engine.index.scoring.phrases import match_phrase
from engine.index.scoring.rerank import compute_gains
from engine.index.scoring.statistics import CollectionStatistics, ReaderStatistics, count_marks
from engine.index.scoring.terms import (
    MAX_BEGUN,
    is_prefix_too_frequent,
    match_all,
    match_field,
    match_prefix,
    match_range,
    score_constant,
)
from engine.index.scoring.top_k import (
    BoostWeights,
    RerankGains,
    apply_boosts,
    rank_top,
    select_leaders,
)
from engine.index.scoring.words import Words, make_norms, weigh_idf, weigh_postings

__all__ = [
    "COUNTED",
    "MAX_BEGUN",
    "SAME",
    "SMALL",
    "AcceptedDocuments",
    "Best",
    "BoostWeights",
    "CollectionStatistics",
    "DocumentCounts",
    "Flagged",
    "QueryPart",
    "ReaderStatistics",
    "RerankGains",
    "Words",
    "apply_boosts",
    "collect_conjunction",
    "collect_disjunction",
    "compute_gains",
    "count_marks",
    "is_prefix_too_frequent",
    "make_norms",
    "match_all",
    "match_field",
    "match_phrase",
    "match_prefix",
    "match_range",
    "rank_top",
    "score_constant",
    "select_leaders",
    "weigh_idf",
    "weigh_postings",
]
