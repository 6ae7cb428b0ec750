"""Crawls of several machines, each with a data folder of its own, over one PostgreSQL server."""

import os
import signal
import time
from http.client import HTTPResponse
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from engine.crawl.pending import BATCH_VISITS
from engine.settings import CONCURRENT_REQUESTS
from tests.postgresql import Server, run_server
from tests.running import ask, running, scrapy, serving, until
from tests.walk.slow_hosts import HOSTS, PAGES, TEMPO, Found, asked, found, shares, words_of
from tests.web.scripted import Site

pytestmark = [pytest.mark.postgresql, pytest.mark.slow]


def machine(folder: Path, url: str) -> Path:
    """The data folder of a machine, with a crawl.toml that names the server."""
    folder.mkdir()
    (folder / "crawl.toml").write_text(f'database = "{url}"\nallow_private = ["127.0.0.1"]\n')
    return folder


@pytest.fixture
def machines(tmp_path: Path, database_url: str) -> tuple[Path, Path]:
    return machine(tmp_path / "one", database_url), machine(tmp_path / "two", database_url)


@pytest.mark.requirement(26, 273)
def test_two_machines_find_what_one_finds(
    machines: tuple[Path, Path], database_url: str, sites: list[Site], by_one: Found
) -> None:
    """No URL is asked twice, both have a part in it, and the index of each has all pages."""
    one, two = machines
    with running(one, *words_of(sites)) as first:
        until(lambda: any(len(site.log) > 2 for site in sites), "the first machine")
        with running(two, *words_of(sites)) as second:
            until(lambda: len(shares(database_url)) == 2, "the second machine")
            TEMPO.seconds = 0.05
            assert (first.wait(60), second.wait(60)) == (0, 0)
    assert found(database_url) == by_one
    assert [url for url, times in asked(sites).items() if times > 1] == []
    first_share, second_share = shares(database_url)
    assert first_share + second_share == HOSTS * PAGES * 2
    assert second_share > HOSTS
    assert not (one / "crawl.db").exists()
    for folder in machines:
        scrapy(folder, "rebuild")
        with serving(folder) as address:
            assert ask(address, "leaf7")["total"] == PAGES


@pytest.mark.requirement(25, 276)
def test_one_of_two_machines_dies(
    machines: tuple[Path, Path], database_url: str, sites: list[Site], by_one: Found
) -> None:
    """The other takes over its hosts; only what was under way is asked again."""
    one, two = machines
    with running(one, *words_of(sites)) as first:
        until(lambda: any(len(site.log) > 2 for site in sites), "the first machine")
        with running(two, *words_of(sites)) as second:
            until(lambda: len(shares(database_url)) == 2, "the second machine")
            TEMPO.seconds = 0.05
            until(lambda: shares(database_url)[1] > 10, "its pages")
            os.kill(first.pid, signal.SIGKILL)
            assert second.wait(60) == 0
    assert found(database_url) == by_one
    twice = sum(times - 1 for times in asked(sites).values())
    assert twice <= CONCURRENT_REQUESTS + BATCH_VISITS, "under way, or answered and not yet committed"


@pytest.mark.requirement(276)
def test_the_server_dies(tmp_path: Path, sites: list[Site], by_one: Found) -> None:
    """The crawl ends with a sentence and exit code 2; once the server is back, the same command goes on."""
    with run_server() as server:
        url = server.create_database()
        one = machine(tmp_path / "one", url)
        TEMPO.seconds = 0.1
        with running(one, *words_of(sites)) as crawl:
            until(lambda: any(len(site.log) > 2 for site in sites), "pages")
            until(lambda: sum(shares(url)) > 10, "stored pages")
            before = {page for page in found(url) if page[1] == "stored"}
            server.kill()
            assert crawl.wait(60) == 2
            assert crawl.stdout
            said = crawl.stdout.read()
        assert "Traceback" not in said
        assert "is the PostgreSQL server up, and has its disk room?" in said
        TEMPO.seconds = 0.0
        server.start()
        assert before <= found(url), "what was stored is there"
        assert f" {HOSTS * PAGES * 2}\n" in scrapy(one, *words_of(sites)).stdout.partition("unchanged")[0]
        assert found(url) == by_one


def answer(url: str) -> tuple[int, str | None, float]:
    """Status, Retry-After and seconds of an answer."""
    began = time.monotonic()
    try:
        said: HTTPResponse | HTTPError = urlopen(url, timeout=20)
    except HTTPError as error:
        said = error
    with said:
        return said.status or 0, said.headers["Retry-After"], time.monotonic() - began


def health(address: str) -> str:
    with urlopen(f"{address}/health", timeout=20) as said:
        return bytes(said.read()).decode()


def test_the_search_page_while_the_server_is_away(tmp_path: Path, sites: list[Site]) -> None:
    """Searches are answered all the time; what needs the server says so at once, and is back by itself."""
    TEMPO.seconds = 0.0
    with run_server() as server:
        one = machine(tmp_path / "one", server.create_database())
        scrapy(one, *words_of(sites[:2]))
        with serving(one) as address:
            status = f"{address}/submit?url={sites[0].url('/')}"
            assert answer(status)[0] == 200
            _away(server, address, status)
            server.start()
            until(lambda: answer(status)[0] == 200, "the server is back", 10)
            until(lambda: health(address) == "ok", "/health", 10)


def _away(server: Server, address: str, status: str) -> None:
    server.kill()
    for _ in range(3):
        code, later, seconds = answer(status)
        assert (code, later) == (503, "5")
        assert seconds < 2
        assert ask(address, "leaf1")["total"] == PAGES
    until(lambda: "the database server is away" in health(address), "/health")


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    """One sentence, which names it and says what to do."""
    folder = machine(tmp_path / "one", "postgresql://nobody@127.0.0.1:1/lycosa")
    for words in (["status"], ["crawl", "web", "-a", "seeds=http://127.0.0.1:9/", "-a", "own=1"]):
        said = scrapy(folder, *words, code=2).stderr
        assert "postgresql://nobody@127.0.0.1:1/lycosa" in said
        assert "is the server up" in said
