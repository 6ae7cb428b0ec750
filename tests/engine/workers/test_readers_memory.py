"""A machine too small to read pages: said in one line, exit code 2, and no page is booked as read."""

import asyncio
import errno
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.workers import readers
from engine.workers.readers import MAX_STARTS, ReaderPool, check_memory
from engine.workers.sandbox import MAX_MEMORY
from tests.web.scripted import html, scripted_web


@pytest.mark.parametrize(
    ("allowed", "enough"),
    [(resource.RLIM_INFINITY, True), (MAX_MEMORY, True), (MAX_MEMORY - 1, False), (921_600_000, False)],
)
def test_what_a_reader_needs_is_asked_first(
    monkeypatch: pytest.MonkeyPatch, allowed: int, enough: bool
) -> None:
    monkeypatch.setattr("engine.workers.readers.resource.getrlimit", lambda _: (allowed, allowed))
    if enough:
        check_memory()
    else:
        with pytest.raises(EngineError, match=r"needs up to 1,074: allow more \(ulimit -v unlimited\)"):
            check_memory()


def in_so_many(megabytes: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1024**2,) * 2)


@pytest.mark.slow
def test_a_crawl_with_too_little_memory_does_not_begin(tmp_path: Path) -> None:
    """As after `ulimit -v 900000`: nothing is asked, nothing counts as read or failed."""
    with scripted_web({"/": html("Start")}) as site:
        command = [sys.executable, "-m", "scrapy", "crawl", "web", "-a", f"seeds={site.url('/')}"]
        settings = ("-a", "own=1", "-s", f"DATA_DIR={tmp_path}", "-s", f"ALLOW_PRIVATE={site.url('/')}")
        done = subprocess.run(
            [*command, *settings], capture_output=True, text=True, preexec_fn=in_so_many(879), check=False
        )
        assert done.returncode == 2
        assert len(done.stderr.strip().splitlines()) == 1
        assert "ulimit -v unlimited" in done.stderr
        assert site.log == []


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (None, "it starts, and dies of too little memory"),
        (BlockingIOError(errno.EAGAIN, "no more processes"), "fork says so"),
        (OSError(errno.ENOMEM, "no memory"), "fork says so, too"),
        (OSError(errno.EMFILE, "too many open files"), "no pipe for the child's error"),
        (FileNotFoundError(errno.ENOENT, "python"), "Python was moved, or is being upgraded"),
    ],
)
def test_readers_that_never_start_are_no_pages_fault(
    monkeypatch: pytest.MonkeyPatch, error: OSError | None, why: str
) -> None:
    """They are tried a few times; then the error is ours, of each page that waits."""
    started: list[list[str]] = []

    def falls(command: list[str], **options: object) -> subprocess.Popen[bytes]:
        started.append(command)
        if error:
            raise error
        return popen([sys.executable, "-c", "raise MemoryError"], stderr=subprocess.DEVNULL, **options)  # type: ignore[call-overload,no-any-return]

    popen = subprocess.Popen
    monkeypatch.setattr("engine.workers.readers.subprocess.Popen", falls)

    async def work() -> None:
        several = ReaderPool()
        asked = [several.read(b"text", f"http://h.example/{n}", "text/html", []) for n in range(4)]
        found = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 60)
        several.close()
        assert [type(one) for one in found] == [EngineError] * 4, why

    asyncio.run(work())
    assert len(started) == readers.NUMBER * MAX_STARTS


@pytest.mark.slow
def test_a_reader_that_cannot_be_started_for_a_moment_is_started_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No page is lost by it."""
    failures = [OSError(errno.EAGAIN, "no more processes")] * (MAX_STARTS - 1)

    def falls(command: list[str], **options: object) -> subprocess.Popen[bytes]:
        if failures:
            raise failures.pop()
        return popen(command, **options)  # type: ignore[call-overload,no-any-return]

    popen = subprocess.Popen
    monkeypatch.setattr("engine.workers.readers.subprocess.Popen", falls)

    async def work() -> None:
        several = ReaderPool()
        found = await asyncio.wait_for(several.read(b"text", "http://h.example/", "text/html", []), 60)
        several.close()
        assert found.content

    asyncio.run(work())


def test_readers_that_are_closed_leave_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one that was about to start, nor another one for the pages that wait; none counts as read."""
    started: list[subprocess.Popen[bytes]] = []

    def noted(command: list[str], **options: object) -> subprocess.Popen[bytes]:
        started.append(popen(command, **options))  # type: ignore[call-overload]
        return started[-1]

    popen = subprocess.Popen
    monkeypatch.setattr("engine.workers.readers.subprocess.Popen", noted)

    async def work(moments: int) -> None:
        several = ReaderPool()
        asked = [
            asyncio.ensure_future(several.read(b"text" * 10_000, f"http://h.example/{n}", "text/html", []))
            for n in range(4)
        ]
        for _ in range(moments):
            await asyncio.sleep(0)
        several.close()
        done, _ = await asyncio.wait(asked, timeout=60)
        assert len(done) == len(asked)
        assert all(one.cancelled() for one in asked)

    for moments in range(1, 7):
        asyncio.run(work(moments))
        assert all(process.poll() is not None for process in started), moments
    assert len(started) <= 6 * readers.NUMBER
