"""Links of a host's pages to URLs that are gone."""

from collections.abc import Sequence
from contextlib import closing

import pytest

from engine.linkgraph import GraphLocation, broken_links, open_link_graph
from engine.linkgraph.broken_links import BrokenLink, BrokenLinks, find_broken_links
from engine.model import Link, Links

HOST = "http://h.example"
GONE = [f"{HOST}/gone", f"{HOST}/lost"]
PAGES = {
    f"{HOST}/": [*GONE, f"{HOST}/here"],
    f"{HOST}/here": [GONE[1], GONE[1], "http://other.example/gone"],
    f"{HOST}/well": [f"{HOST}/"],
    "http://h.example.org/": [GONE[0]],
    "http://h.example:8080/": [GONE[0]],
    "http://a.example/": [GONE[0]],
}


@pytest.fixture
def linked(location: GraphLocation) -> GraphLocation:
    with closing(open_link_graph(location)) as graph:
        graph.replace((url, Links.of(Link(target, "x") for target in found)) for url, found in PAGES.items())
    return location


def pairs(found: BrokenLinks) -> Sequence[tuple[str, ...]]:
    return [tuple(link) for link in found.links]


def test_pages_of_the_host_alone(linked: GraphLocation) -> None:
    found = find_broken_links(linked, HOST, GONE)
    assert pairs(found) == [(f"{HOST}/", GONE[0]), (f"{HOST}/", GONE[1]), (f"{HOST}/here", GONE[1])]
    assert (found.total, found.is_cut) == (3, False)


def test_what_nobody_links_to(linked: GraphLocation) -> None:
    for targets in ([], [f"{HOST}/never"], ["x" * 3_000]):
        assert find_broken_links(linked, HOST, targets) == BrokenLinks([], 0, False)


def test_limits(linked: GraphLocation, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broken_links, "MAX_LISTED", 1)
    monkeypatch.setattr(broken_links, "AT_ONCE", 1)
    found = find_broken_links(linked, HOST, GONE)
    assert (found.links, found.total) == ([BrokenLink(f"{HOST}/", GONE[0])], 3)
    monkeypatch.setattr(broken_links, "MAX_SOURCES", 1)
    found = find_broken_links(linked, HOST, GONE)
    assert (found.total, found.is_cut) == (2, True)
