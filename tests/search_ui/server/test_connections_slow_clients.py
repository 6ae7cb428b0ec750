"""When the server hangs up, and who is answered beside clients of every slow kind."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

import pytest

from search_ui.app import create_app
from search_ui.server.connections import SPARE, ConnectionLimiter, Deadlines
from tests.conftest import ROOT
from tests.running import begun_anew, crawl, until
from tests.search_ui.conftest import IDENTITY, START_SECONDS, Searcher, answering
from tests.search_ui.slow_clients import Crowd, Visitor, beside, raise_files
from tests.web.serve import friendly_web

MUCH = 200_000_000  # octets, many times what systems keep on both sides
HASTE = Deadlines(
    head=0.4, body=0.4, answer=0.4, rate=1_000_000, linger=0.3, linger_bytes=100_000, sweep=0.05
)


@contextmanager
def port_of(places: ConnectionLimiter) -> Iterator[int]:
    """A served application with these places."""
    with answering(create_app(Searcher(), lambda: None, IDENTITY), places) as client:
        yield client.base_url.port or 0


def last_of(
    port: int, request: bytes, more: Callable[[socket.socket], None] = lambda _: None
) -> tuple[bytes, float]:
    """What came until the server hung up, and after how long that was."""
    started = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS) as connection:
        connection.sendall(request)
        more(connection)
        answer = b""
        try:
            while piece := connection.recv(65_536):
                answer += piece
        except ConnectionResetError:
            pass
    return answer, time.monotonic() - started


HEAD = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"


def keep_sending(connection: socket.socket) -> None:
    """Octets without end, without reading."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        try:
            connection.sendall(1_000 * b"a")
        except OSError:
            return
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("request_bytes", "more", "status", "why"),
    [
        (b"", None, b"", "silence"),
        (HEAD, None, b"", "half a head"),
        (HEAD + b"\r\n" + HEAD, None, b"200", "half a head behind an answer"),
        (
            b"POST /search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            b"Content-Length: 9\r\n\r\nq=",
            None,
            b"",
            "half a form",
        ),
        (HEAD + b"Content-Length: 99999999\r\n\r\n", keep_sending, b"200", "a body that nobody reads"),
        (
            b"POST /search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n",
            keep_sending,
            b"415",
            "no form",
        ),
        (
            b"POST /nothing HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffff\r\n",
            keep_sending,
            b"404",
            "no such page",
        ),
        (
            b"DELETE / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n",
            keep_sending,
            b"405",
            "no such method",
        ),
        (b"no request\r\n", keep_sending, b"400", "no HTTP"),
        (
            HEAD + b"Expect: 100-continue\r\nContent-Length: 99999999\r\n\r\n",
            None,
            b"200",
            "asks before it sends",
        ),
    ],
)
def test_the_server_hangs_up(
    request_bytes: bytes, more: Callable[[socket.socket], None] | None, status: bytes, why: str
) -> None:
    """Its client sees the answer, if there is one, and whatever it sends beyond is not read on."""
    with port_of(ConnectionLimiter(deadlines=HASTE)) as port:
        answer, seconds = last_of(port, request_bytes, more or (lambda _: None))
        assert answer[9:12] == status, why
        assert seconds < START_SECONDS, why


@pytest.mark.parametrize(
    ("start", "status"),
    [
        (b"POST /submit HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n", b"404"),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\n", b"405"),
        (b"POST /search HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 999999999\r\n\r\n", b"421"),
        (b"nonsense\r\n\r\n", b"400"),
    ],
)
def test_what_follows_a_refusal_is_not_read_on(start: bytes, status: bytes) -> None:
    """However fast it comes: a little of it, so that the client sees the answer."""
    patience, sent = Deadlines(linger=START_SECONDS, linger_bytes=100_000), 0
    with (
        port_of(ConnectionLimiter(deadlines=patience)) as port,
        socket.create_connection(("127.0.0.1", port)) as connection,
    ):
        connection.settimeout(START_SECONDS)
        connection.sendall(start)
        assert connection.recv(12)[9:] == status
        with suppress(ConnectionError):
            while sent < MUCH:
                sent += connection.send(65_536 * b"a")
    assert sent < MUCH


def test_whoever_has_said_all_is_answered() -> None:
    """RFC 9112, 9.6: a client may close its half of the connection."""
    with port_of(ConnectionLimiter()) as port:
        answer, _ = last_of(port, HEAD + b"\r\n", lambda connection: connection.shutdown(socket.SHUT_WR))
        assert answer.endswith(b"ok")


