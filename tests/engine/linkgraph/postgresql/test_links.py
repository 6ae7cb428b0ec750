"""What a server could do otherwise than a file: round, order and store texts."""

from contextlib import closing
from hashlib import sha256

import pytest

from engine.linkgraph import Anchor, GraphSchema, create_graph, find_broken_links, open_link_graph
from engine.model.page import Link, Links
from tests.engine.linkgraph.conftest import NewGraph
from tests.postgresql import Server

pytestmark = pytest.mark.postgresql
TARGET = "http://target.example/"


def test_a_text_with_a_zero_is_stored(new_schema: NewGraph) -> None:
    """PostgreSQL has no U+0000; the text of a link may. What is stored alike is one text."""
    with closing(open_link_graph(new_schema())) as graph:
        graph.replace([("http://a.example/", Links.of([Link(TARGET, "a\0b"), Link(TARGET, "a\ufffdb")]))])
        graph.replace([("http://b.example/", Links.of([Link(f"{TARGET}\0", "x"), Link(TARGET, "a\0b")]))])
        assert graph.anchors([TARGET, f"{TARGET}\0"]) == {
            TARGET: [Anchor("a\ufffdb", 2)],
            f"{TARGET}\0": [Anchor("x", 1)],
        }


def test_texts_are_ordered_by_code_points(postgresql_server: Server) -> None:
    """Whatever the language of the server."""
    postgresql_server.execute(
        "CREATE DATABASE english_graphs TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'en-US'"
    )
    schema = GraphSchema(postgresql_server.url("english_graphs"), "g000001")
    create_graph(schema)
    texts = ["B", "a", "a\U0010fffe", "b"]  # in English: a, b, B
    with closing(open_link_graph(schema)) as graph:
        graph.replace([("http://a.example/", Links.of([Link(TARGET, text) for text in reversed(texts)]))])
        assert [anchor.text for anchor in graph.anchors([TARGET])[TARGET]] == texts
        pages = [f"http://h.example/{text}" for text in texts]
        graph.replace((page, Links.of([Link(TARGET, "x")])) for page in reversed(pages))
    found = find_broken_links(schema, "http://h.example", [TARGET])
    assert [link.source for link in found.links] == pages


@pytest.mark.parametrize("length", [2_600, 3_000, 200_000])
def test_names_of_any_length(new_schema: NewGraph, length: int) -> None:
    """Longer than what an index of texts takes, though it is compressed."""
    schema = new_schema()
    tail = "".join(sha256(b"%d" % number).hexdigest() for number in range(length // 64 + 1))[:length]
    page, other = f"http://h.example/{tail}", f"http://h.example/{tail}2"
    with closing(open_link_graph(schema)) as graph:
        graph.replace([(page, Links.of([Link(other, "x")])), (other, Links.of([Link(page, "y")]))])
        assert graph.anchors([page, other]) == {page: [Anchor("y", 1)], other: [Anchor("x", 1)]}
    found = find_broken_links(schema, "http://h.example", [page, other])
    assert [tuple(link) for link in found.links] == [(page, other), (other, page)]
