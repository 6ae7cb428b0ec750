"""Keeps a link graph in a file of SQLite, in the folder of its generation."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

from engine.errors import DamagedError
from engine.linkgraph.checksums import IndexPosition
from engine.linkgraph.sqlite import check, checksums
from engine.linkgraph.sqlite.clusters import FileClusters
from engine.linkgraph.sqlite.links import FileLinkGraph
from engine.linkgraph.sqlite.sources import FileSources
from engine.linkgraph.sqlite.templates import FileTemplates
from engine.linkgraph.storage import FileStats
from engine.linkgraph.templates import GroupOf


class FileStorage:
    """The file of a link graph; the protocol is GraphStorage."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def create(self) -> None:
        """Creates the file, and what is missing in it."""
        check.create_file(self._path)

    def exists(self) -> bool:
        """Tells whether there is a file."""
        return self._path.exists()

    def check_tables(self) -> None:
        """Checks that the file has a link graph. Raises DamagedError."""
        try:
            with closing(self._open_to_read()) as connection:
                connection.execute("SELECT 1 FROM outlinks LIMIT 1")
        except (sqlite3.Error, ValueError) as error:
            raise DamagedError(self._path) from error

    def open_links(self) -> FileLinkGraph:
        """Opens the link graph itself."""
        return FileLinkGraph(self._path)

    def open_templates(self, group_of: GroupOf) -> FileTemplates:
        """Opens the templates beside it."""
        return FileTemplates(self._path, group_of)

    def open_clusters(self) -> FileClusters:
        """Opens the clusters beside it."""
        return FileClusters(self._path)

    def open_sources(self) -> FileSources:
        """Opens it to be read backwards."""
        return FileSources(self._path)

    def load_position(self) -> IndexPosition:
        """Loads how far the index has come."""
        with closing(self._open_to_read()) as connection:
            return checksums.load_position(connection)

    def save_position(self, reached: IndexPosition) -> None:
        """Saves how far the index has come."""
        checksums.save_position(self._path, reached)

    def find_damages(self) -> Iterator[str]:
        """Yields damages. Raises sqlite3.Error, ValueError."""
        return check.find_file_damages(self._path)

    def read_stats(self) -> tuple[FileStats, ...]:
        """Reads how the file and its log are now; without what is not there."""
        return tuple(self._read_stats())

    def _read_stats(self) -> Iterator[FileStats]:
        for file in (self._path, f"{self._path}-wal"):
            with suppress(OSError):
                found = os.stat(file)
                yield FileStats(found.st_ino, found.st_size, found.st_mtime_ns)

    def _open_to_read(self) -> sqlite3.Connection:
        return sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True)
