"""A link graph on a server, as a snapshot reads it: a server that is away is never an empty graph."""

from collections.abc import Callable
from contextlib import closing

import pytest

from engine.errors import DamagedError, Unreadable
from engine.index.reader.graph import LinkGraphChecks, LinkGraphReader
from engine.linkgraph import Cluster, GraphSchema, create_graph, drop_graph, open_clusters, open_link_graph
from engine.model.page import Link, Links
from engine.ranking import VOTE_PIVOTS
from tests.postgresql import run_server

pytestmark = pytest.mark.postgresql
TARGET, SOURCE = "http://target.example/", "http://a.example/"
QUESTIONS: list[Callable[[LinkGraphReader], object]] = [
    lambda reader: reader.inlinks([TARGET], VOTE_PIVOTS),
    lambda reader: reader.count_linking_pages([TARGET]),
    lambda reader: reader.numbers([TARGET]),
    lambda reader: reader.clusters([TARGET]),
]


def fill(schema: GraphSchema) -> None:
    create_graph(schema)
    with closing(open_link_graph(schema)) as graph, closing(open_clusters(schema)) as clusters:
        graph.replace([(SOURCE, Links.of([Link(TARGET, "x")]))])
        clusters.update([("http://copy.example/", TARGET)])


@pytest.mark.slow
def test_while_the_server_is_away_nothing_is_answered_and_then_all_is() -> None:
    with run_server() as server:
        schema = GraphSchema(server.create_database(), "g000001")
        fill(schema)
        with closing(LinkGraphReader(schema)) as reader:
            whole = [ask(reader) for ask in QUESTIONS]
            assert whole[1:] == [{TARGET: 1}, [3], {TARGET: Cluster(1, ("http://copy.example/",))}]
            server.kill()
            for ask in QUESTIONS:
                with pytest.raises(Unreadable, match="is the server up"):
                    ask(reader)
            with pytest.raises(Unreadable, match="Connection refused"):
                LinkGraphReader(schema)
            server.start()
            assert [ask(reader) for ask in QUESTIONS] == whole
            assert not reader.damaged


def test_a_schema_that_was_dropped_is_told_of(database_url: str) -> None:
    """By who has it open as an error, so that he opens what is there now; by who opens it as damage."""
    schema = GraphSchema(database_url, "g000001")
    fill(schema)
    with closing(LinkGraphReader(schema)) as reader:
        assert reader.numbers([TARGET])
        drop_graph(schema)
        with pytest.raises(DamagedError):
            reader.numbers([TARGET])
    with closing(LinkGraphReader(schema)) as reader:
        assert [damage.path for damage in reader.damaged] == [schema]
        assert reader.numbers([TARGET]) == []


def test_a_server_is_not_read_as_a_whole_beside_the_answers(database_url: str) -> None:
    """Its operator's checksums find damage, and scrapy check."""
    schema = GraphSchema(database_url, "g000001")
    fill(schema)
    checks = LinkGraphChecks()
    assert checks.damage(schema) is None
    checks.check_later(schema, lambda: pytest.fail("nothing is read"))
    assert checks.damage(schema) is None
