"""The two readers of HTTP heads that are fuzzed: the crawl's of answers, the search page's of requests."""

import asyncio
import atexit
from collections.abc import Sequence
from functools import cache
from typing import Any

from twisted.internet.error import ConnectionDone
from twisted.internet.protocol import Protocol, connectionDone
from twisted.internet.testing import StringTransportWithDisconnection
from twisted.python.failure import Failure
from twisted.web._newclient import Request, ResponseDone
from twisted.web.http import PotentialDataLoss, _DataLoss
from twisted.web.http_headers import Headers
from uvicorn.server import ServerState

from engine.errors import PageError
from engine.middleware.http1 import MAX_HEAD_LINES, BoundedProtocol
from search_ui.app import uvicorn_config

EXPECTED = (PageError, ConnectionDone, ResponseDone, PotentialDataLoss, _DataLoss)  # ends of an answer
ACCEPTED = b"GET /search?q=%D0%B0 HTTP/1.1\r\nHost: a\r\nA: b\r\n\r\n"
POSTED = (
    b"POST /search HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nq=a\r\n0\r\nX: y\r\n\r\n"
)
GIVEN = (
    b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\nA: b\r\n c\r\n\r\nab"
)
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nab\r\n0\r\nX: y\r\n\r\n"


class Wire(asyncio.Transport):
    """A connection that keeps what is written."""

    def __init__(self) -> None:
        super().__init__({"peername": ("127.0.0.1", 9), "sockname": ("127.0.0.1", 8)})
        self.written, self.closed = bytearray(), False

    def write(self, data: Any) -> None:
        self.written += data

    def close(self) -> None:
        self.closed = True

    abort = close

    def is_closing(self) -> bool:
        return self.closed

    def pause_reading(self) -> None:
        pass

    resume_reading = pause_reading

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        self.closed = True

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def get_write_buffer_size(self) -> int:
        return 0


async def answered(scope: Any, receive: Any, send: Any) -> None:
    """The smallest application: takes the body, says nothing."""
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


@cache
def _server() -> Any:
    config = uvicorn_config(answered, "127.0.0.1", 0)  # type: ignore[arg-type]
    config.load()
    loop = asyncio.new_event_loop()
    atexit.register(loop.close)  # all heads of a process are read in it
    return config, loop


def request_head(data: bytes) -> None:
    """The search page's reader of requests; the first octet says in how large pieces they come."""
    config, loop = _server()
    step = (data[0] if data else 0) * 8 + 1
    loop.run_until_complete(
        _conversation(config, loop, [data[at : at + step] for at in range(1, len(data), step)])
    )


async def _conversation(config: Any, loop: Any, pieces: Sequence[bytes]) -> None:
    raised: list[Any] = []
    loop.set_exception_handler(lambda _, context: raised.append(context.get("exception")))
    wire = Wire()
    protocol = config.http_protocol_class(config=config, server_state=ServerState(), app_state={}, _loop=loop)
    protocol.connection_made(wire)
    for piece in pieces:
        if not wire.closed:
            protocol.data_received(piece)
            await asyncio.sleep(0)
    protocol.connection_lost(None)
    await asyncio.sleep(0)
    assert not raised, raised
    assert not wire.written or wire.written.startswith(b"HTTP/1.1 ")


class Body(Protocol):
    """Keeps what a body has brought, and why it ended."""

    def __init__(self) -> None:
        self.octets, self.ends = 0, list[Failure]()

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        self.octets += len(data)

    def connectionLost(self, reason: Failure = connectionDone) -> None:  # noqa: N802
        self.ends.append(reason)


def answer_head(data: bytes) -> None:
    """The crawl's reader of answers; the first octet says in how large pieces they come."""
    body, heads = Body(), list[Any]()
    wire: Any = StringTransportWithDisconnection()  # type: ignore[no-untyped-call]
    protocol: Any = BoundedProtocol(lambda _: None)  # type: ignore[no-untyped-call]
    wire.protocol = protocol
    protocol.makeConnection(wire)
    headers = Headers({b"host": [b"h.example"]})
    asked = Request._construct(b"GET", b"/", headers, None, persistent=True)  # type: ignore[no-untyped-call]
    protocol.request(asked).addBoth(heads.append)
    step = (data[0] if data else 0) * 8 + 1
    for at in range(1, len(data), step):
        if wire.connected:
            protocol.dataReceived(data[at : at + step])
        if heads and not body.ends and not isinstance(heads[0], Failure) and heads[0]._state == "INITIAL":
            heads[0].deliverBody(body)
    if wire.connected:
        wire.loseConnection()
    assert len(heads) == 1, "an answer or a failure"
    failures = [one for one in heads if isinstance(one, Failure)] + body.ends
    assert all(isinstance(one.value, EXPECTED) for end in failures for one in causes(end)), failures
    assert body.octets <= len(data)
    if not isinstance(heads[0], Failure):
        assert len(list(heads[0].headers.getAllRawHeaders())) <= MAX_HEAD_LINES
        assert 100 <= heads[0].code <= 999


def causes(end: Failure) -> Sequence[Failure]:
    """What a failure goes back to."""
    return getattr(end.value, "reasons", [end])
