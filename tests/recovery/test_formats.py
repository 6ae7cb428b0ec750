"""A data folder that another Lycosa has written: it opens and answers, or one line says what to do.

What is in format_8.tar.xz was crawled from two sites of tests/web by the Lycosa of November 2026: a crawl
database of schema 11 and an index of format 8. In format_9.tar.xz is the same database with an index of
format 9. A database of an older schema is upgraded when it is opened.
"""

import tarfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from engine.generations import FORM, current_generation
from engine.index.indexing import find_damages, rebuild_index
from engine.search import SearchService
from engine.store import Store
from tests.running import scrapy

FORMATS = Path(__file__).parent
PAGES = 18
INDEX = "index/g000001"
FOUND = [
    ("moulting", {"/moulting.html", "/"}, "a word"),
    ("filetype:html lang:ru береста", {"/beresta.html"}, "a word with filters"),
]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return unpacked(tmp_path / "data", FORM)


def unpacked(folder: Path, form: int) -> Path:
    with tarfile.open(FORMATS / f"format_{form}.tar.xz") as packed:
        packed.extractall(folder, filter="data")
    folder.chmod(0o700)
    return folder


def answers(data: Path) -> list[list[tuple[str, float, str]]]:
    """The best ten of each query, their scores and snippets."""
    with closing(SearchService(data)) as search:
        found = [search.search(typed).hits for typed, _, _ in FOUND]
    return [[(hit.url, hit.score, hit.snippet) for hit in hits] for hits in found]


def rebuild(data: Path) -> None:
    with closing(Store(data)) as store:
        rebuild_index(store, data)


def test_an_index_of_this_format_opens_and_answers(data: Path) -> None:
    generation = current_generation(data)
    assert generation
    assert list(find_damages(generation)) == []
    before = answers(data)
    for (typed, wanted, why), hits in zip(FOUND, before, strict=True):
        assert {f"/{url.split('/', 3)[3]}" for url, _, _ in hits} == wanted, f"{typed}: {why}"
    rebuild(data)
    assert answers(data) == before, "as one made today"


def test_an_index_of_the_format_before_is_made_afresh(tmp_path: Path) -> None:
    data = unpacked(tmp_path / "data", FORM - 1)
    done = scrapy(data, "search", "moulting", code=2)
    assert f"has format {FORM - 1}, and this Lycosa reads format {FORM}: run scrapy rebuild" in done.stderr
    scrapy(data, "rebuild")
    assert [len(hits) for hits in answers(data)] == [len(wanted) for _, wanted, _ in FOUND]


def test_the_crawl_database_opens_and_gives_its_pages(data: Path) -> None:
    rebuild(data)
    with closing(SearchService(data)) as search:
        assert search.count_documents() == PAGES


def write_format(text: str) -> Callable[[Path], None]:
    def write(index: Path) -> None:
        (index / "form").write_text(text, encoding="ascii")

    return write


def write_end(pattern: str, magic: bytes) -> Callable[[Path], None]:
    """Ends the first such file with another magic."""

    def write(index: Path) -> None:
        path = max(index.glob(pattern))
        path.write_bytes(path.read_bytes()[: -len(magic)] + magic)

    return write


CHANGED: list[tuple[Callable[[Path], None], str, str]] = [
    (write_format("6"), f"has format 6, and this Lycosa reads format {FORM}: run scrapy rebuild", "older"),
    (write_format(f"{FORM + 1}"), f"has format {FORM + 1}, and this Lycosa reads format {FORM}", "newer"),
    (write_format("x"), f"has format 0, and this Lycosa reads format {FORM}: run scrapy rebuild", "unknown"),
    (lambda index: (index / "form").unlink(), "has format 0, and this Lycosa reads", "none is told"),
    (write_end("*.arrays", b"lycosa 9"), "'scrapy rebuild' builds a new one", "another segment"),
    (write_end("*.toc", b"lycosa x"), "'scrapy rebuild' builds a new one", "another contents"),
]


@pytest.mark.parametrize(("change", "says", "why"), CHANGED, ids=[why for _, _, why in CHANGED])
def test_an_index_of_another_format_is_made_afresh(
    data: Path, change: Callable[[Path], None], says: str, why: str
) -> None:
    change(data / INDEX)
    done = scrapy(data, "search", "moulting", code=2)
    assert done.stderr.count("\n") == 1, done.stderr
    assert says in done.stderr
    scrapy(data, "rebuild")
    assert [len(hits) for hits in answers(data)] == [len(wanted) for _, wanted, _ in FOUND], why
