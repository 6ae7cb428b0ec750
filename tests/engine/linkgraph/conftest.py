"""Where link graphs are tested: in a file, and in a schema of a server."""

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count

import pytest

from engine.linkgraph import GraphLocation, GraphSchema, LinkGraph, create_graph, open_link_graph
from tests.postgresql import Server

NewGraph = Callable[[], GraphLocation]
KINDS = ["file", pytest.param("server", marks=pytest.mark.postgresql)]
NUMBERS = count(1)


@pytest.fixture(scope="session")
def graph_database(postgresql_server: Server) -> str:
    """The URL of a database for schemas of many link graphs."""
    return postgresql_server.create_database()


@pytest.fixture(scope="session")
def new_file(tmp_path_factory: pytest.TempPathFactory) -> NewGraph:
    """Creates an empty link graph in a file."""

    def create() -> GraphLocation:
        location = tmp_path_factory.mktemp("links") / "links.db"
        create_graph(location)
        return location

    return create


@pytest.fixture(scope="session")
def new_schema(graph_database: str) -> NewGraph:
    """Creates an empty link graph in a schema."""

    def create() -> GraphLocation:
        location = GraphSchema(graph_database, f"graph_{next(NUMBERS)}")
        create_graph(location)
        return location

    return create


@pytest.fixture(scope="module", params=KINDS)
def new_graph(request: pytest.FixtureRequest) -> NewGraph:
    """Creates an empty link graph, of each kind in turn."""
    create: NewGraph = request.getfixturevalue("new_file" if request.param == "file" else "new_schema")
    return create


@pytest.fixture
def location(new_graph: NewGraph) -> GraphLocation:
    """An empty link graph."""
    return new_graph()


@pytest.fixture
def graph(location: GraphLocation) -> Iterator[LinkGraph]:
    """The same, open."""
    with closing(open_link_graph(location)) as graph:
        yield graph
