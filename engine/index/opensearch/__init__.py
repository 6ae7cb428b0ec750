"""Keeps the index in an OpenSearch cluster: the same analysis, the same ranking, the same answers.

A query is answered in two phases: the cluster returns candidates by the weights of their terms, and our own
evaluator ranks these by their term vectors, with the counts of the whole index.
"""

from engine.index.opensearch.cluster_snapshot import ClusterHit, ClusterHits, ClusterSnapshot
from engine.index.opensearch.cluster_writer import ClusterWriter

__all__ = [
    "ClusterHit",
    "ClusterHits",
    "ClusterSnapshot",
    "ClusterWriter",
]
