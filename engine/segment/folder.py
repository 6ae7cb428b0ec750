"""Reads and commits a folder's tables of contents, and the segments that they name.

A commit writes new files, brings them to the disk, and then renames a new table of contents into place:
a reader sees the commit before or the whole of this one, and so does who opens the folder after a kill. A
tag beside it says which commit there was at least, so that none is lost unnoticed.
"""

import os
from collections.abc import Sequence, Set
from contextlib import suppress
from pathlib import Path
from typing import Any

from numpy.typing import NDArray
from whoosh.fields import Schema
from whoosh.index import EmptyIndexError

from engine.errors import DamagedError
from engine.generations import NAME, TAG, commit_of_file, file_name, read_number, sync_folder, write_tag
from engine.segment import toc
from engine.segment.codec import ArraySegment
from engine.segment.sections import SectionsFile, read_mark
from engine.segment.toc import Contents

__all__ = [
    "NAME",
    "TAG",
    "Contents",
    "commit",
    "create",
    "file_name",
    "latest_commit",
    "read_contents",
    "write_array_file",
]


def create(folder: Path, schema: Schema) -> None:
    """Creates an index without documents, in place of any other. Raises OSError."""
    made = Contents(latest_commit(folder) + 1, ())
    _write(folder, schema, made)
    _sweep(folder, {made.number}, ())


def latest_commit(folder: Path) -> int:
    """Finds the number of the last commit, -1 where there is no index; one listing of the folder."""
    return max(map(commit_of_file, os.listdir(folder)), default=-1)


def read_contents(folder: Path) -> Contents:
    """Reads the last commit. Raises Whoosh's EmptyIndexError, OSError, DamagedError."""
    try:
        least = read_number(folder / TAG)  # before the listing: what it names is there when it is written
    except FileNotFoundError as error:
        if latest_commit(folder) < 0:
            raise EmptyIndexError(f"there is no index in {folder}") from error
        raise DamagedError(folder / TAG) from error
    if (last := latest_commit(folder)) < least:
        raise DamagedError(folder / file_name(least))
    return toc.read_toc(folder / file_name(last))


def commit(folder: Path, schema: Schema, segments: Sequence[ArraySegment]) -> Contents:
    """Commits these segments; their files are there. One process at a time. Raises OSError, DamagedError."""
    for segment in segments:
        known = segment.marks
        segment.marks = {file: known.get(file) or read_mark(folder / file) for file in segment.files}
    before = read_contents(folder)
    made = Contents(before.number + 1, tuple(segments))
    _write(folder, schema, made)
    _sweep(folder, {made.number, before.number}, made.segments + before.segments)
    return made


def write_array_file(folder: Path, file: str, name: str, values: NDArray[Any]) -> None:
    """Writes a file that goes with a segment: one array. Raises OSError; nothing is left then."""
    with SectionsFile(folder / file) as sections:
        sections.add(name, values)
        sections.finish({})


def _write(folder: Path, schema: Schema, made: Contents) -> None:
    """Writes the table of contents, on the disk before it gets its name, and the tag behind it."""
    name = file_name(made.number)
    aside = folder / f"{name}.draft"
    with aside.open("wb") as file:
        file.write(toc.pack_toc(schema, made))
        file.flush()
        os.fsync(file.fileno())
    aside.rename(folder / name)
    sync_folder(folder)
    write_tag(folder / TAG, str(made.number))


def _sweep(folder: Path, numbers: Set[int], segments: Sequence[ArraySegment]) -> None:
    """Deletes what no commit names that somebody may open, drafts of killed writers included."""
    wanted = {file for segment in segments for file in segment.files}
    wanted |= {file_name(number) for number in numbers}
    for file in os.listdir(folder):
        if file.startswith((f"{NAME}_", f"_{NAME}_")) and file not in wanted:
            with suppress(OSError):  # what cannot be deleted now can be later
                (folder / file).unlink()
