"""Searches one snapshot: ranked documents, facets, score explanations."""

from engine.index.searching import host_collapsing
from engine.index.searching.choices import filter_choice
from engine.index.searching.date_sort import DateOrder, rank_by_date
from engine.index.searching.directory_snapshot import DirectorySnapshot
from engine.index.searching.document_filter import DocumentFilter
from engine.index.searching.facets import KEY_OF, MAX_SHARES, SPANS, FacetsToCome, first_days, top_values
from engine.index.searching.index_searcher import IndexSearcher, RankedDocument, rank_hits
from engine.index.searching.labels import (
    LABELS_FILE,
    MAX_LABELS,
    CurrentLabels,
    Labels,
    add_labels,
    parse_label,
    read_labels,
)
from engine.index.searching.link_counts import LinkCounts
from engine.index.searching.minimum_should_match import LOOKED_AT, require_all
from engine.index.searching.score_explanation import ClauseExplanation, ScoreExplanation, explain_score
from engine.index.searching.snapshot import NO_INLINKS, OpenIndex, Snapshot, SnapshotLostError
from engine.index.searching.term_explanation import TermExplanation, WordExplanation
from engine.index.searching.url_explanation import SCORED, RankExplanation

__all__ = [
    "KEY_OF",
    "LABELS_FILE",
    "LOOKED_AT",
    "MAX_LABELS",
    "MAX_SHARES",
    "NO_INLINKS",
    "SCORED",
    "SPANS",
    "ClauseExplanation",
    "CurrentLabels",
    "DateOrder",
    "DirectorySnapshot",
    "DocumentFilter",
    "FacetsToCome",
    "IndexSearcher",
    "Labels",
    "LinkCounts",
    "OpenIndex",
    "RankExplanation",
    "RankedDocument",
    "ScoreExplanation",
    "Snapshot",
    "SnapshotLostError",
    "TermExplanation",
    "WordExplanation",
    "add_labels",
    "explain_score",
    "filter_choice",
    "first_days",
    "host_collapsing",
    "parse_label",
    "rank_by_date",
    "rank_hits",
    "read_labels",
    "require_all",
    "top_values",
]
