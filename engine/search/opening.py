"""Opens a generation for searching, wherever it is: the one place that tells folders and clusters apart."""

from typing import cast

from engine.generations import ClusterGeneration, FolderGeneration, Generation
from engine.index.reader import IndexCache
from engine.index.searching import DirectorySnapshot, OpenIndex
from engine.ranking import Ranking


def open_snapshot(generation: Generation, cache: IndexCache, ranking: Ranking) -> OpenIndex:
    """Opens one moment of a generation; what it raises, its class says."""
    if isinstance(generation, ClusterGeneration):
        from engine.index.cluster_searching import GenerationSnapshot

        return GenerationSnapshot(generation, cache, ranking)
    return DirectorySnapshot(cast(FolderGeneration, generation), cache, ranking)
