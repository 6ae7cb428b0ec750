"""What a snapshot asks of the link graph's file; one that is damaged answers nothing, and is told of."""

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Lock
from typing import TypeVar

from engine.segment.sections import DamagedError
from engine.store.clusters import Cluster, Clusters
from engine.store.links import Halves, Inlinks, LinkGraph

BROKEN = (sqlite3.Error, ValueError)  # what reading a damaged file raises
T = TypeVar("T")


class GraphReader:
    """Inlinks, numbers and clusters; safe for several threads. Opening raises sqlite3.OperationalError."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        self._files = ExitStack()
        self.damaged: list[DamagedError] = []
        try:
            check_tables(path)
            self._graph = self._files.enter_context(closing(LinkGraph(path)))
            self._clusters = self._files.enter_context(closing(Clusters(path)))
        except DamagedError as error:
            self.damaged.append(error)
        except sqlite3.OperationalError:
            raise
        except sqlite3.Error:
            self.damaged.append(DamagedError(path))

    def close(self) -> None:
        """Give the file back."""
        self._files.close()

    def inlinks(self, urls: Sequence[str], halves: Halves) -> dict[str, Inlinks]:
        """Inlinks of those of the URLs that have any."""
        return self._asked(lambda: self._graph.inlinks(urls, halves), {})

    def numbers(self, urls: Sequence[str]) -> list[int]:
        """The URLs' numbers."""
        return self._asked(lambda: self._graph.numbers(urls), [])

    def clusters(self, urls: Sequence[str]) -> dict[str, Cluster]:
        """The copies of those of the URLs that have any."""
        return self._asked(lambda: self._clusters.of(urls), {})

    def _asked(self, ask: Callable[[], T], nothing: T) -> T:
        with self._lock:
            if self.damaged:
                return nothing
            try:
                return ask()
            except BROKEN:
                self.damaged.append(DamagedError(self._path))
                return nothing


def check_tables(path: Path) -> None:
    """See that a file has a link graph: SQLite makes one that is missing. Raises DamagedError."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.execute("SELECT 1 FROM outlinks LIMIT 1")
    except sqlite3.Error as error:
        raise DamagedError(path) from error
