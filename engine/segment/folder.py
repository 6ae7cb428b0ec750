"""A folder with an index: Whoosh's table of contents, and the files of the segments that it names.

A commit writes new files, brings them to the disk, and then renames a new table of contents into place:
a reader sees the commit before or the whole of this one, and so does who opens the folder after a kill.
"""

import os
from collections.abc import Sequence, Set
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import NDArray
from whoosh import index as whoosh_index
from whoosh.fields import Schema
from whoosh.filedb import filestore

from engine.segment.codec import ArraySegment
from engine.segment.sections import DamagedError, SectionsFile

NAME = "MAIN"  # Whoosh's name for the index that open_dir() opens
_TOC: Any = whoosh_index.TOC
_STORES: Any = filestore


class Contents(NamedTuple):
    """A commit: its number, and its segments in the order of their documents."""

    number: int
    segments: tuple[ArraySegment, ...]


def create(folder: Path, schema: Schema) -> None:
    """An index without documents, in place of any other. Raises OSError."""
    made = Contents(latest(folder) + 1, ())
    _write(folder, schema, made)
    _sweep(folder, {made.number}, ())


def latest(folder: Path) -> int:
    """The number of the last commit, -1 where there is no index; one listing of the folder."""
    number: int = _TOC._latest_generation(os.listdir(folder), NAME)
    return number


def contents(folder: Path, schema: Schema) -> Contents:
    """The last commit. Raises Whoosh's EmptyIndexError, OSError, DamagedError."""
    try:
        toc = _TOC.read(_STORES.FileStorage(str(folder)), NAME, schema=schema)
    except (OSError, whoosh_index.EmptyIndexError):
        raise
    except Exception as error:  # the one door for pickles: damaged ones raise whatever they like
        raise DamagedError(folder) from error
    return Contents(toc.generation, tuple(toc.segments))


def commit(folder: Path, schema: Schema, segments: Sequence[ArraySegment]) -> Contents:
    """Make these the segments; their files are there. One process at a time. Raises OSError."""
    made = Contents(latest(folder) + 1, tuple(segments))
    before = contents(folder, schema)
    _write(folder, schema, made)
    _sweep(folder, {made.number, before.number}, made.segments + before.segments)
    return made


def write_beside(folder: Path, file: str, name: str, values: NDArray[Any]) -> None:
    """Write a file that goes with a segment: one array. Raises OSError; nothing is left then."""
    with SectionsFile(folder / file) as sections:
        sections.add(name, values)
        sections.finish({})


def _write(folder: Path, schema: Schema, made: Contents) -> None:
    """The table of contents, by Whoosh's own hand, brought to the disk before it gets its name."""
    memory = _STORES.RamStorage()
    _TOC(schema, list(made.segments), made.number).write(memory, NAME)
    name = _TOC._filename(NAME, made.number)
    aside = folder / f"{name}.draft"
    with aside.open("wb") as file:
        file.write(memory.files[name])
        file.flush()
        os.fsync(file.fileno())
    aside.rename(folder / name)
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _sweep(folder: Path, numbers: Set[int], segments: Sequence[ArraySegment]) -> None:
    """Delete what no commit names that somebody may open, drafts of killed writers included."""
    wanted = {file for segment in segments for file in segment.files}
    wanted |= {_TOC._filename(NAME, number) for number in numbers}
    for file in os.listdir(folder):
        if file.startswith((f"{NAME}_", f"_{NAME}_")) and file not in wanted:
            with suppress(OSError):  # what cannot be deleted now can be later
                (folder / file).unlink()
