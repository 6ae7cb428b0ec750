"""A file and a server answer alike, whatever was written: each is the other's reference."""

from collections.abc import Callable
from contextlib import ExitStack, closing
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.linkgraph import (
    GraphLocation,
    VotePivots,
    find_broken_links,
    find_graph_damages,
    find_linking_pages,
    open_clusters,
    open_link_graph,
    open_templates,
)
from engine.model.page import Link, Links
from tests.engine.linkgraph.conftest import NewGraph

pytestmark = pytest.mark.postgresql
HOSTS = ["http://a.one.com", "http://b.one.com", "http://c.org", "http://d.net", "http://127.0.0.1:81"]
URLS = [f"{host}/{path}" for host in HOSTS for path in ("", "x" * 3_000, "é")]
WORDS = ["", " ", "x", "y", "X", "é", "漢字", "\U0010ffff", "two  words", "long " * 99, "half \ud800"]
NOWHERE = "http://never.example/"
PIVOTS = VotePivots(3, 0.7)

Step = Callable[["Opened"], None]


class Opened:
    """One link graph, with all that is beside it."""

    def __init__(self, location: GraphLocation, stack: ExitStack) -> None:
        self.location = location
        self.graph = stack.enter_context(closing(open_link_graph(location)))
        self.templates = stack.enter_context(closing(open_templates(location)))
        self.clusters = stack.enter_context(closing(open_clusters(location)))

    def answers(self) -> dict[str, Any]:
        """All that it answers; lists in their order."""
        asked = [*URLS, NOWHERE]
        return {
            "inlinks": self.graph.inlinks(asked, PIVOTS),
            "votes": self.graph.votes(asked, PIVOTS),
            "linking": self.graph.count_linking_pages(asked),
            "anchors": self.graph.anchors(asked),
            "targets": self.graph.target_numbers(asked),
            "numbers": self.graph.numbers(asked),
            "stale": self.graph.stale_urls(100),
            "first stale": self.graph.stale_urls(1),
            "pages": self.graph.count_pages(),
            "copies": self.clusters.copies_of(asked),
            "by name": [self.clusters.count_linking_pages(asked, url) for url in (NOWHERE, *URLS[:2])],
            "voters": [self.clusters.voters(url) for url in URLS[:4]],
            "blocks": [self.templates.template_blocks(host) for host in HOSTS],
        }

    def backwards(self) -> dict[str, Any]:
        """What is read from the sources on, and what is wrong."""
        return {
            "linking": [find_linking_pages(self.location, url) for url in (URLS[0], URLS[5])],
            "broken": find_broken_links(self.location, HOSTS[0], URLS[4:]),
            "sampled": [*map(self.templates.sample_filter(), URLS)],
            "damages": list(find_graph_damages(self.location)),
        }


url = st.sampled_from(URLS)
links = st.lists(st.builds(Link, url, st.sampled_from(WORDS), st.booleans()), max_size=8)
pages = st.lists(st.tuples(url, st.none() | links.map(Links.of)), max_size=6)
pairs = st.lists(st.tuples(url, st.just("") | url), max_size=4)
blocks = st.lists(st.tuples(url, st.none() | st.sets(st.integers(0, 5) | st.just(-(2**63)))), max_size=8)
machines = st.lists(st.tuples(url, st.sampled_from(["", "192.0.2.1", "192.0.2.2"])), max_size=4)
STEPS: st.SearchStrategy[Step] = st.one_of(
    pages.map(lambda some: lambda on: on.graph.replace(some)),
    pages.map(lambda some: lambda on: on.graph.replace(some)),
    pairs.map(lambda some: lambda on: on.graph.set_aliases(some)),
    machines.map(lambda some: lambda on: on.graph.set_machines(some)),
    st.lists(url, max_size=4).map(lambda some: lambda on: on.graph.mark_fresh(some)),
    st.just(lambda on: on.graph.mark_all_fresh()),
    pairs.map(lambda some: lambda on: on.clusters.update(some)),
    blocks.map(lambda some: lambda on: on.templates.replace(some)),
    st.just(lambda on: on.templates.learn()),
)
HISTORY = st.lists(STEPS, min_size=1, max_size=10)


def compare(steps: list[Step], new_file: NewGraph, new_schema: NewGraph) -> None:
    with ExitStack() as stack:
        patched = stack.enter_context(pytest.MonkeyPatch.context())
        patched.setattr("engine.linkgraph.templates.FEWEST", 2)  # so that small examples have templates,
        patched.setattr("engine.linkgraph.templates.SAMPLE", 3)  # and pages that they are not learned from
        file, server = Opened(new_file(), stack), Opened(new_schema(), stack)
        for step in steps:
            step(file)
            step(server)
            assert server.answers() == file.answers()
        assert server.backwards() == file.backwards()


ONE, TWO = "http://d.net/", "http://d.net/é"
LEFT_UNSTORED: list[Step] = [  # a page that only the templates have: it is stale until it leaves
    lambda on: on.graph.replace([(TWO, Links.of([Link(ONE, "")]))]),
    lambda on: on.templates.replace([(ONE, {0, 1}), (TWO, {0, 1})]),
    lambda on: on.templates.learn(),
    lambda on: on.graph.replace([(ONE, None)]),
]


@settings(max_examples=12)
@example(steps=LEFT_UNSTORED)
@given(steps=HISTORY)
def test_both_answer_alike(steps: list[Step], new_file: NewGraph, new_schema: NewGraph) -> None:
    compare(steps, new_file, new_schema)


@pytest.mark.long
@pytest.mark.timeout(900)
@settings(max_examples=200)
@given(steps=HISTORY)
def test_they_do_so_in_many_histories(steps: list[Step], new_file: NewGraph, new_schema: NewGraph) -> None:
    compare(steps, new_file, new_schema)
