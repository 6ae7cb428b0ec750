"""Keeps a link graph in a schema of a PostgreSQL server, which is made and dropped by name."""

from collections.abc import Iterator
from contextlib import closing

from engine.errors import DamagedError
from engine.linkgraph.checksums import IndexPosition
from engine.linkgraph.location import GraphSchema
from engine.linkgraph.postgresql import checksums, tables
from engine.linkgraph.postgresql.check import find_schema_damages
from engine.linkgraph.postgresql.clusters import ServerClusters
from engine.linkgraph.postgresql.connection import SchemaConnection
from engine.linkgraph.postgresql.links import ServerLinkGraph
from engine.linkgraph.postgresql.sources import ServerSources
from engine.linkgraph.postgresql.templates import ServerTemplates
from engine.linkgraph.templates import GroupOf


class ServerStorage:
    """The schema of a link graph; the protocol is GraphStorage. All raises Unreadable."""

    def __init__(self, schema: GraphSchema) -> None:
        self._schema = schema

    def create(self) -> None:
        """Creates the schema and its tables in one step."""
        with closing(self._connect()) as connection, connection.step() as step:
            tables.create_tables(step, self._schema)

    def drop(self) -> None:
        """Drops the schema, if it is there."""
        with closing(self._connect()) as connection, connection.step() as step:
            tables.drop_schema(step, self._schema)

    def exists(self) -> bool:
        """Tells whether the schema has a link graph."""
        with closing(self._connect()) as connection, connection.moment() as moment:
            return bool(tables.find_relations(moment, self._schema))

    def check_tables(self) -> None:
        """Checks that the schema has a link graph. Raises DamagedError."""
        if not self.exists():
            raise DamagedError(self._schema)

    def open_links(self) -> ServerLinkGraph:
        """Opens the link graph itself."""
        return ServerLinkGraph(self._schema)

    def open_templates(self, group_of: GroupOf) -> ServerTemplates:
        """Opens the templates beside it."""
        return ServerTemplates(self._schema, group_of)

    def open_clusters(self) -> ServerClusters:
        """Opens the clusters beside it."""
        return ServerClusters(self._schema)

    def open_sources(self) -> ServerSources:
        """Opens it to be read backwards."""
        return ServerSources(self._schema)

    def load_position(self) -> IndexPosition:
        """Loads how far the index has come."""
        with closing(self._connect()) as connection:
            return checksums.read_position(connection.fetch(checksums.STORED))

    def save_position(self, reached: IndexPosition) -> None:
        """Saves how far the index has come."""
        with closing(self._connect()) as connection, connection.step() as step:
            checksums.save_position(step, reached)

    def load_commit_time(self) -> float:
        """Loads when the index has come so far, in seconds since 1970; 0.0: not yet."""
        with closing(self._connect()) as connection:
            return float(next((value for (value,) in connection.fetch(checksums.COMMIT_TIME)), 0.0))

    def find_damages(self) -> Iterator[str]:
        """Yields damages."""
        return find_schema_damages(self._schema)

    def read_stats(self) -> None:
        """Reads nothing: it has no files of ours."""

    def _connect(self) -> SchemaConnection:
        return SchemaConnection(self._schema)
