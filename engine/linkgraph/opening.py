"""Opens link graphs, wherever they are: the one place that tells files and servers apart.

A file raises sqlite3.Error or ValueError where it is damaged; a server that is away, Unreadable.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import EngineError
from engine.linkgraph.checksums import IndexPosition
from engine.linkgraph.clusters import Clusters
from engine.linkgraph.links import LinkGraph
from engine.linkgraph.location import GraphLocation, GraphSchema
from engine.linkgraph.sources import LinkSources
from engine.linkgraph.sqlite import FileStorage
from engine.linkgraph.storage import FileStats, GraphStorage
from engine.linkgraph.templates import GroupOf, Templates
from engine.url import host_of

if TYPE_CHECKING:
    from engine.linkgraph.postgresql import ServerStorage


def create_graph(location: GraphLocation) -> None:
    """Creates an empty link graph; one that is there stays as it is."""
    _find_storage(location).create()


def has_graph(location: GraphLocation) -> bool:
    """Tells whether a link graph was created there."""
    return _find_storage(location).exists()


def check_tables(location: GraphLocation) -> None:
    """Checks that a link graph has its tables: SQLite makes a file that is missing. Raises DamagedError."""
    _find_storage(location).check_tables()


def open_link_graph(location: GraphLocation) -> LinkGraph:
    """Opens a link graph."""
    return _find_storage(location).open_links()


def open_templates(location: GraphLocation, group_of: GroupOf = host_of) -> Templates:
    """Opens the templates beside a link graph; pages share one whose URLs are of one group."""
    return _find_storage(location).open_templates(group_of)


def open_clusters(location: GraphLocation) -> Clusters:
    """Opens the clusters of copies beside a link graph."""
    return _find_storage(location).open_clusters()


def open_sources(location: GraphLocation) -> LinkSources:
    """Opens a link graph to be read backwards."""
    return _find_storage(location).open_sources()


def load_index_position(location: GraphLocation) -> IndexPosition:
    """Loads how far the index has come."""
    return _find_storage(location).load_position()


def save_index_position(location: GraphLocation, reached: IndexPosition) -> None:
    """Saves how far the index has come, which is on the disk now; nothing of it is ever taken back."""
    _find_storage(location).save_position(reached)


def load_commit_time(schema: GraphSchema) -> float:
    """Loads when a server was told that the index has come so far, in seconds since 1970; 0.0: not yet. Of
    a file its own time tells.
    """
    return _find_server(schema).load_commit_time()


def find_graph_damages(location: GraphLocation) -> Iterator[str]:
    """Yields damages of a link graph, a word or sentence each, by its checksums and by SQLite's own check."""
    return _find_storage(location).find_damages()


def read_file_stats(location: GraphLocation) -> tuple[FileStats, ...] | None:
    """Reads how the files of a link graph are now; None where a server keeps it, and verifies its pages."""
    return _find_storage(location).read_stats()


def drop_graph(schema: GraphSchema) -> None:
    """Drops the link graph of a generation that is deleted. A file goes with the generation's folder."""
    _find_server(schema).drop()


def _find_storage(location: GraphLocation) -> GraphStorage:
    return FileStorage(location) if isinstance(location, Path) else _find_server(location)


def _find_server(schema: GraphSchema) -> "ServerStorage":
    """Finds what keeps it. Raises EngineError without psycopg, which is an extra."""
    try:
        from engine.linkgraph.postgresql import ServerStorage
    except ImportError as error:
        raise EngineError(
            f"{schema.url} needs psycopg, which is not installed: run 'make postgresql'"
        ) from error
    return ServerStorage(schema)
