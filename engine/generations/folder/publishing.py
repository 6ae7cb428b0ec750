"""Builds generations aside and publishes them in one step: a searcher sees the old one or the new one."""

import fcntl
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from engine.errors import DamagedError, EngineError
from engine.generations.folder.generation import (
    CURRENT,
    REASONS,
    REFUSED,
    FolderGeneration,
    current_generation,
    index_folder,
    list_generations,
    refused_generation,
)
from engine.generations.folder.tag import write_atomically, write_tag
from engine.generations.generation import FORM


def create_draft(data_dir: Path, kind: str) -> FolderGeneration:
    """Creates an empty folder for a generation to be built in; one that a killed process left is cleared
    away.
    """
    path = index_folder(data_dir) / f"draft-{kind}"
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    write_atomically(path / "form", str(FORM))
    return FolderGeneration(path)


def drop_draft(data_dir: Path, kind: str) -> None:
    """Deletes a draft, if there is one."""
    shutil.rmtree(index_folder(data_dir) / f"draft-{kind}", ignore_errors=True)


def refuse(data_dir: Path, complete: FolderGeneration, reasons: Sequence[str]) -> None:
    """Puts a draft aside that did not pass its gates, with why; none is there that was refused earlier."""
    write_atomically(complete.path / REASONS, "\n".join(reasons))
    complete.path.rename(index_folder(data_dir) / REFUSED)


def forget_refused(data_dir: Path) -> None:
    """Deletes a refused draft in one step: a half deleted one never counts as complete."""
    if kept := refused_generation(data_dir):
        leaving = index_folder(data_dir) / f"draft-{REFUSED}"
        shutil.rmtree(leaving, ignore_errors=True)  # what a killed process left of another
        shutil.rmtree(kept.path.rename(leaving))


def publish(data_dir: Path, complete: FolderGeneration) -> FolderGeneration:
    """Makes a draft the current generation and deletes all but it and the one before.

    The caller holds the 'write' lock and has closed everything it had open in the draft.
    """
    before = None
    with suppress(DamagedError):
        before = current_generation(data_dir)
    numbers = [int(path.name[1:]) for path in list_generations(data_dir)]
    published = FolderGeneration(index_folder(data_dir) / f"g{max(numbers, default=0) + 1:06}")
    write_tag(complete.path / "before", before.path.name if before else "")
    complete.path.rename(published.path)
    _make_current(data_dir, published)
    _delete_all_but(data_dir, published, before)
    return published


def go_back(data_dir: Path) -> FolderGeneration:
    """Makes the generation before the current one current again, and the first that is kept.

    The one that is left stays on the disk until the next publish(): searchers have it open. The
    caller holds the 'write' lock. Raises EngineError when none is before.
    """
    left = current_generation(data_dir)
    if left is None or (before := left.before) is None:
        raise EngineError(
            f"no index before the current one is kept in {data_dir}; 'scrapy rebuild' makes a new one"
        )
    _delete_all_but(data_dir, left, before)
    _make_current(data_dir, before)
    return before


@contextmanager
def lock(data_dir: Path, kind: str) -> Iterator[None]:
    """Waits until no other process does this kind of work ('write', 'rebuild') on the index folder.

    The kernel drops the lock with its process, kill -9 included. Raises EngineError when the
    folder cannot be written.
    """
    try:
        index_folder(data_dir).mkdir(parents=True, exist_ok=True)
        file = open(index_folder(data_dir) / f"{kind}.lock", "a", encoding="ascii")  # noqa: SIM115
    except OSError as error:
        raise EngineError(f"cannot write the index in {data_dir}: {error.strerror}") from error
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _make_current(data_dir: Path, generation: FolderGeneration) -> None:
    write_tag(index_folder(data_dir) / CURRENT, generation.path.name)


def _delete_all_but(data_dir: Path, *kept: FolderGeneration | None) -> None:
    for path in list_generations(data_dir):
        if FolderGeneration(path) not in kept:
            shutil.rmtree(path, ignore_errors=True)
