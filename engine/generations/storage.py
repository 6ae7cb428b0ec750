"""Defines what keeps the generations of an index: a data folder, or a cluster."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from engine.generations.generation import Generation


class GenerationStorage(Protocol):
    """What keeps generations, one of which is current."""

    def current(self) -> Generation | None:
        """Finds the one to search, None when nothing was ever published. Raises DamagedError."""

    def refused(self) -> Generation | None:
        """Finds the draft that was refused last, complete and ready to be published all the same."""

    def create_draft(self, kind: str) -> Generation:
        """Creates an empty one to be built; what a killed process left of this kind is cleared away."""

    def drop_draft(self, kind: str) -> None:
        """Deletes a draft, if there is one."""

    def publish(self, complete: Generation) -> Generation:
        """Makes a draft the current one in one step, and deletes all but it and the one before."""

    def go_back(self) -> Generation:
        """Makes the one before the current one current again. Raises EngineError when none is kept."""

    def refuse(self, complete: Generation, reasons: Sequence[str]) -> None:
        """Puts a draft aside that did not pass its gates, with why."""

    def forget_refused(self) -> None:
        """Deletes a draft that was refused, if there is one."""

    def drop(self, generation: Generation) -> None:
        """Deletes one that is not current."""

    def lock(self, kind: str) -> AbstractContextManager[None]:
        """Waits until no other process does this kind of work ('write', 'rebuild')."""
