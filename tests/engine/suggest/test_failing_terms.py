"""Which words of a query fail."""

from collections.abc import Iterator, Sequence
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.indexing.follow import Follower
from engine.model.page import Link
from engine.search.search import SearchService
from engine.suggest.failing_terms import MAX_COUNTED
from tests.engine.index.source import Memory, page

TARGET = "http://a.example/target"
PAGES = [
    page("http://a.example/1", "amber rooms", links=[Link(TARGET, "")]),
    page("http://a.example/2", "amber basil"),
    page("http://b.example/3", "cedar grove"),
]
CASES: list[tuple[str, Sequence[tuple[str, int]], Sequence[str], str]] = [
    ("amber", [], [], "one word: the number of hits says it"),
    ("amber qwzzk", [("amber", 2), ("qwzzk", 0)], ["amber"], "a word that nobody has"),
    (
        "amber basil qwzzk xyxxy",
        [("amber", 2), ("basil", 1), ("qwzzk", 0), ("xyxxy", 0)],
        ["amber basil"],
        "without both of them",
    ),
    ("amber cedar", [("amber", 2), ("cedar", 1)], ["cedar", "amber"], "each alone, not together"),
    ("qwzzk xyxxy", [("qwzzk", 0), ("xyxxy", 0)], [], "nothing is left"),
    ('"rooms amber" basil', [('"rooms amber"', 0), ("basil", 1)], ["basil"], "a phrase in another order"),
    ("site:b.example amber", [("site:b.example", 1), ("amber", 2)], ["amber", "site:b.example"], "a filter"),
    (f"link:{TARGET} cedar", [(f"link:{TARGET}", 1), ("cedar", 1)], ["cedar", f"link:{TARGET}"], "a link"),
    ("amb* qwzzk -cedar", [("amb*", 2), ("qwzzk", 0)], ["amb* -cedar"], "what has a minus cannot fail"),
    (
        "qwzzk OR cedar xyxxy",
        [("qwzzk OR cedar", 1), ("xyxxy", 0)],
        ["qwzzk OR cedar"],
        "one of two is enough",
    ),
    ("amber OR qwzzk", [], [], "no part is needed"),
    ("NOT amber", [], [], "nothing is wanted"),
]


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchService]:
    folder = tmp_path_factory.mktemp("failing")
    Follower(Memory(*PAGES), folder).catch_up()
    with closing(SearchService(folder)) as search:
        yield search


@pytest.mark.parametrize(("typed", "parts", "shorter", "why"), CASES, ids=[why for *_, why in CASES])
def test_how_many_pages_have_each_part(
    search: SearchService, typed: str, parts: Sequence[tuple[str, int]], shorter: Sequence[str], why: str
) -> None:
    found = search.find_failing_clauses(typed)
    assert (found.clauses, list(found.shorter)) == (parts or (), shorter), why


def test_so_many_parts_and_no_more_are_looked_for(search: SearchService) -> None:
    found = search.find_failing_clauses(" ".join(f"qw{number}" for number in range(30)))
    assert len(found.clauses) == MAX_COUNTED


@pytest.mark.requirement(296)
@given(st.lists(st.sampled_from(["amber", "qw", '"', "OR", "-", "(", ")", "AND", "NOT", "site:", "*"])))
@settings(max_examples=60, deadline=None)
def test_every_shorter_query_finds_something(search: SearchService, tokens: list[str]) -> None:
    """Whatever was typed; a link that leads to nothing again helps nobody."""
    assert all(search.search(query).total for query in search.find_failing_clauses(" ".join(tokens)).shorter)
