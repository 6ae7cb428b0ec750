"""Two crawl commands on one data folder share the hosts, and find what one finds."""

import os
import signal
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from engine.crawl.pending import BATCH_VISITS
from engine.settings import CONCURRENT_REQUESTS
from tests.running import ask, crawl, running, scrapy, serving, until
from tests.web.scripted import Answer, Site, anchors, html, prose, scripted_web

HOSTS = 20
PAGES = 5  # a host, and as many that only another host links to
Found = set[tuple[str, str, bytes]]  # URL, state, fingerprint


@dataclass
class Tempo:
    """How slow all hosts are: so that the first process does not finish before the second has started."""

    seconds: float = 0.0  # a page


TEMPO = Tempo()


@pytest.fixture(scope="module")
def hosts() -> Iterator[list[Site]]:
    """Each on an address of its own; the pages of each link to its own and to the next host's."""
    with ExitStack() as stack:
        sites = [stack.enter_context(scripted_web(address=f"127.0.3.{n + 1}")) for n in range(HOSTS)]
        for n, site in enumerate(sites):
            following = sites[(n + 1) % HOSTS]
            for page in range(PAGES):
                links = [f"/{page + 1}" if page + 1 < PAGES else "/gone", following.url(f"/{PAGES + page}")]
                text = f"host{n} page{page} {prose(site.url(str(page)))}{anchors(links)}"
                site.routes[f"/{page or ''}"] = slowly(text)
                leaf = f"leaf{n} page{page} {prose(site.url(f'leaf{page}'))}"
                site.routes[f"/{PAGES + page}"] = slowly(leaf)
        yield sites


@pytest.fixture(scope="module")
def by_one(hosts: list[Site], tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What a single process finds."""
    folder = tmp_path_factory.mktemp("one")
    crawl(folder, *(site.url("/") for site in hosts))
    return found(folder)


@pytest.fixture
def sites(hosts: list[Site], by_one: Found) -> Iterator[list[Site]]:
    """The hosts, not asked for anything yet, and slow."""
    for site in hosts:
        site.log.clear()
    TEMPO.seconds = 2.0
    yield hosts
    TEMPO.seconds = 0.0


def asked(sites: list[Site]) -> Counter[str]:
    return Counter(site.url(path) for site in sites for path in site.paths)


def slowly(text: str) -> Callable[[str], Answer]:
    page = html("A page", text)
    return lambda _: replace(page, delay=TEMPO.seconds)


def words_of(sites: list[Site]) -> list[str]:
    seeds = ",".join(site.url("/") for site in sites)
    return ["crawl", "web", "-a", f"seeds={seeds}", "-a", "own=1"]


def found(data: Path) -> Found:
    with sqlite3.connect(data / "crawl.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        rows = database.execute(
            "SELECT url, state, coalesce(fingerprint, '') FROM urls LEFT JOIN pages ON url_id = id"
        ).fetchall()
    database.close()
    return set(rows)


def shares(data: Path) -> list[int]:
    """How many pages each run has stored."""
    with sqlite3.connect(data / "crawl.db") as database:
        rows = database.execute("SELECT json_extract(counters, '$.stored') FROM runs WHERE kind = 'crawl'")
        stored = [number or 0 for (number,) in rows]
    database.close()
    return stored


@pytest.mark.slow
@pytest.mark.requirement(26, 273)
def test_two_processes_give_the_same_pages_as_one(tmp_path: Path, sites: list[Site], by_one: Found) -> None:
    """No URL is asked twice, and all is found afterwards."""
    with running(tmp_path, *words_of(sites)) as first:
        until(lambda: any(len(site.log) > 2 for site in sites), "the first process")
        with running(tmp_path, *words_of(sites)) as second:
            until(lambda: len(shares(tmp_path)) == 2, "the second process")
            TEMPO.seconds = 0.05
            assert (first.wait(60), second.wait(60)) == (0, 0)
    assert found(tmp_path) == by_one
    assert [url for url, times in asked(sites).items() if times > 1] == []
    first_share, second_share = shares(tmp_path)
    assert first_share + second_share == HOSTS * PAGES * 2
    assert second_share > HOSTS
    with serving(tmp_path) as address:
        for typed in ("leaf7 page3", f"host{HOSTS - 1} page1"):
            [note] = ask(address, typed)["notes"]
            assert (note["kind"], note["limit"]) == ("partial-matches-after", 1), "pages with both words"


@pytest.mark.slow
@pytest.mark.requirement(25, 276)
def test_one_of_two_processes_is_killed(tmp_path: Path, sites: list[Site], by_one: Found) -> None:
    """The other takes over its hosts; only what was under way is asked again."""
    with running(tmp_path, *words_of(sites)) as first:
        until(lambda: any(len(site.log) > 2 for site in sites), "the first process")
        with running(tmp_path, *words_of(sites)) as second:
            until(lambda: len(shares(tmp_path)) == 2, "the second process")
            TEMPO.seconds = 0.05
            until(lambda: shares(tmp_path)[1] > 10, "its pages")
            os.kill(first.pid, signal.SIGKILL)
            assert second.wait(60) == 0
    assert found(tmp_path) == by_one
    twice = sum(times - 1 for times in asked(sites).values())
    assert twice <= CONCURRENT_REQUESTS + BATCH_VISITS, "under way, or answered and not yet committed"


@pytest.mark.slow
def test_a_fresh_start_waits_until_nobody_crawls(tmp_path: Path) -> None:
    """What others are working on is not deleted under them."""
    with scripted_web({"/": Answer(delay=20)}) as site, running(tmp_path, *words_of([site])):
        until(lambda: "/" in site.paths, "the first process")
        again = scrapy(tmp_path, *words_of([site]), "-a", "fresh=1", code=2)
        assert "another crawl is using" in again.stderr
        other = scrapy(tmp_path, *words_of([site]), "-a", "include=docs", code=2)
        assert "with other sites" in other.stderr
