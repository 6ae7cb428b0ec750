"""Rewrites segments without their deleted documents, so that deleted text leaves the disk."""

from contextlib import closing

from engine import generations
from engine.errors import Unreadable
from engine.generations import UNREADABLE, Generation, IndexLocation
from engine.index.indexing.opening import open_writer
from engine.index.indexing.rollback import withdraw
from engine.opensearch import ClusterError
from engine.store import ChangeSource


def expunge_deleted(source: ChangeSource, location: IndexLocation) -> None:
    """Expunges the texts of deleted documents from the current generation and the one before it.

    Searchers take it up as any commit. It takes as long as merging those segments: a minute for a gigabyte.
    What a rebuild holds that is under way goes at the next removal, or rebuild.
    """
    with generations.lock(location, "write"):
        generation = generations.current_generation(location)
        if generation is None or not generation.is_readable:
            return
        if before := generation.before:
            try:
                withdraw(source, before)
                _expunge(before)
            except (ClusterError, Unreadable):  # a server is away: it may still have what was removed
                raise
            except UNREADABLE:  # nobody can go back to it
                generations.drop(location, before)
        _expunge(generation)


def _expunge(generation: Generation) -> None:
    with closing(open_writer(generation)) as writer:
        writer.expunge()
