"""Opens a generation for searching, wherever it is: the one place that tells folders and clusters apart."""

from typing import cast

from engine.generations import FolderGeneration, Generation
from engine.index.reader import IndexCache
from engine.index.searching import DirectorySnapshot, OpenIndex
from engine.ranking import Ranking


def open_snapshot(generation: Generation, cache: IndexCache, ranking: Ranking) -> OpenIndex:
    """Opens one moment of a generation."""
    return DirectorySnapshot(cast(FolderGeneration, generation), cache, ranking)
