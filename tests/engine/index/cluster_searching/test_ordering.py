"""What nobody has ranked comes behind what was ranked, in the cluster's order, whatever has which number."""

from itertools import groupby
from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from engine.index.cluster_searching.asking import FoundPage
from engine.index.cluster_searching.known_pages import KnownPages
from engine.index.cluster_searching.ordering import NO_HITS, append_behind, join_orders, renumber
from engine.index.scoring.best import Best
from engine.index.searching.index_searcher import rank_hits

SCORES = st.lists(st.floats(2**-10, 100, width=32), max_size=8)
ALIKE = st.lists(st.integers(0, 3), max_size=8).map(sorted)  # of pages behind, the number of their group


def make_pages(alike: list[int]) -> list[FoundPage]:
    return [FoundPage(f"http://a.example/{at}", at, 50.0 - group, (group,)) for at, group in enumerate(alike)]


def make_best(scores: list[float]) -> Best:
    size = len(scores)
    return Best(np.arange(size, dtype=np.int32), np.array(scores, np.float32), np.ones(size, np.bool_), size)


def rank_all(best: Best) -> list[int]:
    """All documents in their order; a document's URL is its number."""
    ranked = rank_hits(best, 99, 0, lambda documents: [f"{document:03}" for document in documents])
    return [one.document for one in ranked]


@given(SCORES, ALIKE, st.randoms(use_true_random=False))
def test_candidates_come_first(scores: list[float], alike: list[int], dice: Random) -> None:
    size, every = len(scores), list(range(len(scores) + len(alike)))
    dice.shuffle(every)
    numbers = np.array(every, np.int32)
    best = renumber(make_best(scores), numbers)
    assert list(best.documents) == sorted(every[:size])
    both = append_behind(best, make_pages(alike), numbers[size:], best.scores.min(initial=np.inf))
    assert list(both.documents) == list(range(len(every)))
    groups = [
        sorted(number for number, _ in group)
        for _, group in groupby(zip(every[size:], alike, strict=True), lambda one: one[1])
    ]
    behind = [number for group in groups for number in group]
    assert rank_all(both) == [*rank_all(best), *behind], "equals by their URLs"


@given(SCORES, st.sets(st.integers(0, 7)), st.integers(0, 5))
def test_orders_are_joined(scores: list[float], dated: set[int], behind: int) -> None:
    """Those that are not dated are left out."""
    places, size = make_best(scores), len(scores)
    joined = join_orders(
        places, np.array(sorted(dated), np.int32), np.arange(size, size + behind, dtype=np.int32)
    )
    first = [document for document in rank_all(places) if document in dated]
    assert rank_all(joined) == [*first, *range(size, size + behind)]


def test_nothing_is_found() -> None:
    pages = make_pages([0, 0])
    assert rank_all(append_behind(NO_HITS, pages, np.array([1, 0], np.int32), np.inf)) == [0, 1]
    assert rank_all(NO_HITS) == []


def test_a_page_has_one_number_and_a_key_of_its_version() -> None:
    known, pages = KnownPages("index"), make_pages([0, 0, 0])
    assert known.number(pages[:2]).tolist() == [0, 1]
    known.number_partial(pages[1:])
    assert known.number([pages[2], pages[0]]).tolist() == [2, 0]
    assert known.select_partial(np.array([0, 1, 2], np.int32)) == [1, 2]
    assert known.stable_key(1) == ("index http://a.example/1", 1)
    hosts = ["http://a.example/", "https://a.example/x", "http://b.example:8080/", "https://b.example/"]
    more = known.number([FoundPage(url, 0, 1.0, ()) for url in hosts])
    assert known.number_hosts(more).tolist() == [0, 0, 1, 2]
