"""Defines what keeps the link graph of one generation: a file, or a server."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from engine.linkgraph.checksums import IndexPosition
from engine.linkgraph.clusters import Clusters
from engine.linkgraph.links import LinkGraph
from engine.linkgraph.sources import LinkSources
from engine.linkgraph.templates import GroupOf, Templates


class FileStats(NamedTuple):
    """What changes when somebody writes to a file."""

    inode: int
    size: int  # bytes
    mtime_ns: int


class GraphStorage(Protocol):
    """What keeps a link graph."""

    def create(self) -> None:
        """Creates it, empty; one that is there stays as it is."""

    def exists(self) -> bool:
        """Tells whether it was created."""

    def check_tables(self) -> None:
        """Checks that it has its tables. Raises DamagedError."""

    def open_links(self) -> LinkGraph:
        """Opens the link graph itself."""

    def open_templates(self, group_of: GroupOf) -> Templates:
        """Opens the templates beside it."""

    def open_clusters(self) -> Clusters:
        """Opens the clusters beside it."""

    def open_sources(self) -> LinkSources:
        """Opens it to be read backwards."""

    def load_position(self) -> IndexPosition:
        """Loads how far the index has come."""

    def save_position(self, reached: IndexPosition) -> None:
        """Saves how far the index has come."""

    def find_damages(self) -> Iterator[str]:
        """Yields damages, a word or sentence each."""

    def read_stats(self) -> tuple[FileStats, ...] | None:
        """Reads how its files are now; None where a server keeps it."""
