"""A disk that is full, at any place of the work: the last good index stays, and goes on when it has room."""

import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from engine.commands.rebuild import Command
from engine.errors import EngineError
from engine.index.indexing.follow import Follower
from engine.index.indexing.rebuild import rebuild_index
from engine.index.indexing.rollback import roll_back
from engine.search.search import SearchService
from tests.engine.index.content import content
from tests.engine.index.source import Memory, corpus
from tests.running import here, scrapy

SIZE = 2_000_000  # bytes of the disk; the index of 40 pages takes a quarter
FULL = (EngineError, OSError, sqlite3.OperationalError)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk, in memory."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("a small disk is mounted by root alone")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path, left: int) -> Path:
    """A file that leaves so many bytes of the disk."""
    free, filler = shutil.disk_usage(disk).free, disk / "filler"
    filler.write_bytes(bytes(max(free - left, 0)))
    return filler


def answers(search: SearchService) -> list[tuple[str, float]]:
    search._checked = 0.0  # looks for what was committed or published at once
    return [(hit.url, hit.score) for hit in search.search("amber OR basil", size=100).hits]


WORK: dict[str, Callable[[Memory, Path], object]] = {
    "follow": lambda source, data_dir: Follower(source, data_dir).step(),
    "rebuild": rebuild_index,
    "go back": roll_back,
}


# Whoosh's writer leaves its files to the garbage collector when it fails.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("what", WORK)
def test_a_full_disk_leaves_the_last_good_index(disk: Path, tmp_path: Path, what: str) -> None:
    """A search page that is there goes on to answer; a batch that was followed may be seen or not."""
    data, pages, failed = disk / "data", corpus(40), 0
    source = Memory(*pages[:30])
    rebuild_index(source, data)
    rebuild_index(source, data)
    with closing(SearchService(data)) as search:
        before = answers(search)
        for page in pages[30:]:
            source.put(page)
        source.remove(pages[0].url)
        for left in range(0, 600_001, 50_000):
            filler = fill(disk, left)
            try:
                WORK[what](source, data)
                break
            except FULL:
                failed += 1
                assert answers(search) == before or what == "follow"
                assert not list((data / "index").glob("draft-*")), "what was begun gives its room back"
            finally:
                filler.unlink()
        assert failed
        assert answers(search) != before
    Follower(source, data).catch_up()
    rebuild_index(source, tmp_path / "peace")
    assert content(data) == content(tmp_path / "peace")


def test_the_command_says_so_in_one_line(disk: Path) -> None:
    data, codes = disk / "data", list[int]()
    scrapy(data, "rebuild")
    for left in (0, 20_000, 60_000, 150_000, 1_000_000):
        filler, asked, said = fill(disk, left), Command(), StringIO()
        with redirect_stderr(said), redirect_stdout(StringIO()):
            codes.append(here(asked, data))
        assert said.getvalue().count("\n") == (codes[-1] != 0), said.getvalue()
        filler.unlink()
    assert codes == [2, 2, 2, 2, 0]
