"""kill -9 while a backup is written or restored: what is there is whole, or nothing uses it."""

import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from engine.backup import restore_backup, save_backup
from engine.folder import RESTORING
from engine.search import SearchService
from tests.engine.backup.archives import roomy, small_folder, tree
from tests.engine.index.killing import forked, kill
from tests.recovery.test_formats import PAGES
from tests.running import scrapy

KILLS = [(20, 0.15), pytest.param(300, 0.15, marks=[pytest.mark.long, pytest.mark.timeout(1_800)])]


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    """As commands set it."""
    before = os.umask(0o077)
    yield
    os.umask(before)


def again_and_again(work: Callable[[], object]) -> None:
    while True:
        work()


def save(data: Path, target: Path) -> None:
    save_backup(roomy(data), data.parent / "crawl.toml", target)


def restore(archive: Path, data: Path) -> None:
    restore_backup(archive, roomy(data), data.parent / "crawl.toml")


def restore_afresh(archive: Path, data: Path) -> None:
    """Into a folder that the last restore has filled, if it came to its end."""
    if not (data / RESTORING).exists():
        shutil.rmtree(data, ignore_errors=True)
    restore(archive, data)


@pytest.mark.slow
@pytest.mark.requirement(275)
@pytest.mark.parametrize(("kills", "seconds"), KILLS)
def test_a_killed_backup_leaves_the_one_before(tmp_path: Path, kills: int, seconds: float) -> None:
    seed = random.SystemRandom().getrandbits(32)
    print(f"seed of the kills: {seed}")  # noqa: T201  # pytest shows it when the test fails
    chance, data, target = random.Random(seed), small_folder(tmp_path / "data"), tmp_path / "b.tar"
    save(data, target)
    for number in range(kills):
        child = forked(partial(again_and_again, partial(save, data, target)))
        time.sleep(chance.uniform(0, seconds))
        kill(child)
        restored = tmp_path / f"restored{number}"
        restore(target, restored)
        with closing(SearchService(restored)) as search:
            assert search.count_documents() == PAGES
        shutil.rmtree(restored)
    save(data, target)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.tar", "data"], (
        "what was unfinished is gone"
    )


@pytest.mark.slow
@pytest.mark.requirement(275)
@pytest.mark.parametrize(("kills", "seconds"), KILLS)
def test_half_a_restore_passes_for_nothing(tmp_path: Path, kills: int, seconds: float) -> None:
    """Either all is there, or every command says that it is not, and the same restore begins again."""
    seed = random.SystemRandom().getrandbits(32)
    print(f"seed of the kills: {seed}")  # noqa: T201  # pytest shows it when the test fails
    chance, data = random.Random(seed), tmp_path / "restored"
    save(small_folder(tmp_path / "data"), tmp_path / "b.tar")
    restore(tmp_path / "b.tar", tmp_path / "peace")
    peace, halves = tree(tmp_path / "peace"), 0
    for _ in range(kills):
        child = forked(partial(again_and_again, partial(restore_afresh, tmp_path / "b.tar", data)))
        time.sleep(chance.uniform(0, seconds))
        kill(child)
        if (data / RESTORING).exists():
            halves += 1
            for words in (
                ("search", "moulting"),
                ("status",),
                ("rebuild",),
                ("backup", str(tmp_path / "no")),
            ):
                done = scrapy(data, *words, code=2)
                assert "holds a part of a backup alone" in done.stderr
                assert done.stderr.count("\n") == 1
            restore(tmp_path / "b.tar", data)
        if data.exists() and (data / "crawl.db").exists() and (data / "index").exists():
            assert tree(data) == peace
    restore_afresh(tmp_path / "b.tar", data)
    assert tree(data) == peace
    assert halves, "no kill met a restore at work"
