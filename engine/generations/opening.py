"""Opens the generations of an index, wherever it is: the one place that tells folders and clusters apart."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import TypeVar, cast, overload

from engine.errors import DamagedError
from engine.generations.cluster import ClusterStorage
from engine.generations.folder import FolderGeneration, FolderStorage
from engine.generations.generation import Generation
from engine.generations.location import IndexLocation
from engine.generations.storage import GenerationStorage

G = TypeVar("G", bound=Generation)


@overload
def current_generation(location: Path) -> FolderGeneration | None: ...


@overload
def current_generation(location: IndexLocation) -> Generation | None: ...


def current_generation(location: IndexLocation) -> Generation | None:
    """Finds the generation to search, None when nothing was ever published. Raises DamagedError, and
    EngineError where a server is away.
    """
    return _find_storage(location).current()


@overload
def undamaged_generation(location: Path) -> FolderGeneration | None: ...


@overload
def undamaged_generation(location: IndexLocation) -> Generation | None: ...


def undamaged_generation(location: IndexLocation) -> Generation | None:
    """Finds the same, None too where it cannot be told: for those that publish another."""
    try:
        return current_generation(location)
    except DamagedError:
        return None


def count_behind(location: IndexLocation, last_change: int) -> int:
    """Counts the changes up to `last_change`, a sequence number, that the index lacks, at most."""
    generation = undamaged_generation(location)
    try:
        return last_change - (generation.caught_up if generation else 0)
    except DamagedError:
        return last_change


@overload
def refused_generation(location: Path) -> FolderGeneration | None: ...


@overload
def refused_generation(location: IndexLocation) -> Generation | None: ...


def refused_generation(location: IndexLocation) -> Generation | None:
    """Finds the draft that was refused last, complete and ready to be published all the same."""
    return _find_storage(location).refused()


def current_size(location: IndexLocation) -> int:
    """Returns the bytes of the current generation, so of one that is to take its place, about."""
    generation = undamaged_generation(location)
    return generation.nbytes if generation else 0


@overload
def create_draft(location: Path, kind: str) -> FolderGeneration: ...


@overload
def create_draft(location: IndexLocation, kind: str) -> Generation: ...


def create_draft(location: IndexLocation, kind: str) -> Generation:
    """Creates an empty generation to be built; one that a killed process left is cleared away."""
    return _find_storage(location).create_draft(kind)


@contextmanager
def temporary_draft(location: IndexLocation, kind: str) -> Iterator[Generation]:
    """Creates a draft that is deleted when its block fails: the disk may be full."""
    with ExitStack() as failed:
        failed.callback(_find_storage(location).drop_draft, kind)
        yield create_draft(location, kind)
        failed.pop_all()


def refuse(location: IndexLocation, complete: Generation, reasons: Sequence[str]) -> None:
    """Puts a draft aside that did not pass its gates, with why; none is there that was refused earlier."""
    _find_storage(location).refuse(complete, reasons)


def forget_refused(location: IndexLocation) -> None:
    """Deletes a refused draft in one step: a half deleted one never counts as complete."""
    _find_storage(location).forget_refused()


def publish(location: IndexLocation, complete: G) -> G:
    """Makes a draft the current generation and deletes all but it and the one before.

    The caller holds the 'write' lock and has closed everything it had open in the draft.
    """
    return cast(G, _find_storage(location).publish(complete))


@overload
def go_back(location: Path) -> FolderGeneration: ...


@overload
def go_back(location: IndexLocation) -> Generation: ...


def go_back(location: IndexLocation) -> Generation:
    """Makes the generation before the current one current again, and the first that is kept.

    The one that is left stays until the next publish(): searchers have it open. The caller holds the 'write'
    lock. Raises EngineError when none is before.
    """
    return _find_storage(location).go_back()


def drop(location: IndexLocation, generation: Generation) -> None:
    """Deletes the generation before the current one, which nobody can go back to any more."""
    _find_storage(location).drop(generation)


def lock(location: IndexLocation, kind: str) -> AbstractContextManager[None]:
    """Waits until no other process, on no machine, does this kind of work ('write', 'rebuild') on the index.

    The lock goes with its process, kill -9 included. Raises EngineError when the index cannot be written.
    """
    return _find_storage(location).lock(kind)


def _find_storage(location: IndexLocation) -> GenerationStorage:
    return FolderStorage(location) if isinstance(location, Path) else ClusterStorage(location)
