"""A real documentation site, through the real commands: python3.11-doc behind nginx on loopback.

`.ci/run` fetches the site and names its folder in LYCOSA_SITES.
"""

import os
import signal
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.sites import served, unpacked
from engine.index.snippets.lines import join_lines
from engine.model.page import Section
from engine.packing.packing import unpack
from engine.search.search import SearchService
from engine.text.analysis.analyzer import distinct_terms
from tests.conftest import ROOT
from tests.running import ask, crawl, running, scrapy, serving, status, until
from tests.shared import SHARED
from tests.walk.test_serving import clients

pytestmark = [pytest.mark.sites, pytest.mark.timeout(600)]
PACKAGE = "python3.11-doc"
AT_ONCE = 8
QUERIES = [
    ("asyncio event loop", {"library/asyncio-eventloop.html"}, "the page on that subject"),
    (
        "list comprehension",
        {
            "tutorial/datastructures.html",
            "reference/expressions.html",
            "glossary.html",
            "howto/functional.html",
        },
        "a page that defines them",
    ),
    ("regular expression syntax", {"library/re.html"}, "the page on that subject"),
]


@dataclass(frozen=True)
class Site:
    """The site as nginx serves it."""

    url: str
    log: Path

    def asked(self) -> Counter[str]:
        """How often each path was asked for since the log was emptied."""
        lines = self.log.read_text(encoding="utf-8").splitlines()
        return Counter(line.split('"')[1].split()[1] for line in lines)

    def path(self, url: str) -> str:
        """A URL as the judgements name it."""
        return url.removeprefix(self.url.rpartition("/")[0] + "/")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = os.environ.get("LYCOSA_SITES", "")
    if not folder:
        pytest.skip("LYCOSA_SITES names no folder of real sites")
    (package,) = unpacked(ROOT / folder, [PACKAGE])
    log = tmp_path_factory.mktemp("nginx") / "access.log"
    with served([package], log) as (start,):
        yield Site(start, log)


@pytest.fixture(scope="module")
def crawled(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("real")
    site.log.write_bytes(b"")
    crawl(data, site.url)
    return data


def test_the_site_is_indexed_and_nothing_asked_twice(site: Site, crawled: Path) -> None:
    asked = site.asked()
    assert status(crawled)["indexed"] >= 480
    assert asked["/robots.txt"] == 1
    assert max(asked.values()) == 1


@pytest.mark.parametrize(("words", "pages", "why"), QUERIES, ids=[words for words, _, _ in QUERIES])
def test_the_page_on_a_subject_is_found(
    site: Site, crawled: Path, words: str, pages: set[str], why: str
) -> None:
    with serving(crawled) as address:
        hits = ask(address, words, size="3")["hits"]
    assert pages & {site.path(hit["url"]) for hit in hits}, why


@pytest.mark.shared("data/site-search/python311.tsv")
def test_a_hit_opens_where_its_passage_stands(crawled: Path) -> None:
    """Nineteen of twenty hits whose passage is under a heading with an id lead to it, or to one below it.

    But for the first section and for words that the title has, which are the page's as a whole.
    """
    typed = (SHARED / "data" / "site-search" / "python311.tsv").read_text(encoding="utf-8")
    led = Counter[bool]()
    with closing(SearchService(crawled)) as search:
        for query in [line.partition("\t")[0] for line in typed.splitlines()][::8]:
            for hit in search.search(query).hits:
                said = hit.snippet.strip("…\u00a0 ")
                ids = [
                    anchor
                    for one in _sections(crawled, hit.url)[2:]
                    if said in join_lines(one.text)
                    for anchor in (one.fragment, *(within.fragment for within in one.anchors))
                ]
                if any(ids) and not _title_says(hit.title, query):
                    led[hit.fragment in ids] += 1
    assert led.total() > 300, led
    assert led[True] >= 0.95 * led.total()


@pytest.mark.requirement(25)
def test_a_killed_crawl_ends_as_one_in_peace(site: Site, crawled: Path, tmp_path: Path) -> None:
    site.log.write_bytes(b"")
    with running(tmp_path, "crawl", "web", "-a", f"seeds={site.url}", "-a", "own=1") as process:
        until(lambda: site.asked().total() > 200, "the middle of the crawl")
        os.kill(process.pid, signal.SIGKILL)
    stored = _committed(tmp_path)
    crawl(tmp_path, site.url)
    assert _rows(tmp_path) == _rows(crawled)
    twice = [path for path, count in site.asked().items() if count > 1 and path != "/robots.txt"]
    assert not stored & set(twice), "what was committed is not fetched again"
    for words, _, _ in QUERIES:
        assert _answer(tmp_path, words) == _answer(crawled, words)


def test_a_rebuild_under_twenty_clients(crawled: Path) -> None:
    with serving(crawled) as address, clients(address, "event loop") as totals:
        scrapy(crawled, "rebuild")
    assert min(totals) > 0


@cache
def _sections(data: Path, url: str) -> Sequence[Section]:
    ((content,),) = _select(data, f"SELECT content FROM pages JOIN urls ON url_id = id WHERE url = '{url}'")
    return unpack(content, {"url": url, "language": "", "media_type": ""}).sections


def _title_says(title: str, query: str) -> bool:
    return distinct_terms(query, "en") <= distinct_terms(title, "en")


def _rows(data: Path) -> set[tuple[str, str, bytes]]:
    return set(_select(data, "SELECT url, state, fingerprint FROM urls LEFT JOIN pages ON url_id = id"))


def _committed(data: Path) -> set[str]:
    urls = _select(data, "SELECT url FROM urls WHERE visited_at IS NOT NULL")
    return {f"/{url.split('/', 3)[3]}" for (url,) in urls}


def _select(data: Path, query: str) -> list[Any]:
    database = sqlite3.connect(data / "crawl.db")
    try:
        return database.execute(query).fetchall()
    finally:
        database.close()


def _answer(data: Path, words: str) -> str:
    said = scrapy(data, "search", *words.split(), "--size", "20").stdout
    return said.partition("\n")[2]
