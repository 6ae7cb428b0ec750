"""Lycosa's commands as an operator runs them: in processes of their own."""

import argparse
import itertools
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from scrapy.cmdline import execute
from scrapy.settings import Settings

from engine.command import LycosaCommand
from tests.conftest import ROOT
from tests.warm import Fork

WAIT_SECONDS = 60.0  # for a condition
END_SECONDS = 100.0  # for a command's end


def command(data: Path, *words: str) -> list[str]:
    """The command line of `scrapy ...` on a data folder; crawl.toml is looked for inside it."""
    settings = [f"DATA_DIR={data}", f"CRAWL_TOML={data / 'crawl.toml'}"]
    options = [option for setting in settings for option in ("-s", setting)]
    return [sys.executable, "-m", "scrapy", *words, *options]


def here(asked: LycosaCommand, data: Path, *words: str) -> int:
    """A command on a data folder in this process; its exit code."""
    asked.settings = Settings({"DATA_DIR": str(data), "CRAWL_TOML": str(data / "crawl.toml")})
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    asked.add_options(parser)
    opts, args = parser.parse_known_args(words)
    asked.run(args, opts)
    return asked.exitcode


def scrapy(data: Path, *words: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a command to its end and check its exit code.

    A crawl gets a process of its own, as an event loop cannot begin twice in one; a fork, as it would
    spend most of its time on imports, and the others no process at all.
    """
    done = (run_apart if words[0] == "crawl" else _beside)(command(data, *words))
    assert done.returncode == code, done.stderr[-2000:] + done.stdout[-2000:]
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    return done


def run_apart(line: list[str]) -> subprocess.CompletedProcess[str]:
    """A command in a process of its own, to its end."""
    with TemporaryFile("w+") as out, TemporaryFile("w+") as err:
        process = Fork(line, stdout=out.fileno(), stderr=err.fileno())
        try:
            code = process.wait(END_SECONDS)
        finally:
            process.kill()
            process.wait()
        for file in (out, err):
            file.seek(0)
        return subprocess.CompletedProcess(line, code, out.read(), err.read())


def _beside(line: list[str]) -> subprocess.CompletedProcess[str]:
    """What `python -m scrapy` does, in this process."""
    out, err = StringIO(), StringIO()
    settings = Settings()
    settings.setmodule("engine.settings", priority="project")
    with redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as end, chdir(ROOT):
        execute(["scrapy", *line[3:]], settings)
    return subprocess.CompletedProcess(line, int(end.value.code or 0), out.getvalue(), err.getvalue())


def crawl(data: Path, *seeds: str, own: bool = True, **arguments: str) -> str:
    """`scrapy crawl web`; its summary."""
    given = {"seeds": ",".join(seeds), "own": str(int(own)), **arguments}
    words = [word for name, value in given.items() for word in ("-a", f"{name}={value}")]
    return scrapy(data, "crawl", "web", *words).stdout


def status(data: Path) -> dict[str, Any]:
    """`scrapy status --json`."""
    found: dict[str, Any] = json.loads(scrapy(data, "status", "--json").stdout)
    return found


@contextmanager
def running(data: Path, *words: str) -> Iterator[Fork]:
    """A command that goes on, as a fork; killed at the end if it still is there."""
    reading, writing = os.pipe()
    with open(reading) as said:
        process = Fork(command(data, *words), stdout=writing, stderr=writing)
        os.close(writing)
        process.stdout = said
        try:
            yield process
        finally:
            process.kill()
            process.wait()


@contextmanager
def begun_anew(data: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """The same, begun as a shell begins it: for tests that ask the system for its processes or its group."""
    process = subprocess.Popen(
        command(data, *words),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
        process_group=0,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def serving(data: Path) -> Iterator[str]:
    """`scrapy serve` on a free port; its address, without a slash at the end."""
    with running(data, "serve", "--port", "0") as process:
        assert process.stdout
        first = process.stdout.readline()
        assert "http://" in first, first
        yield first.split("http://")[1].split("/")[0].join(("http://", ""))


def ask(address: str, words: str, **more: str) -> dict[str, Any]:
    """`/api/search`."""
    with urlopen(f"{address}/api/search?{urlencode({'q': words, **more})}", timeout=WAIT_SECONDS) as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def until(condition: Callable[[], object], what: str, seconds: float = WAIT_SECONDS) -> None:
    """Wait for a condition, and fail when it does not come."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain: {what}"
        time.sleep(0.02)


def command_lines() -> dict[int, bytes]:
    """The processes of this machine and their command lines, words parted by NUL."""
    found = dict[int, bytes]()
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):  # it ends while we look
            found[int(line.parent.name)] = line.read_bytes()
    return found


def free_ports(count: int) -> int:
    """The first of so many free ports in a row."""
    for first in itertools.count(20000 + os.getpid() % 1000 * count, count):  # two test runs side by side
        with ExitStack() as taken:
            try:
                for port in range(first, first + count):
                    taken.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            return first
    raise AssertionError
