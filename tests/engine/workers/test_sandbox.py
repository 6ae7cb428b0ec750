"""What a reader process may still do once it is confined: nothing that a page could use against it."""

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.errors import PageError
from engine.formats import FORMATS
from engine.text.charset.declared import BROWSER_CHARSETS
from engine.workers import landlock
from engine.workers.body import read_body
from engine.workers.frames import decode_frame, encode_frame
from engine.workers.readers import ReaderPool
from engine.workers.sandbox import FENCES, clean_environment, describe_fences, probe_fences
from tests.conftest import ROOT
from tests.office import office_files
from tests.papers import pdf
from tests.running import scrapy
from tests.web.scripted import html, scripted_web

URL = "http://h.example/"
# A real reader whose reading is replaced: what a page could do that has taken it over.
TAKEN_OVER = """
import ctypes, json, mmap, os, signal, socket, subprocess, sys, threading, urllib.request
import engine.workers.__main__ as reader
from engine.workers import landlock, sandbox, seccomp
from engine.workers.frames import encode_frame
{without}
LIBC = ctypes.CDLL(None, use_errno=True)

def call(*arguments):
    if LIBC.syscall(*map(ctypes.c_long, arguments)) < 0:
        raise OSError(ctypes.get_errno(), "refused")

def attempt(fields, *rest):
    try:
        exec(fields["code"], globals())
        said = "done"
    except (OSError, RuntimeError, ValueError) as error:
        said = f"refused: {{error}}"
    return encode_frame({{"said": said}}, b"")

reader._answer = attempt
reader.main()
"""
WITHOUT = {
    "nothing": "",
    "seccomp": "seccomp.SyscallFilter.load = lambda self: False",
    "Landlock": "landlock.restrict = lambda: False",
    "either": "seccomp.SyscallFilter.load = lambda self: False\nlandlock.restrict = lambda: False",
}
LIMITS = ("nothing", "seccomp", "Landlock", "either")  # refused by resource limits, whatever else is missing
ANY_FENCE = ("nothing", "seccomp", "Landlock")
BY_SECCOMP = ("nothing", "Landlock")

# What is tried, and which fences may be missing for it to be refused all the same.
ATTEMPTS = [
    ("socket.socket(socket.AF_INET)", LIMITS, "TCP, to the operator's own network"),
    ("socket.socket(socket.AF_INET6)", LIMITS, "the same by IPv6"),
    ("socket.socket(socket.AF_INET, socket.SOCK_DGRAM)", LIMITS, "UDP: DNS carries secrets out"),
    ("socket.socket(socket.AF_UNIX)", LIMITS, "docker.sock, a database, dbus"),
    ("socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)", LIMITS, "the kernel's own"),
    ("socket.socketpair()", LIMITS, "any socket"),
    ("urllib.request.urlopen('http://127.0.0.1:1/')", LIMITS, "as a library does it"),
    ("open('/etc/passwd')", LIMITS, "a file that all may read"),
    ("open('scrapy.cfg')", LIMITS, "the operator's configuration stands beside it"),
    ("open({secret!r})", LIMITS, "crawl.toml, the crawl database"),
    ("open({new!r}, 'w')", LIMITS, "a new file"),
    ("open({secret!r}, 'a')", LIMITS, "a file that is there"),
    ("os.mkdir({new!r})", ANY_FENCE, "a folder, which takes no descriptor"),
    ("os.unlink({secret!r})", ANY_FENCE, "deleting"),
    ("os.rename({secret!r}, {new!r})", ANY_FENCE, "moving away"),
    ("os.symlink('/etc/passwd', {new!r})", ANY_FENCE, "a link"),
    ("os.chmod({secret!r}, 0o777)", BY_SECCOMP, "opening to others"),
    ("os.stat({secret!r})", BY_SECCOMP, "whether a file is there"),
    ("os.listdir('/')", LIMITS, "which files are there"),
    ("open(f'/proc/{{os.getppid()}}/mem', 'rb')", LIMITS, "the crawl's memory"),
    ("open(f'/proc/{{os.getppid()}}/environ', 'rb')", LIMITS, "the crawl's environment"),
    ("open('/dev/tty', 'w')", LIMITS, "the operator's terminal"),
    ("os.execv(sys.executable, [sys.executable, '-c', ''])", ANY_FENCE, "another program in its place"),
    ("subprocess.run(['/bin/true'])", ANY_FENCE, "another program beside it"),
    ("os.fork()", BY_SECCOMP, "a process that outlives it"),
    ("threading.Thread(target=print).start()", BY_SECCOMP, "a thread"),
    ("os.kill(os.getppid(), signal.SIGCONT)", ANY_FENCE, "the crawl"),
    ("os.kill(os.getppid(), 0)", ANY_FENCE, "whether it may signal the crawl"),
    ("call(101, 16, os.getppid(), 0, 0)", ANY_FENCE, "ptrace: attach to the crawl"),
    ("call(310, os.getppid(), 0, 0, 0, 0, 0)", BY_SECCOMP, "process_vm_readv"),
    ("call(425, 8, 0)", BY_SECCOMP, "io_uring has sockets and files of its own"),
    ("call(321, 0, 0, 0)", BY_SECCOMP, "bpf"),
    ("call(272, 0x10000000)", BY_SECCOMP, "a user namespace, in which it would be root"),
    ("call(319, 0, 0)", LIMITS, "memfd: a file without a path, to be run"),
    ("mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_EXEC)", BY_SECCOMP, "new machine code"),
    ("os.write(9, b'x')", LIMITS, "a file that the crawl has open"),
    ("os.setpriority(os.PRIO_PROCESS, 0, -5)", BY_SECCOMP, "more of the processor"),
    ("sandbox.resource.setrlimit(7, (99, 99))", BY_SECCOMP, "more files"),
]


