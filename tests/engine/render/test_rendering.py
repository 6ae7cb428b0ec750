"""Which pages a browser is started for, and what becomes of a page when it fails: without any browser."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.errors import PageError
from engine.model import UNDRAWN, Claim, Fetch, Purpose, Reading, State, Visit
from engine.render.browser import BROWSER_ENDED
from engine.render.host_turns import HostTurns
from engine.render.rendering import MAX_FAILED, Rendering
from engine.render.resource_cache import Resource
from engine.workers.body import read_body
from tests.crawling import HOST, Clock, Web, chain, crawl_of, step

SHELL = "<!DOCTYPE html><title>App</title><div id=root></div><script src=/a.js></script>"
SPARSE = SHELL.replace("<div id=root>", "<p>Loading...")
FULL = f"<title>t</title><p>{'A sentence that is read before any script has run. ' * 8}</p><script></script>"


class Broken:
    """A browser whose pages all fail."""

    def __init__(self, kind: str = "it crashed") -> None:
        self.kind = kind
        self.opened = 0

    @asynccontextmanager
    async def open_page(self) -> AsyncIterator[Any]:
        self.opened += 1
        raise PageError(self.kind)
        yield


class Stage:
    """A crawl whose pages are rendered by a broken browser."""

    def __init__(self, folder: Path, mode: str, browser: Broken) -> None:
        clock = Clock()
        crawl, web = crawl_of(folder, clock, own=True), Web(chain("/", "/b"))
        while not web.asked():
            step(crawl, web, clock)
        self.counts: Counter[str] = Counter()
        turns = HostTurns(crawl.frontier, clock)
        chromium: Any = browser
        self.rendering = Rendering(chromium, turns, lambda url: mode, self._ask, self._read, self._count)

    def apply(self, body: str, kind: Purpose = Purpose.PAGE, media_type: str = "text/html") -> Visit:
        reading = replace(read_body(body.encode(), f"{HOST}/", "text/html", ()), media_type=media_type)
        fetch = Fetch(Claim(1, f"{HOST}/", HOST, kind=kind), 200, (("etag", '"1"'),))
        visit = Visit(fetch, State.STORED, reading=reading)
        return asyncio.run(self.rendering.apply(visit, body.encode))

    async def _ask(self, claim: Claim, accept: str) -> Resource:
        raise AssertionError

    async def _read(self, *what: object) -> Reading:
        raise AssertionError

    def _count(self, what: str, number: int) -> None:
        self.counts[what] += number


PAGES = [
    ("always", FULL, 1, "all with scripts"),
    ("always", FULL.replace("<script></script>", ""), 0, "without scripts it stays as it is"),
    ("auto", FULL, 0, "it has text"),
    ("auto", SPARSE, 1, "next to none"),
    ("auto", SHELL, 1, "none"),
    ("never", SHELL, 0, "nobody asked for it"),
    ("always", f"<meta name=robots content=noindex>{SHELL}", 0, "it is not to be found anyway"),
    ("always", f"<meta http-equiv=refresh content='0; url=/b'>{SHELL}", 0, "it leads elsewhere"),
]


@pytest.mark.parametrize(("mode", "body", "opened", "why"), PAGES)
def test_which_pages_are_rendered(tmp_path: Path, mode: str, body: str, opened: int, why: str) -> None:
    browser = Broken()
    Stage(tmp_path, mode, browser).apply(body)
    assert browser.opened == opened, why


def test_other_documents_are_not(tmp_path: Path) -> None:
    browser = Broken()
    stage = Stage(tmp_path, "always", browser)
    assert stage.apply(SHELL, media_type="application/pdf").state is State.STORED
    assert stage.apply(SHELL, Purpose.SITEMAP).state is State.STORED
    assert browser.opened == 0


FAILED = [
    (FULL, "it crashed", State.STORED, "", False, "it keeps its text"),
    (SHELL, "it crashed", State.SKIPPED, UNDRAWN, False, "it has none"),
    (FULL, BROWSER_ENDED, State.STORED, "", False, "it keeps its text, were it not by its fault"),
    (SHELL, BROWSER_ENDED, State.FAILED, "rendering failed", True, "it is tried again later"),
]


@pytest.mark.parametrize(("body", "error", "state", "reason", "again", "why"), FAILED)
def test_what_becomes_of_a_page_that_cannot_be_rendered(
    tmp_path: Path, body: str, error: str, state: State, reason: str, again: bool, why: str
) -> None:
    browser = Broken(error)
    stage = Stage(tmp_path, "always", browser)
    visit = stage.apply(body)
    assert (visit.state, visit.reason, visit.again) == (state, reason, again), why
    assert stage.counts[f"rendering failed: {error}"] == 1
    assert browser.opened == (2 if error == BROWSER_ENDED else 1)
    if reason == UNDRAWN:
        assert visit.reading, "its links are followed"
        assert not visit.fetch.headers, "no 304 confirms it"


def test_a_host_whose_pages_fail_is_given_up(tmp_path: Path) -> None:
    browser = Broken()
    stage = Stage(tmp_path, "always", browser)
    for _ in range(MAX_FAILED + 3):
        stage.apply(FULL)
    assert browser.opened == MAX_FAILED
    assert stage.counts["rendering failed: its host was given up"] == 3


def test_a_probe_of_a_page_that_cannot_exist_is_no_page(tmp_path: Path) -> None:
    visit = Stage(tmp_path, "never", Broken()).apply(SHELL, Purpose.PROBE)
    assert (visit.state, visit.reason) == (State.STORED, "")
