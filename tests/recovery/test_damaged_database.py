"""A crawl on a damaged crawl database ends with a sentence and exit code 2, or all is well."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.running import command, crawl, run_apart
from tests.web.scripted import anchors, html, prose, scripted_web

PAGES = 60
PAGE = 4096  # bytes of a page of SQLite's
Damage = Callable[[Path, bytearray, random.Random], None]


def zeros(path: Path, data: bytearray, chance: random.Random) -> None:
    """As a file system leaves what it lost in a power cut."""
    at = chance.randrange(1, len(data) // PAGE) * PAGE
    data[at : at + PAGE] = bytes(PAGE)


def followed(path: Path, data: bytearray, chance: random.Random) -> None:
    """The table that only the index reads."""
    with closing(sqlite3.connect(path)) as database:
        (root,) = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'changes'").fetchone()
    data[(root - 1) * PAGE : root * PAGE] = bytes(PAGE)


def junk(path: Path, data: bytearray, chance: random.Random) -> None:
    """As another file's."""
    at = chance.randrange(100, len(data) - PAGE)
    data[at : at + PAGE] = chance.randbytes(PAGE)


def flips(path: Path, data: bytearray, chance: random.Random) -> None:
    """As an ageing disk has them: what a name or a number says may be nonsense, and a fault of ours to us."""
    for _ in range(60):
        data[chance.randrange(100, len(data))] = chance.randrange(256)


def half(path: Path, data: bytearray, chance: random.Random) -> None:
    """As a copy that was cut off."""
    del data[len(data) // 2 :]


@pytest.mark.parametrize("damage", [zeros, followed, junk, flips, half])
def test_a_crawl_says_what_is_damaged(tmp_path: Path, damage: Damage) -> None:
    seed = random.SystemRandom().getrandbits(32)
    print(f"seed of the damage: {seed}")  # noqa: T201  # pytest shows it when the test fails
    links = [[f"/{(n * 3 + k) % PAGES or ''}" for k in (1, 2, 3)] for n in range(PAGES)]
    pages = {f"/{n or ''}": html(f"Page {n}", prose(str(n)) + anchors(to)) for n, to in enumerate(links)}
    with scripted_web(pages) as site:
        crawl(tmp_path, site.url("/"))
        path = tmp_path / "crawl.db"
        data = bytearray(path.read_bytes())
        damage(path, data, random.Random(seed))
        path.write_bytes(data)
        shutil.rmtree(tmp_path / "index")  # so that all of the database is read
        done = run_apart(command(tmp_path, "crawl", "web", "-a", f"seeds={site.url('/')}", "-a", "own=1"))
    assert damage is flips or "Traceback" not in done.stderr, done.stderr[-2000:]
    assert done.returncode in {0, 2}, done.stderr[-2000:]
    assert done.returncode == 0 or "backup" in done.stderr, done.stderr[-2000:]
    assert done.returncode == 2 or damage not in (followed, half)
