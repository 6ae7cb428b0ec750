"""Searches that take long keep nothing else waiting."""

import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from unittest.mock import Mock

import anyio
import httpx
import pytest
import uvicorn
from starlette.exceptions import HTTPException

from engine.admin import OperatorServices
from engine.config import ServerConfig
from search_ui import search_threads as searching_module
from search_ui.app import MIN_ZIPPED_BYTES, UNTAKEN_SECONDS, serve
from search_ui.search_threads import BUSY, MAX_SEARCHES, MAX_WAITING, SWITCH_SECONDS, run_search
from tests.search_ui.conftest import IDENTITY, START_SECONDS, Searcher, Site

SLOW = 45  # more than there are threads of any kind (anyio has 40)
QUICK = [
    ("/health", 200, "whoever watches over us asks"),
    ("/nothing", 404, "a page that is not there"),
    ("/health/ready", 200, "whether there is an index"),
    ("/static/style.css", 200, "the next page needs it"),
    ("/", 200, "the box alone"),
]


@pytest.mark.requirement(290)
def test_slow_searches_delay_nothing_else(site: Site) -> None:
    site.searcher.started.clear()
    site.searcher.go_on.clear()
    with (
        httpx.Client(base_url=site.address, timeout=START_SECONDS, trust_env=False) as client,
        ThreadPoolExecutor(SLOW) as people,
    ):
        try:
            asked = [people.submit(client.get, "/search?q=wait") for _ in range(SLOW)]
            assert site.searcher.started.wait(START_SECONDS)
            for target, status, why in QUICK:
                assert site.get(target).status_code == status, why
            assert not any(one.done() for one in asked), "they are all still under way"
        finally:
            site.searcher.go_on.set()
        assert {one.result().status_code for one in asked} == {200}, "and all are answered in the end"


def test_few_search_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody passes the barrier before SEARCHES of them run, and no more ever do, however long they take."""
    monkeypatch.setattr(searching_module, "PATIENCE_SECONDS", 0.001)
    together, running, most = threading.Barrier(MAX_SEARCHES), 0, 0
    lock = threading.Lock()

    def ask() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        together.wait(START_SECONDS)
        time.sleep(0.02)  # in which the others would come, if they could
        with lock:
            running -= 1

    async def many() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(3 * MAX_SEARCHES):
                group.start_soon(run_search, ask)

    anyio.run(many)
    assert most == MAX_SEARCHES


def test_who_began_in_a_crowd_keeps_nobody_waiting_when_it_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that takes long began while as many ran as may: others begin beside it once those are over."""
    monkeypatch.setattr(searching_module, "PATIENCE_SECONDS", 0.001)
    crowd = [threading.Event() for _ in range(MAX_SEARCHES)]
    begun, together = [threading.Event() for _ in range(MAX_SEARCHES + 1)], threading.Barrier(2)

    def ask(number: int) -> None:
        begun[min(number, MAX_SEARCHES)].set()
        if number < MAX_SEARCHES:
            crowd[number].wait(START_SECONDS)
        else:
            together.wait(START_SECONDS)

    async def many() -> None:
        async with anyio.create_task_group() as group:
            for number in range(MAX_SEARCHES + 2):
                group.start_soon(run_search, ask, number)
                await anyio.wait_all_tasks_blocked()
            crowd[-1].set()  # it was the last that might begin, and left no room for another
            await anyio.to_thread.run_sync(begun[-1].wait, START_SECONDS)
            await anyio.sleep(0.01)
            for one in crowd:
                one.set()

    anyio.run(many)
    assert not together.broken


@pytest.mark.requirement(290)
def test_the_event_loop_gets_its_turn_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is answered."""
    asked_for: list[float] = []
    monkeypatch.setattr(sys, "setswitchinterval", asked_for.append)
    monkeypatch.setattr("search_ui.app.gc", Mock())
    monkeypatch.setattr(uvicorn.Server, "run", lambda *_: asked_for.append(0))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        serve(Searcher(), lambda: None, IDENTITY, ServerConfig(), None, [listener], OperatorServices())
        with socket.create_connection(listener.getsockname()):
            accepted = listener.accept()[0]
            untaken = accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
            accepted.close()
    assert untaken == 1_000 * UNTAKEN_SECONDS
    assert asked_for == [SWITCH_SECONDS, 0]


@pytest.mark.parametrize(("language", "said"), [("en", "right now"), ("pl", "w tej chwili")])
def test_a_refusal_costs_little(
    site: Site, monkeypatch: pytest.MonkeyPatch, language: str, said: str
) -> None:
    """It is short, in the reader's language, and not made anew."""
    monkeypatch.setattr("search_ui.search_threads.MAX_WAITING", -1)
    answer = site.client.get("/search?q=a", headers={"Accept-Language": language, "Accept-Encoding": "gzip"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert (said in answer.text, answer.headers["Content-Language"]) == (True, language)
    assert len(answer.content) < MIN_ZIPPED_BYTES
    assert "Content-Encoding" not in answer.headers
    refused = site.client.get("/api/search?q=a")
    assert (refused.status_code, refused.json()["detail"]) == (503, BUSY)


def test_quick_ones_run_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also after some that took long."""
    running, most = 0, 0
    together, lock = threading.Barrier(2), threading.Lock()

    def ask(by_two: bool) -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        together.wait(START_SECONDS) if by_two else time.sleep(0.002)
        with lock:
            running -= 1

    async def many(seconds: float) -> None:
        monkeypatch.setattr(searching_module, "PATIENCE_SECONDS", seconds)
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(run_search, ask, not seconds)

    async def both() -> None:
        nonlocal most
        await many(0)
        assert most > 1
        most = 0
        await many(START_SECONDS)
        assert most == 1

    anyio.run(both)


def test_who_would_wait_too_long_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the line is full the answer is 503 at once; all in the line are answered, and then others."""
    monkeypatch.setattr(searching_module, "PATIENCE_SECONDS", START_SECONDS)
    go_on, answered = threading.Event(), list[bool]()

    async def one() -> None:
        answered.append(await run_search(go_on.wait, START_SECONDS))

    async def many() -> None:
        async with anyio.create_task_group() as group:
            for _ in range(1 + MAX_WAITING):
                group.start_soon(one)
            await anyio.wait_all_tasks_blocked()
            with pytest.raises(HTTPException) as refused:
                await one()
            go_on.set()
        await one()
        assert (refused.value.status_code, refused.value.headers) == (503, {"Retry-After": "1"})

    anyio.run(many)
    assert answered == [True] * (1 + MAX_WAITING + 1)
