"""Reads inlinks and clusters for a snapshot; a damaged link graph answers nothing and raises an alarm.

Every commit changes its rows, so it is read as a whole when it is opened first, and again now and then.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from threading import Lock, Thread
from typing import NamedTuple, TypeVar

from engine.errors import DamagedError
from engine.generations import Generation
from engine.linkgraph import (
    Cluster,
    Clusters,
    IndexPosition,
    Inlinks,
    LinkGraph,
    VotePivots,
    find_graph_damages,
    load_index_position,
)
from engine.segment import folder

BROKEN = (sqlite3.Error, ValueError)  # what reading a damaged file raises
CHECKED_AT_ONCE = 1 << 23  # bytes of a file that is checked before it answers: an eighth of a second
CHECKED_LATER = 1 << 30  # and beside the answers: 16 s; larger ones push what is asked for out of memory
RESTS = 100  # times as long as a check took passes before the next one: a hundredth of a processor
_PASSING = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_CANTOPEN})
T = TypeVar("T")


class FileCheck(NamedTuple):
    """The file as it was when it was read, when it may be read again (time.monotonic()), what was found."""

    stamp: tuple[int, ...]
    due: float
    damage: DamagedError | None


class LinkGraphChecks:
    """What reading link graphs as a whole has found."""

    def __init__(self) -> None:
        self._checked: dict[Path, FileCheck] = {}
        self._reading = Lock()

    def damage(self, path: Path) -> DamagedError | None:
        """Returns the known damage of a file; a small one that nobody knows is read now."""
        if path not in self._checked and _total_size(path) <= CHECKED_AT_ONCE:
            self.check(path)
        known = self._checked.get(path)
        return known.damage if known else None

    def check_later(self, path: Path, changed: Callable[[], object]) -> None:
        """Checks a file in a thread of its own, if somebody has written to it since, and that is long enough
        ago.

        `changed` is called if what is known of it has.
        """
        if self._is_due(path) and self._reading.acquire(blocking=False):
            Thread(target=self._check_beside, args=(path, changed), daemon=True).start()

    def _check_beside(self, path: Path, changed: Callable[[], object]) -> None:
        try:
            if self.check(path):
                changed()
        finally:
            self._reading.release()

    def _is_due(self, path: Path) -> bool:
        known = self._checked.get(path)
        if known:
            return time.monotonic() >= known.due and _read_stamp(path) != known.stamp
        return _total_size(path) <= CHECKED_LATER

    def check(self, path: Path) -> bool:
        """Reads a file as a whole; returns whether that has changed what is known of it."""
        began, stamp, before = time.monotonic(), _read_stamp(path), self._checked.get(path)
        found = _find_damage(path)
        ended = time.monotonic()
        self._checked = {
            path: FileCheck(stamp, ended + RESTS * (ended - began), found)
        }  # the others are gone
        return bool(before and before.damage) != bool(found)


class LinkGraphReader:
    """Inlinks, numbers and clusters; safe for several threads. Opening raises sqlite3.OperationalError."""

    def __init__(self, path: Path, damage: DamagedError | None = None) -> None:
        """`damage` is the known damage of the file."""
        self._path = path
        self._lock = Lock()
        self._files = ExitStack()
        self.damaged: list[DamagedError] = []
        try:
            check_tables(path)
            if damage:
                raise damage
            self._graph = self._files.enter_context(closing(LinkGraph(path)))
            self._clusters = self._files.enter_context(closing(Clusters(path)))
        except DamagedError as error:
            self.damaged.append(error)
        except sqlite3.OperationalError:
            raise
        except BROKEN:
            self.damaged.append(DamagedError(path))

    def close(self) -> None:
        """Closes the file."""
        self._files.close()

    def inlinks(self, urls: Sequence[str], pivots: VotePivots) -> dict[str, Inlinks]:
        """Looks up the inlinks of those of the URLs that have any."""
        return self._query(lambda: self._graph.inlinks(urls, pivots), {})

    def count_linking_pages(self, urls: Sequence[str]) -> dict[str, int]:
        """Looks up how many pages link to those of the URLs that are known."""
        return self._query(lambda: self._graph.count_linking_pages(urls), {})

    def numbers(self, urls: Sequence[str]) -> list[int]:
        """Looks up the URLs' numbers."""
        return self._query(lambda: self._graph.numbers(urls), [])

    def clusters(self, urls: Sequence[str]) -> dict[str, Cluster]:
        """Looks up the copies of those of the URLs that have any."""
        return self._query(lambda: self._clusters.copies_of(urls), {})

    def _query(self, ask: Callable[[], T], nothing: T) -> T:
        with self._lock:
            if self.damaged:
                return nothing
            try:
                return ask()
            except BROKEN:
                self.damaged.append(DamagedError(self._path))
                return nothing


def check_commit(generation: Generation) -> None:
    """Checks that table of contents and link graph are no older than others say. Raises DamagedError.

    These are written one after the other, table of contents, link graph, mark, and read the other way round.
    """
    change = _read_mark(generation)
    reached = _read_reached(generation.links)
    try:
        last = folder.latest_commit(generation.path)
    except OSError:
        return
    if reached and reached.change < change:
        raise DamagedError(generation.links)
    if reached and reached.commit > last:
        raise DamagedError(generation.path / folder.file_name(reached.commit))


def _read_mark(generation: Generation) -> int:
    """Reads the last change that is in the index; 0 where it cannot be read, for that is told otherwise."""
    try:
        return generation.caught_up
    except (DamagedError, OSError):
        return 0


def _read_reached(path: Path) -> IndexPosition | None:
    """Reads what the link graph has reached; None where it cannot be read, for that is told otherwise."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            return load_index_position(connection)
    except BROKEN:
        return None


def _find_damage(path: Path) -> DamagedError | None:
    """Reads all of a file and returns its damage; what passes by itself is none."""
    try:
        return DamagedError(path) if any(True for _ in find_graph_damages(path)) else None
    except sqlite3.Error as error:
        return None if getattr(error, "sqlite_errorcode", 0) & 0xFF in _PASSING else DamagedError(path)
    except ValueError:
        return DamagedError(path)


def _total_size(path: Path) -> int:
    return sum(size for _, size, _ in _read_stats(path))


def _read_stamp(path: Path) -> tuple[int, ...]:
    """Reads what changes when somebody writes to the file or its log."""
    return tuple(number for stat in _read_stats(path) for number in stat)


def _read_stats(path: Path) -> Iterator[tuple[int, int, int]]:
    for file in (path, f"{path}-wal"):
        with suppress(OSError):
            found = os.stat(file)
            yield found.st_ino, found.st_size, found.st_mtime_ns


def check_tables(path: Path) -> None:
    """Checks that a file has a link graph: SQLite makes one that is missing. Raises DamagedError."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("SELECT 1 FROM outlinks LIMIT 1")
    except BROKEN as error:
        raise DamagedError(path) from error
