"""A disk that fills up: a crawl waits, a rebuild does not begin, while there is still room for others."""

import logging
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.config.limits import FREE_BYTES
from engine.crawl import Crawl, Limits
from engine.errors import EngineError
from engine.folder.free_space import FreeSpace
from engine.index.indexing.follow import Follower, follow
from engine.store import load_run
from tests.crawling import Clock, Web, chain, crawl_of, run, step
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


@pytest.mark.slow
@pytest.mark.requirement(257)
def test_a_crawl_waits_before_the_disk_is_full_and_goes_on_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What it has is stored; nothing is asked while there is no room; the log says both, once."""
    caplog.set_level(logging.INFO, "lycosa")
    disk, clock, web = Disk(100 * GIGABYTE, 3 * GIGABYTE, GIGABYTE // 10), Clock(), Web(chain(*_paths()))
    monkeypatch.setattr(shutil, "disk_usage", disk.usage)
    crawl = crawl_of(tmp_path, clock, Limits(disk_space=FreeSpace(tmp_path)), seeds=("http://h.example/0",))
    while disk.free >= FREE_BYTES:
        assert step(crawl, web, clock)
    disk._less, asked = 0, len(web.log)
    full_at, beats = clock.now, _last_beat(crawl)
    while clock.now < full_at + 3_600:
        assert step(crawl, web, clock), "it does not end"
    assert len(web.log) <= asked + 1, "one was under way"
    assert 0 < crawl.store.census().pages < 100
    assert _last_beat(crawl) > beats + 3_000, "it gives signs of life"
    disk.free = 50 * GIGABYTE
    run(crawl, web, clock)
    assert crawl.error is None
    assert crawl.store.census().pages == 100
    said = [record.getMessage() for record in caplog.records if "room" in record.getMessage()]
    assert len(said) == 2
    assert "MB must stay free: the crawl waits until there is room, and goes on then by itself" in said[0]
    assert "there is room on the disk of" in said[1]


def _last_beat(crawl: Crawl) -> float:
    with crawl.store.engine.connect() as connection:
        return load_run(connection, crawl.run.id).beat_at


def test_the_index_waits_for_room_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of what the crawl leaves is its own; it follows as soon as there is room."""
    clock, web = Clock(), Web(chain(*_paths()))
    crawl = crawl_of(tmp_path, clock, seeds=("http://h.example/0",))
    run(crawl, web, clock)
    disk = Disk(100 * GIGABYTE, GIGABYTE // 3)
    monkeypatch.setattr(shutil, "disk_usage", disk.usage)
    follower, naps = Follower(crawl.store, tmp_path, room=FreeSpace(tmp_path)), list[int]()

    def sleep(_: float) -> None:
        naps.append(follower.count_waiting())
        if len(naps) == 3:
            disk.free = 2 * GIGABYTE // 3

    follow(follower, lambda: len(naps) > 3, sleep)
    assert naps[:3] == [naps[0]] * 3
    assert naps[0] >= 100
    assert follower.count_waiting() == 0


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
