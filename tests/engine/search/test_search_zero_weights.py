"""Every key of [ranking] may be 0: its signal is off, and what is found keeps an order."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path

import pytest

from engine.index.indexing.rebuild import rebuild_index
from engine.model.page import Flag
from engine.ranking import FIXED, FieldRanking, Ranking
from engine.search.search import MAX_SIZE, SearchService
from engine.suggest import synonyms
from tests.engine.index.source import Memory, corpus, page

pytestmark = pytest.mark.requirement(305)

USUAL = Ranking()
KEYS = [one.name for one in fields(Ranking) if one.name not in FIXED]
TEXTS = [name for name in KEYS if isinstance(getattr(USUAL, name), FieldRanking)]


def without(ranking: Ranking, *keys: str) -> Ranking:
    """The ranking with these keys, as crawl.toml names them, at 0."""
    for key in keys:
        name = key.removesuffix("_b")
        value = getattr(ranking, name)
        if isinstance(value, FieldRanking):
            value = replace(value, b=0.0) if key != name else replace(value, weight=0.0)
        else:
            value = 0.0
        ranking = replace(ranking, **{name: value})
    return ranking


SLOPES = [f"{name}_b" for name in TEXTS]
RANKINGS = {
    **{key: without(USUAL, key) for key in (*KEYS, *SLOPES)},
    "every weight": without(USUAL, *KEYS),
    "every weight and slope": without(USUAL, *KEYS, *SLOPES),
}

SENTENCES = [
    "to be or not to be is what we ask of the amber basil",
    "the quick amber is in the cedar of a dune",
    "what is the amber of the basil like",
]

TYPED = [
    ("amber", "a word"),
    ("amber basil", "two words"),
    ("amber basil cedar dune grove zzz", "words that no page has together"),
    ("what is the amber of the basil", "a sentence with stop words"),
    ("to be or not to be", "stop words alone"),
    ("the OR of OR is OR amber OR basil", "stop words as alternatives"),
    ('"amber basil"', "a phrase"),
    ('"of the" amber basil and cedar in it', "a phrase of stop words"),
    ("amber -basil", "a word left out"),
    ("amber OR basil", "either word"),
    ("amb* basil", "a prefix"),
    ("amber-basil", "a compound"),
    ("żmber ember", "a variant"),
    ("intitle:amber basil", "a text"),
    ("site:site1.example", "a filter alone"),
    ("amber site:site1.example", "a filter"),
    ("iris of the maple", "words with synonyms"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("zero")
    said = [
        page(f"http://q{n}.example/", text, "of the amber", language="en") for n, text in enumerate(SENTENCES)
    ]
    rebuild_index(
        Memory(*corpus(60), *said, replace(said[0], url="http://f.example/", flag=Flag.DENIED)), folder
    )
    (folder / synonyms.FILE).write_text("iris\tember\nmaple\tjade\tbasil of cedar\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module", params=RANKINGS)
def search(folder: Path, request: pytest.FixtureRequest) -> Iterator[SearchService]:
    with closing(SearchService(folder, RANKINGS[request.param])) as search:
        yield search


@pytest.mark.slow
@pytest.mark.parametrize(("typed", "why"), TYPED)
def test_what_is_found_keeps_an_order(search: SearchService, typed: str, why: str) -> None:
    every = search.search(typed, 1, MAX_SIZE, fold=False)
    order = [(-hit.score, hit.url) for hit in every.hits]
    assert order == sorted(order), why
    assert len({hit.url for hit in every.hits}) == min(every.total, MAX_SIZE), why
    parts = [search.search(typed, number, 20, fold=False).hits for number in range(1, 6)]
    assert [hit.url for part in parts for hit in part] == [hit.url for hit in every.hits], why
    for hit in every.hits[:1]:
        explained = search.explain(hit.url, typed)
        assert explained is not None, why
        assert explained.explanation.score == pytest.approx(hit.score), why


def test_votes_of_no_pivot_are_whole(tmp_path: Path) -> None:
    ranking = without(USUAL, "same_domain_pivot", "other_domain_pivot")
    rebuild_index(Memory(*corpus(30)), tmp_path, ranking=ranking)
    with closing(SearchService(tmp_path, ranking)) as search:
        assert search.search("amber").total


@pytest.mark.parametrize("share", [0.1, 0.0])
def test_stop_words_of_no_weight_move_nothing(tmp_path: Path, share: float) -> None:
    plain = page("http://a.example/", "amber basil and other stones that lie here", language="en")
    wordy = page("http://z.example/", "amber basil, what is it, of the stones of the sea", language="en")
    rebuild_index(Memory(plain, wordy), tmp_path)
    same_length = without(USUAL, "body_b", "proximity")
    with closing(SearchService(tmp_path, replace(same_length, stopword=share))) as search:
        first, second = search.search("what is the amber of the basil").hits
    assert (first.score > second.score) == bool(share)
