"""Keeps generations in a data folder."""

import shutil
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import cast

from engine.generations.folder import publishing
from engine.generations.folder.generation import FolderGeneration, current_generation, refused_generation
from engine.generations.generation import Generation


class FolderStorage:
    """The generations of a data folder; the protocol is GenerationStorage."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir

    def current(self) -> FolderGeneration | None:
        """Finds the one to search. Raises DamagedError."""
        return current_generation(self._data_dir)

    def refused(self) -> FolderGeneration | None:
        """Finds the draft that was refused last."""
        return refused_generation(self._data_dir)

    def create_draft(self, kind: str) -> FolderGeneration:
        """Creates an empty folder for one to be built in."""
        return publishing.create_draft(self._data_dir, kind)

    def drop_draft(self, kind: str) -> None:
        """Deletes a draft."""
        publishing.drop_draft(self._data_dir, kind)

    def publish(self, complete: Generation) -> FolderGeneration:
        """Makes a draft the current one."""
        return publishing.publish(self._data_dir, _in_folder(complete))

    def go_back(self) -> FolderGeneration:
        """Makes the one before the current one current again."""
        return publishing.go_back(self._data_dir)

    def refuse(self, complete: Generation, reasons: Sequence[str]) -> None:
        """Puts a draft aside."""
        publishing.refuse(self._data_dir, _in_folder(complete), reasons)

    def forget_refused(self) -> None:
        """Deletes a draft that was refused."""
        publishing.forget_refused(self._data_dir)

    def drop(self, generation: Generation) -> None:
        """Deletes one that is not current."""
        shutil.rmtree(_in_folder(generation).path, ignore_errors=True)

    def lock(self, kind: str) -> AbstractContextManager[None]:
        """Waits until no other process does this kind of work."""
        return publishing.lock(self._data_dir, kind)


def _in_folder(complete: Generation) -> FolderGeneration:
    """Returns a generation that this storage has created."""
    return cast(FolderGeneration, complete)