@pytest.fixture(scope="module")
def secret(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "crawl.db"
    path.write_text("secret")
    return path


def taken_over(secret: Path, without: str, codes: list[str]) -> list[str]:
    """What became of each piece of code in a reader that lacks a fence."""
    ours, theirs = socket.socketpair()
    program = TAKEN_OVER.format(without=WITHOUT[without])
    paths = {"secret": str(secret), "new": str(secret.with_name("new"))}
    with ours, open(os.devnull) as other:
        command = [sys.executable, "-c", program, "2", "text/html"]
        process = subprocess.Popen(
            command, stdin=theirs.fileno(), env=clean_environment(), cwd=ROOT, pass_fds=[other.fileno()]
        )
        theirs.close()
        for code in codes:
            ours.sendall(encode_frame({"code": code.format(**paths)}, b""))
        try:
            return [str(answer["said"]) for answer in answers(ours, 1 + len(codes))[1:]]
        finally:
            ours.close()
            process.wait(30)


def answers(ours: socket.socket, number: int) -> list[dict[str, Any]]:
    """So many answers of a reader, the one in which it says how it is confined included."""
    received, found = bytearray(), list[dict[str, Any]]()
    ours.settimeout(60)
    while len(found) < number:
        data = ours.recv(1 << 16)
        assert data, f"it died after {found}"
        received += data
        while one := decode_frame(received):
            found.append(one[0])
    return found


@pytest.mark.fences
def test_this_machine_has_every_fence(capfd: pytest.CaptureFixture[str]) -> None:
    """seccomp by libseccomp2, which is there wherever apt or systemd is; Python warns of nothing."""
    assert probe_fences() == list(FENCES)
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
@pytest.mark.fences
@pytest.mark.parametrize("without", WITHOUT)
def test_a_reader_that_was_taken_over_gets_nowhere(secret: Path, without: str) -> None:
    """Not even where a fence is missing, as far as another can stand in for it."""
    tries = [(code, why) for code, missing, why in ATTEMPTS if without in missing]
    said = taken_over(secret, without, [code for code, _ in tries])
    got_through = [tried for tried, what in zip(tries, said, strict=True) if not what.startswith("refused")]
    assert not got_through
    assert secret.read_text() == "secret"
    assert [path.name for path in secret.parent.iterdir()] == [secret.name]


@pytest.mark.fences
def test_each_attempt_would_succeed_without_fences(secret: Path) -> None:
    """The table tries what works: an attempt that fails by a slip of the pen would prove nothing."""
    harmless = ["os.stat({secret!r})", "os.getsid(0)", "os.kill(os.getppid(), 0)", "call(319, 0, 0)"]
    assert taken_over(secret, "either", harmless)[:3] == ["done", "done", "done"]


def test_a_reader_knows_no_secret_of_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYCOSA_PASSWORD", "secret")

    async def work() -> None:
        readers = ReaderPool()
        await readers.read(b"<p>text", URL, "text/html", [])
        process = readers._readers[0]._process
        told = Path(f"/proc/{process.pid}/environ").read_bytes()
        files = sorted(os.listdir(f"/proc/{process.pid}/fd"))
        leads = [os.readlink(f"/proc/{process.pid}/fd/{number}") for number in files]
        readers.close()
        assert b"secret" not in told
        assert [lead.partition(":")[0] for lead in leads] == ["socket", os.devnull, os.devnull]

    asyncio.run(asyncio.wait_for(work(), 60))


BY_NAME = {one.name: one for one in FORMATS}
CODE_PAGES_OF_RTF = rb"{\rtf1\ansicpg950\'a4\'40{\fonttbl{\f0\fcharset130;}}{\f0\'88\'61}\ansicpg77777\'a4}"
JAPANESE = "<title>日本語</title><p>これは日本語の文章です。文字化けしません。".encode("euc-jp")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "content_type", "why"),
    [
        (b"<p>A page without a language, of which nobody knows: cum grano salis.", "text/html", "its model"),
        (pdf(["A paper", "with some text of two lines"]), "application/pdf", "PDFium"),
        *[(body, BY_NAME[name].media_types[0], f"all of {name}") for name, body in office_files().items()],
        (CODE_PAGES_OF_RTF, "application/rtf", "code pages that it names"),
        (JAPANESE, "text/html; charset=euc-jp", "a codec that Python loads when it is asked for"),
        (JAPANESE, "text/html", "all codecs that may be meant"),
        ("<p>Что это за страница, без слова о себе?".encode("koi8-r"), "text/html", "one that is guessed"),
        ("<p>plain text, as a server calls it".encode("utf-16"), "text/plain", "UTF-16"),
        (b"<p>date<meta name=date content='2 March 2024 10:11 CET'>", "text/html", "the time zone's file"),
        (b"<link rel=canonical href=http://i.example/><p>words", "text/html", "the public suffixes"),
    ],
)
def test_a_confined_reader_reads_as_before(body: bytes, content_type: str, why: str) -> None:
    """Whatever of Python and its libraries is loaded late was loaded before."""

    async def work() -> None:
        readers = ReaderPool()
        there = await readers.read(body, URL, content_type, [])
        readers.close()
        here = read_body(body, URL, content_type, [])
        assert (there.language, there.content) == (here.language, here.content), why

    asyncio.run(asyncio.wait_for(work(), 60))


