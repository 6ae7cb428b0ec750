"""Every kind of answer to GET /robots.txt, by real servers on loopback to a real crawl.

One crawl visits all hosts at once; each row looks at what its own host was asked for.
"""

import gzip
import itertools
import ssl
import zlib
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socket import create_server
from threading import Thread
from typing import NamedTuple

import pytest

from engine.model.page import State
from tests.certificates import self_signed
from tests.crawling import states
from tests.running import scrapy
from tests.web.scripted import Answer, Request, Route, html, prose, scripted_web

pytestmark = pytest.mark.slow

RULES = b"User-agent: *\nDisallow: /p\n"
PLAIN = {"Content-Type": "text/plain"}
ALL, SOME, NONE = {"/", "/open", "/p/a"}, {"/", "/open"}, set[str]()
KEPT = State.QUEUED  # deferred: nothing is asked, nothing is lost
TIMEOUT = 6  # seconds, for this crawl: on a busy machine 11 MB take two


def text(body: bytes = RULES, status: int = 200, **headers: str) -> Answer:
    return Answer(
        status, body, {**PLAIN, **{name.replace("_", "-"): value for name, value in headers.items()}}
    )


def moved(to: str, status: int = 301) -> Answer:
    return Answer(status, b"", {"Location": to})


def hops(number: int) -> dict[str, Route]:
    """/robots.txt -> /1 -> ... -> the rules, after so many redirects."""
    steps = ["/robots.txt", *(f"/hop{n}" for n in range(1, number + 1))]
    routes: dict[str, Route] = {here: moved(there) for here, there in itertools.pairwise(steps)}
    return {**routes, steps[-1]: text()}


@cache
def bomb() -> bytes:
    """Two hundred megabytes of comment behind the rules, in a few hundred kilobytes."""
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    piece = b"#" * 1_000_000
    return b"".join([packer.compress(RULES), *(packer.compress(piece) for _ in range(200)), packer.flush()])


def for_ever() -> Iterator[bytes]:
    yield RULES
    while True:
        yield b"# and so on\n" * 1_000


@dataclass(frozen=True, slots=True)
class Row:
    """What /robots.txt answers, which pages are asked then, and the state of the start page."""

    why: str
    answer: Answer | dict[str, Route]
    asked: set[str]
    state: State = State.STORED


