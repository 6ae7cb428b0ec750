"""Where link graphs are: made, found and dropped."""

import time
from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import DamagedError, EngineError
from engine.linkgraph import (
    GraphLocation,
    GraphSchema,
    IndexPosition,
    check_tables,
    create_graph,
    drop_graph,
    has_graph,
    load_commit_time,
    open_link_graph,
    read_file_stats,
    save_index_position,
)
from engine.model.page import Links
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
def test_one_is_dropped_once_or_twice(graph_database: str) -> None:
    old, other = GraphSchema(graph_database, "old"), GraphSchema(graph_database, "other")
    for schema in (old, other):
        create_graph(schema)
    for _ in range(2):
        drop_graph(old)
    assert [has_graph(schema) for schema in (old, other)] == [False, True]


@pytest.mark.postgresql
def test_when_it_was_told_of_a_commit(graph_database: str) -> None:
    schema = GraphSchema(graph_database, "told")
    create_graph(schema)
    assert load_commit_time(schema) == 0.0
    before = time.time()
    for commit in (1, 2):
        save_index_position(schema, IndexPosition(commit, 7))
        assert before - 1 < load_commit_time(schema) < time.time() + 1
        before = load_commit_time(schema)


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
