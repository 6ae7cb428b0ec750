"""Searches one snapshot: ranked documents, facets, score explanations."""

from engine.index.searching import host_collapsing
from engine.index.searching.date_sort import DateOrder
from engine.index.searching.facets import SPANS, count_facets, filter_choice
from engine.index.searching.index_searcher import IndexSearcher, RankedDocument
from engine.index.searching.labels import (
    LABELS_FILE,
    MAX_LABELS,
    CurrentLabels,
    Labels,
    add_labels,
    parse_label,
    read_labels,
)
from engine.index.searching.minimum_should_match import LOOKED_AT, require_all
from engine.index.searching.score_explanation import ClauseExplanation, ScoreExplanation, explain_score
from engine.index.searching.snapshot import NO_INLINKS, Snapshot
from engine.index.searching.term_explanation import TermExplanation, WordExplanation
from engine.index.searching.url_explanation import SCORED, RankExplanation

__all__ = [
    "LABELS_FILE",
    "LOOKED_AT",
    "MAX_LABELS",
    "NO_INLINKS",
    "SCORED",
    "SPANS",
    "ClauseExplanation",
    "CurrentLabels",
    "DateOrder",
    "IndexSearcher",
    "Labels",
    "RankExplanation",
    "RankedDocument",
    "ScoreExplanation",
    "Snapshot",
    "TermExplanation",
    "WordExplanation",
    "add_labels",
    "count_facets",
    "explain_score",
    "filter_choice",
    "host_collapsing",
    "parse_label",
    "read_labels",
    "require_all",
]
