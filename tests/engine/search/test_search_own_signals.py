"""Signals of the operator's own: what they move, by how much, and what they must not."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from engine.index.documents import own_signals
from engine.index.indexing.rebuild import rebuild_index
from engine.model.page import Flag, Page
from engine.ranking import Ranking, dump_ranking, load_ranking
from engine.search.search import MAX_SIZE, SearchService
from tests.engine.index.source import Memory, corpus, page

TEXT = "amber basil and other stones that lie here"
PAGES = [page(f"http://{name}.example/{name}", f"{TEXT} {name}") for name in ("first", "middle", "last")]
VALUES = {"middle": 0.5, "last": 1.0}


def own(page: Page) -> float:
    """Knows a page by the end of its URL."""
    return VALUES.get(page.url.rpartition("/")[2], 0.0)


@pytest.fixture(autouse=True)
def offered(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("own", f"{__name__}:own", own_signals.GROUP)
    monkeypatch.setattr(own_signals, "entry_points", lambda group, name: [entry] if name == "own" else [])


def weighed(weight: float) -> Ranking:
    return Ranking(signals=(("own", weight),))


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., SearchService]:
    def build(*pages: Page, weight: float) -> SearchService:
        rebuild_index(Memory(*pages), tmp_path, ranking=weighed(1.0))
        return SearchService(tmp_path, weighed(weight))

    return build


@pytest.mark.parametrize("weight", [0.0, 0.5, 4.0])
def test_a_page_gains_weight_times_signal(build: Callable[..., SearchService], weight: float) -> None:
    """Another weight than that of the rebuild counts at once."""
    with closing(build(*PAGES, weight=weight)) as search, closing(build(*PAGES, weight=0.0)) as plain:
        scores, usual = (
            {hit.url.rpartition("/")[2]: hit.score for hit in one.search("amber").hits}
            for one in (search, plain)
        )
        for name in ("first", "middle", "last"):
            gain = weight * VALUES.get(name, 0.0)
            assert scores[name] - usual[name] == pytest.approx(gain, abs=1e-4)
            explained = search.explain(f"http://{name}.example/{name}", "amber")
            assert explained is not None
            assert explained.explanation.score == pytest.approx(scores[name], abs=1e-4)
            told = explained.explanation.signals
            assert told == ({"own": pytest.approx(gain)} if weight else {})


def test_a_page_that_has_nothing_to_say_gains_nothing(build: Callable[..., SearchService]) -> None:
    flagged = replace(PAGES[2], flag=Flag.DENIED)
    with closing(build(*PAGES[:2], flagged, weight=9.0)) as search:
        explained = search.explain(flagged.url, "last")
        assert explained is not None
        assert explained.explanation.signals == {"own": 0.0}


def test_only_the_best_texts_are_moved(tmp_path: Path) -> None:
    """As by inlinks: a signal does not lift what is hardly about the words."""
    about = [page(f"http://about{n}.example/about{n}", f"{TEXT} {n}", "Amber") for n in range(3)]
    rebuild_index(Memory(*about, PAGES[2]), tmp_path, ranking=weighed(1.0))
    for window, first in ((3, "about"), (4, "last")):
        ranking = replace(weighed(90.0), inlink_window=window)
        with closing(SearchService(tmp_path, ranking)) as search:
            assert search.search("amber").hits[0].url.startswith(f"http://{first}"), window


def test_the_order_is_the_same_page_by_page(build: Callable[..., SearchService]) -> None:
    with closing(build(*corpus(150), *PAGES, weight=3.0)) as search:
        every = search.search("amber", 1, MAX_SIZE, fold=False)
        parts = [search.search("amber", number, 20, fold=False).hits for number in range(1, 6)]
        found = [hit.url for part in parts for hit in part]
        assert found == [hit.url for hit in every.hits][: len(found)]
        assert len(found) > 20


def test_a_page_that_changes_changes_its_signal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = Memory(*PAGES)
    rebuild_index(source, tmp_path, ranking=weighed(1.0))
    monkeypatch.setitem(VALUES, "first", 1.0)
    rebuild_index(source, tmp_path, ranking=weighed(1.0))
    with closing(SearchService(tmp_path, weighed(9.0))) as search:
        explained = search.explain(PAGES[0].url, "amber")
        assert explained is not None
        assert explained.explanation.signals == {"own": 9.0}


def test_the_process_that_indexes_knows_their_names() -> None:
    assert load_ranking(dump_ranking(weighed(2.0))) == weighed(2.0)
    assert load_ranking(dump_ranking(Ranking())) == Ranking()
