"""Keeps generations in an OpenSearch cluster: aliases say which is which."""

from engine.generations.cluster.generation import ClusterGeneration
from engine.generations.cluster.notes import IndexNotes, write_notes
from engine.generations.cluster.storage import ClusterStorage

__all__ = [
    "ClusterGeneration",
    "ClusterStorage",
    "IndexNotes",
    "write_notes",
]
