"""What a program may do that a picture has taken over: read its data, and print a little."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.workers.confined_program import MAX_OUTPUT
from engine.workers.sandbox import clean_environment
from tests.conftest import ROOT

pytestmark = pytest.mark.fences
# A process that was confined as Tesseract is, and then tries something.
TAKEN_OVER = """
import ctypes, os, resource, signal, socket, subprocess, sys, threading
from engine.workers.confined_program import MAX_OUTPUT, confine_program
LIBC = ctypes.CDLL(None, use_errno=True)

def call(*arguments):
    if LIBC.syscall(*map(ctypes.c_long, arguments)) < 0:
        raise OSError(ctypes.get_errno(), "refused")

confine_program(sys.argv[1], sys.argv[2])
try:
    exec(sys.argv[3])
except (OSError, RuntimeError, ValueError) as error:
    os.write(1, f"refused: {error}".encode())
else:
    os.write(1, b"done")
"""
ATTEMPTS = [
    ("socket.socket(socket.AF_INET)", "TCP, to the operator's own network"),
    ("socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", "UDP: DNS carries secrets out"),
    ("socket.socket(socket.AF_UNIX)", "docker.sock, a database, dbus"),
    ("open('/etc/passwd')", "a file that all may read"),
    ("open({secret!r})", "crawl.toml, the crawl database"),
    ("open({secret!r}, 'a')", "a file that is there"),
    ("open({data!r}, 'a')", "its own data"),
    ("open({new!r}, 'w')", "a new file"),
    ("os.mkdir({new!r})", "a folder"),
    ("os.unlink({secret!r})", "deleting"),
    ("os.rename({secret!r}, {new!r})", "moving away"),
    ("os.symlink('/etc/passwd', {new!r})", "a link"),
    ("os.chmod({secret!r}, 0o777)", "opening to others"),
    ("os.listdir('/')", "which files are there"),
    ("open(f'/proc/{{os.getppid()}}/mem', 'rb')", "the crawl's memory"),
    ("open(f'/proc/{{os.getppid()}}/environ', 'rb')", "the crawl's environment"),
    ("open('/dev/tty', 'w')", "the operator's terminal"),
    ("os.execv('/bin/sh', ['sh'])", "a shell in its place"),
    ("subprocess.run(['/bin/true'])", "another program beside it"),
    ("os.fork()", "a process that outlives it"),
    ("threading.Thread(target=print).start()", "a thread"),
    ("os.kill(os.getppid(), 0)", "the crawl"),
    ("call(101, 16, os.getppid(), 0, 0)", "ptrace: attach to the crawl"),
    ("call(425, 8, 0)", "io_uring has sockets and files of its own"),
    ("call(272, 0x10000000)", "a user namespace, in which it would be root"),
    ("call(319, 0, 0)", "memfd: a file without a path, to be run"),
    ("os.setpriority(os.PRIO_PROCESS, 0, 0)", "more of the processor"),
    ("resource.setrlimit(resource.RLIMIT_CPU, (99, 99))", "more time"),
    ("resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE, (0, 0))", "fewer files for the crawl"),
    ("os.truncate(1, 0)", "what it has printed"),
]


def attempt(folder: Path, code: str) -> str:
    """What became of a piece of code in a confined process."""
    (folder / "data").mkdir()
    (folder / "data" / "eng").write_text("data")
    (folder / "secret").write_text("secret")
    paths = {"secret": str(folder / "secret"), "new": str(folder / "new"), "data": str(folder / "data/eng")}
    with open(folder / "out", "w+b") as out:
        subprocess.run(
            [sys.executable, "-c", TAKEN_OVER, "/bin/cat", str(folder / "data"), code.format(**paths)],
            stdout=out,
            env=clean_environment(),
            cwd=ROOT,
            check=False,
        )
        assert (folder / "secret").read_text() == "secret"
        assert (folder / "data" / "eng").read_text() == "data"
        assert sorted(os.listdir(folder)) == ["data", "out", "secret"]
        out.seek(0)
        return out.read(200).decode()


@pytest.mark.slow
@pytest.mark.parametrize(("code", "why"), ATTEMPTS, ids=[why for _, why in ATTEMPTS])
def test_a_program_that_was_taken_over_gets_nowhere(tmp_path: Path, code: str, why: str) -> None:
    assert attempt(tmp_path, code).startswith("refused"), why


def test_it_prints_no_more_than_it_may(tmp_path: Path) -> None:
    attempt(tmp_path, "[os.write(1, b'x' * MAX_OUTPUT) for _ in range(2)]")
    assert (tmp_path / "out").stat().st_size == MAX_OUTPUT


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("assert open({data!r}).read() == 'data'", "what it reads languages by"),
        ("os.execv('/bin/cat', ['cat', {data!r}])", "the program itself"),
    ],
)
def test_what_it_may_do(tmp_path: Path, code: str, why: str) -> None:
    assert attempt(tmp_path, code) in ("done", "data"), why
