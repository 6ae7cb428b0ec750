"""Hits narrowed down and counted, against a plain look at all of them."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from engine.index.indexing.follow import Follower
from engine.index.query.operators import CHOICES
from engine.index.schema.filters import type_of
from engine.index.searching.facets import MAX_SHARES, SPANS
from engine.model.hit import Hit
from engine.model.narrowing import NO_FILTERS, FacetCount, Facets, SearchFilters, Sort
from engine.model.page import Page
from engine.ranking import Ranking
from engine.search.answer import answer_query
from engine.search.search import MAX_SIZE, SearchService
from engine.suggest import pins
from engine.url import authority_of
from tests.engine.index.source import Memory, corpus, page

LANGUAGES = ("en", "pl", "")
TYPES = ("text/html", "application/xhtml+xml", "application/pdf", "image/png")
COUNTED = SearchFilters(with_facets=True)
TODAY = date(2023, 11, 14)  # of Memory's fetches: 1,700,000,000 seconds since 1970


def varied(count: int) -> list[Page]:
    """Pages of several hosts, with http and https, languages and types, from yesterday to years ago."""
    return [
        replace(
            one,
            url=one.url.replace("http://site1.", "https://site2.").replace("site3.", "sub.site4."),
            language=LANGUAGES[number * number % 3],
            media_type=TYPES[number % 7 % 4],
            modified=1_700_000_000.0 - 86_400 * (number**3 % 500),
        )
        for number, one in enumerate(corpus(count))
    ]


def indexed(folder: Path, pages: Sequence[Page], commits: int = 1) -> SearchService:
    memory = Memory()
    for start in range(commits):
        for one in pages[start::commits]:
            memory.put(one)
        Follower(memory, folder).catch_up()
    return SearchService(folder)


@pytest.fixture(scope="module", params=[1, 4], ids=["one segment", "four"])
def search(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SearchService]:
    with closing(indexed(tmp_path_factory.mktemp("varied"), varied(130), request.param)) as search:
        yield search


def every(search: SearchService, typed: str, choice: SearchFilters = NO_FILTERS) -> list[Hit]:
    pages = [search.search(typed, number, MAX_SIZE, False, choice).hits for number in (1, 2)]
    return [hit for hits in pages for hit in hits]


def counts_of(search: SearchService, typed: str, choice: SearchFilters = COUNTED) -> Facets:
    found = search.search(typed, choice=choice).facets
    assert found
    return found


def plain(values: Sequence[str]) -> list[tuple[str, int]]:
    counts = Counter(value for value in values if value)
    return sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:MAX_SHARES]


QUERIES = ["amber", "kelp pine", "amber OR basil", "amber -cedar", '"amber amber"', "site:example", "dun*"]


@pytest.mark.parametrize("typed", QUERIES)
def test_counts_are_those_of_all_hits(search: SearchService, typed: str) -> None:
    hits, found = every(search, typed), counts_of(search, typed)
    assert found.exact
    assert list(found.counts["host"]) == plain([authority_of(hit.url) for hit in hits])
    assert list(found.counts["lang"]) == plain([hit.language for hit in hits])
    assert list(found.counts["type"]) == plain([type_of(hit.media_type) for hit in hits])


@pytest.mark.parametrize("typed", ["amber", "amber OR basil", "site:example"])
def test_what_is_chosen_is_as_many_as_was_said(search: SearchService, typed: str) -> None:
    """And in the order in which they stood among all: a choice leaves scores alone."""
    order = [hit.url for hit in every(search, typed)]
    for field in ("host", "lang", "type"):
        for value, hits in counts_of(search, typed).counts[field]:
            choice = NO_FILTERS.with_value(field, value)
            left = [hit.url for hit in every(search, typed, choice)]
            assert len(left) == search.search(typed, choice=choice).total == hits, (field, value)
            if len(order) <= all_moved(search):
                assert left == [url for url in order if url in left], (field, value)


def all_moved(search: SearchService) -> int:
    """Of so many hits all are moved; of more, who is among the best depends on who else is there."""
    with search._borrow() as opened:
        return opened.session().ranking.rerank_window


def test_choices_are_put_together(search: SearchService) -> None:
    choice = SearchFilters(host="sub.site4.example", lang="pl", type="html", with_facets=True)
    found = counts_of(search, "site:example", choice)
    values = [[one.value for one in found.counts[field]] for field in ("host", "lang", "type")]
    assert values == [["sub.site4.example"], ["pl"], ["html"]]


def test_times_are_counted_since(search: SearchService) -> None:
    """By the date that after: goes by; each of them counts the later ones, too."""
    with search._borrow() as opened:
        snapshot = opened.session()
        query, best, _ = answer_query(snapshot, "site:example", 10)
        found = snapshot.begin_facets(query, best, None, {}, TODAY)().counts["after"]
    days = [(TODAY - timedelta(span)).isoformat() for span in SPANS]
    assert [value for value, _ in found] == days
    for value, hits in found:
        assert hits == search.search("site:example", choice=SearchFilters(after=value)).total
        assert hits == search.search(f"site:example after:{value}").total
    assert 0 < found[0].hits < found[1].hits < found[2].hits < found[3].hits < 130


def test_what_is_deleted_is_not_counted(tmp_path: Path) -> None:
    memory = Memory(*(page(f"http://{host}.example/", "amber") for host in "abc"))
    Follower(memory, tmp_path).catch_up()
    memory.remove("http://b.example/")
    Follower(memory, tmp_path).catch_up()
    with closing(SearchService(tmp_path)) as search:
        assert counts_of(search, "amber").counts["host"] == [
            FacetCount("a.example", 1),
            FacetCount("c.example", 1),
        ]


@pytest.mark.parametrize("typed", ["amber", "amber OR basil", "fern iris", "site:example"])
def test_hits_behind_the_best_are_counted_too(tmp_path: Path, typed: str) -> None:
    """No more than a few of them were needed for the page that is shown."""
    indexed(tmp_path, varied(130)).close()
    with closing(SearchService(tmp_path, Ranking(inlink_window=5, rerank_window=5))) as search:
        results = search.search(typed, size=2, fold=False, choice=COUNTED)
        assert results.total > 20
        assert results.facets
        assert sum(hits for _, hits in results.facets.counts["host"]) == results.total


def test_very_many_hits_are_guessed_from_the_best(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.index.searching.facets.SMALL", 10)
    monkeypatch.setattr("engine.index.searching.facets.COUNTED", 50)
    pages = [
        page(f"http://{'aab'[number % 3]}.example/{number}", "amber " * number) for number in range(1, 91)
    ]
    indexed(tmp_path, pages).close()
    with closing(SearchService(tmp_path, Ranking(inlink_window=5, rerank_window=5))) as search:
        found = counts_of(search, "amber")
        assert not found.exact
        (a, hits_a), (b, hits_b) = found.counts["host"]
        assert (a, b) == ("a.example", "b.example")
        assert 85 <= hits_a + hits_b <= 95
        assert 50 <= hits_a <= 70


MALFORMED = [
    ("host", "a b"),
    ("host", "a.example/x"),
    ("lang", "english"),
    ("type", "exe"),
    ("after", "soon"),
]


@pytest.mark.parametrize(("field", "value"), MALFORMED)
def test_a_malformed_choice_leaves_nothing(search: SearchService, field: str, value: str) -> None:
    assert CHOICES[field](value) == ()
    assert search.search("amber", choice=NO_FILTERS.with_value(field, value)).total == 0


def test_a_pin_comes_first_only_where_it_was_not_left_out(tmp_path: Path) -> None:
    pages = [page(f"http://{host}.example/", "amber") for host in "abc"]
    (tmp_path / pins.FILE).write_text("amber\thttp://c.example/\n", encoding="utf-8")
    with closing(indexed(tmp_path, pages)) as search:
        by_choice = {
            choice: [hit.url[7] for hit in every(search, "amber", choice)]
            for choice in (NO_FILTERS, SearchFilters(host="b.example"), SearchFilters(sort=Sort.DATE))
        }
    assert list(by_choice.values()) == [["c", "a", "b"], ["b"], ["a", "b", "c"]]


def test_a_chosen_host_is_not_folded(tmp_path: Path) -> None:
    pages = [page(f"http://{host}.example/{number}", "amber") for host in "abc" for number in range(3)]
    with closing(indexed(tmp_path, pages)) as search:
        assert len(search.search("amber").hits) == 6
        assert len(search.search("amber", choice=SearchFilters(host="a.example")).hits) == 3


def test_the_shape() -> None:
    found = Facets({"host": [FacetCount("a.example", 3)]}, exact=False)
    assert found.as_object() == {"exact": False, "host": [{"value": "a.example", "hits": 3}]}
    assert datetime.fromtimestamp(1_700_000_000, UTC).date() == TODAY
