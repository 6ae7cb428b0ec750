"""Answers without end: what is read of them is bounded, and the page's visit says why there is none."""

from collections.abc import Iterable
from itertools import repeat
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from twisted.internet.error import ConnectionDone, ConnectionLost
from twisted.internet.protocol import Protocol
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from twisted.web._newclient import Request as Asked
from twisted.web._newclient import ResponseFailed
from twisted.web.http_headers import Headers

from engine.errors import PageError
from engine.middleware.http1 import (
    MAX_FRAMING_BYTES,
    MAX_HEAD_BYTES,
    MAX_HEAD_LINES,
    MAX_INTERIM,
    MAX_LINE_BYTES,
    BoundedProtocol,
)
from tests.engine.middleware.endless import CHUNKED, ENDLESS, NO_HTTP, OK, PIECE, PLAIN, WHOLE, some


class Body(Protocol):
    """What is kept of a body."""

    def __init__(self) -> None:
        self.content = b""
        self.pieces = 0
        self.end: Any = None

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        self.content += data
        self.pieces += 1

    def connectionLost(self, reason: Any = None) -> None:  # noqa: N802
        self.end = reason


class Exchange:
    """One request over a connection that a test writes to."""

    def __init__(self) -> None:
        self.transport = StringTransport()  # type: ignore[no-untyped-call]
        self.protocol = BoundedProtocol()  # type: ignore[no-untyped-call]
        self.protocol.makeConnection(self.transport)  # type: ignore[no-untyped-call]
        self.response: Any = None
        self.failure: Any = None
        self.body = Body()
        asked = Asked(b"GET", b"/", Headers({b"host": [b"h"]}), None, persistent=True)  # type: ignore[no-untyped-call]
        self.protocol.request(asked).addCallbacks(self._answered, self._failed)

    def _answered(self, response: Any) -> None:
        self.response = response
        if response.length:
            response.deliverBody(self.body)

    def _failed(self, failure: Any) -> None:
        self.failure = failure

    @property
    def over(self) -> bool:
        """Whether the connection is cut, or waits for the next request."""
        return bool(self.transport.disconnected or self.transport.disconnecting)

    @property
    def error(self) -> str:
        """Why there is no whole answer; WHOLE when there is one."""
        if self.failure is None and self.body.end is None:
            return WHOLE if self.response and not self.response.length else "under way"
        ended = self.failure or self.body.end
        reasons = getattr(ended.value, "reasons", ())
        ours = [one.value.kind for one in reasons if isinstance(one.value, PageError)]
        return ours[0] if ours else WHOLE if self.failure is None else repr(ended.value)

    def feed(self, pieces: Iterable[bytes], limit: int) -> int:
        """How many bytes are taken before the connection is cut, `limit` at most and one piece more."""
        fed = 0
        for piece in pieces:
            self.protocol.dataReceived(piece)
            fed += len(piece)
            if self.over or fed > limit:
                break
        return fed


@pytest.mark.parametrize("size", [100, PIECE])
@pytest.mark.parametrize(("head", "rest", "error", "why"), ENDLESS)
def test_answers_without_end(head: bytes, rest: Iterable[bytes], error: str, why: str, size: int) -> None:
    """However they come in: in few octets, or in many at once."""
    limit = 3 * MAX_FRAMING_BYTES // 2 if head.startswith(CHUNKED) else MAX_HEAD_BYTES + MAX_LINE_BYTES
    whole = head + some(rest, 2 * limit)
    exchange = Exchange()
    taken = exchange.feed((whole[at : at + size] for at in range(0, len(whole), size)), limit)
    assert exchange.over, why
    assert taken <= limit + size, why
    assert exchange.error == error, why


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (b"", "nothing"),
        (b"\r\n", "an empty line"),
        (b"ICY 200 OK\r\n\r\n", "another protocol"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "another protocol"),
        (b"<!DOCTYPE html><title>HTTP/0.9</title>\n", "HTTP/0.9"),
        (b"HTTP/1.1\r\n\r\n", "no status"),
        (b"HTTP/1.1 \r\n\r\n", "an empty one"),
        (b"HTTP/1.1 000 Zero\r\n\r\n", "RFC 9110, 15: no status at all"),
        (b"HTTP/1.1 0 Zero\r\n\r\n", "the same"),
        (b"HTTP/1.1 099 Low\r\n\r\n", "the same"),
        (b"HTTP/1.1 20 Short\r\n\r\n", "two digits"),
        (b"HTTP/1.1 2000 Long\r\n\r\n", "four"),
        (b"HTTP/1.1 -200 Minus\r\n\r\n", "no digit"),
        (b"HTTP/1.1 +200 Plus\r\n\r\n", "no digit, but Python takes it"),
        (b"HTTP/1.1 2_0 Line\r\n\r\n", "the same"),
        (b"HTTP/1.1 2OO Letters\r\n\r\n", "letters"),
        (b"HTTP/1.1  200 OK\r\n\r\n", "two spaces"),
        (b"HTTP/one 200 OK\r\n\r\n", "no version"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "a length below nothing"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n", "a length in words"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "two lengths"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: magic\r\n\r\n", "an unknown coding"),
    ],
)
def test_what_is_no_http(answer: bytes, why: str) -> None:
    exchange = Exchange()
    exchange.protocol.dataReceived(answer)
    if answer:
        assert exchange.error == NO_HTTP, why
        assert exchange.over, why


