"""Verifies every file of a generation against its checksums."""

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from engine.errors import DamagedError
from engine.generations import FolderGeneration, Generation
from engine.index.reader import check_commit
from engine.linkgraph import GraphLocation, check_tables, find_graph_damages
from engine.segment import ArraySegment, folder


def find_damages(generation: Generation) -> Iterator[DamagedError]:
    """Yields what is wrong, file by file; half a second for a gigabyte, 16 s where it is a link graph.

    Nobody may be writing meanwhile. What a cluster keeps it verifies itself: its link graph is read.
    """
    if isinstance(generation, FolderGeneration):
        return _find_in_folder(generation)
    return _run_check(lambda: _check_graph(generation.links), generation.links)


def find_unusable(generation: Generation) -> Iterator[DamagedError]:
    """Yields what keeps a generation from being followed: of a cluster's, whose rows a server verifies, no
    more than whether it is there.
    """
    if isinstance(generation, FolderGeneration):
        return find_damages(generation)
    return _run_check(lambda: check_tables(generation.links), generation.links)


def _find_in_folder(generation: FolderGeneration) -> Iterator[DamagedError]:
    path = generation.path
    yield from _run_check(lambda: generation.caught_up, path / "caught_up")
    yield from _run_check(lambda: generation.source, path / "source")
    yield from _run_check(lambda: _check_graph(generation.links), generation.links)
    yield from _run_check(lambda: check_commit(generation), generation.links)
    try:
        contents = folder.read_contents(path)
    except DamagedError as error:
        yield error
        return
    except Exception:  # the folder is empty, or none
        yield DamagedError(path)
        return
    for segment in contents.segments:
        for name, check in _CHECKS.items():
            yield from _run_check(partial(check, segment, path), path / segment.file(name))


def _check_arrays(segment: ArraySegment, path: Path) -> None:
    segment.open(path).check()


_CHECKS: dict[str, Callable[[ArraySegment, Path], object]] = {
    "arrays": _check_arrays,
    "deleted": ArraySegment.read_deletions,
    "votes": ArraySegment.read_votes,
}
"""How each file of a segment is checked."""


def _run_check(check: Callable[[], object], file: GraphLocation) -> Iterator[DamagedError]:
    try:
        check()
    except DamagedError as error:
        yield error
    except (OSError, sqlite3.Error, ValueError):
        yield DamagedError(file)


def _check_graph(links: GraphLocation) -> None:
    """Checks every row against the checksums, and how a file is built by SQLite."""
    check_tables(links)
    for _ in find_graph_damages(links):
        raise DamagedError(links)
