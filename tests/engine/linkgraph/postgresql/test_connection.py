"""Kills between any two statements, of the writer and of its server, and servers that are away."""

import threading
from collections.abc import Callable
from contextlib import ExitStack, closing
from itertools import count
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest

from engine.errors import DamagedError, EngineError, Unreadable
from engine.linkgraph import (
    Clusters,
    GraphSchema,
    Inlinks,
    LinkGraph,
    Templates,
    create_graph,
    drop_graph,
    edges,
    has_graph,
    open_clusters,
    open_link_graph,
    open_templates,
)
from engine.model.page import Link, Links
from engine.ranking import VOTE_PIVOTS
from tests.engine.linkgraph.conftest import NewGraph
from tests.engine.linkgraph.postgresql.rows import ALIAS, PAGES, TARGET, fill, read_rows
from tests.postgresql import Server, run_server

pytestmark = pytest.mark.postgresql
MORE = [f"http://more.example/{n}" for n in range(4)]


class Killed(BaseException):
    """The writer is gone."""


class Opened:
    """A link graph that is filled, and what writes to it."""

    def __init__(self, schema: GraphSchema, stack: ExitStack) -> None:
        self.schema = schema
        self.graph: LinkGraph = stack.enter_context(closing(open_link_graph(schema)))
        self.templates: Templates = stack.enter_context(closing(open_templates(schema)))
        self.clusters: Clusters = stack.enter_context(closing(open_clusters(schema)))
        self.graph.count_pages()  # they connect
        self.templates.template_blocks("")
        self.clusters.copies_of([])


Step = Callable[[Opened], object]
Kill = Callable[[psycopg.Connection, GraphSchema], None]
STEPS: list[tuple[Step, str]] = [
    (
        lambda on: on.graph.replace(
            [
                (PAGES[0], None),
                (PAGES[1], Links.of([Link(ALIAS, "new")])),
                (MORE[0], Links.of([Link(TARGET, "x")])),
            ]
        ),
        "pages that come, change and leave",
    ),
    (
        lambda on: on.graph.set_aliases([(ALIAS, TARGET), (MORE[1], ALIAS), (ALIAS, "")]),
        "an alias, one more, and none",
    ),
    (lambda on: on.graph.set_machines([(MORE[2], "192.0.2.7"), (PAGES[0], "192.0.2.8")]), "machines"),
    (lambda on: on.graph.mark_fresh([TARGET, *PAGES]), "what is fresh"),
    (lambda on: on.clusters.update([(PAGES[1], ""), (MORE[0], TARGET)]), "copies"),
    (lambda on: on.templates.replace([(PAGES[0], None), (PAGES[1], [7])]), "blocks"),
]


def kill_backend(connection: psycopg.Connection, schema: GraphSchema) -> None:
    with psycopg.connect(schema.url) as other:
        other.execute("SELECT pg_terminate_backend(%s, 10000)", [connection.info.backend_pid])


def kill_writer(connection: psycopg.Connection, _: GraphSchema) -> None:
    connection.pgconn.finish()
    raise Killed


def is_killed(step: Step, schema: GraphSchema, kill: Kill, at: int) -> bool:
    """Whether a step got to this statement, and was killed before it."""
    whole, begun = psycopg.Connection.cursor, count()

    def cursor(connection: psycopg.Connection, *args: Any, **kwargs: Any) -> Any:
        if next(begun) == at:
            kill(connection, schema)
        return whole(connection, *args, **kwargs)

    with ExitStack() as stack, pytest.MonkeyPatch.context() as patched:
        opened = Opened(schema, stack)
        patched.setattr(psycopg.Connection, "cursor", cursor)
        try:
            step(opened)
        except (Unreadable, Killed):
            return True
    return False


@pytest.mark.parametrize("kill", [kill_backend, kill_writer])
@pytest.mark.parametrize(("step", "why"), STEPS, ids=[why for _, why in STEPS])
def test_a_step_is_all_there_or_not_at_all(new_schema: NewGraph, step: Step, why: str, kill: Kill) -> None:
    """Killed before its second statement, before its third, and so on to its commit."""
    schema, peaceful = cast(GraphSchema, new_schema()), cast(GraphSchema, new_schema())
    for one in (schema, peaceful):
        fill(one)
    with ExitStack() as stack:
        step(Opened(peaceful, stack))
    before, after, at = read_rows(schema), read_rows(peaceful), 1
    assert before != after, why
    while is_killed(step, schema, kill, at):
        assert read_rows(schema) in (before, after), (why, at)
        at += 1
    assert at > 2
    assert read_rows(schema) == after, why


def test_it_is_asked_again_once_the_server_is_back(graph_database: str, new_schema: NewGraph) -> None:
    """Whoever reads or writes then notices nothing of it."""
    schema = cast(GraphSchema, new_schema())
    fill(schema)
    ends = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE pid != pg_backend_pid()"
    with closing(open_link_graph(schema)) as graph:
        pages = graph.count_pages()
        for work in (
            lambda: graph.count_linking_pages([TARGET]),
            lambda: graph.replace([(MORE[0], Links.of([Link(TARGET, "x")]))]),
        ):
            with psycopg.connect(graph_database) as other:
                other.execute(f"{ends} AND datname = current_database()")
            work()
        assert graph.count_pages() == pages + 1
        assert graph.count_linking_pages([TARGET]) == {TARGET: len(PAGES) + 1}


