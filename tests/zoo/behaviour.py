"""A hostile behaviour: how a host misbehaves, why that hurts a crawler, and what becomes of it here."""

import asyncio
import socket
import struct
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass

from tests.web.scripted import Answer, anchors, html, prose

ENDLESS = 512 * 1024 * 1024  # bytes; what is sent where a behaviour has no end: more than a crawl may keep
PIECE = 64 * 1024  # bytes sent at once
PATIENCE = 60.0  # seconds that a tarpit holds a connection
QUEUED, STORED, FAILED, SKIPPED, ALIAS, GONE = "queued", "stored", "failed", "skipped", "alias", "gone"
NOINDEX, DISALLOWED = "noindex", "disallowed"
LOST = (FAILED, QUEUED, SKIPPED)  # no page came of it; what may yet answer is still queued


@dataclass(slots=True)
class Exchange:
    """One request, or one connection that was just accepted (then `path` is ''), and the way to answer it."""

    path: str
    here: str  # scheme://address:port of this host
    stranger: str  # of a host that nobody allowed: it must see no connection
    honest: str  # of a host that is crawled, too: it must be asked for its own pages alone
    original: str  # of the host that has mirrors
    writer: asyncio.StreamWriter
    open: bool = True  # False: the connection ends

    async def send(self, *pieces: bytes) -> None:
        """Write, and wait until it is on its way."""
        for piece in pieces:
            self.writer.write(piece)
            await self.writer.drain()

    async def answer(self, answer: Answer) -> None:
        """A whole answer, from its status line to its end."""
        await self.send(*answer.pieces)

    def reset(self) -> None:
        """End the connection with RST in place of FIN."""
        self.open = False
        connection = self.writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


Serve = Callable[[Exchange], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A host. What is asked of `at` is answered by `serve`, anything else as a small honest host does."""

    name: str
    why: str
    serve: Serve
    ends: Collection[str] = LOST  # one of these states has the start page in the end
    stored: int = 0  # pages at most, but for the start page of a host whose `at` is not `page`
    most: int = 12  # requests, with robots.txt, sitemap and all tries
    at: str = "page"  # page, robots, sitemap; connection: before anything was asked
    quick: bool = False  # also in the small zoo


def sends(*pieces: bytes) -> Serve:
    """Sends these octets and hangs up."""

    async def serve(exchange: Exchange) -> None:
        await exchange.send(*pieces)
        exchange.open = False

    return serve


def answers(make: Callable[[Exchange], Answer]) -> Serve:
    """Gives a whole answer and keeps the connection."""

    async def serve(exchange: Exchange) -> None:
        await exchange.answer(await asyncio.to_thread(make, exchange))  # a bomb takes seconds to be made

    return serve


def endless(begin: bytes, piece: bytes, pause: float = 0.0) -> Serve:
    """Sends a beginning, and then the same until the other side has had enough."""
    piece = piece if pause else piece * max(PIECE // len(piece), 1)

    async def serve(exchange: Exchange) -> None:
        exchange.open = False
        await exchange.send(begin)
        for _ in range(ENDLESS // len(piece)):
            await exchange.send(piece)
            await asyncio.sleep(pause)

    return serve


def by_path(routes: dict[str, Serve], other: Serve) -> Serve:
    """As the path of the request says."""

    async def serve(exchange: Exchange) -> None:
        await routes.get(exchange.path, other)(exchange)

    return serve


async def tarpit(exchange: Exchange) -> None:
    """Never says anything."""
    exchange.open = False
    await asyncio.sleep(PATIENCE)


def page(exchange: Exchange, *links: str, head: str = "", text: str = "") -> Answer:
    """A page whose text nobody else has."""
    words = prose(exchange.here + exchange.path)
    return html(f"Page {exchange.path}", f"{text}{words}{anchors(links)}", head)


def typed(body: bytes, content_type: str = "text/html", **more: str) -> Answer:
    """A body of a type; `more` are further headers, with _ for -."""
    named = {name.replace("_", "-"): value for name, value in more.items()}
    return Answer(200, body, {"Content-Type": content_type, **named})


def head(*fields: str, status: str = "200 OK", kind: str = "text/html") -> bytes:
    """The head of an answer, its empty line included."""
    return "\r\n".join((f"HTTP/1.1 {status}", f"Content-Type: {kind}", *fields, "", "")).encode("latin-1")
