"""Where link graphs are: made, found, renamed and dropped."""

from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import DamagedError, EngineError
from engine.linkgraph import (
    GraphLocation,
    GraphSchema,
    check_tables,
    create_graph,
    drop_graph,
    has_graph,
    open_clusters,
    open_link_graph,
    read_file_stats,
    rename_graph,
)
from engine.model.page import Link, Links
from tests.engine.linkgraph.conftest import NewGraph

TARGET = "http://target.example/"


def test_one_that_is_there_stays_as_it_is(location: GraphLocation) -> None:
    with closing(open_link_graph(location)) as graph:
        graph.replace([(TARGET, Links.of([]))])
        create_graph(location)
        assert graph.count_pages() == 1
    assert has_graph(location)
    check_tables(location)


@pytest.mark.parametrize("kind", ["file", pytest.param("server", marks=pytest.mark.postgresql)])
def test_none_is_made_by_looking_for_it(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    location: GraphLocation = tmp_path / "links.db"
    if kind == "server":
        location = GraphSchema(request.getfixturevalue("graph_database"), "unmade")
    for _ in range(2):
        assert not has_graph(location)
        with pytest.raises(DamagedError, match="is damaged: 'scrapy rebuild'") as failed:
            check_tables(location)
        assert failed.value.path == location


@pytest.mark.postgresql
def test_a_draft_becomes_the_published_one(graph_database: str) -> None:
    """In one step, and none when it is repeated; what was there before is dropped, once or twice."""
    draft, old = GraphSchema(graph_database, "draft_a1"), GraphSchema(graph_database, "g000001")
    for schema in (draft, old):
        create_graph(schema)
    with closing(open_link_graph(draft)) as graph:
        graph.replace([(TARGET, Links.of([Link("http://other.example/", "x")]))])
    for _ in range(2):
        published = rename_graph(draft, "g000002")
    assert published == GraphSchema(graph_database, "g000002")
    with closing(open_link_graph(published)) as graph, closing(open_clusters(published)) as clusters:
        assert graph.count_pages() == 1
        assert clusters.voters("http://other.example/") == {"target.example"}
    for _ in range(2):
        drop_graph(old)
    assert [has_graph(schema) for schema in (draft, old, published)] == [False, False, True]


def test_what_a_file_is_like_is_seen_and_a_server_has_none(location: GraphLocation) -> None:
    before = read_file_stats(location)
    with closing(open_link_graph(location)) as graph:
        graph.replace([(TARGET, Links.of([]))])
        after = read_file_stats(location)
    assert (before is None) == (after is None) == isinstance(location, GraphSchema)
    assert before is None or before != after


@pytest.mark.postgresql
def test_two_schemas_know_nothing_of_each_other(new_schema: NewGraph) -> None:
    one, other = new_schema(), new_schema()
    with closing(open_link_graph(one)) as graph, closing(open_link_graph(other)) as beside:
        graph.replace([(TARGET, Links.of([]))])
        assert (graph.count_pages(), beside.count_pages()) == (1, 0)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("", "none"),
        ("g000001; DROP SCHEMA public", "a statement"),
        ("G1", "PostgreSQL would take it for g1"),
        ("1g", "a digit first"),
        ("draft-a1", "a hyphen"),
        ("pg_graph", "PostgreSQL's own"),
        ("g" * 64, "longer than it keeps"),
    ],
)
def test_names_of_schemas(name: str, why: str) -> None:
    with pytest.raises(EngineError, match="cannot be the name of a schema"):
        GraphSchema("postgresql://h/d", name)
    assert str(GraphSchema("postgresql://h/d", "g" * 63)).startswith("postgresql://h/d (schema gg"), why
