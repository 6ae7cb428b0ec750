"""Why a page stands where it does: the parts of its score add up to what the search gives."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.index.indexing.follow import Follower
from engine.index.searching.score_explanation import ScoreExplanation
from engine.index.searching.url_explanation import RankExplanation
from engine.model.note import NoteKind
from engine.model.page import Flag, Link, Page
from engine.ranking import FieldRanking, Ranking, idf, saturate
from engine.search.search import SearchService
from engine.suggest import pins, synonyms
from tests.engine.index.source import WORDS, Memory, corpus, page

CLOSE: dict[str, Any] = {"abs": 1e-3, "rel": 1e-5}
QUERIES = [
    ("amber", "a word"),
    ("amber basil", "two"),
    ("amber basil cedar dune olive pine", "some of which most pages miss"),
    ('"amber basil"', "a phrase"),
    ('"amber basil" cedar dune', "a phrase that must be there, and words that need not"),
    ("amber OR olive", "either"),
    ("(amber OR olive) pine", "either, and another"),
    ("amb*", "a beginning"),
    ("intitle:amber basil", "a word of the title"),
    ("site:site1.example", "a filter alone"),
    ("amber site:site1.example", "and with a word"),
    ("amber -basil", "what is not wanted"),
    ("amber-basil cedar", "a compound"),
    ("which amber is the basil of cedar", "a sentence with little words"),
    ("amber nowhere", "what no page has"),
]


PAGES = corpus(220)
GONE = range(60, 70)


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchService]:
    """Some hundred pages in several segments, some of them deleted, some with nothing to say."""
    folder = tmp_path_factory.mktemp("account")
    pages = list(PAGES)
    pages[:6] = [replace(one, flag=Flag.UA_ERROR) for one in pages[:6]]
    store = Memory(*pages[:150])
    Follower(store, folder).catch_up()
    for one in pages[150:]:
        store.put(one)
    for one in pages[GONE.start : GONE.stop]:
        store.remove(one.url)
    Follower(store, folder).catch_up()
    (folder / synonyms.FILE).write_text("kelp\tlotus\nmaple\tnorth olive\n")
    (folder / pins.FILE).write_text(f"amber\t{pages[20].url}\namber\t{pages[21].url}\n")
    with closing(SearchService(folder)) as search:
        yield search


def explained(search: SearchService, url: str, typed: str) -> RankExplanation:
    rank = search.explain(url, typed)
    assert rank
    return rank


def check(one: ScoreExplanation) -> None:
    """The parts add up, and those of each word do."""
    assert one.score == pytest.approx(one.text + sum(one.gains.values()) + one.inlink_boost, **CLOSE)
    if one.matched:
        added = sum(part.score for part in one.clauses) * one.page_factor - sum(
            part.penalty for part in one.clauses
        )
        assert one.text == pytest.approx(added, **CLOSE)
    for word in (word for part in one.clauses for word in part.words):
        weight = float(np.float32(word.weight))
        score = word.idf * float(saturate(np.array([weight], np.float32), Ranking().k1)[0])
        assert word.score == pytest.approx(score, **CLOSE)
        assert (word.score > 0) == bool(word.terms)


@pytest.mark.requirement(309)
@pytest.mark.parametrize(("typed", "why"), QUERIES)
def test_the_parts_add_up_to_what_the_search_gives(search: SearchService, typed: str, why: str) -> None:
    """For each hit, its score and its place."""
    results = search.search(typed, size=100, fold=False)
    places = range(0, len(results.hits), 7)
    assert places, why
    for place in places:
        hit = results.hits[place]
        rank = explained(search, hit.url, typed)
        check(rank.explanation)
        assert rank.explanation.score == pytest.approx(hit.score, **CLOSE), why
        assert (rank.uncollapsed_rank, rank.pinned) == (place + 1, hit.pinned), why


@pytest.mark.requirement(309)
@pytest.mark.parametrize("typed", ["amber", "basil cedar", "amber site:site1.example"])
def test_the_place_on_the_pages_of_hits(search: SearchService, typed: str) -> None:
    """As a person finds it, where hits of one host are folded."""
    for number in (1, 2, 3):
        results = search.search(typed, number)
        first = (number - 1) * results.size + 1
        places = [explained(search, hit.url, typed).rank for hit in results.hits]
        assert places == list(range(first, first + len(places)))


@pytest.mark.requirement(309)
@given(
    typed=st.lists(st.sampled_from([*WORDS, "OR", '"', "ke*", "-amber"]), min_size=1, max_size=6),
    number=st.integers(0, 219),
)
@settings(max_examples=60, deadline=None)
def test_whatever_is_asked_of_whichever_page(search: SearchService, typed: list[str], number: int) -> None:
    """A page that is not found has something missing, or against it."""
    rank = search.explain(PAGES[number].url, " ".join(typed))
    if rank is None:
        assert number in GONE
        return
    check(rank.explanation)
    assert (
        rank.explanation.matched
        or rank.explanation.missing
        or rank.explanation.excluded_by
        or not rank.explanation.clauses
    )
    assert rank.rank > 0 or not rank.explanation.matched


def one_of(folder: Path, pages: list[Page], typed: str, ranking: Ranking | None = None) -> ScoreExplanation:
    """The account of the first page."""
    Follower(Memory(*pages), folder).catch_up()
    with closing(SearchService(folder, ranking)) as search:
        return explained(search, pages[0].url, typed).explanation


OTHERS = [page(f"http://{n}.example/", "A page about rooms and what they are made of.") for n in range(8)]
ELSEWHERE = page("http://x.example/", "amber and nothing else")


@pytest.mark.requirement(299, 309)
def test_what_a_word_weighs_in_each_text(tmp_path: Path) -> None:
    """By the formula, written out."""
    one = page("http://z.example/", "amber rooms, and more amber", title="The amber room")
    ranking = Ranking(
        title=FieldRanking(8.0, 0.0), subject=FieldRanking(3.0, 0.0), body=FieldRanking(2.0, 0.0)
    )
    (part,) = one_of(tmp_path, [one, *OTHERS], "amber", ranking).clauses
    (word,) = part.words
    stands = [(stand.field, stand.frequency, stand.length, round(stand.weight, 3)) for stand in word.terms]
    assert stands == [("title", 1, 3, 8.0), ("body", 2, 5, 4.0), ("subject", 1, 3, 3.0)]
    assert (word.document_frequency, word.own_document_frequency) == (1, 1)
    assert word.idf == pytest.approx(idf(9, 1))
    assert word.score == part.score == pytest.approx(idf(9, 1) * 2.4 * 15 / (1.4 + 15), **CLOSE)


NOT_FOUND = [
    ("amber -rooms", (), ("rooms",), "what is not wanted stands there"),
    ("amber site:elsewhere.example", (), ("site:elsewhere.example",), "a filter"),
    ('"rooms amber"', ('"rooms amber"',), (), "its words do not stand side by side"),
    ("olive OR pine", ("olive", "pine"), (), "either would have been enough"),
    ("olive", ("olive",), (), "the word is missing"),
]


@pytest.mark.requirement(309)
@pytest.mark.parametrize(("typed", "missing", "against", "why"), NOT_FOUND)
def test_why_a_page_is_not_found(
    tmp_path: Path, typed: str, missing: tuple[str, ...], against: tuple[str, ...], why: str
) -> None:
    one = page("http://z.example/", "amber rooms, and more amber", language="en")
    account = one_of(
        tmp_path, [one, page("http://y.example/", "olive pine, rooms amber"), ELSEWHERE, *OTHERS], typed
    )
    assert (account.matched, account.score, account.rank) == (False, 0.0, 0), why
    assert set(missing) <= set(account.missing), why
    assert account.excluded_by == against, why


@pytest.mark.requirement(300, 309)
def test_what_links_and_words_near_each_other_add(tmp_path: Path) -> None:
    """The same page without each of them."""
    one = page("http://z.example/", "many amber rooms there")
    linking = [page(f"http://l{n}.example/", "I like it.", links=[Link(one.url, "")]) for n in range(4)]
    full = one_of(tmp_path / "full", [one, *linking, *OTHERS], "amber rooms")
    weightless = Ranking(
        inlink_weight=0.0, proximity=0.0, exact_form=0.0, title_coverage=0.0, heading_coverage=0.0
    )
    text = one_of(tmp_path / "text", [one, *linking, *OTHERS], "amber rooms", weightless)
    assert min(full.gains["proximity"], full.gains["exact_form"], full.inlink_boost, full.votes) > 0
    assert (*text.gains.values(), text.inlink_boost) == (0, 0, 0, 0, 0)
    assert text.score == pytest.approx(full.text, **CLOSE)


@pytest.mark.requirement(85, 309)
def test_a_page_with_nothing_to_say_keeps_a_share(tmp_path: Path) -> None:
    flagged = replace(page("http://z.example/", title="amber"), flag=Flag.PARKED)
    one = one_of(tmp_path, [flagged, *OTHERS], "amber")
    assert (one.page_factor, one.inlink_boost) == (Ranking().flagged, 0)
    assert one.text == pytest.approx(one.clauses[0].score * Ranking().flagged, **CLOSE)


@pytest.mark.requirement(299, 309)
def test_what_a_missing_word_costs(tmp_path: Path) -> None:
    """What is lost is told beside the word."""
    one = page("http://z.example/", "amber basil dune", title="amber basil")
    account = one_of(tmp_path, [one, page("http://y.example/", "cedar"), *OTHERS * 2], "amber basil cedar")
    lost = {part.text: part.penalty for part in account.clauses}
    assert (lost["amber"], lost["basil"]) == (0, 0)
    assert lost["cedar"] == pytest.approx(Ranking().missing * idf(10, 1), **CLOSE)
    assert account.missing == ("cedar",)


@pytest.mark.requirement(309)
def test_a_synonym_and_a_pin_are_told(search: SearchService) -> None:
    """What stands there instead of the word, with its share; and a pin."""
    hits = search.search("kelp", size=100).hits
    every = [explained(search, hit.url, "kelp") for hit in hits]
    shares = {stand.boost for rank in every for stand in rank.explanation.clauses[0].words[0].terms}
    assert shares == {1.0, Ranking().variant}
    second = explained(search, PAGES[21].url, "amber")
    assert (second.rank, second.pinned) == (2, True)
    assert not explained(search, PAGES[21].url, "amber basil").pinned


@pytest.mark.requirement(296)
def test_how_the_query_was_read_is_told(search: SearchService) -> None:
    (note,) = explained(search, PAGES[20].url, "amber nowhere").notes
    assert note.kind is NoteKind.PARTIAL_MATCHES


@pytest.mark.requirement(296, 309)
def test_what_is_not_wanted_does_no_harm_in_a_menu(tmp_path: Path) -> None:
    """Such a page is found, and nothing is said against it."""
    one = replace(page("http://z.example/", "amber", language="en"), rest="rooms")
    account = one_of(tmp_path, [one, *OTHERS], "amber -rooms")
    assert (account.matched, account.excluded_by) == (True, ())
