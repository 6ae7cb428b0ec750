"""A tiny web site on loopback whose every answer is written by the test: odd, slow and hostile sites.

    with scripted_web({"/": html("Home", '<a href="/slow">slow</a>'), "/slow": Answer(delay=2.0)}) as site:
        crawl(site.url("/"))
        assert [request.path for request in site.log] == ["/robots.txt", "/", "/slow"]

One thread and one event loop a site, so that fifty sites cost fifty idle threads and nothing polls.
"""

import asyncio
import math
import random
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from itertools import chain
from typing import Self, cast

BACKLOG = 512  # connections waiting to be accepted; a test may open hundreds at once
END_OF_CONVERSATION = (
    OSError,  # the client left
    EOFError,
    ValueError,  # it does not speak HTTP
    asyncio.LimitOverrunError,
    asyncio.CancelledError,  # the site closes
)
BODILESS = (204, 304)  # RFC 9110, 6.4.1: these never carry content
WORDS_PER_PAGE = 60  # enough that two pages of `pages` are no near duplicates of each other
SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one URL answers; the defaults are those of a well-behaved HTML page.

    `body` as an iterable of bytes is sent piece by piece with no length, however long it is (endless
    bodies); then the connection closes. A header given here replaces the default one, an empty value
    leaves it out; a sequence of pairs may name a header twice. `raw` is sent in place of any HTTP.
    """

    status: int = 200
    body: str | bytes | Iterable[bytes] = b""
    headers: Mapping[str, str] | Sequence[tuple[str, str]] = ()
    delay: float = 0.0  # seconds before the first byte
    drip: float = 0.0  # seconds after each byte of the body, or each piece of an iterable one
    drop: bool = False  # close the connection (after the delay) without an answer
    raw: bytes | None = None

    @property
    def pieces(self) -> Iterable[bytes]:
        """The whole answer as it is sent: in one piece, or the head and then the body bit by bit."""
        if not isinstance(self.body, str | bytes):
            return chain([self.head()], self.body)
        body = encoded(self.body)
        return chain([self.head()], (bytes([byte]) for byte in body)) if self.drip else [self.head() + body]

    def head(self) -> bytes:
        """Status line and headers (RFC 9112, 4 and 5)."""
        given = list(self.headers.items() if isinstance(self.headers, Mapping) else self.headers)
        named = {name.lower() for name, _ in given}
        lines = [f"HTTP/1.1 {self.status} {reason(self.status)}"]
        lines += [f"{name}: {value}" for name, value in self._defaults() if name.lower() not in named]
        lines += [f"{name}: {value}" for name, value in given if value]
        return "\r\n".join([*lines, "", ""]).encode("utf-8", "surrogateescape")

    def _defaults(self) -> Iterator[tuple[str, str]]:
        if self.status in BODILESS:
            return
        yield "Content-Type", "text/html; charset=utf-8"
        if isinstance(self.body, str | bytes):
            yield "Content-Length", str(len(encoded(self.body)))


Route = Answer | Callable[[str], Answer]
ANY = "*"  # the route of every path that has none of its own


@dataclass(slots=True)
class Request:
    """One request as it arrived; times are `time.monotonic()`, `end` is infinite until the answer is sent."""

    method: str
    path: str  # with its query
    headers: Mapping[str, str]  # names in lower case
    start: float
    end: float = math.inf
    connection: str = ""  # the client's address and port: the same for what comes over one connection
    body: bytes = b""
    has_certificate: bool = False  # the client's, of TLS

    @property
    def keep_alive(self) -> bool:
        """Whether the client means to ask again on this connection."""
        return "close" not in self.headers.get("connection", "").lower()


class Site:
    """A host on loopback: `with Site(routes) as site`. `log` holds every request, from its arrival on.

    `routes` is the caller's own dictionary and may change while the site runs. A path is looked up with its
    query, then without it, then as `ANY`; else it answers 404. Entering raises OSError
    when the port is taken; port 0 takes a free one.
    """

    def __init__(
        self,
        routes: Mapping[str, Route],
        address: str = "127.0.0.1",
        port: int = 0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.tls = tls
        self.routes = cast(MutableMapping[str, Route], routes)
        self.log: list[Request] = []
        self.address, self.port = address, port
        self._ready = threading.Event()

    def url(self, path: str = "/") -> str:
        """The absolute URL of a path here."""
        return f"http{'s' if self.tls else ''}://{self.address}:{self.port}{path}"

    @property
    def paths(self) -> list[str]:
        """The paths asked for so far, in order of arrival."""
        return [request.path for request in list(self.log)]

    def answer(self, request: Request) -> Answer:
        """What this site says to a request."""
        for key in (request.path, request.path.partition("?")[0], ANY):
            if route := self.routes.get(key):
                return route if isinstance(route, Answer) else route(request.path)
        return html("Not found", "<p>There is no such page here.</p>", status=404)

    def __enter__(self) -> Self:
        self._socket = socket.create_server((self.address, self.port), backlog=BACKLOG)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # its connections inherit it
        self.port = int(self._socket.getsockname()[1])
        self._thread = threading.Thread(
            target=asyncio.run, args=[self._serve()], name=self.url(), daemon=True
        )
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._closing.set)
        self._thread.join()

    async def _serve(self) -> None:
        self._loop, self._closing = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._converse, sock=self._socket, backlog=BACKLOG, ssl=self.tls)
        self._ready.set()
        await self._closing.wait()
        server.close()  # asyncio.run then cancels the conversations that are still open

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one connection until either side closes it."""
        writer.transport.set_write_buffer_limits(high=0)  # so that drain() means sent
        try:
            with suppress(*END_OF_CONVERSATION):
                while await self._exchange(reader, writer):
                    pass
        finally:
            writer.transport.abort()

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Read one request and answer it; True when the connection stays open."""
        request = read_head(await reader.readuntil(b"\r\n\r\n"))
        request.has_certificate = bool(writer.get_extra_info("peercert"))
        request.connection = str(writer.get_extra_info("peername"))
        self.log.append(request)
        request.body = await reader.readexactly(int(request.headers.get("content-length", 0)))
        try:
            answer = self.answer(request)
            await asyncio.sleep(answer.delay)
            if answer.drop:
                return False
            if answer.raw is not None:
                await send(writer, [answer.raw])
                return False
            bodiless = request.method == "HEAD" or answer.status in BODILESS
            await send(writer, [answer.head()] if bodiless else answer.pieces, answer.drip)
            return request.keep_alive and isinstance(answer.body, str | bytes)
        finally:
            request.end = time.monotonic()


async def send(writer: asyncio.StreamWriter, pieces: Iterable[bytes], drip: float = 0.0) -> None:
    """Write the pieces one after the other, with `drip` seconds after each."""
    for piece in pieces:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(drip)


def read_head(head: bytes) -> Request:
    """Request line and headers (RFC 9112, 3 and 5); ValueError when they are none."""
    first, *lines = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ")
    fields = (line.partition(":") for line in lines if line)
    return Request(method, path, {name.lower(): value.strip() for name, _, value in fields}, time.monotonic())


def encoded(body: str | bytes) -> bytes:
    """A body as bytes; text is UTF-8."""
    return body.encode() if isinstance(body, str) else body


def reason(status: int) -> str:
    """The words that go with a status, '' for one that nobody has defined."""
    return HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else ""


def html(title: str, body: str = "", head: str = "", *, lang: str = "en", status: int = 200) -> Answer:
    """A short HTML page; `head` is more markup for its HEAD, as META robots."""
    page = f"""<!DOCTYPE html>
