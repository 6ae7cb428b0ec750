"""Lycosa's commands as forks of a process that has loaded what they need, which takes a new one a second.

That process has one thread and no event loop, so a fork of it differs from `python -m` in its imports, and in
the tables that commands read from files: public suffixes, charsets, the model of languages.
A test that asks the system for a command's processes takes `tests.running.begun_anew`.
"""

import atexit
import gc
import json
import os
import runpy
import select
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import mkdtemp
from types import SimpleNamespace
from typing import IO, Any, Protocol

from scrapy.utils.misc import walk_modules_iter

import engine.generations.follower_process
import engine.workers.readers
from engine.kernels import compile_kernels
from engine.workers.preload import preload
from tests.conftest import ROOT

IMPORTED = (  # with all that is in them; Scrapy looks at every command before it runs one
    "engine.commands",
    "engine.index.indexing.__main__",
    "engine.middleware",
    "engine.workers.__main__",
    "pipelines",
    "scrapy.cmdline",
    "scrapy.commands",
    "scrapy.crawler",
    "search_ui.app",
    "spiders",
)
NUMBER_BYTES = 8  # of an answer: the number of a process, later its exit code

_known: list[tuple[str, subprocess.Popen[bytes] | None]] = []  # the address of that process, once it runs


class HasFileno(Protocol):
    """A socket, or a file."""

    def fileno(self) -> int:
        """Its number."""


def readable(*files: HasFileno, timeout: float | None = None) -> list[int]:
    """Wait until one of these can be read; the numbers of those, which select() bounds by 1,024."""
    poll = select.poll()
    for file in files:
        poll.register(file, select.POLLIN)
    return [number for number, _ in poll.poll(None if timeout is None else timeout * 1_000)]


class Fork:
    """What is asked of `subprocess.Popen`, for `python -m MODULE ...`."""

    def __init__(
        self,
        line: Sequence[str],
        stdin: int = subprocess.DEVNULL,
        stdout: int = 1,
        stderr: int = 2,
        process_group: int = -1,
        env: Mapping[str, str] | None = None,
    ) -> None:
        assert line[:2] == [sys.executable, "-m"], line
        self.stdin: IO[bytes] | None = None
        self.stdout: IO[str] | None = None  # of who reads what it says
        self.returncode: int | None = None
        self._connection = socket.socket(socket.AF_UNIX)
        self._connection.connect(_address())
        asked = {
            "words": line[2:],
            "environment": dict(os.environ if env is None else env),
            "group": process_group,
        }
        with ExitStack() as given:
            if stdin == subprocess.PIPE:
                stdin, ours = os.pipe()
                self.stdin = os.fdopen(ours, "wb")
                given.callback(os.close, stdin)
            elif stdin == subprocess.DEVNULL:
                stdin = given.enter_context(open(os.devnull)).fileno()
            socket.send_fds(self._connection, [b" "], [stdin, stdout, stderr])
        self._connection.sendall(json.dumps(asked).encode())
        self._connection.shutdown(socket.SHUT_WR)
        self.pid = self._number()

    def _number(self) -> int:
        answer = self._connection.recv(NUMBER_BYTES)
        assert len(answer) == NUMBER_BYTES, "the process that imports for all is gone"
        return int.from_bytes(answer, signed=True)

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, as Popen's. Raises TimeoutExpired."""
        if self.returncode is None:
            if not readable(self._connection, timeout=timeout):
                raise subprocess.TimeoutExpired("", timeout or 0.0)
            self.returncode = self._number()
            self._connection.close()
        return self.returncode

    def poll(self) -> int | None:
        """The exit code, None while it runs."""
        try:
            return self.wait(0.0)
        except subprocess.TimeoutExpired:
            return None

    def send_signal(self, number: int) -> None:
        """Unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):  # dead, and its exit code under way
                os.kill(self.pid, number)

    def kill(self) -> None:
        """kill -9."""
        self.send_signal(signal.SIGKILL)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the process that imports for all, which would else be called one that still runs."""
    process.kill()
    process.communicate()


def _address() -> str:
    """Where the process that imports for all takes orders; it ends with the one that started it."""
    if not _known:
        address = str(Path(mkdtemp(), "warm"))
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(address)
            listener.listen()
            script = f"from tests.warm import serve; serve({address!r}, {listener.fileno()})"
            line, kept = [sys.executable, "-c", script], [listener.fileno()]
            process = subprocess.Popen(line, cwd=ROOT, stdin=subprocess.PIPE, pass_fds=kept)
        _known.append((address, process))
        atexit.register(_end, process)
    return _known[0][0]


def serve(address: str, number: int) -> None:
    """Fork for each order that comes to this socket, until standard input closes."""
    for module in IMPORTED:
        list(walk_modules_iter(module))
    preload()
    compile_kernels()
    gc.freeze()  # forks share what the collector does not touch
    _known.append((address, None))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    listener = socket.socket(fileno=number)
    while listener.fileno() in readable(listener, sys.stdin):
        order, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _obey(order)
        order.close()
    shutil.rmtree(Path(address).parent)


def _obey(order: socket.socket) -> None:
    """Fork once more, and tell how that one ended."""
    _, files, _, _ = socket.recv_fds(order, 1, 3)
    with order.makefile("rb") as said:
        asked = json.load(said)
    if child := os.fork():
        with suppress(BrokenPipeError):  # who asked is dead
            order.send(child.to_bytes(NUMBER_BYTES))
            for file in files:
                os.close(file)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            order.send(code.to_bytes(NUMBER_BYTES, signed=True))
        os._exit(0)
    order.close()
    _run(asked, files)


def _run(asked: Mapping[str, Any], files: Sequence[int]) -> None:
    """Be that command, with these as standard input, output and error, and exit; what it starts are forks."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    if asked["group"] >= 0:
        os.setpgid(0, asked["group"])
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(asked["environment"])
    for starting in (engine.workers.readers, engine.generations.follower_process):
        starting.subprocess = SimpleNamespace(Popen=Fork, PIPE=subprocess.PIPE)  # type: ignore[attr-defined]
    os.nice = lambda _: 0  # on a busy machine who gives way comes last for minutes, and a test waits for it
    sys.argv = asked["words"]
    sys.modules.pop(f"{sys.argv[0]}.__main__", None)  # run_module() warns of one that is there
    runpy.run_module(asked["words"][0], run_name="__main__", alter_sys=True)
    sys.exit()