@pytest.mark.slow
def test_a_confined_reader_knows_every_charset() -> None:
    """Their codecs and tables are files; every pair of octets may need one of them."""
    octets = bytes(range(0x80, 0xFF))
    body = octets + octets[::-1] + b"<a href='/?q=" + octets + b"'>"

    async def work() -> None:
        readers = ReaderPool()
        for charset in ("", *sorted(BROWSER_CHARSETS)):
            kind = f"text/html; charset={charset}"
            assert (await readers.read(body, URL, kind, [])).content == read_body(body, URL, kind, []).content
        readers.close()

    asyncio.run(asyncio.wait_for(work(), 60))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b'{"language": 1}', "an answer that lacks all else"),
        (b"[]", "no object"),
        (b"{", "no JSON"),
        (b"\xff", "no text"),
    ],
)
def test_a_reader_that_answers_nonsense_is_believed_nothing(answer: bytes, why: str) -> None:
    async def work() -> None:
        readers = ReaderPool()
        await readers.read(b"<p>text", URL, "text/html", [])
        first = readers._readers[0]
        asked = asyncio.ensure_future(readers.read(b"<p>text" * 100_000, URL, "text/html", []))
        await asyncio.sleep(0)
        first.data_received(len(answer).to_bytes(4, "big") + bytes(4) + answer)
        try:
            with pytest.raises(PageError, match="reading took too long"):
                await asked
            assert await readers.read(b"<p>text", URL, "text/html", []), why
        finally:
            readers.close()

    asyncio.run(asyncio.wait_for(work(), 60))


@pytest.mark.parametrize(
    ("fences", "words"),
    [
        (FENCES, "Landlock and seccomp, and resource limits"),
        (("Landlock",), "Landlock, and resource limits; seccomp is missing"),
        ((), "resource limits alone"),
    ],
)
def test_it_is_said_how_readers_are_confined(fences: tuple[str, ...], words: str) -> None:
    assert describe_fences(fences).startswith(words)


@pytest.mark.fences
def test_status_says_how_readers_are_confined(tmp_path: Path) -> None:
    said = scrapy(tmp_path, "status").stdout
    assert "readers       confined by Landlock and seccomp, and resource limits\n" in said


@pytest.mark.slow
@pytest.mark.fences
def test_a_crawl_says_how_its_readers_are_confined(tmp_path: Path) -> None:
    with scripted_web({"/": html("T", "text")}) as site:
        said = scrapy(tmp_path, "crawl", "web", "-a", f"seeds={site.url('/')}", "-a", "own=1").stderr
        assert said.count("confined by Landlock and seccomp, and resource limits") == 1


def test_an_older_kernel_has_no_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is tried, nothing fails."""
    monkeypatch.setattr(landlock, "_call", lambda *_: -1)
    assert landlock.abi() == 0
    assert not landlock.restrict()
