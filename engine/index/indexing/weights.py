"""Recounts inlink votes alone: one column of the index, no posting is touched."""

from contextlib import closing
from pathlib import Path

from engine import generations
from engine.errors import IndexMissing
from engine.index.indexing.writer import Writer
from engine.linkgraph import VotePivots


def update_votes(data_dir: Path, pivots: VotePivots) -> int:
    """Updates the votes of every document of the current generation from its link graph; returns how many
    there are.

    Searchers take it up as any commit. Raises IndexMissing when there is none that can be searched.
    """
    with generations.lock(data_dir, "write"):
        generation = generations.current_generation(data_dir)
        if generation is None or not generation.is_readable:
            raise IndexMissing(f"there is no index in {data_dir} yet; 'scrapy rebuild' makes one")
        with closing(Writer(generation, pivots=pivots)) as writer:
            writer.update_votes()
            return writer.count_documents()
