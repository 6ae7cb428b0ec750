"""Searches an index in an OpenSearch cluster by our own ranking.

A query is answered in two phases: the cluster returns candidates by the weights of their terms, and our own
evaluator ranks these by their term vectors, with the counts of the whole index. What suggestions are made of
is asked for as it is typed.
"""

from engine.index.cluster_searching.cluster_snapshot import ClusterSnapshot
from engine.index.cluster_searching.generation_snapshot import GenerationSnapshot

__all__ = [
    "ClusterSnapshot",
    "GenerationSnapshot",
]
