"""Readers that fall silent, die, wait and give way: what their processes are held to."""

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from engine.errors import PageError
from engine.model.page import Reading
from engine.workers.__main__ import NICENESS, _limited
from engine.workers.frames import HEAD
from engine.workers.readers import ReaderPool
from tests.engine.workers.test_readers import BODY, URL, in_loop
from tests.running import until

MOST_NICE = 19  # setpriority(2) knows no more


@pytest.mark.slow
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


@pytest.mark.slow
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


def test_an_answer_without_end_ends_its_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """As of a reader that a page took over: it fills no memory of ours."""
    monkeypatch.setattr("engine.workers.readers.MAX_ANSWER", 10_000)

    async def work() -> None:
        readers = ReaderPool()
        await readers.read(BODY, URL, "text/html", [])
        reader = readers._readers[0]
        os.kill(reader._process.pid, signal.SIGSTOP)
        asked = asyncio.create_task(readers.read(BODY, URL, "text/html", []))
        await asyncio.sleep(0)
        reader.data_received(HEAD.pack(2, 1 << 31) + b"{}" + bytes(10_000))
        with pytest.raises(PageError, match="too much"):
            await asked
        readers.close()

    in_loop(work())


def test_where_a_reader_stands_among_processes() -> None:
    """Who waits for hits goes before it, and a terminal's Ctrl-C, which is for its group, leaves it alone."""

    async def work() -> None:
        readers = ReaderPool()
        await readers.read(BODY, URL, "text/html", [])
        number = readers._readers[0]._process.pid
        niceness, group = os.getpriority(os.PRIO_PROCESS, number), os.getpgid(number)
        readers.close()
        assert niceness == min(os.getpriority(os.PRIO_PROCESS, 0) + NICENESS, MOST_NICE)
        assert group == number

    in_loop(work())


# A crawl whose reader is at one page for longer than anybody waits.
CRAWL = """
import asyncio, subprocess, sys
from engine.config import ReadingLimits
from engine.workers.readers import ReaderPool

BUSY = '''import engine.workers.__main__ as reader

def answer(*_):
    while True:
        pass

reader._answer = answer
reader.main()'''
popen = subprocess.Popen
subprocess.Popen = lambda command, **options: popen([sys.executable, "-c", BUSY, *command[3:]], **options)

async def work():
    readers = ReaderPool(allowed=ReadingLimits(seconds=60.0))
    asked = asyncio.create_task(readers.read(b"<p>text", "http://h.example/", "text/html", []))
    while readers._readers[0]._starts or not readers._readers[0]._transport:
        await asyncio.sleep(0.01)
    print(readers._readers[0]._process.pid, flush=True)
    await asked

asyncio.run(work())
"""


@pytest.mark.slow
def test_a_reader_ends_with_its_crawl_whatever_it_is_at() -> None:
    """It would not see for a minute that its socket is closed."""
    with subprocess.Popen([sys.executable, "-c", CRAWL], stdout=subprocess.PIPE, text=True) as crawl:
        assert crawl.stdout
        reader = int(crawl.stdout.readline())
        crawl.kill()
    try:
        until(lambda: not is_alive(reader), "its end")
    finally:
        with suppress(ProcessLookupError):
            os.kill(reader, signal.SIGKILL)


def is_alive(process: int) -> bool:
    """Whether it is there, and not only its exit code for a parent that has yet to ask."""
    try:
        return not Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].lstrip().startswith("Z")
    except FileNotFoundError:
        return False


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