<html lang="{lang}">
<head><meta charset="utf-8"><title>{title}</title>{head}</head>
<body><main><h1>{title}</h1>
{body}
</main></body>
</html>
"""
    return Answer(status, page)


def pages(links: Mapping[str, Sequence[str]]) -> dict[str, Route]:
    """Routes of a site given as path -> the URLs it links to; no two pages have the same text."""
    return {path: html(f"Page {path}", prose(path) + anchors(targets)) for path, targets in links.items()}


def anchors(targets: Iterable[str]) -> str:
    """A list of links, each standing on its own URL."""
    return "<ul>" + "".join(f'<li><a href="{url}">{url}</a></li>' for url in targets) + "</ul>"


def prose(seed: str) -> str:
    """A paragraph of made-up words that only this seed gives."""
    chance = random.Random(seed)
    words = ("".join(chance.choices(SYLLABLES, k=chance.randint(2, 4))) for _ in range(WORDS_PER_PAGE))
    return f"<p>{' '.join(words)}.</p>"


@contextmanager
def scripted_web(
    routes: Mapping[str, Route] | Callable[[str], Answer] | None = None,
    address: str = "127.0.0.1",
    port: int = 0,
) -> Iterator[Site]:
    """A running site with these routes, or with one function for all paths."""
    with Site({ANY: routes} if callable(routes) else {} if routes is None else routes, address, port) as site:
        yield site