@pytest.mark.parametrize(
    ("answer", "content", "why"),
    [
        (OK + b"Content-Length: 2\r\n\r\nab", b"ab", "the usual"),
        (b"HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nab", b"ab", "RFC 9112, 4: no reason phrase"),
        (b"HTTP/1.0 200 OK\nContent-Length: 2\n\nab", b"ab", "bare line feeds"),
        (b"HTTP/1.1 999 No\r\nContent-Length: 2\r\n\r\nab", b"ab", "of no class, but a status"),
        (
            CHUNKED + b"1\r\na\r\n1;x=y\r\nb\r\n0\r\nX: y\r\n\r\n",
            b"ab",
            "chunks, with all that they may have",
        ),
        (
            b"HTTP/1.1 100 Continue\r\n\r\n" * MAX_INTERIM + OK + b"Content-Length: 2\r\n\r\nab",
            b"ab",
            "interim",
        ),
        (OK + b"X: y\r\n" * (MAX_HEAD_LINES - 4) + b"Content-Length: 2\r\n\r\nab", b"ab", "many fields"),
        (
            OK + b"X: " + b"y" * (MAX_LINE_BYTES - 100) + b"\r\nContent-Length: 2\r\n\r\nab",
            b"ab",
            "a long one",
        ),
        (CHUNKED + b"64\r\n" + b"a" * 100 + b"\r\n" + b"0\r\n\r\n", b"a" * 100, "one chunk"),
    ],
)
@pytest.mark.parametrize("size", [1, 7, PIECE])
def test_what_is_within_the_bounds_comes_whole(answer: bytes, content: bytes, why: str, size: int) -> None:
    exchange = Exchange()
    exchange.feed((answer[at : at + size] for at in range(0, len(answer), size)), 10**9)
    assert exchange.body.content == content, why
    assert exchange.error == WHOLE, why


def test_many_small_chunks_are_passed_on_at_once() -> None:
    """A body in chunks of a hundred octets costs hardly more than one in a single chunk."""
    exchange = Exchange()
    chunk = b"64\r\n" + b"a" * 100 + b"\r\n"
    exchange.feed([CHUNKED, *repeat(chunk * 500, 20), b"0\r\n\r\n"], 10**9)
    assert len(exchange.body.content) == 1_000_000
    assert exchange.body.pieces <= 21
    assert exchange.error == WHOLE


def test_what_comes_after_an_answer_is_not_read() -> None:
    """Nobody asked for it; a TLS connection that is to be closed goes on delivering it."""
    exchange = Exchange()
    exchange.feed([OK + b"Content-Length: 1\r\n\r\na"], 10)
    assert not exchange.over
    exchange.protocol.dataReceived(b"HTTP/1.1 200 OK\r\n")
    assert exchange.over


@pytest.mark.requirement(75)
@pytest.mark.parametrize(
    ("head", "ending", "whole", "why"),
    [
        (OK + b"\r\nab", ConnectionDone(), True, "requirement 75: HTTP/1.0 ends a body by hanging up"),
        (OK + b"\r\nab", ConnectionLost(), False, "reset, which no server does that has sent all"),
        (OK + b"Content-Length: 3\r\n\r\nab", ConnectionDone(), False, "less than was announced"),
        (OK + b"Content-Length: 3\r\n\r\nab", ConnectionLost(), False, "the same"),
        (CHUNKED + b"2\r\nab\r\n", ConnectionDone(), False, "no last chunk"),
        (CHUNKED + b"2\r\nab\r\n0\r\n", ConnectionDone(), False, "the last chunk without its end"),
        (CHUNKED + b"3\r\nab", ConnectionDone(), False, "within a chunk"),
        (CHUNKED + b"2\r\nab\r\nxx", ConnectionDone(), False, "junk in place of a chunk"),
    ],
)
def test_bodies_that_end_before_their_end(head: bytes, ending: Exception, whole: bool, why: str) -> None:
    exchange = Exchange()
    exchange.protocol.dataReceived(head)
    if exchange.protocol._parser:
        exchange.protocol.connectionLost(Failure(ending))  # type: ignore[no-untyped-call]
    ended = exchange.body.end.value
    assert exchange.body.content == b"ab", why
    assert isinstance(ended, ResponseFailed) is not whole, why


@given(st.binary(max_size=300), st.sampled_from([b"", b"HTTP/1.1 ", OK, PLAIN, CHUNKED]), st.integers(1, 400))
def test_whatever_comes_the_connection_stands_or_is_cut(junk: bytes, head: bytes, size: int) -> None:
    exchange, whole = Exchange(), head + junk
    exchange.feed((whole[at : at + size] for at in range(0, len(whole), size)), 10**9)
    assert exchange.over or len(exchange.body.content) <= len(junk)