def test_a_slow_reader_is_not_waited_for() -> None:
    """It asks for more than its system takes, and takes nothing."""
    places = ConnectionLimiter(deadlines=HASTE)
    asking = 16 * b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with port_of(places) as port, socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
        connection.connect(("127.0.0.1", port))
        connection.sendall(asking)
        until(lambda: len(places), "its place")
        until(lambda: not len(places), "the end of it")


@pytest.mark.parametrize("root_path", ["", "/find"])
def test_health_is_answered_where_all_places_are_taken(root_path: str) -> None:
    """And all else is refused; as soon as a place is free everything is answered again."""
    searcher = Searcher()
    places = ConnectionLimiter(max_connections=2, max_per_client=2)
    identity = replace(IDENTITY, public_url=f"https://search.example{root_path}")
    with answering(create_app(searcher, lambda: None, identity), places, root_path) as client:
        port = client.base_url.port or 0
        waiting = [socket.create_connection(("127.0.0.1", port), timeout=START_SECONDS) for _ in range(2)]
        for connection in waiting:
            connection.sendall(b"GET /search?q=wait HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        assert searcher.started.wait(START_SECONDS)
        until(lambda: len(places) == 2, "both")
        assert {client.get(f"{path}/health").text for path in ("", root_path)} == {"ok"}
        assert client.get("/static/health").status_code == 503, "another path that ends so"
        refused = client.get("/")
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "1")
        searcher.go_on.set()
        for connection in waiting:
            assert connection.recv(12).endswith(b"200")
            connection.close()
        until(lambda: client.get("/").status_code == 200, "an answer to everything")


@pytest.mark.slow
def test_beside_a_crowd_of_slow_clients_everybody_else_is_answered() -> None:
    """From one address and from several; more of them than there are places."""
    places = ConnectionLimiter(max_connections=48, max_per_client=16, deadlines=HASTE)
    with port_of(places) as port:
        for sources in (["127.0.0.2"], [f"127.0.0.{n}" for n in range(2, 8)]):
            crowd = Crowd(port, sources, 120, pause=0.2)
            visitors = [Visitor(port, "/health"), Visitor(port, "/search?q=a")]
            asyncio.run(beside(crowd, visitors, 2.0, 0.1))
            assert [set(visitor.statuses) for visitor in visitors] == [{"200"}] * 2
            assert len(places) <= 48 + SPARE
        until(lambda: not len(places), "the end of them all")


@pytest.mark.long
@pytest.mark.parametrize(
    ("number", "sources"),
    [
        (600, ["127.0.0.2"]),
        (10_000, ["127.0.0.2"]),
        (10_000, [f"127.0.0.{n}" for n in range(2, 12)]),
    ],
    ids=["600", "10000", "10000 from ten"],
)
def test_two_minutes_beside_a_crowd(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], number: int, sources: list[str]
) -> None:
    """The real command; prints what another client waited for, and the most memory that the server took."""
    with friendly_web() as web:
        crawl(tmp_path, *web.seeds)
    raise_files(number + 1_000)
    with begun_anew(tmp_path, "serve", "--port", "0") as server:
        assert server.stdout
        port = int(next(line for line in server.stdout if "http://" in line).split(":")[2].split("/")[0])
        before = _memory(server.pid)
        command = [
            sys.executable,
            "-m",
            "tests.search_ui.slow_clients",
            str(port),
            str(number),
            "125",
            *sources,
        ]
        crowd = subprocess.Popen(command, cwd=ROOT)
        visitors = [Visitor(port, "/health"), Visitor(port, "/search?q=spider")]
        asyncio.run(_ask(visitors, 120.0))
        files = len(os.listdir(f"/proc/{server.pid}/fd"))
        crowd.wait(60)
        most = _memory(server.pid)
    memory = f"{before} MB before, {most} MB at most; {files} files"
    for visitor in visitors:
        said = f"{visitor.target}: p99 {1000 * visitor.p99:.0f} ms of {len(visitor.seconds)}; {memory}"
        with capsys.disabled():
            sys.stdout.write(f"\n{number} from {len(sources)}: {said}")
        assert set(visitor.statuses) == {"200"}


async def _ask(visitors: list[Visitor], seconds: float) -> None:
    deadline = time.monotonic() + seconds
    await asyncio.gather(*(visitor.ask(deadline, 0.1) for visitor in visitors))


def _memory(pid: int) -> int:
    """The most that a process has had in memory, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) // 1_000
