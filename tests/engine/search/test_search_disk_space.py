"""What a commit replaced is given back at once: a file that is still open keeps its place on the disk."""

import gc
import os
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from engine.index.indexing.follow import Follower
from engine.search import search as service
from engine.search.search import SearchService
from tests.engine.index.source import Memory, corpus, page

COMMITS = 8
QUERIES = (
    "amber basil",
    '"amber basil"',
    "amber -cedar",
    "amb*",
    "site:a.example amber",
    "amber OR basil",
    "ambre",
)


def removed_but_open() -> list[str]:
    """The files of this process that no folder has any more."""
    found = []
    for opened in Path("/proc/self/fd").iterdir():
        with suppress(OSError):
            found.append(os.readlink(opened))
    maps = Path("/proc/self/maps").read_text().splitlines()
    return [name for name in (*found, *maps) if name.endswith("(deleted)") and ".arrays" in name]


@pytest.fixture
def no_collecting() -> Iterator[None]:
    """Python looks for garbage in circles when it likes: minutes later, in a search page."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.slow
@pytest.mark.usefixtures("no_collecting")
def test_a_search_page_keeps_no_file_of_an_older_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "CHECK_SECONDS", 0.0)
    source = Memory(*corpus(30, 1))
    follower = Follower(source, tmp_path)
    follower.catch_up()
    with closing(SearchService(tmp_path)) as search:
        for number in range(COMMITS):
            url = f"http://a.example/{number}"
            source.put(page(url, f"amber basil {number}", title="amber", links=()))
            follower.catch_up()
            for typed in QUERIES:
                search.search(typed)
                search.explain(url, typed)
            search.complete("am")
        assert not removed_but_open()
