"""A machine too small to read pages: said in one line, exit code 2, and no page is booked as read."""

import asyncio
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.errors import EngineError
from engine.reading import readers
from engine.reading.readers import MAX_STARTS, Readers, check_memory
from engine.reading.sandbox import MAX_MEMORY
from tests.web.scripted import html, scripted_web


@pytest.mark.parametrize(
    ("allowed", "enough"),
    [(resource.RLIM_INFINITY, True), (MAX_MEMORY, True), (MAX_MEMORY - 1, False), (921_600_000, False)],
)
def test_what_a_reader_needs_is_asked_first(
    monkeypatch: pytest.MonkeyPatch, allowed: int, enough: bool
) -> None:
    monkeypatch.setattr("engine.reading.readers.resource.getrlimit", lambda _: (allowed, allowed))
    if enough:
        check_memory()
    else:
        with pytest.raises(EngineError, match=r"needs up to 1,074: allow more \(ulimit -v unlimited\)"):
            check_memory()


def in_so_many(megabytes: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_AS, (megabytes * 1024**2,) * 2)


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


def test_readers_that_never_start_are_no_pages_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are tried a few times; then the error is ours, of each page that waits."""
    started: list[list[str]] = []

    def falls(command: list[str], **options: object) -> subprocess.Popen[bytes]:
        started.append(command)
        return popen([sys.executable, "-c", "raise MemoryError"], stderr=subprocess.DEVNULL, **options)  # type: ignore[call-overload,no-any-return]

    popen = subprocess.Popen
    monkeypatch.setattr("engine.reading.readers.subprocess.Popen", falls)

    async def work() -> None:
        several = Readers()
        asked = [several.read(b"text", f"http://h.example/{n}", "text/html", []) for n in range(4)]
        found = await asyncio.wait_for(asyncio.gather(*asked, return_exceptions=True), 60)
        several.close()
        assert [type(one) for one in found] == [EngineError] * 4

    asyncio.run(work())
    assert len(started) == readers.NUMBER * MAX_STARTS
