"""A disk that fills up: a crawl and a rebuild end, or do not begin, while there is still room for others."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config.limits import FREE_BYTES
from engine.crawl.limits import Limits
from engine.errors import EngineError
from engine.folder.free_space import FreeSpace
from tests.crawling import Clock, Web, chain, crawl_of, run
from tests.running import scrapy

HUGE = "[limits]\nfree_megabytes = 999999999\n"
GIGABYTE = 1_000_000_000


class Disk:
    """One that loses a part of its room whenever somebody looks."""

    def __init__(self, total: int, free: int, less: int = 0) -> None:
        self.total, self.free, self._less = total, free, less

    def usage(self, _: Path) -> "Disk":
        self.free -= self._less
        return self


DISKS = [
    (FREE_BYTES, 100 * GIGABYTE, 2 * GIGABYTE, False, "more than a gigabyte is free"),
    (FREE_BYTES, 100 * GIGABYTE, FREE_BYTES - 1, True, "less is"),
    (FREE_BYTES, 2 * GIGABYTE, 200_000_000, False, "a small disk: a twentieth"),
    (FREE_BYTES, 2 * GIGABYTE, 99_000_000, True, "and less"),
    (0, 2 * GIGABYTE, 0, False, "the operator wants no floor"),
    (5 * GIGABYTE, 100 * GIGABYTE, 4 * GIGABYTE, True, "the operator wants more"),
]


@pytest.mark.parametrize(("free", "total", "there", "lacks", "why"), DISKS, ids=[row[-1] for row in DISKS])
def test_how_much_stays_free(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    free: int,
    total: int,
    there: int,
    lacks: bool,
    why: str,
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", Disk(total, there).usage)
    one = FreeSpace(tmp_path / "not" / "there yet", free)
    assert bool(one.shortage()) == lacks, why
    with pytest.raises(EngineError, match=r"free_megabytes in \[limits\]"):
        one.require(extra=2 * total)


def test_a_crawl_stops_before_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it has is stored, and the same command goes on."""
    disk, clock, web = Disk(100 * GIGABYTE, 3 * GIGABYTE, GIGABYTE // 10), Clock(), Web(chain(*_paths()))
    monkeypatch.setattr(shutil, "disk_usage", disk.usage)
    crawl = crawl_of(tmp_path, clock, Limits(disk_space=FreeSpace(tmp_path)), seeds=("http://h.example/0",))
    run(crawl, web, clock)
    assert "must stay free" in str(crawl.error)
    stored = crawl.store.census().pages
    assert 0 < stored < 100
    disk.free, disk._less = 50 * GIGABYTE, 0
    crawl = crawl_of(tmp_path, clock, Limits(disk_space=FreeSpace(tmp_path)), seeds=("http://h.example/0",))
    run(crawl, web, clock)
    assert crawl.error is None
    assert crawl.store.census().pages == 100


def _paths() -> Iterator[str]:
    return (f"/{number}" for number in range(100))


@pytest.mark.parametrize(
    "words", [("crawl", "web", "-a", "own=1", "-a", "seeds=http://127.0.0.1:9/"), ("rebuild",)]
)
def test_nothing_begins_without_room(tmp_path: Path, words: tuple[str, ...]) -> None:
    """One line, exit code 2; what only reads goes on."""
    scrapy(tmp_path, "rebuild")
    (tmp_path / "crawl.toml").write_text(HUGE, "utf-8")
    done = scrapy(tmp_path, *words, code=2)
    assert done.stderr.count("\n") == 1, done.stderr
    assert "free some space" in done.stderr
    scrapy(tmp_path, "search", "amber")
    scrapy(tmp_path, "status")
