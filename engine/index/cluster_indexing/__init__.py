"""Writes the index into an OpenSearch cluster: the same analysis, and of each document what ranking needs."""

from engine.index.cluster_indexing.cluster_index_writer import ClusterIndexWriter, create_cluster_index
from engine.index.cluster_indexing.cluster_writer import ClusterWriter

__all__ = [
    "ClusterIndexWriter",
    "ClusterWriter",
    "create_cluster_index",
]
