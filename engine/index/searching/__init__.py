"""Searches one snapshot: the best documents, their order, facets, and explanations."""

from engine.index.searching import host_collapsing
from engine.index.searching.date_sort import Newest
from engine.index.searching.facets import SPANS, allowed, count_facets
from engine.index.searching.labels import Labels, labels_of
from engine.index.searching.score_explanation import Account, ClauseExplanation, account
from engine.index.searching.snapshot import NO_INLINKS, UNREADABLE, Ranked, Snapshot
from engine.index.searching.term_explanation import Said, Stand
from engine.index.searching.url_explanation import SCORED, Rank

__all__ = [
    "NO_INLINKS",
    "SCORED",
    "SPANS",
    "UNREADABLE",
    "Account",
    "ClauseExplanation",
    "Labels",
    "Newest",
    "Rank",
    "Ranked",
    "Said",
    "Snapshot",
    "Stand",
    "account",
    "allowed",
    "count_facets",
    "host_collapsing",
    "labels_of",
]