GZIP = {"Content-Encoding": "gzip"}
ROWS = [
    Row("requirement 104: rules", text(), SOME),
    Row("requirement 104: any 2xx", text(status=203), SOME),
    Row("requirement 78: an unknown 2xx", text(status=299), SOME),
    Row("requirement 112: an empty file", text(b""), ALL),
    Row("requirement 112: no content", Answer(204), ALL),
    Row("requirement 99: odd type", Answer(200, RULES, {"Content-Type": "image/png"}), SOME),
    Row("requirements 99, 113: HTML", html("No such page", "<p>Disallow: everything</p>"), ALL),
    Row("requirement 113: random bytes", text(bytes(range(256)) * 50), ALL),
    Row("requirement 139: UTF-16", text("\ufeffUser-agent: *\nDisallow: /p".encode("utf-16-le")), SOME),
    Row("requirement 97: no length, no date", Answer(200, [RULES], PLAIN), SOME),
    Row("packed", Answer(200, gzip.compress(RULES), {**PLAIN, **GZIP}), SOME),
    Row("a bomb ends at the limit", {"/robots.txt": lambda _: Answer(200, bomb(), {**PLAIN, **GZIP})}, SOME),
    Row("damaged: it cannot be had", Answer(200, b"\x1f\x8b broken", {**PLAIN, **GZIP}), NONE, KEPT),
    Row("requirement 138: 11 MB", text(RULES + b"#" * 11_000_000), SOME),
    Row("one that never ends", Answer(200, for_ever(), PLAIN), SOME),
    Row("requirement 110: one hop", hops(1), SOME),
    Row("requirement 110: five hops", hops(5), SOME),
    Row("requirement 110, C4: six hops are as 404", hops(6), ALL),
    Row("requirement 110: a loop ends", moved("/robots.txt"), ALL),
    Row("temporary redirect", {"/robots.txt": moved("/r", 307), "/r": text()}, SOME),
    Row("permanent redirect", {"/robots.txt": moved("/r", 308), "/r": text()}, SOME),
    Row("redirect to a 404", moved("/gone"), ALL),
    Row("redirect to a 503", {"/robots.txt": moved("/r"), "/r": Answer(503)}, NONE, KEPT),
    Row("redirect to no URL of ours", moved("file:///etc/passwd"), ALL),
    Row("redirect without a place to go", Answer(302), ALL),
    Row("redirect to a private address", moved("http://127.0.0.1:{shut}/robots.txt"), NONE, KEPT),
    Row("requirement 111: of another own host", moved("http://127.0.0.1:{ours}/robots.txt"), SOME),
    Row(
        "redirect to a host allowed for other purposes",
        moved("http://127.0.0.1:{there}/robots.txt"),
        NONE,
        KEPT,
    ),
    Row("redirect to a button of such a host", moved("http://127.0.0.1:{there}/logout"), NONE, KEPT),
    Row("redirect to a name of this machine", moved("http://localhost:{there}/robots.txt"), NONE, KEPT),
    Row("redirect to a button of its own", moved("/shop?add-to-cart=5"), NONE, KEPT),
    Row("redirect to a page of its own", moved("/public"), ALL),
    Row("requirement 106: 400", text(status=400), ALL),
    Row("requirement 107, C1: 401", text(status=401), NONE, State.DISALLOWED),
    Row("requirement 107, C1: 403", text(status=403), NONE, State.DISALLOWED),
    Row("requirement 105: 404, whatever it says", text(status=404), ALL),
    Row("requirement 106: 405", text(status=405), ALL),
    Row("requirement 106: 410", text(status=410), ALL),
    Row("requirement 106: 418", text(status=418), ALL),
    Row("requirement 106: 451", text(status=451), ALL),
    Row("requirement 109, C2: 429", text(status=429), NONE, KEPT),
    Row("C2: 429 with Retry-After", text(status=429, Retry_After="3600"), NONE, KEPT),
    Row("requirement 109: 500", text(status=500), NONE, KEPT),
    Row("requirement 109: 502", text(status=502), NONE, KEPT),
    Row("requirement 108: 503", text(status=503), NONE, KEPT),
    Row("requirement 108: 503 with Retry-After", text(status=503, Retry_After="3600"), NONE, KEPT),
    Row("requirement 78: an unknown 5xx", text(status=599), NONE, KEPT),
    Row("requirement 109: the connection drops", Answer(drop=True), NONE, KEPT),
    Row("not HTTP", Answer(raw=b"\x00\x01 nothing\r\n\r\n"), NONE, KEPT),
    Row("requirement 109: time-out before the head", Answer(200, RULES, delay=60.0), NONE, KEPT),
    Row("requirement 109: time-out in the body", Answer(200, RULES, PLAIN, drip=1.0), NONE, KEPT),
]


class Asked(NamedTuple):
    """What one crawl asked of all hosts: paths by row, and every URL's state."""

    paths: dict[str, list[Request]]
    states: Mapping[str, tuple[str, str]]
    hosts: dict[str, str]


def routes(row: Row, **ports: int) -> dict[str, Route]:
    own = row.answer if isinstance(row.answer, dict) else {"/robots.txt": row.answer}
    filled = {path: aimed(answer, ports) for path, answer in own.items()}
    body = prose(row.why) + '<a href="/open">o</a> <a href="/p/a">p</a>'
    return {
        "/": html("Start", body),
        "/open": html("Open", prose(row.why + "o")),
        "/p/a": html("P", prose(row.why + "p")),
        **filled,
    }


def aimed(route: Route, ports: Mapping[str, int]) -> Route:
    """An answer whose Location names another server, `{shut}`, `{there}` or `{ours}`."""
    if not isinstance(route, Answer) or "{" not in str(dict(route.headers).get("Location")):
        return route
    return moved(dict(route.headers)["Location"].format(**ports))


