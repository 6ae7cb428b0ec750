"""What must not get in, from the bytes of a page to the hits of a search."""

import asyncio
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from engine.commands.explain import Command
from engine.config import ScreeningConfig
from engine.index.indexing.follow import Follower
from engine.model.page import Flag
from engine.packing.packing import unpack
from engine.report.summary import census_lines, census_object
from engine.search.search import SearchService
from engine.store.page_store import Store
from engine.workers.body import ReadingOptions, read_body
from engine.workers.page_screen import PageScreen
from engine.workers.readers import ReaderPool
from tests.crawling import HOST, Clock, Web, crawl_of, run
from tests.engine.index.source import Memory, page
from tests.running import here

FRAMES = b"<title>Harbour cranes</title><p>Sorry, your browser does not support frames."
COLUMNS = {"language": "en", "media_type": "text/html"}


def crawled(folder: Path, pages: Mapping[str, bytes], unwanted: ScreeningConfig = ScreeningConfig()) -> Store:
    """The store after a crawl of these pages, by path, all linked from the home page, and its index."""
    answers: dict[str, int | list[str]] = {f"{HOST}{path}": [] for path in pages}
    web, clock, sieve = Web({**answers, f"{HOST}/": list(answers)}), Clock(), PageScreen(unwanted)
    for path, body in pages.items():
        read = read_body(body, f"{HOST}{path}", "", [], ReadingOptions(sieve=sieve))
        web.said[f"{HOST}{path}"] = {
            name: getattr(read, name) for name in ("content", "fingerprint", "shape", "flag", "secrets")
        }
    crawl = crawl_of(folder, clock)
    run(crawl, web, clock)
    Follower(crawl.store, folder).catch_up()
    return crawl.store


def hits(folder: Path, typed: str) -> list[str]:
    """The paths that a search finds, in order."""
    with closing(SearchService(folder)) as search:
        return [hit.url.removeprefix(HOST) for hit in search.search(typed, size=100).hits]


@pytest.mark.requirement(85, 307)
def test_error_pages_are_not_found_by_what_they_say(tmp_path: Path) -> None:
    """The words of its title find it, after all others."""
    about = (
        b"<title>Frames</title><p>How to say that a browser does not support frames: " + b"write it. " * 90
    )
    cranes = b"<title>Ships</title><p>A ship, and beside it two of the harbour cranes. " + b"It waits. " * 90
    other = b"<title>Other</title><p>" + b"Nothing of the kind stands here. " * 40
    with closing(crawled(tmp_path, {"/error": FRAMES, "/about": about, "/cranes": cranes, "/o": other})):
        assert hits(tmp_path, "browser does not support frames") == ["/about"]
        assert hits(tmp_path, '"does not support frames"') == ["/about"]
        assert hits(tmp_path, "harbour cranes") == ["/cranes", "/error"]


@pytest.mark.requirement(85)
def test_links_do_not_lift_an_error_page(tmp_path: Path) -> None:
    """Low weight, whoever links to it and with whatever words."""
    linking = {
        f"/{n}": b"<a href=/error>harbour</a> " + b"A page %d of some length. " % n * 40 for n in range(9)
    }
    harbour = b"<title>Ships</title><p>One of them lies in the harbour. " + b"It waits. " * 90
    with closing(crawled(tmp_path, {"/error": FRAMES, "/ships": harbour, **linking})):
        found = hits(tmp_path, "harbour")
        assert (found[0], found[-1], len(found)) == ("/ships", "/error", 11)


@pytest.mark.requirement(85)
def test_an_error_page_comes_last_whatever_its_name(tmp_path: Path) -> None:
    """Low weight."""
    error = replace(page(f"{HOST}/error", title="Harbour"), flag=Flag.PARKED)
    ships = page(f"{HOST}/ships", "It waits. " * 90 + "One of them lies in the harbour.")
    others = [page(f"{HOST}/{n}", f"Page {n} of many.", title=f"Page {n}") for n in range(9)]
    Follower(Memory(error, ships, *others), tmp_path).catch_up()
    assert hits(tmp_path, "harbour") == ["/ships", "/error"]


@pytest.mark.requirement(85, 309)
def test_the_operator_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`scrapy status` and `scrapy explain`; a phrase of crawl.toml among them."""
    tea = b"<p>The server has its tea break."
    with closing(
        crawled(tmp_path, {"/error": FRAMES, "/tea": tea}, ScreeningConfig(("tea break",)))
    ) as store:
        census = census_object(store, tmp_path)
    assert census["flagged"] == {"ua-error": 2}
    assert "flagged       ua-error 2" in census_lines(census)
    assert here(Command(), tmp_path, f"{HOST}/error") == 0
    assert "flagged       ua-error: it has no text but an error" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.requirement(85)
def test_a_flag_crosses_the_socket_and_the_database() -> None:
    """ReaderPool know the operator's phrases."""

    async def work() -> None:
        readers = ReaderPool(unwanted=ScreeningConfig(("tea break",)))
        there = await readers.read(b"<p>Tea break!", f"{HOST}/", "text/html", [])
        readers.close()
        assert there.flag is Flag.UA_ERROR
        assert unpack(there.content, {"url": f"{HOST}/", **COLUMNS}).flag is Flag.UA_ERROR

    asyncio.run(asyncio.wait_for(work(), 30))
