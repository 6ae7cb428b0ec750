"""Chromium for the tests of this folder, and pages that it draws without any host."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from engine.errors import PageError
from engine.render.browser import Chromium
from engine.render.page_load import load_page
from engine.render.page_requests import PageRequests, StaticPage
from engine.render.resource_cache import Resource
from tests.chromium import reason_without_sandbox, sandboxed_chromium

URL = "https://site.example/page"
HTML = (("content-type", "text/html; charset=utf-8"),)
SCRIPT = (("content-type", "text/javascript"),)


@dataclass
class Drawn:
    """What became of a page: its HTML, or why there is none; what it asked for, what was refused."""

    html: str = ""
    error: str = ""
    asked: list[str] = field(default_factory=list)
    refused: Mapping[str, int] = field(default_factory=dict)


class Studio:
    """A browser in an event loop of its own."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.chromium = Chromium("Lycosa/0 (+mailto:tests@site.example)")

    def draw(self, body: str, answers: Mapping[str, Resource] = {}) -> Drawn:
        """The page at URL, with these answers to what it asks for."""
        return self.runner.run(self._draw(body, answers))

    async def _draw(self, body: str, answers: Mapping[str, Resource]) -> Drawn:
        drawn = Drawn()

        async def ask(url: str, accept: str) -> Resource:
            drawn.asked.append(url)
            if url.endswith("/never"):
                await asyncio.sleep(3_600)
            if url not in answers:
                raise PageError("another host")
            return answers[url]

        document = StaticPage(URL, HTML, body.encode())
        requests = PageRequests(document, ask)
        try:
            async with self.chromium.open_page() as page:
                drawn.html = await load_page(page, document, requests)
        except PageError as error:
            drawn.error = error.kind
        finally:
            await requests.close()
        drawn.refused = dict(requests.counts)
        return drawn

    def close(self) -> None:
        """End the browser and the loop."""
        self.runner.run(self.chromium.close())
        self.runner.close()


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Chromium is found in its sandbox; a folder for programs that go before it."""
    if why := reason_without_sandbox():
        pytest.skip(why)
    folder = tmp_path_factory.mktemp("programs")
    with sandboxed_chromium(folder):
        yield folder


@pytest.fixture(scope="module")
def studio(sandbox: Path) -> Iterator[Studio]:
    """A browser for the tests of a file."""
    made = Studio()
    yield made
    made.close()


Draw = Callable[..., Drawn]


@pytest.fixture
def draw(studio: Studio) -> Draw:
    """Draws a page."""
    return studio.draw
