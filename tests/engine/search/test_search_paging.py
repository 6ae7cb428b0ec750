"""Pages of hits are one list, cut: whatever their size, none repeats a hit or loses one."""

from collections.abc import Iterator
from contextlib import closing
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.indexing.follow import Follower
from engine.search.search import MAX_SIZE, SearchService
from tests.engine.index.source import WORDS, Memory, corpus

pytestmark = pytest.mark.requirement(306)

SHAPES = (
    "{}",
    "{} {}",
    "{} {} {}",
    "{} {} {} {} {}",
    "{} OR {}",
    "{} {} -{}",
    '"{} {}" {} {}',
    "{} intitle:{}",
)


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchService]:
    folder = tmp_path_factory.mktemp("paging")
    Follower(Memory(*corpus(400)), folder).catch_up()
    with closing(SearchService(folder)) as search:
        yield search


def all_hits(search: SearchService, typed: str, size: int, fold: bool) -> list[tuple[str, float]]:
    found = list[tuple[str, float]]()
    for number in count(1):
        results = search.search(typed, number, size, fold)
        found += [(hit.url, hit.score) for hit in results.hits]
        if number >= results.pages:
            break
    assert len(found) == results.total
    return found


@pytest.mark.slow
@given(
    shape=st.sampled_from(SHAPES),
    words=st.lists(st.sampled_from(WORDS), min_size=5, max_size=5, unique=True),
    size=st.sampled_from((10, 17, 60)),
    fold=st.booleans(),
)
@settings(max_examples=12, deadline=None)
def test_pages_of_any_size_show_one_order(
    search: SearchService, shape: str, words: list[str], size: int, fold: bool
) -> None:
    typed = shape.format(*words)
    found = all_hits(search, typed, size, fold)
    assert found == all_hits(search, typed, MAX_SIZE, fold)
    assert len({url for url, _ in found}) == len(found)