class Deaf(BaseHTTPRequestHandler):
    """A server whose certificate nobody has signed: a client that checks sends it no request."""

    def do_GET(self) -> None:
        raise AssertionError("the certificate was not checked")


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    """One crawl of a host for each row, and of three that cannot be spoken to."""
    folder = tmp_path_factory.mktemp("matrix")
    bomb()  # on a busy machine it takes longer than an answer may
    with ExitStack() as stack:
        private = stack.enter_context(scripted_web({"/robots.txt": text(b"")}))
        there = stack.enter_context(scripted_web({"/robots.txt": text()}))
        ours = stack.enter_context(scripted_web({"/robots.txt": text()}))
        ports = {"shut": private.port, "there": there.port, "ours": ours.port}
        sites = {row.why: stack.enter_context(scripted_web(routes(row, **ports))) for row in ROWS}
        with create_server(("127.0.0.1", 0)) as closed:
            refusing = closed.getsockname()[1]
        secret = stack.enter_context(untrusted(folder))
        more = {
            "another own host": ours.url("/"),
            "refused": f"http://127.0.0.1:{refusing}/",
            "no TLS": sites[ROWS[0].why].url("/").replace("http:", "https:"),
            "bad certificate": f"https://127.0.0.1:{secret}/",
        }
        hosts = {**{why: site.url("/") for why, site in sites.items()}, **more}
        settings = (
            f"DOWNLOAD_TIMEOUT={TIMEOUT}",
            f"ALLOW_PRIVATE=127.0.0.1:{there.port},localhost:{there.port}",
            "CONTACT=a@b.example",
        )
        words = [word for setting in settings for word in ("-s", setting)]
        words += ["-a", f"seeds={','.join(hosts.values())}", "-a", "own=1"]
        scrapy(folder / "crawl", "crawl", "web", *words)
        assert not private.log, "an address that nobody allowed was asked"
        assert not there.log, "one that was allowed for other purposes"
        yield Asked({why: list(site.log) for why, site in sites.items()}, states(folder / "crawl"), hosts)


class untrusted:  # noqa: N801
    """An https server with a certificate of its own making; its port."""

    def __init__(self, folder: Path) -> None:
        certificate, key = self_signed(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Deaf)
        self._server.handle_error = lambda *_: None  # type: ignore[method-assign]
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)

    def __enter__(self) -> int:
        Thread(target=self._server.serve_forever, daemon=True).start()
        return self._server.server_address[1]

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.mark.requirement(78, 88, 97, 98, 99, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 138, 139)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.why)
def test_what_an_answer_permits(asked: Asked, row: Row) -> None:
    """Robots.txt is asked first, by GET, and then only what it permits."""
    requests = asked.paths[row.why]
    assert (requests[0].method, requests[0].path) == ("GET", "/robots.txt")
    pages = [request.path for request in requests if request.path in ALL]
    assert set(pages) == row.asked, row.why
    assert len(pages) == len(row.asked)
    assert asked.states[asked.hosts[row.why]][0] == row.state


@pytest.mark.requirement(109)
@pytest.mark.parametrize("why", ["refused", "no TLS", "bad certificate"])
def test_a_host_that_cannot_be_spoken_to_is_kept(asked: Asked, why: str) -> None:
    """Connection refused, TLS errors."""
    assert asked.states[asked.hosts[why]][0] == KEPT


@pytest.mark.requirement(100)
def test_robots_txt_is_told_who_asks(asked: Asked) -> None:
    """User-Agent and From on this request, too."""
    for requests in asked.paths.values():
        assert requests[0].headers["user-agent"].startswith("Lycosa/")
        assert requests[0].headers["from"] == "a@b.example"


@pytest.mark.requirement(115)
def test_robots_txt_is_asked_once_when_it_answers(asked: Asked) -> None:
    for row in ROWS:
        times = [request.path for request in asked.paths[row.why]].count("/robots.txt")
        looped = row.why == "requirement 110: a loop ends"
        assert times == (6 if looped else 1) or row.state is KEPT, row.why
