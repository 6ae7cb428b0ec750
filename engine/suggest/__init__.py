"""Suggests: spelling corrections, completions, synonyms, pinned pages."""

from engine.suggest import pins, synonyms
from engine.suggest.completing import Completion, complete_query
from engine.suggest.failing_terms import FailingClauses, find_failing_clauses
from engine.suggest.operator_files import MAX_BYTES, OperatorFile, find_broken_lines
from engine.suggest.past_queries import (
    DAY,
    FILE,
    MAX_DAYS,
    OFFERED,
    UNANSWERED_FILE,
    PastQueries,
    PastQuery,
    load_most_asked,
)
from engine.suggest.site_names import find_site_names
from engine.suggest.spelling import VERY_FEW, did_you_mean
from engine.suggest.synonyms import Synonyms

__all__ = [
    "DAY",
    "FILE",
    "MAX_BYTES",
    "MAX_DAYS",
    "OFFERED",
    "UNANSWERED_FILE",
    "VERY_FEW",
    "Completion",
    "FailingClauses",
    "OperatorFile",
    "PastQueries",
    "PastQuery",
    "Synonyms",
    "complete_query",
    "did_you_mean",
    "find_broken_lines",
    "find_failing_clauses",
    "find_site_names",
    "load_most_asked",
    "pins",
    "synonyms",
]
