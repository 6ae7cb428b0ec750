"""Measures the ranking: judged collections, the index's answers to their queries, nDCG and others."""

from engine.relevance.collection import load
from engine.relevance.judged import judged_queries
from engine.relevance.measures import NDCG_DEPTH, ndcg
from engine.relevance.trial import index, measured

__all__ = [
    "NDCG_DEPTH",
    "index",
    "judged_queries",
    "load",
    "measured",
    "ndcg",
]
