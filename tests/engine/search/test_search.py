"""From what is typed to a page of hits, while the index changes."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError, IndexMissing
from engine.index.indexing.follow import Follower
from engine.index.indexing.rebuild import rebuild_index
from engine.model.note import Note, NoteKind
from engine.model.page import Link, Page, Results
from engine.ranking import FieldRanking, Ranking
from engine.search import search as search_module
from engine.search.search import MAX_SIZE, SearchService
from tests.engine.generations.folders import in_folder
from tests.engine.index.source import WORDS, Memory, corpus, page

PAUSE = 0.002  # seconds, in which the follower has its turn: here it is in the same process


def found(data_dir: Path, pages: Sequence[Page], typed: str, ranking: Ranking | None = None) -> Results:
    """The answer over these pages alone."""
    Follower(Memory(*pages), data_dir).catch_up()
    with closing(SearchService(data_dir, ranking)) as search:
        return search.search(typed)


def urls(results: Results) -> list[str]:
    return [hit.url for hit in results.hits]


@pytest.fixture(scope="module")
def search(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchService]:
    folder = tmp_path_factory.mktemp("corpus")
    Follower(Memory(*corpus(130)), folder).catch_up()
    with closing(SearchService(folder)) as search:
        yield search


def test_before_anything_was_published_the_index_is_missing(tmp_path: Path) -> None:
    with closing(SearchService(tmp_path)) as search, pytest.raises(IndexMissing):
        search.search("amber")


@pytest.mark.folder
def test_an_index_that_lost_its_files_is_our_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generation = in_folder(rebuild_index(Memory(page("http://a.example/")), tmp_path))
    generation.path.rename(tmp_path / "elsewhere")
    monkeypatch.setattr(search_module, "RETRY_SECONDS", 0.0)
    with closing(SearchService(tmp_path)) as search, pytest.raises(EngineError, match="scrapy rebuild"):
        search.count_documents()


def test_an_empty_index_has_no_answers(tmp_path: Path) -> None:
    results = found(tmp_path, [], "amber -basil")
    assert (results.total, list(results.hits), results.notes) == (0, [], ())


@pytest.mark.requirement(294)
def test_a_hit_says_what_it_is_and_when_it_was_fetched(tmp_path: Path) -> None:
    shown = page("http://a.example/", "The amber room.", title="Rooms", language="en")
    linking = page("http://b.example/", links=[Link(shown.url, "elsewhere")])
    (hit,) = found(tmp_path, [shown, linking], "amber").hits
    assert (hit.url, hit.title, hit.language, hit.inlinks) == (shown.url, "Rooms", "en", 1)
    assert (hit.snippet, hit.marks) == ("The amber room.", ((4, 9),))
    assert hit.fetched_at == "2023-11-14T22:13:21+00:00"


@pytest.mark.requirement(299)
def test_title_and_frequency_rank_higher(tmp_path: Path) -> None:
    much = page("http://z.example/", "amber is amber, and amber it stays", title="amber")
    little = page("http://a.example/", "one stone of amber among many other stones", title="stones")
    assert urls(found(tmp_path, [little, much], "amber")) == [much.url, little.url]


@pytest.mark.requirement(302)
def test_stuffing_does_not_win(tmp_path: Path) -> None:
    normal = page("http://z.example/", "amber rooms, and what they are made of", title="amber rooms")
    stuffed = page("http://a.example/", "amber " * 1000)
    others = [page(f"http://{n}.example/", "what rooms are made of") for n in range(8)]
    assert urls(found(tmp_path, [stuffed, normal, *others], "amber"))[0] == normal.url


ROOMS = "amber rooms, and what they are made of"


@pytest.mark.requirement(221, 223)
@pytest.mark.parametrize(
    ("weight", "total", "why"),
    [
        (0.1, 1, "requirement 221"),
        # What a cluster has weighed a term with, it counts until the next rebuild.
        pytest.param(0.0, 0, "requirement 223: weight 0 disables", marks=pytest.mark.folder),
    ],
)
def test_a_word_that_stands_only_in_the_keywords(tmp_path: Path, weight: float, total: int, why: str) -> None:
    rebuild_index(Memory(replace(page("http://a.example/", ROOMS), keywords="succinite, resin")), tmp_path)
    ranking = Ranking(keywords=FieldRanking(weight, 0.5))
    with closing(SearchService(tmp_path, ranking)) as search:
        assert search.search("Succinite").total == total, why


@pytest.mark.requirement(300)
def test_a_text_longer_than_four_times_the_mean_is_not_worse_for_it(tmp_path: Path) -> None:
    """A longer one has more subjects; up to there it has more words for one."""
    lengths = {"short": 3, "long": 30, "longer": 300, "longest": 600}
    judged = [page(f"http://{n}.example/", "amber " + "ox " * length) for n, length in lengths.items()]
    others = [page(f"http://other.example/{n}", "nothing at all") for n in range(100)]
    scores = {hit.url: hit.score for hit in found(tmp_path, [*judged, *others], "amber").hits}
    short, long, longer, longest = (scores[one.url] for one in judged)
    assert short > long > longer == longest


@pytest.mark.requirement(303)
def test_keywords_do_not_lift_a_page(tmp_path: Path) -> None:
    honest = page("http://z.example/", ROOMS)
    listed = replace(page("http://a.example/", "nothing at all"), keywords="amber, amber rooms, amber room")
    assert urls(found(tmp_path, [listed, honest], "amber")) == [honest.url, listed.url]


def _linked(target: str, sources: Sequence[str]) -> list[Page]:
    return [page(source, links=[Link(target, "")]) for source in sources]


EQUAL = [page("http://a.example/same", "amber"), page("http://z.example/same", "amber")]
A, Z = (one.url for one in EQUAL)

LINKED = [
    ([f"http://{n}.example/" for n in range(10)], ["http://one.example/"], "ten hosts against one"),
    (
        [f"http://{n}.example/" for n in range(10)],
        [f"http://one.example/{n}" for n in range(100)],
        "301: host mode",
    ),
    (
        [f"http://one.example/{n}" for n in range(10)],
        ["http://one.example/"],
        "ten pages against one of a host",
    ),
]


@pytest.mark.requirement(300)
@pytest.mark.parametrize(("more", "fewer", "why"), LINKED)
def test_inbound_links_rank_higher(tmp_path: Path, more: list[str], fewer: list[str], why: str) -> None:
    pages = [*EQUAL, *_linked(Z, more), *_linked(A, [f"{source}?" for source in fewer])]
    assert urls(found(tmp_path, pages, "amber")) == [Z, A], why


@pytest.mark.requirement(300)
def test_weight_0_leaves_a_tie_in_order_of_url(tmp_path: Path) -> None:
    pages = [*EQUAL, *_linked(Z, [f"http://{n}.example/" for n in range(10)])]
    results = found(tmp_path, pages, "amber", Ranking(inlink_weight=0))
    assert urls(results) == [A, Z]
    assert results.hits[0].score == results.hits[1].score


@pytest.mark.requirement(306)
@pytest.mark.parametrize("rescored", [300, 20])
def test_pages_follow_each_other_without_gaps(tmp_path: Path, rescored: int) -> None:
    pages = [*corpus(60), *(page(f"http://{n:02}.example/", "amber", links=[Link(A, "")]) for n in range(30))]
    Follower(Memory(*pages), tmp_path).catch_up()
    with closing(SearchService(tmp_path, Ranking(inlink_window=rescored))) as search:
        whole = search.search("amber", size=MAX_SIZE, fold=False)
        pages_of_7 = [search.search("amber", page=number, size=7, fold=False) for number in range(1, 15)]
        parts = [url for one in pages_of_7 for url in urls(one)]
    assert parts == urls(whole)
    assert len(parts) == len(set(parts)) == whole.total
    scores = [hit.score for hit in whole.hits]
    assert scores == sorted(scores, reverse=True)


def test_when_no_page_has_all_words_any_will_do(search: SearchService) -> None:
    results = search.search("amber absent -pine")
    assert results.notes == (Note(NoteKind.PARTIAL_MATCHES),)
    assert results.total > 0
    assert search.search("amber cedar").notes == ()
    assert search.search("absent missing").notes == ()


WORDS_OF_THE_WORLD = [
    ("книга", "Вот книга о реке.", "ru"),
    ("كتاب", "هذا كتاب جديد.", "ar"),
    ("ﻛﺘﺎﺏ", "هذا كتاب جديد.", "ar"),
    ("کتاب", "این کتاب است.", "fa"),
    ("搜索引擎", "这是一个搜索引擎。", "zh"),
    ("książka", "To jest książka.", "pl"),
]


@pytest.mark.requirement(297)
@pytest.mark.parametrize(("typed", "text", "language"), WORDS_OF_THE_WORLD)
def test_words_of_any_alphabet_are_found(tmp_path: Path, typed: str, text: str, language: str) -> None:
    (hit,) = found(tmp_path, [page("http://a.example/", text, language=language)], typed).hits
    assert hit.marks


@settings(max_examples=60)
@given(typed=st.text() | st.lists(st.sampled_from(['"', "-", " ", "OR ", "NOT ", *WORDS])).map(" ".join))
def test_nothing_typed_can_raise(search: SearchService, typed: str) -> None:
    results = search.search(typed, page=2, size=3)
    assert len(results.hits) <= 3


@pytest.mark.parametrize(("number", "size"), [(0, 0), (-1, -1), (10**9, 10**9)])
def test_page_and_size_are_kept_in_bounds(search: SearchService, number: int, size: int) -> None:
    results = search.search("amber", page=number, size=size)
    assert results.page >= 1
    assert 1 <= results.size <= MAX_SIZE


@pytest.mark.slow
@pytest.mark.requirement(290)
def test_searches_go_on_while_the_index_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "CHECK_SECONDS", 0.0)
    source = Memory(*corpus(40))
    follower = Follower(source, tmp_path)
    follower.catch_up()
    stop, empty, failed = Event(), list[str](), list[BaseException]()

    def ask(search: SearchService, number: int) -> None:
        try:
            while not stop.wait(PAUSE):
                for word in WORDS[number % 4 :: 4]:
                    if not search.search(f"{word} OR amber").hits:
                        empty.append(word)
        except BaseException as error:
            failed.append(error)

    with closing(SearchService(tmp_path)) as search:
        threads = [Thread(target=ask, args=(search, number)) for number in range(8)]
        for thread in threads:
            thread.start()
        for round_, one in enumerate(corpus(8, seed=2)):
            source.put(one)
            source.put(corpus(40)[round_])
            follower.catch_up()
            if round_ % 3 == 2:
                rebuild_index(source, tmp_path)
        stop.set()
        for thread in threads:
            thread.join()
        assert (failed, empty) == ([], [])
        assert search.count_documents() == len(source.changes(0, 99))
