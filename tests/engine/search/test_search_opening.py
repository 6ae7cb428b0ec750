"""A commit is opened beside the searches that go on."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from engine.index.indexing.follow import Follower
from engine.search import search as search_module
from engine.search.opening import open_snapshot
from engine.search.search import SearchService
from tests.engine.index.source import Memory, page

WAIT_SECONDS = 30.0  # for another thread; a busy machine takes long


@pytest.mark.requirement(290)
def test_others_search_what_there_was_while_one_opens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An index of a million pages takes 50 ms to open, and others do not wait for it."""
    monkeypatch.setattr(search_module, "CHECK_SECONDS", 0.0)
    source, opening, go_on = Memory(page("http://a.example/", "amber")), Event(), Event()
    follower = Follower(source, tmp_path)
    follower.catch_up()
    real = open_snapshot

    def slowly(*args: Any) -> Any:
        opening.set()
        assert go_on.wait(WAIT_SECONDS)
        return real(*args)

    with closing(SearchService(tmp_path)) as search, ThreadPoolExecutor(1) as other:
        assert search.count_documents() == 1
        source.put(page("http://b.example/", "amber"))
        follower.step()
        monkeypatch.setattr(search_module, "open_snapshot", slowly)
        try:
            newest = other.submit(search.count_documents)
            assert opening.wait(WAIT_SECONDS)
            assert search.search("amber").total == 1, "what there was"
        finally:
            go_on.set()
        assert newest.result() == 2, "who looked sees what there is"
        assert search.search("amber").total == 2, "and so does everybody from then on"


def test_who_comes_first_waits_for_the_first_snapshot(tmp_path: Path) -> None:
    """All at once: one opens it, and all are answered."""
    Follower(Memory(page("http://a.example/", "amber")), tmp_path).catch_up()
    with closing(SearchService(tmp_path)) as search, ThreadPoolExecutor(8) as people:
        found = people.map(lambda typed: search.search(typed).total, ["amber"] * 16)
        assert list(found) == [1] * 16
        assert len(search._users) == 1
