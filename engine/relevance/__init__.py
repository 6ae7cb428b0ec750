"""Measures the ranking: judged collections, the index's answers to their queries, nDCG and others."""

from engine.relevance.collection import load_collection
from engine.relevance.evaluation import index_collection, measure_collection, measure_index
from engine.relevance.judged import read_judged_queries
from engine.relevance.measures import NDCG_DEPTH, ndcg

__all__ = [
    "NDCG_DEPTH",
    "index_collection",
    "load_collection",
    "measure_collection",
    "measure_index",
    "ndcg",
    "read_judged_queries",
]
