"""A page of results is the same from a folder and from a cluster: hits, snippets, totals, facets, notes."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import product

import pytest

from engine.index.cluster_searching.asking import CANDIDATES
from engine.index.searching.snapshot import OpenIndex
from engine.model.narrowing import SearchFilters, Sort
from engine.model.page import Results
from engine.search.rank import explain_rank
from engine.search.results import ResultsRequest, make_results
from engine.suggest import synonyms
from tests.engine.search.varied import COUNT, LABELS, MANUAL, PAGES, Two, open_two

pytestmark = [pytest.mark.opensearch, pytest.mark.slow]
TODAY = date(2023, 11, 14)
FACETS = SearchFilters(with_facets=True)
NARROWED = {
    "one host": SearchFilters(host="site2.example", with_facets=True),
    "a language": SearchFilters(lang="pl", with_facets=True),
    "a type": SearchFilters(type="pdf", with_facets=True),
    "since a day": SearchFilters(after="2023-05-01", with_facets=True),
    "a label": SearchFilters(label="Manuals", with_facets=True),
    "several": SearchFilters(lang="en", type="html", label="Second", with_facets=True),
    "an unknown label": SearchFilters(label="absent", with_facets=True),
    "malformed": SearchFilters(after="yesterday", with_facets=True),
    "by date": SearchFilters(sort=Sort.DATE, with_facets=True),
    "a language by date": SearchFilters(lang="de", sort=Sort.DATE, with_facets=True),
}
TYPED = [
    ("heath", "a word"),
    ("amber", "a word that most pages have"),
    ("olive pine", "words, of which some documents miss one"),
    ("pine maple kelp", "three"),
    ("amber absent", "a word that nobody has"),
    ("olive pine maple kelp north lotus", "six, of which many documents miss one"),
    ("absent nowhere", "nobody has any"),
    ('"pine olive"', "a phrase"),
    ('"lotus"', "a word as it is typed"),
    ("rebas*", "a prefix"),
    ("olive ceda*", "a prefix beside a word"),
    ("lotus (kelp OR -maple)", "without another, within a group"),
    ("lotus -maple", "without another"),
    ("north site:site2.example", "of one site, which is not folded"),
    ("site:site5.example", "a site alone"),
    ("site:https://manual.example", "an address alone"),
    ("lang:de", "a language alone"),
    ("filetype:pdf olive", "a type"),
    ("olive before:2023-06 after:2023-01", "a span of days"),
    ("intitle:olive", "in the title"),
    ("inurl:jade", "in the address"),
    (f"link:{MANUAL}", "nobody links there"),
    ("link:said0.example/0", "one links there"),
    ("kelp OR lotus OR maple", "any of three"),
    ("git-rebase todo", "a word of parts"),
    ("Bäume im Wald", "letters with accents"),
    ("what is the event loop of all", "a sentence, whose little words count less"),
    ("asyncio.Queue", "a name"),
    ("manual of lotus", "the name of a page, which has main sections"),
    ("AND", "an operator that is a word"),
    ("-amber", "nothing but what is not wanted"),
    ("", "nothing"),
]


@pytest.fixture(scope="module", params=[1, 4], ids=["one shard", "four shards"])
def two(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, opensearch_node: str
) -> Iterator[Two]:
    index = f"two{request.param}"
    with open_two(tmp_path_factory.mktemp(index), opensearch_node, index, request.param) as opened:
        yield opened


def ask(typed: str, choice: SearchFilters = FACETS, page: int = 1, *pinned: str) -> ResultsRequest:
    return ResultsRequest(typed, page, 10, True, choice, synonyms.NONE, pinned, TODAY, LABELS)


def answer(index: OpenIndex, question: ResultsRequest) -> tuple[Results, list[float]]:
    """The results without what is suggested, and without scores, which are rounded differently."""
    found = make_results(index.session(), question)
    hits = [replace(hit, score=0.0) for hit in found.hits]
    return replace(found, hits=hits, did_you_mean="", sites={}), [hit.score for hit in found.hits]


def assert_alike(two: Two, question: ResultsRequest, why: object) -> Results:
    (expected, scores), (found, ours) = (answer(index, question) for index in two)
    assert [hit.url for hit in found.hits] == [hit.url for hit in expected.hits], why
    assert found == expected, why
    assert ours == pytest.approx(scores, rel=1e-4), why
    return found


@pytest.mark.parametrize(("typed", "why"), TYPED, ids=[why for _, why in TYPED])
def test_pages_of_hits(two: Two, typed: str, why: str) -> None:
    for page in (1, 2, 3):
        assert_alike(two, ask(typed, FACETS, page), (why, page))


@pytest.mark.parametrize("chosen", NARROWED)
def test_what_is_chosen_narrows(two: Two, chosen: str) -> None:
    for typed, page in product(
        ("olive", "olive pine", "pine maple kelp", "lang:en", "lotus OR kelp"), (1, 2)
    ):
        assert_alike(two, ask(typed, NARROWED[chosen], page), (typed, page))


@pytest.mark.parametrize("typed", ["amber", "site:example", "lotus OR kelp OR maple", "amber absent"])
def test_more_by_date_than_are_ranked(two: Two, typed: str) -> None:
    """Those that have nothing to say come last, behind all that are."""
    for page in (1, 2, 9):
        assert_alike(two, ask(typed, NARROWED["by date"], page), (typed, page))
    pages = [assert_same_hits(two, ask(typed, NARROWED["by date"], page)) for page in range(20, 34)]
    every = [url for urls in pages for url in urls]
    assert len(every) == len(set(every)), "none comes twice"


def assert_same_hits(two: Two, question: ResultsRequest) -> list[str]:
    """Asserts that as many hits are there, of days as late; returns them."""
    (expected, _), (found, _) = (answer(index, question) for index in two)
    assert [hit.date for hit in found.hits] == [hit.date for hit in expected.hits]
    return [hit.url for hit in found.hits]


def test_the_corpus_is_varied(two: Two) -> None:
    """So that what is compared is not nothing with nothing."""
    found = assert_alike(two, ask("amber OR lotus"), "many")
    assert found.total > COUNT / 3
    assert found.facets
    assert all(len(found.facets.counts[field]) > 1 for field in ("host", "lang", "type", "after", "label"))
    assert any(hit.more_from_host for hit in found.hits)
    named = assert_alike(two, ask("manual of lotus"), "a name").hits[0]
    assert (len(named.sitelinks), named.copies) == (3, 3)


PINNED = [
    ("olive", [MANUAL], "that the query does not find"),
    ("olive", [PAGES[7].url, PAGES[11].url], "of which it finds some"),
    ("olive pine", [PAGES[7].url, MANUAL], "some have both words"),
    ("olive", ["http://absent.example/"], "that nobody has"),
    ("", [MANUAL], "for nothing"),
]


@pytest.mark.parametrize(("typed", "pinned", "why"), PINNED, ids=[why for *_, why in PINNED])
def test_pinned_pages_come_first(two: Two, typed: str, pinned: list[str], why: str) -> None:
    for choice, page in product((FACETS, NARROWED["a language"], NARROWED["by date"]), (1, 2)):
        assert_alike(two, ask(typed, choice, page, *pinned), (why, page))


EXPLAINED = [
    "olive",
    "olive pine",
    "pine maple kelp",
    "kelp OR lotus",
    "olive -pine",
    "olive lang:pl",
    "lang:pl",
]


@pytest.mark.parametrize("typed", EXPLAINED)
def test_ranks_are_explained_alike(two: Two, typed: str) -> None:
    for url in [one.url for one in PAGES[::40]]:
        expected, found = (
            explain_rank(index.session(), url, typed, [PAGES[3].url], synonyms.NONE) for index in two
        )
        assert expected
        assert found
        if expected.uncollapsed_rank > CANDIDATES / 2:  # of the last candidates some are others
            assert found.uncollapsed_rank > CANDIDATES / 2, (typed, url)
            found = replace(found, rank=expected.rank, uncollapsed_rank=expected.uncollapsed_rank)
        assert_same_numbers(found.as_object(), expected.as_object(), (typed, url))


def assert_same_numbers(found: object, expected: object, where: object) -> None:
    """Asserts that two objects are equal but for rounding."""
    if isinstance(expected, dict):
        assert isinstance(found, dict)
        assert list(found) == list(expected), where
        for name, value in expected.items():
            assert_same_numbers(found[name], value, (where, name))
    elif isinstance(expected, list | tuple):
        assert isinstance(found, list | tuple)
        assert len(found) == len(expected), where
        for at, value in enumerate(expected):
            assert_same_numbers(found[at], value, (where, at))
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-4, abs=1e-5), where
    else:
        assert found == expected, where