def test_numbers_that_a_server_has_lost_are_given_anew(new_schema: NewGraph) -> None:
    """As a standby may that takes over: what was remembered of names counts no more."""
    schema = cast(GraphSchema, new_schema())
    with closing(open_link_graph(schema)) as graph:
        graph.replace([(PAGES[0], Links.of([Link(TARGET, "x")]))])
        drop_graph(schema)
        create_graph(schema)
        with closing(open_link_graph(schema)) as other:
            other.replace([(PAGES[1], Links.of([Link(ALIAS, "y")]))])
        with psycopg.connect(schema.url) as other_connection:
            other_connection.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
                "WHERE pid != pg_backend_pid() AND datname = current_database()"
            )
        graph.replace([(PAGES[0], Links.of([Link(TARGET, "x")]))])
        assert graph.inlinks([TARGET, ALIAS], VOTE_PIVOTS) == dict.fromkeys(
            [TARGET, ALIAS], Inlinks(1, 1, 0.5)
        )


@pytest.mark.slow
def test_a_server_that_is_killed_in_the_middle_of_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    with run_server() as server:
        schema = GraphSchema(server.create_database(), "g000001")
        create_graph(schema)
        fill(schema)
        before = read_rows(schema)
        with closing(open_link_graph(schema)) as graph:
            with monkeypatch.context() as patched:
                patched.setattr("engine.linkgraph.edges.diff_votes", _killing(server, edges.diff_votes))
                with pytest.raises(Unreadable, match="is the server up"):
                    graph.replace([(PAGES[0], None)])
            with pytest.raises(Unreadable, match="Connection refused"):
                graph.count_pages()
            server.start()
            assert read_rows(schema) == before
            graph.replace([(PAGES[0], None)])
            assert graph.count_pages() == len(PAGES)


def _killing(server: Server, work: Callable[..., object]) -> Callable[..., object]:
    def kill_and_work(*args: object) -> object:
        server.kill()
        return work(*args)

    return kill_and_work


def test_writers_take_turns(new_schema: NewGraph) -> None:
    """No count is lost, and no name has two numbers."""
    schema = new_schema()

    def write(writer: int) -> None:
        with closing(open_link_graph(schema)) as graph:
            for number in range(10):
                page = f"http://w{writer}.example/{number}"
                graph.replace(
                    [(page, Links.of([Link(TARGET, "x"), Link(f"http://t.example/{number}", "y")]))]
                )
                graph.mark_fresh([page])

    writers = [threading.Thread(target=write, args=[writer]) for writer in range(4)]
    for thread in writers:
        thread.start()
    for thread in writers:
        thread.join()
    with closing(open_link_graph(schema)) as graph:
        assert graph.count_linking_pages([TARGET, "http://t.example/3"]) == {
            TARGET: 40,
            "http://t.example/3": 4,
        }
        assert graph.inlinks([TARGET], VOTE_PIVOTS)[TARGET].voters == 4


def test_who_waits_for_too_long_is_told(new_schema: NewGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.linkgraph.postgresql.connection.BUSY_SECONDS", 0.05)
    schema = cast(GraphSchema, new_schema())
    with closing(open_link_graph(schema)) as graph, closing(open_link_graph(schema)) as other:

        def write_meanwhile(*_: object) -> None:
            with pytest.raises(Unreadable, match="lock timeout"):
                other.mark_all_fresh()
            raise Killed

        with monkeypatch.context() as patched:
            patched.setattr("engine.linkgraph.edges.diff_votes", write_meanwhile)
            with pytest.raises(Killed):
                graph.replace([(PAGES[0], None)])
        other.replace([(PAGES[0], Links.of([]))])


AWAY = "postgresql://postgres@127.0.0.1:1/x"


@pytest.mark.parametrize(
    "ask",
    [
        lambda schema: has_graph(schema),
        lambda schema: create_graph(schema),
        lambda schema: open_link_graph(schema).count_pages(),
        lambda schema: open_templates(schema).learn(),
        lambda schema: open_clusters(schema).copies_of([TARGET]),
    ],
)
def test_a_server_that_is_away(ask: Callable[[GraphSchema], object]) -> None:
    with pytest.raises(Unreadable, match=r"Connection refused.*is the server up") as failed:
        ask(GraphSchema(AWAY, "g000001"))
    assert failed.value.path == AWAY
    assert "\n" not in str(failed.value)


def test_a_schema_that_is_gone_is_damage(graph_database: str) -> None:
    """It was dropped, or never was: nothing is answered from an empty one, and none is made."""
    schema = GraphSchema(graph_database, "never")
    with closing(open_link_graph(schema)) as graph:
        with pytest.raises(DamagedError, match=r"schema never.* is damaged"):
            graph.count_linking_pages([TARGET])
        with pytest.raises(DamagedError):
            graph.replace([(PAGES[0], None)])
    assert not has_graph(schema)


def test_without_psycopg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "engine.linkgraph.postgresql", None)
    with pytest.raises(EngineError, match="needs psycopg, which is not installed: run 'make postgresql'"):
        open_link_graph(GraphSchema(AWAY, "g000001"))
    open_link_graph(tmp_path / "links.db").close()
