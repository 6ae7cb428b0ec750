"""Opens a data folder as it is at one moment, while others go on writing into it.

Whoever writes the index is kept out for that moment alone: its files are opened, which keeps what they hold
even if a commit deletes them, and a reading transaction is begun in both databases, which sees no later write
(SQLite's WAL, https://www.sqlite.org/isolation.html; REPEATABLE READ, PostgreSQL's documentation, 13.2.2). So
the index is never ahead of the crawl database.
"""

import os
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from engine import generations
from engine.backup.databases import DatabaseSnapshot, FileSnapshot, ServerSnapshot, open_snapshot_of
from engine.backup.saved_files import DATABASE, DATABASES, INDEX, LINKS, is_index_file, is_operators_file
from engine.config import Config
from engine.database import SCHEMAS
from engine.errors import DamagedError
from engine.folder import OF_DATABASE, explain_failure
from engine.generations import UNREADABLE


@dataclass(frozen=True, slots=True)
class OpenFile:
    """A file as it was when it was opened."""

    name: str  # in the data folder
    file: BinaryIO
    size: int
    mtime: float


@dataclass(frozen=True, slots=True)
class FolderSnapshot:
    """A data folder at one moment: two databases in a reading transaction, and files that are open."""

    databases: dict[str, DatabaseSnapshot]  # by their names in the data folder
    files: list[OpenFile]
    form: int  # of the index; 0: there is none
    lacking: tuple[str, ...]  # what is left out because it cannot be read, a sentence each


@contextmanager
def open_snapshot(config: Config, crawl_toml: Path) -> Iterator[FolderSnapshot]:
    """Opens all that a backup saves, but `crawl_toml` where it lies in the folder.

    Raises EngineError where the crawl database cannot be read or the folder not be written.
    """
    data_dir = config.data_dir
    with ExitStack() as stack, ExitStack() as of_index:
        try:
            database = stack.enter_context(closing(open_snapshot_of(config.database, DATABASE)))
            with generations.lock(data_dir, "write"):
                # One that lies there beside a cluster's is what was moved to it.
                index = (
                    FolderSnapshot({}, [], 0, ()) if config.cluster_url else _open_index(data_dir, of_index)
                )
                database.begin()
            sides = database.sides() if isinstance(database, ServerSnapshot) else None
        except OF_DATABASE as error:
            raise explain_failure(error) from error
        passed_over = {side.file for side in SCHEMAS} if sides is not None else set[str]()
        own = _open_operators_files(data_dir, crawl_toml, stack, passed_over)
        yield FolderSnapshot(
            # The crawl database after those that are read in its transaction, which ends with it.
            {**(sides or {}), DATABASE: database, **own.databases, **index.databases},
            [*own.files, *index.files],
            index.form,
            own.lacking + index.lacking,
        )


def _open_index(data_dir: Path, stack: ExitStack) -> FolderSnapshot:
    """Opens the current generation, if that can be done."""
    try:
        generation = generations.current_generation(data_dir)
        if generation is None:
            return FolderSnapshot({}, [], 0, ())
        folder, found = generation.path, list[OpenFile]()
        for name in sorted(os.listdir(folder)):
            if is_index_file(name) and name != LINKS:
                found.append(_open_file(stack, folder / name, f"{INDEX}/{folder.name}/{name}"))
        # Last, as in `publish()`: what it names is there before it.
        found.append(_open_file(stack, data_dir / INDEX / "current", f"{INDEX}/current"))
        links = _begin_reading(stack, generation.links)
        return FolderSnapshot({f"{INDEX}/{folder.name}/{LINKS}": links}, found, generation.form, ())
    except (*UNREADABLE, DamagedError) as error:
        stack.close()
        return FolderSnapshot(
            {}, [], 0, (f"the index is left out: {error}; 'scrapy rebuild' makes a new one",)
        )


def _open_operators_files(
    data_dir: Path, crawl_toml: Path, stack: ExitStack, passed_over: Collection[str]
) -> FolderSnapshot:
    """Opens what else lies in the folder itself: texts of the operator, and smaller databases of Lycosa."""
    found = FolderSnapshot({}, [], 0, ())
    for path in sorted(data_dir.iterdir()):
        own = is_operators_file(path.name) and path.is_file() and not path.is_symlink()
        if not own or path.name in passed_over or path.resolve() == crawl_toml.resolve():
            continue
        if not path.match(DATABASES):
            found.files.append(_open_file(stack, path, path.name))
            continue
        try:
            found.databases[path.name] = _begin_reading(stack, path)
        except sqlite3.Error as error:
            found = replace(found, lacking=(*found.lacking, f"{path} is left out: {error}"))
    return found


def _open_file(stack: ExitStack, path: Path, name: str) -> OpenFile:
    file = stack.enter_context(path.open("rb"))
    found = os.fstat(file.fileno())
    return OpenFile(name, file, found.st_size, found.st_mtime)


def _begin_reading(stack: ExitStack, path: Path) -> FileSnapshot:
    """Opens a file that is there, in a transaction that sees what is committed now."""
    database = stack.enter_context(closing(FileSnapshot(path)))
    database.begin()
    return database
