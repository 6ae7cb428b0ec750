"""Who links to a URL: the link graph asked backwards."""

import sqlite3
from pathlib import Path

import pytest

from engine.linkgraph import GraphLocation, Inlink, LinkGraph, find_linking_pages
from engine.linkgraph.linking_pages import MAX_LINKING
from engine.model.page import Link, Links

TARGET = "http://target.example/"
Sources = list[tuple[str, list[Link] | None]]


@pytest.mark.parametrize(
    ("links", "found", "why"),
    [
        ([], [], "nobody links to it"),
        ([("http://a.example/", [Link(TARGET, "words")])], [("http://a.example/", "words")], "one page"),
        ([("http://a.example/", [Link(TARGET, "")])], [("http://a.example/", "")], "a link on a picture"),
        ([("http://a.example/", [Link(TARGET, "x", nofollow=True)])], [], "nofollow is no link of ours"),
        ([(TARGET, [Link(TARGET, "self")])], [], "nor is one to itself"),
        ([("http://a.example/", [Link("http://other.example/", TARGET)])], [], "words are no link"),
        ([("http://a.example/", [Link(TARGET, "x")]), ("http://a.example/", None)], [], "the page has left"),
    ],
)
def test_who_links_to_it(
    graph: LinkGraph,
    location: GraphLocation,
    links: list[tuple[str, list[Link] | None]],
    found: list[tuple[str, str]],
    why: str,
) -> None:
    for url, said in links:
        graph.replace([(url, None if said is None else Links.of(said))])
    assert find_linking_pages(location, TARGET) == tuple(Inlink(*one) for one in found), why


def test_pages_that_link_to_an_alias_are_named(graph: LinkGraph, location: GraphLocation) -> None:
    graph.replace([("http://a.example/", Links.of([Link("http://old.example/", "x")]))])
    graph.set_aliases([("http://old.example/", TARGET)])
    assert find_linking_pages(location, TARGET) == (Inlink("http://a.example/", "x"),)


def test_numbers_that_only_look_alike_are_no_links(graph: LinkGraph, location: GraphLocation) -> None:
    """300 targets have numbers whose bytes stand in others' too, across the edges of two."""
    targets = [f"http://t.example/{n}" for n in range(300)]
    sources = [
        (f"http://s{n}.example/", Links.of([Link(target, f"to {n}")])) for n, target in enumerate(targets)
    ]
    graph.replace(sources)
    asked = range(300) if isinstance(location, Path) else range(0, 300, 9)  # each takes a connection
    for n in asked:
        assert find_linking_pages(location, targets[n]) == (Inlink(f"http://s{n}.example/", f"to {n}"),)


def test_no_more_are_named_than_a_person_reads(graph: LinkGraph, location: GraphLocation) -> None:
    graph.replace([(f"http://a.example/{n}", Links.of([Link(TARGET, "x")])) for n in range(MAX_LINKING + 5)])
    assert len(find_linking_pages(location, TARGET)) == MAX_LINKING


def test_asking_makes_no_link_graph(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError):
        find_linking_pages(tmp_path / "links.db", TARGET)
    assert not list(tmp_path.glob("links.db*"))
