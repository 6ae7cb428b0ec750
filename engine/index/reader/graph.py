"""Reads inlinks and clusters for a snapshot; a damaged link graph answers nothing and raises an alarm.

Every commit changes its rows, so a file is read as a whole when it is opened first, and again now and then.
A server that is away raises Unreadable, and is asked again: nothing is answered without it.
"""

import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from threading import Lock, Thread
from typing import NamedTuple, TypeVar

from engine.errors import DamagedError
from engine.generations import FolderGeneration
from engine.linkgraph import (
    Cluster,
    FileStats,
    GraphLocation,
    IndexPosition,
    Inlinks,
    VotePivots,
    check_tables,
    find_graph_damages,
    load_index_position,
    open_clusters,
    open_link_graph,
    read_file_stats,
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

    stats: tuple[FileStats, ...]
    due: float
    damage: DamagedError | None


class LinkGraphChecks:
    """What reading files of link graphs as a whole has found; what a server keeps is left to it."""

    def __init__(self) -> None:
        self._checked: dict[GraphLocation, FileCheck] = {}
        self._reading = Lock()

    def damage(self, location: GraphLocation) -> DamagedError | None:
        """Returns the known damage of a file; a small one that nobody knows is read now."""
        if location not in self._checked:
            stats = read_file_stats(location)
            if stats is not None and _total_size(stats) <= CHECKED_AT_ONCE:
                self._check(location, stats)
        known = self._checked.get(location)
        return known.damage if known else None

    def check_later(self, location: GraphLocation, changed: Callable[[], object]) -> None:
        """Checks a file in a thread of its own, if somebody has written to it since, and that is long enough
        ago.

        `changed` is called if what is known of it has.
        """
        if self._is_due(location) and self._reading.acquire(blocking=False):
            Thread(target=self._check_beside, args=(location, changed), daemon=True).start()

    def _check_beside(self, location: GraphLocation, changed: Callable[[], object]) -> None:
        try:
            if self._check(location, read_file_stats(location) or ()):
                changed()
        finally:
            self._reading.release()

    def _is_due(self, location: GraphLocation) -> bool:
        known = self._checked.get(location)
        if known and time.monotonic() < known.due:
            return False
        stats = read_file_stats(location)
        if stats is None:
            return False
        return stats != known.stats if known else _total_size(stats) <= CHECKED_LATER

    def _check(self, location: GraphLocation, stats: tuple[FileStats, ...]) -> bool:
        """Reads a file as a whole; returns whether that has changed what is known of it."""
        began, before = time.monotonic(), self._checked.get(location)
        found = _find_damage(location)
        ended = time.monotonic()
        self._checked = {
            location: FileCheck(stats, ended + RESTS * (ended - began), found)
        }  # the others are gone
        return bool(before and before.damage) != bool(found)


class LinkGraphReader:
    """Inlinks, numbers and clusters; safe for several threads.

    Opening raises sqlite3.OperationalError; all raises Unreadable where a server is away.
    """

    def __init__(self, location: GraphLocation, damage: DamagedError | None = None) -> None:
        """`damage` is the known damage of the file."""
        self._location = location
        self._lock = Lock()
        self._files = ExitStack()
        self.damaged: list[DamagedError] = []
        try:
            check_tables(location)
            if damage:
                raise damage
            self._graph = self._files.enter_context(closing(open_link_graph(location)))
            self._clusters = self._files.enter_context(closing(open_clusters(location)))
        except DamagedError as error:
            self.damaged.append(error)
        except sqlite3.OperationalError:
            raise
        except BROKEN:
            self.damaged.append(DamagedError(location))

    def close(self) -> None:
        """Closes it."""
        self._files.close()

    def inlinks(self, urls: Sequence[str], pivots: VotePivots) -> dict[str, Inlinks]:
        """Looks up the inlinks of those of the URLs that have any."""
        return self._query(lambda: self._graph.inlinks(urls, pivots), {})

    def votes(self, urls: Sequence[str], pivots: VotePivots) -> dict[str, float]:
        """Adds up the votes for those of the URLs that have any."""
        return self._query(lambda: self._graph.votes(urls, pivots), {})

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
                self.damaged.append(DamagedError(self._location))
                return nothing


def check_commit(generation: FolderGeneration) -> None:
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


def _read_mark(generation: FolderGeneration) -> int:
    """Reads the last change that is in the index; 0 where it cannot be read, for that is told otherwise."""
    try:
        return generation.caught_up
    except (DamagedError, OSError):
        return 0


def _read_reached(location: GraphLocation) -> IndexPosition | None:
    """Reads what the link graph has reached; None where it cannot be read, for that is told otherwise."""
    try:
        return load_index_position(location)
    except (*BROKEN, DamagedError):
        return None


def _find_damage(location: GraphLocation) -> DamagedError | None:
    """Reads all of a file and returns its damage; what passes by itself is none."""
    try:
        return DamagedError(location) if any(True for _ in find_graph_damages(location)) else None
    except sqlite3.Error as error:
        return None if getattr(error, "sqlite_errorcode", 0) & 0xFF in _PASSING else DamagedError(location)
    except ValueError:
        return DamagedError(location)


def _total_size(stats: tuple[FileStats, ...]) -> int:
    return sum(one.size for one in stats)
