"""Opens a generation for searching, wherever it is: the one place that tells folders and clusters apart."""

from typing import NamedTuple, cast

from engine.audience import OPERATOR, View
from engine.errors import EngineError
from engine.generations import ClusterGeneration, FolderGeneration, Generation, IndexLocation
from engine.index.reader import IndexCache
from engine.index.searching import DirectorySnapshot, OpenIndex
from engine.ranking import Ranking


class SeenIndex(NamedTuple):
    """An index, wherever it is, as far as a view has it."""

    location: IndexLocation
    view: View = OPERATOR


def open_snapshot(
    generation: Generation, cache: IndexCache, ranking: Ranking, view: View = OPERATOR
) -> OpenIndex:
    """Opens one moment of a generation, as far as a view has it; what it raises, its class says.

    Raises EngineError where the generation hides pages by other rules than those of the view.
    """
    if view != OPERATOR and generation.audiences != view.digest:
        raise EngineError(f"the index in {generation.where} hides other pages: run scrapy rebuild")
    if isinstance(generation, ClusterGeneration):
        from engine.index.cluster_searching import GenerationSnapshot

        return GenerationSnapshot(generation, cache, ranking)
    return DirectorySnapshot(cast(FolderGeneration, generation), cache, ranking, view)
