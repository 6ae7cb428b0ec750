"""Rewrites segments without their deleted documents, so that deleted text leaves the disk."""

import shutil
from contextlib import closing
from pathlib import Path

from engine import generations
from engine.generations import UNREADABLE, Generation
from engine.index.indexing.batches import ChangeSource
from engine.index.indexing.rollback import withdraw
from engine.index.indexing.writer import Writer


def expunge_deleted(source: ChangeSource, data_dir: Path) -> None:
    """Expunges the texts of deleted documents from the current generation and the one before it.

    Searchers take it up as any commit. It takes as long as merging those segments: a minute for a gigabyte.
    What a rebuild holds that is under way goes at the next removal, or rebuild.
    """
    with generations.lock(data_dir, "write"):
        generation = generations.current_generation(data_dir)
        if generation is None or not generation.is_readable:
            return
        if before := generation.before:
            try:
                withdraw(source, before)
                _expunge(before)
            except UNREADABLE:  # nobody can go back to it
                shutil.rmtree(before.path, ignore_errors=True)
        _expunge(generation)


def _expunge(generation: Generation) -> None:
    with closing(Writer(generation)) as writer:
        writer.expunge()
