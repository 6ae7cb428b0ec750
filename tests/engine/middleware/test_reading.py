"""Visits whose documents wait for OCR: how many may, and when none does."""

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest

from engine.middleware import reading
from engine.middleware.reading import ReadingMiddleware
from engine.model import Claim, Fetch, Reading, State, Visit
from engine.robots import Directives

HEADERS = (("content-type", "application/pdf"), ("etag", '"1"'))
UNREAD = Reading("", "application/pdf", Directives(), b"", (), b"unread", pictures=(0,))
READ = Reading("en", "application/pdf", Directives(), b"", (), b"read")


class Recognition:
    """Ends as soon as it is told."""

    def __init__(self) -> None:
        self.told = asyncio.Event()

    async def complete(self, _: Reading, __: Fetch) -> Reading:
        await self.told.wait()
        return READ


class Readers:
    async def read(self, *_: object, **__: object) -> Reading:
        return UNREAD


def middleware(own: str = "") -> Any:
    """One whose crawl has one own host."""
    sites = SimpleNamespace(own_hosts=frozenset([own]))
    crawl = SimpleNamespace(error=None, discovery=SimpleNamespace(sites=sites))
    crawler: Any = SimpleNamespace(spider=SimpleNamespace(crawl=crawl, readers=Readers()), crawling=True)
    made: Any = ReadingMiddleware(crawler)
    made._recognition = Recognition()
    return made


def visit(host: str = "h.example", size: int = 10) -> Visit:
    return Visit(Fetch(Claim(1, f"http://{host}/", host), 200, HEADERS, b"x" * size), State.STORED)


@pytest.mark.parametrize(
    ("host", "size", "waits", "why"),
    [
        ("h.example", 10, True, "there is room"),
        ("h.example", 91, False, "the first takes ten of a hundred bytes"),
        ("own.example", 91, True, "who owns the archive waits for it"),
    ],
)
def test_so_many_bytes_wait(
    monkeypatch: pytest.MonkeyPatch, host: str, size: int, waits: bool, why: str
) -> None:
    monkeypatch.setattr(reading, "MAX_WAITING", 100)

    async def work() -> None:
        made = middleware(own="own.example")
        first = asyncio.ensure_future(made.read(visit()))
        while not made._waiting:
            await asyncio.sleep(0)
        second = asyncio.ensure_future(made.read(visit(host, size)))
        for _ in range(9):
            await asyncio.sleep(0)
        assert second.done() is not waits, why
        made._recognition.told.set()
        done = await second
        assert done.reading is (READ if waits else UNREAD)
        assert (done.fetch.header("etag") == "") is not waits, "its next visit asks for all of it"
        assert (await first).reading is READ
        assert made._waiting == 0

    asyncio.run(asyncio.wait_for(work(), 60))


@pytest.mark.parametrize("error", [False, True], ids=["stopped", "failed"])
def test_a_crawl_that_is_to_end_waits_for_nothing(monkeypatch: pytest.MonkeyPatch, error: bool) -> None:
    """Its visit is not committed."""
    monkeypatch.setattr(reading, "LOOK", 0.01)

    async def work() -> None:
        made = middleware()
        waiting = asyncio.ensure_future(made.read(visit()))
        while not made._waiting:
            await asyncio.sleep(0)
        if error:
            made._spider.crawl.error = Exception()
        else:
            made._crawler.crawling = False
        assert await waiting is None
        assert made._waiting == 0

    asyncio.run(asyncio.wait_for(work(), 60))
