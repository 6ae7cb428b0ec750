"""A crawl on a damaged crawl database ends with a sentence and exit code 2, or all is well."""

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.running import command, crawl, run_apart
from tests.web.scripted import Site, anchors, html, prose, scripted_web

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


def texts(path: Path, data: bytearray, chance: random.Random) -> None:
    """One byte of each page's packed text, of which SQLite knows nothing."""
    with closing(sqlite3.connect(path)) as database:
        for (content,) in database.execute("SELECT content FROM pages"):
            at = data.find(content[-40:])  # whole in a row's own page
            data[at + 20] ^= 1 + chance.randrange(255)


def names(path: Path, data: bytearray, chance: random.Random) -> None:
    """URLs that are no text, everywhere."""
    data[:] = data.replace(b"http://127", b"http\xff//127")


def half(path: Path, data: bytearray, chance: random.Random) -> None:
    """As a copy that was cut off."""
    del data[len(data) // 2 :]


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, bytes]]:
    """A site that was crawled, and the crawl database."""
    links = [[f"/{(n * 3 + k) % PAGES or ''}" for k in (1, 2, 3)] for n in range(PAGES)]
    pages = {f"/{n or ''}": html(f"Page {n}", prose(str(n)) + anchors(to)) for n, to in enumerate(links)}
    data = tmp_path_factory.mktemp("crawled")
    with scripted_web(pages) as site:
        crawl(data, site.url("/"))
        yield site, (data / "crawl.db").read_bytes()


def said_of(tmp_path: Path, crawled: tuple[Site, bytes], damage: Damage, seed: int) -> tuple[int, str]:
    """The exit code of a crawl on a database that was damaged so, and what it said; all of it is read."""
    site, whole = crawled
    path, data = tmp_path / "crawl.db", bytearray(whole)
    path.write_bytes(whole)
    damage(path, data, random.Random(seed))
    path.write_bytes(data)
    done = run_apart(command(tmp_path, "crawl", "web", "-a", f"seeds={site.url('/')}", "-a", "own=1"))
    return done.returncode, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("damage", [zeros, followed, junk, texts, names, half])
def test_a_crawl_says_what_is_damaged(tmp_path: Path, crawled: tuple[Site, bytes], damage: Damage) -> None:
    code, said = said_of(tmp_path, crawled, damage, 22)
    assert "Traceback" not in said, said[-2000:]
    assert code in {0, 2}, said[-2000:]
    assert code == 0 or "backup" in said, said[-2000:]
    assert code == 2 or damage in (zeros, junk)


@pytest.mark.parametrize("seed", [3824475284, *(pytest.param(n, marks=pytest.mark.long) for n in range(30))])
def test_a_crawl_outlives_any_flipped_byte(tmp_path: Path, crawled: tuple[Site, bytes], seed: int) -> None:
    code, said = said_of(tmp_path, crawled, flips, seed)
    assert code in {0, 2}, said[-2000:]
    assert code == 0 or "backup" in said, said[-2000:]
