"""Readers that fall silent, die, wait and give way: what their processes are held to."""

import asyncio
import os
import signal

import pytest

from engine.errors import PageError
from engine.model.page import Reading
from engine.workers.__main__ import NICENESS, _limited
from engine.workers.readers import ReaderPool
from tests.engine.workers.test_readers import BODY, URL, in_loop

MOST_NICE = 19  # setpriority(2) knows no more


def test_what_a_dead_reader_has_not_taken_is_sent_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its connection was full: that of the next is not."""
    monkeypatch.setattr("engine.workers.readers.NUMBER", 1)

    async def work() -> None:
        readers = ReaderPool()
        await readers.read(BODY, URL, "text/html", [])
        (reader,) = readers._readers
        os.kill(reader._process.pid, signal.SIGSTOP)
        bodies = [BODY + b"x" * 3_000_000 for _ in range(2)]
        asked = [asyncio.create_task(readers.read(body, URL, "text/html", [])) for body in bodies]
        while not reader._is_full:
            await asyncio.sleep(0)
        os.kill(reader._process.pid, signal.SIGKILL)
        found = await asyncio.gather(*asked, return_exceptions=True)
        readers.close()
        assert [type(one) for one in found] == [PageError, Reading]

    in_loop(work())


@pytest.mark.parametrize(
    ("idle", "patience", "ended", "why"),
    [
        (0.0, 0.1, True, "whatever it has made of its own limits"),
        (3_600.0, 600.0, False, "it had nothing to say for an hour, as nothing was asked"),
    ],
)
def test_a_reader_that_stays_silent_is_ended(
    monkeypatch: pytest.MonkeyPatch, idle: float, patience: float, ended: bool, why: str
) -> None:
    monkeypatch.setattr("engine.workers.readers.LOOK", 0.01)

    async def work() -> None:
        readers = ReaderPool()
        await readers.read(BODY, URL, "text/html", [])
        reader = readers._readers[0]
        reader._patience, reader._heard_at = patience, reader._heard_at - idle
        first = reader._process.pid
        os.kill(first, signal.SIGSTOP)
        asked = asyncio.create_task(readers.read(BODY, URL, "text/html", []))
        await asyncio.sleep(0.3)
        if not ended:
            os.kill(first, signal.SIGCONT)
        (found,) = await asyncio.gather(asked, return_exceptions=True)
        readers.close()
        assert isinstance(found, PageError if ended else Reading), why

    in_loop(work())


def test_who_waits_for_hits_goes_before_pages_that_are_read() -> None:
    async def work() -> None:
        readers = ReaderPool()
        await readers.read(BODY, URL, "text/html", [])
        there = os.getpriority(os.PRIO_PROCESS, readers._readers[0]._process.pid)
        readers.close()
        assert there == min(os.getpriority(os.PRIO_PROCESS, 0) + NICENESS, MOST_NICE)

    in_loop(work())


def test_a_reader_has_its_time_for_each_page_and_none_to_wait_in() -> None:
    """Neither clock goes on behind a page: the next one may come a day later."""
    clocks = (signal.ITIMER_PROF, signal.ITIMER_REAL)
    child = os.fork()
    if not child:
        with _limited(1_000.0):
            limits = [signal.getitimer(clock)[0] for clock in clocks]
        left = [signal.getitimer(clock)[0] for clock in clocks]
        os._exit(0 if all(limits) and not any(left) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
