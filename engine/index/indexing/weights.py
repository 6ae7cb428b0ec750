"""Recounts inlink votes alone: one column of the index, no posting is touched."""

from contextlib import closing

from engine import generations
from engine.errors import IndexMissing
from engine.generations import IndexLocation
from engine.index.indexing.opening import open_writer
from engine.ranking import Ranking


def update_votes(location: IndexLocation, ranking: Ranking) -> int:
    """Updates the votes of every document of the current generation from its link graph; returns how many
    there are.

    Searchers take it up as any commit. Raises IndexMissing when there is none that can be searched.
    """
    with generations.lock(location, "write"):
        generation = generations.current_generation(location)
        if generation is None or not generation.is_readable:
            raise IndexMissing(f"there is no index in {location} yet; 'scrapy rebuild' makes one")
        with closing(open_writer(generation, ranking)) as writer:
            writer.update_votes()
            return writer.count_documents()
