"""Hits by date: the newest first."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from engine.index.indexing.follow import Follower
from engine.index.schema.filters import day_of
from engine.index.searching import date_sort
from engine.model.narrowing import NO_FILTERS, SearchFilters, Sort
from engine.model.note import NoteKind
from engine.model.page import Flag, Page
from engine.ranking import Ranking
from engine.search.search import SearchService
from tests.engine.index.source import Memory, page

DAY = 86_400.0
NOW = 1_700_000_000.0
NEWEST = SearchFilters(sort=Sort.DATE)


def of_day(name: str, days_ago: float, text: str = "amber") -> Page:
    return replace(page(f"http://a.example/{name}", text), modified=NOW - days_ago * DAY)


def names(
    folder: Path, memory: Memory, typed: str = "amber", choice: SearchFilters = NEWEST, size: int = 10
) -> str:
    Follower(memory, folder).catch_up()
    with closing(SearchService(folder)) as search:
        pages = -(-search.search(typed, 1, size, choice=choice).total // size)
        return " ".join(
            hit.url.rpartition("/")[2]
            for number in range(1, pages + 1)
            for hit in search.search(typed, number, size, choice=choice).hits
        )


LONG = "amber " + 9 * "stone "
PARKED = replace(of_day("parked", 0), flag=Flag.PARKED, title="amber")
ORDERS = [
    ([of_day("old", 9), of_day("new", 1, LONG)], "new old", "a date before a score"),
    ([of_day("b", 2.1), of_day("a", 2, LONG)], "b a", "of one day the best"),
    ([of_day("b", 2), of_day("a", 2), of_day("c", 2)], "a b c", "of one score by URL"),
    ([PARKED, of_day("a", 30)], "a parked", "what has nothing to say"),
]


@pytest.mark.parametrize(("pages", "order", "why"), ORDERS)
def test_the_order(tmp_path: Path, pages: list[Page], order: str, why: str) -> None:
    assert names(tmp_path, Memory(*pages)) == order, why


@pytest.mark.requirement(294)
def test_a_hit_tells_the_date_that_orders_it(tmp_path: Path) -> None:
    Follower(Memory(of_day("a", 1), of_day("b", 400)), tmp_path).catch_up()
    with closing(SearchService(tmp_path)) as search:
        hits = search.search("amber", choice=NEWEST).hits
        assert [(hit.url[-1], hit.date) for hit in hits] == [("a", "2023-11-13"), ("b", "2022-10-10")]


def test_what_has_no_date_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_for_never(page: Page, fetched_at: float) -> str:
        return "" if page.url.endswith("never") else day_of(page, fetched_at)

    monkeypatch.setattr("engine.index.documents.document.day_of", none_for_never)
    assert names(tmp_path, Memory(of_day("a", 1), of_day("never", 0), of_day("b", 900))) == "a b never"


@pytest.mark.requirement(306)
def test_every_page_of_hits_goes_on_where_the_one_before_ended(tmp_path: Path) -> None:
    """Over several segments; hosts are not folded."""
    memory, pages = (
        Memory(),
        [of_day(f"{number:02}", number % 4, "amber " * (number % 3 + 1)) for number in range(40)],
    )
    for start in range(3):
        for one in pages[start::3]:
            memory.put(one)
        Follower(memory, tmp_path).catch_up()
    whole = names(tmp_path, memory, size=100)
    assert names(tmp_path, memory, size=7) == whole
    days = [int(name) % 4 for name in whole.split()]
    assert days == sorted(days)
    assert len(set(whole.split())) == 40


def test_newest_hits_have_all_words_where_some_have(tmp_path: Path) -> None:
    five = "amber basil fern grove heath"
    pages = [of_day("some", 1, five), of_day("all", 5, f"{five} cedar")]
    others = [of_day(str(number), 0, "stone") for number in range(20)]
    Follower(Memory(*pages, *others), tmp_path).catch_up()
    with closing(SearchService(tmp_path)) as search:
        by_score, by_date = (search.search(f"{five} cedar", choice=one) for one in (NO_FILTERS, NEWEST))
        assert (by_score.total, by_date.total) == (2, 1)
        assert [note.kind for note in by_score.notes] == [NoteKind.PARTIAL_MATCHES_AFTER]
        assert by_date.notes == []
        found = search.search(f"{five} dune", choice=NEWEST)
        assert [hit.url[-3:] for hit in found.hits] == ["ome", "all"]
        assert [note.kind for note in found.notes] == [NoteKind.PARTIAL_MATCHES]
        assert found.hits[0].score > 0


def test_of_very_many_the_best_are_put_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(date_sort, "counting_depth", lambda reader: 10)
    best = [of_day(f"{number:03}", number) for number in range(10)]
    others = [of_day(f"{number:03}", 0, LONG) for number in range(10, 100)]
    Follower(Memory(*best, *others), tmp_path).catch_up()
    with closing(SearchService(tmp_path, Ranking(inlink_window=5, rerank_window=5))) as search:
        found = search.search("amber", choice=NEWEST)
        assert [hit.url[-3:] for hit in found.hits] == [f"{number:03}" for number in range(10)]
        assert found.total == 100
