"""What a page asks for has the turns of its host, at its pace; on a clock that only waiting moves."""

import asyncio
from collections.abc import Callable, Coroutine
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from engine.crawl import Crawl
from engine.model import Claim, Fetch, Purpose
from engine.render.host_turns import HostTurns
from tests.crawling import HOST, Clock, Web, chain, crawl_of, step

PAUSE = 5.0  # seconds: a polite host


class Stage:
    """A crawl of one host whose first page was just asked for, and the turns of its host."""

    def __init__(self, folder: Path, *, own: bool = False) -> None:
        self.clock = Clock()
        self.crawl: Crawl = crawl_of(folder, self.clock, own=own)
        self.web = Web(chain("/", "/b", "/c"))
        self.turns = HostTurns(self.crawl.frontier, self.clock, self.sleep)
        while not self.web.asked():
            step(self.crawl, self.web, self.clock)
        self.page = Claim(0, f"{HOST}/", HOST)

    async def sleep(self, seconds: float) -> None:
        self.clock.now += seconds
        await asyncio.sleep(0)

    async def ask(self) -> float:
        """One request for the page; when it began."""
        await self.turns.take(HOST)
        began = self.clock.now
        self.clock.now += 0.1
        claim = Claim(0, f"{HOST}/app.js", HOST, kind=Purpose.RESOURCE)
        self.crawl.record_response(Fetch(claim, 200, at=began, seconds=0.1))
        return began


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def run(made: Callable[[], Coroutine[Any, Any, Any]]) -> None:
    asyncio.run(made())


def test_requests_of_a_page_are_a_pause_apart(stage: Stage) -> None:
    async def act() -> None:
        async with stage.turns.hold(stage.page):
            times = [stage.web.log[-1][0], *[await stage.ask() for _ in range(3)]]
        pauses = [later - earlier for earlier, later in pairwise(times)]
        assert all(pause >= PAUSE for pause in pauses)

    run(act)


def test_the_next_page_waits_until_this_one_is_rendered(stage: Stage) -> None:
    async def act() -> None:
        async with stage.turns.hold(stage.page):
            await stage.ask()
            stage.clock.now += 100 * PAUSE
            assert stage.crawl.claim() is None
        assert stage.crawl.claim() is not None

    run(act)


def test_two_pages_of_a_host_are_rendered_one_after_the_other(stage: Stage) -> None:
    entered = list[str]()

    async def draw(name: str) -> None:
        async with stage.turns.hold(stage.page):
            entered.append(f"{name} in")
            await stage.ask()
            entered.append(f"{name} out")

    async def act() -> None:
        await asyncio.gather(draw("a"), draw("b"))
        assert entered == ["a in", "a out", "b in", "b out"]

    run(act)


def test_a_page_whose_rendering_fails_lets_its_host_go(stage: Stage) -> None:
    async def act() -> None:
        with pytest.raises(RuntimeError):
            async with stage.turns.hold(stage.page):
                raise RuntimeError
        stage.clock.now += 2 * PAUSE
        assert stage.crawl.claim() is not None

    run(act)


def test_own_hosts_are_asked_as_many_at_once_as_ever(tmp_path: Path) -> None:
    stage = Stage(tmp_path, own=True)

    async def act() -> None:
        async with stage.turns.hold(stage.page), stage.turns.hold(stage.page):
            at = stage.clock.now
            for _ in range(7):
                await stage.turns.take(HOST)
            assert stage.clock.now == at

    run(act)


def test_a_script_waits_for_the_robots_txt_of_its_host(tmp_path: Path) -> None:
    """Where the crawl is about to ask for it; where it is not, nobody waits."""
    clock = Clock()
    crawl = crawl_of(tmp_path, clock)
    web = Web(chain("/", "/b"))
    turns = HostTurns(crawl.frontier, clock, lambda seconds: asyncio.sleep(0))

    async def act() -> None:
        meeting = asyncio.ensure_future(turns.meet(HOST))
        await asyncio.sleep(0)
        assert not meeting.done()
        while not turns.may_ask(HOST):
            step(crawl, web, clock)
        await meeting
        await turns.meet("http://other.example")

    run(act)


REFUSED: list[tuple[Callable[[Stage], object], str]] = [
    (lambda stage: stage.crawl.frontier.host_queues[HOST].suspend("it is down", 1e12), "it is down"),
    (lambda stage: stage.crawl.frontier.host_queues[HOST].release(), "another crawl's now"),
    (lambda stage: setattr(stage.crawl.frontier.host_queues[HOST], "robots_until", None), "no robots.txt"),
    (lambda stage: setattr(stage.crawl.frontier.paused, "_paused", {"h.example"}), "paused"),
]


@pytest.mark.parametrize(("change", "why"), REFUSED)
def test_hosts_that_are_not_to_be_asked(stage: Stage, change: Callable[[Stage], object], why: str) -> None:
    stage.crawl.frontier.paused._looked = stage.clock.now
    assert stage.turns.may_ask(HOST)
    assert not stage.turns.may_ask("http://other.example")
    change(stage)
    assert not stage.turns.may_ask(HOST), why
