"""Answers are remembered, and are never older for that, nor mixed up."""

import tracemalloc
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from engine.index.indexing.follow import Follower
from engine.index.query.parser import parse_tree
from engine.index.reader.cache import IndexCache
from engine.model.narrowing import SearchFilters, Sort
from engine.model.note import NoteKind
from engine.model.page import Page, Results
from engine.search import hits as hits_module
from engine.search import results as results_module
from engine.search import search as search_module
from engine.search.search import SearchService
from tests.engine.index.source import WORDS, Memory, corpus, page
from tests.running import until

PAUSE = 0.002  # seconds, in which the follower has its turn: here it is in the same process
OURS = ("engine/search/hits.py", "engine/search/results.py", "engine/model/page.py")

Count = Callable[[], int]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Commits and the operator's files are looked for at every search."""
    monkeypatch.setattr(search_module, "CHECK_SECONDS", 0.0)
    monkeypatch.setattr("engine.suggest.operator_files.CHECK_SECONDS", 0.0)


def calls(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> Count:
    """How often a function was called from now on."""
    real, times = getattr(module, name), [0]

    def counting(*args: Any) -> Any:
        times[0] += 1
        return real(*args)

    monkeypatch.setattr(module, name, counting)
    return lambda: times[0]


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> Count:
    """How many answers were looked for in the index."""
    return calls(monkeypatch, results_module, "answer_query")


def urls(results: Results) -> set[str]:
    return {hit.url for hit in results.hits}


def test_what_is_asked_again_is_not_looked_for_again(tmp_path: Path, computed: Count) -> None:
    Follower(Memory(*corpus(40)), tmp_path).catch_up()
    with closing(SearchService(tmp_path)) as search:
        first, second = search.search("amber cedar"), search.search("amber cedar")
    assert computed() == 1
    assert replace(second, took_ms=first.took_ms) == first
    assert second.took_ms not in (0, first.took_ms), "how long this answer took, not the one before"


def test_partial_matches_are_announced_where_they_are_shown(tmp_path: Path) -> None:
    """Not on a page all of whose hits have every word, folded by host or not."""
    whole, some = "amber basil cedar dune ember fern", "amber basil cedar dune ember"
    pages = [page(f"http://site{n % 3}.example/{n}", whole if n < 12 else some, str(n)) for n in range(20)]
    others = [page(f"http://site{n % 3}.example/{n}", "stone") for n in range(20, 40)]
    Follower(Memory(*pages, *others), tmp_path).catch_up()
    with closing(SearchService(tmp_path)) as search:
        for fold in (True, False):
            found = [search.search(whole, number, 6, fold=fold) for number in (1, 3)]
            assert [len(results.hits) for results in found] == [6, 6]
            assert [[(n.kind, n.limit) for n in results.notes] for results in found] == [
                [],
                [(NoteKind.PARTIAL_MATCHES_AFTER, 12)],
            ], fold


ASKED: list[tuple[dict[str, Any], str]] = [
    ({"typed": "cedar amber"}, "the words in another order"),
    ({"typed": "Amber cedar"}, "the page shows what was typed"),
    ({"page": 2}, "the next page"),
    ({"size": 5}, "fewer on a page"),
    ({"fold": False}, "all hits of a host"),
    ({"choice": SearchFilters(host="site3.example")}, "one host"),
    ({"choice": SearchFilters(host="site4.example")}, "another"),
    ({"choice": SearchFilters(label="ours")}, "a label"),
    ({"choice": SearchFilters(sort=Sort.DATE)}, "the newest first"),
    ({"choice": SearchFilters(with_facets=True)}, "with facets"),
]


def test_questions_are_not_mixed_up(tmp_path: Path) -> None:
    """Asked one after the other, twice, each is answered as by a search that was asked nothing else."""
    Follower(Memory(*corpus(60)), tmp_path).catch_up()
    labels = {"ours": (parse_tree("site:site1.example", ()),)}
    asked = [({"typed": "amber cedar", **one}, why) for one, why in ASKED]
    with closing(SearchService(tmp_path, labels=labels)) as search:
        rounds = [[search.search(**one) for one, _ in asked] for _ in range(2)]
    for at, (one, why) in enumerate(asked):
        with closing(SearchService(tmp_path, labels=labels)) as alone:
            wanted = replace(alone.search(**one), took_ms=0)
        assert [replace(answers[at], took_ms=0) for answers in rounds] == [wanted] * 2, why


@pytest.mark.requirement(290)
def test_a_commit_is_seen_although_answers_are_remembered(tmp_path: Path) -> None:
    """What is new, what says something else and what is gone."""
    source = Memory(page("http://a.example/", "amber rooms"), page("http://b.example/", "amber seas"))
    follower = Follower(source, tmp_path)
    follower.catch_up()
    with closing(SearchService(tmp_path)) as search:
        assert urls(search.search("amber")) == {"http://a.example/", "http://b.example/"}
        source.put(page("http://a.example/", "amber halls"))
        source.put(page("http://c.example/", "amber"))
        source.remove("http://b.example/")
        follower.catch_up()
        found = {hit.url: hit.snippet for hit in search.search("amber").hits}
    assert found == {"http://a.example/": "amber halls", "http://c.example/": "amber"}


FILES: Mapping[str, tuple[str, str]] = {
    "pins.tsv": ("amber\thttp://far.example/\n", "http://far.example/"),
    "synonyms.tsv": ("amber\tsuccinite\n", "http://far.example/"),
}


@pytest.mark.parametrize("name", FILES)
def test_what_the_operator_writes_is_taken_up(tmp_path: Path, name: str) -> None:
    """Pins and synonyms count at once, and no more once the file is gone."""
    near, far = page("http://near.example/", "amber rooms"), page("http://far.example/", "succinite")
    Follower(Memory(near, far), tmp_path).catch_up()
    line, brought = FILES[name]
    with closing(SearchService(tmp_path)) as search:
        before = urls(search.search("amber"))
        (tmp_path / name).write_text(line, encoding="utf-8")
        written = urls(search.search("amber"))
        (tmp_path / name).unlink()
        assert [before, written, urls(search.search("amber"))] == [
            {near.url},
            {near.url, brought},
            {near.url},
        ]


def test_hits_outlive_a_commit_of_other_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the page that says something else is read again; what is said of a page and its place is new."""
    shown, other = page("http://a.example/", "amber rooms"), page("http://b.example/", "nothing")
    source = Memory(shown, other)
    follower = Follower(source, tmp_path)
    follower.catch_up()
    read = calls(monkeypatch, hits_module, "make_snippet")
    with closing(SearchService(tmp_path)) as search:
        (before,) = search.search("amber").hits
        source.put(page("http://c.example/", "something"))
        follower.step()
        (after,) = search.search("amber").hits
        assert read() == 1
        assert after.score != before.score, "a word is rarer among more pages"
        assert replace(after, score=before.score) == before
        source.put(page(shown.url, "amber halls"))
        follower.step()
        assert [hit.snippet for hit in search.search("amber").hits] == ["amber halls"]
        assert read() == 2


def test_a_new_hit_costs_one_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The others are remembered, on whichever page of hits they stand."""
    source = Memory(page("http://a.example/", "amber rooms"))
    follower = Follower(source, tmp_path)
    follower.catch_up()
    read = calls(monkeypatch, hits_module, "make_snippet")
    with closing(SearchService(tmp_path)) as search:
        search.search("amber")
        source.put(page("http://b.example/", "amber seas"))
        follower.step()
        assert {hit.snippet for hit in search.search("amber").hits} == {"amber rooms", "amber seas"}
        assert read() == 2
        second = search.search("amber", page=2, size=1)
        assert (len(second.hits), read()) == (1, 2)


def test_memory_is_bounded_and_told_as_it_is(tmp_path: Path) -> None:
    """No less is said to be taken than Python took for it."""
    Follower(Memory(*corpus(60)), tmp_path).catch_up()
    bound = 100_000
    cache = IndexCache(answers=bound)
    with closing(SearchService(tmp_path, cache=cache)) as search:
        search.search("amber")
        assert search._snapshot
        held = search._snapshot.session().answers
        typed = [f"{one} {other}" for one in WORDS[:5] for other in WORDS[:5]]
        tracemalloc.start()
        for one in typed:
            search.search(one, choice=SearchFilters(with_facets=True))
        taken = sum(
            one.size
            for one in tracemalloc.take_snapshot().statistics("filename")
            if one.traceback[0].filename.endswith(OURS)
        )
        tracemalloc.stop()
        assert bound / 2 < held.size <= bound
        assert bound / 2 < cache.hits.size <= bound
        assert taken <= held.size + cache.hits.size


@pytest.mark.slow
def test_many_threads_and_commits(tmp_path: Path) -> None:
    """An answer is of one commit, and none is older than one that was given before it was asked for."""
    source = Memory(*_state(0))
    follower = Follower(source, tmp_path)
    follower.catch_up()
    stop = Event()

    def ask(search: SearchService) -> list[set[str]]:
        seen = []
        while not stop.wait(PAUSE):
            seen.append(_said(search))
        return seen

    with closing(SearchService(tmp_path)) as search, ThreadPoolExecutor(6) as threads:
        asked = [threads.submit(ask, search) for _ in range(6)]
        try:
            for state in range(1, 12):
                for one in _state(state):
                    source.put(one)
                follower.step()
                until(lambda: _said(search) == {f"amber {state:02}"}, "what was committed")  # noqa: B023
        finally:
            stop.set()
        for thread in asked:
            texts = [min(text) for text in thread.result() if len(text) == 1]
            assert len(texts) == len(thread.result()), "an answer is of one commit"
            assert texts == sorted(texts)


def _said(search: SearchService) -> set[str]:
    return {hit.snippet for hit in search.search("amber").hits}


def _state(number: int) -> list[Page]:
    return [page(f"http://{name}.example/", f"amber {number:02}") for name in "abcd"]
