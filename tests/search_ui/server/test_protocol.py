"""What is a request, octet by octet (RFC 9112), and how much of one is taken in."""

import re
import socket
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from search_ui.server.protocol import MAX_AHEAD, MAX_HEAD_BYTES
from tests.search_ui.conftest import START_SECONDS, Site

GET = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n"
LAST = b"GET /nothing HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
TAKEN, REFUSED = [200, 404], [400]  # a request and LAST behind it; or that request, and nothing behind it


def statuses(site: Site, request: bytes, after_100: bytes = b"", cuts: Sequence[int] = ()) -> list[int]:
    """Of all answers until the server hangs up; `after_100` is sent when it asks for the body.

    The request is sent in pieces, `cuts` are where they begin.
    """
    answers = b""
    with socket.create_connection(
        ("127.0.0.1", site.client.base_url.port), timeout=START_SECONDS
    ) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for start, end in pairwise([0, *sorted(cuts), len(request)]):
            connection.sendall(request[start:end])
        while piece := connection.recv(65_536):
            answers += piece
            if after_100 and b" 100 Continue" in piece:
                connection.sendall(after_100)
    return [int(status) for status in re.findall(rb"HTTP/1\.1 (\d{3}) ", answers)]


@pytest.mark.requirement(296)
@pytest.mark.parametrize(
    ("request_bytes", "answers", "why"),
    [
        (GET + b"\r\n", TAKEN, "as it should be"),
        (b"\r\n" + GET + b"\r\n", TAKEN, "RFC 9112, 2.2: an empty line before it is skipped"),
        (
            b"GET http://[::1]/health HTTP/1.1\r\nHost: localhost\r\n\r\n",
            TAKEN,
            "RFC 9112, 3.2.2: as proxies are asked",
        ),
        (b"GET http://[::1] HTTP/1.1\r\nHost: localhost\r\n\r\n", REFUSED, "the same without a path"),
        (b"GET health HTTP/1.1\r\nHost: localhost\r\n\r\n", REFUSED, "no path"),
        (b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n", [404, 404], "the server itself"),
        (b"CONNECT a:443 HTTP/1.1\r\nHost: localhost\r\n\r\n", REFUSED, "we are no proxy"),
        (b"BREW /health HTTP/1.1\r\nHost: localhost\r\n\r\n", REFUSED, "no method that is registered"),
        (b"get /health HTTP/1.1\r\nHost: localhost\r\n\r\n", REFUSED, "methods are written large"),
        (b"GET /health HTTP/1.0\r\n\r\n", [200], "1.0 has no Host, and one request"),
        (b"GET /health\r\n\r\n", REFUSED, "0.9"),
        (b"GET /health HTTP/2.0\r\nHost: localhost\r\n\r\n", REFUSED, "2.0 is written otherwise"),
        (b"GET /health HTTP/1.2\r\nHost: localhost\r\n\r\n", REFUSED, "no version that there is"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", REFUSED, "how a client of HTTP/2 begins"),
        (b"GET /health HTTP/1.1\r\n\r\n", REFUSED, "RFC 9112, 3.2: no Host"),
        (GET + b"Host: b\r\n\r\n", REFUSED, "RFC 9112, 3.2: two"),
        (GET + b"A: b\r\n c\r\n\r\n", REFUSED, "RFC 9112, 5.2: a folded line"),
        (GET + b"A: b\rC: d\r\n\r\n", REFUSED, "CR without LF"),
        (GET.replace(b"\r\n", b"\n") + b"\n", REFUSED, "LF without CR"),
        (GET + b"A: b\0c\r\n\r\n", REFUSED, "NUL in a value"),
        (GET + b"A: \x01\r\n\r\n", REFUSED, "a control in a value"),
        (GET + b"A : b\r\n\r\n", REFUSED, "RFC 9112, 5.1: a space before the colon"),
        (GET + b": b\r\n\r\n", REFUSED, "no name"),
        (GET + b"no colon\r\n\r\n", REFUSED, "no header"),
        (GET + b"A: \xff\r\nB:\r\n\r\n", TAKEN, "octets beyond ASCII, and an empty value"),
        (GET + b"Upgrade: h2c\r\nConnection: Upgrade\r\n\r\n", [200], "what follows might be anything"),
    ],
)
def test_heads(site: Site, request_bytes: bytes, answers: list[int], why: str) -> None:
    assert statuses(site, request_bytes + LAST) == answers, why


@pytest.mark.parametrize(
    ("request_bytes", "answers", "why"),
    [
        (POST + b"Content-Length: 3\r\n\r\nq=a", TAKEN, "as long as it says"),
        (POST + b"Content-Length: 3\r\nContent-Length: 4\r\n\r\nq=a", REFUSED, "two lengths"),
        (POST + b"Content-Length: 3, 3\r\n\r\nq=a", REFUSED, "a list of them"),
        (POST + b"Content-Length: +3\r\n\r\nq=a", REFUSED, "no digits alone"),
        (POST + b"Content-Length: 99999999999999999999999\r\n\r\nq=a", REFUSED, "more than a number holds"),
        (POST + b"Content-Length:\r\n 3\r\n\r\nq=a", REFUSED, "on a folded line"),
        (CHUNKED + b"\r\n3\r\nq=a\r\n0\r\n\r\n", TAKEN, "in chunks"),
        (CHUNKED + b"Content-Length: 3\r\n\r\n3\r\nq=a\r\n0\r\n\r\n", REFUSED, "both: somebody smuggles"),
        (CHUNKED + b"Transfer-Encoding: chunked\r\n\r\n3\r\nq=a\r\n0\r\n\r\n", REFUSED, "chunks of chunks"),
        (
            POST + b"Transfer-Encoding: chunked, gzip\r\n\r\n3\r\nq=a\r\n0\r\n\r\n",
            REFUSED,
            "no end to be seen",
        ),
        (
            POST + b"Transfer-Encoding: xchunked\r\n\r\n3\r\nq=a\r\n0\r\n\r\n",
            REFUSED,
            "no coding that there is",
        ),
        (CHUNKED + b"\r\n3;a=b\r\nq=a\r\n0\r\n\r\n", TAKEN, "an extension is skipped"),
        (CHUNKED + b"\r\n3;a=b\nq=a\r\n0\r\n\r\n", REFUSED, "LF ends no extension"),
        (CHUNKED + b"\r\n-3\r\nq=a\r\n0\r\n\r\n", REFUSED, "a negative size"),
        (CHUNKED + b"\r\nfffffffffffffffff\r\nq=a\r\n0\r\n\r\n", REFUSED, "a size beyond numbers"),
        (CHUNKED + b"\r\n3\r\nq=abc\r\n0\r\n\r\n", REFUSED, "a chunk longer than it says"),
        (CHUNKED + b"\r\n3\r\nq=a\r\n0\r\nContent-Length: 5\r\n\r\n", REFUSED, "a length as trailer"),
        (GET + b"Content-Length: 3\r\n\r\nabc", TAKEN, "a body that nobody reads"),
    ],
)
def test_bodies(site: Site, request_bytes: bytes, answers: list[int], why: str) -> None:
    """RFC 9112, 6.3: where a body ends is beyond doubt, or nothing behind it is read."""
    assert statuses(site, request_bytes + LAST) == answers, why


WHOLE = CHUNKED + b"\r\n3;a=b\r\nq=a\r\n0\r\nA: b\r\n\r\n" + LAST


@given(cuts=st.lists(st.integers(0, len(WHOLE)), max_size=8))
@settings(max_examples=30)
def test_it_does_not_matter_in_which_pieces_a_request_comes(served: Site, cuts: list[int]) -> None:
    assert statuses(served, WHOLE, cuts=cuts) == TAKEN


def test_trailers_are_no_headers(site: Site) -> None:
    """RFC 9110, 6.5.1; /metrics answers only to who says nothing of a proxy."""
    asked = b"GET /metrics HTTP/1.1\r\nHost: localhost\r\n%sTransfer-Encoding: chunked\r\n\r\n0\r\n%s\r\n"
    assert statuses(site, asked % (b"Via: b\r\n", b"") + LAST) == [403, 404]
    assert statuses(site, asked % (b"", b"Via: b\r\n") + LAST) == TAKEN


@pytest.mark.parametrize(
    ("start", "why"),
    [
        (b"\r\n\r\n", "empty lines"),
        (b"GET /a", "an address"),
        (GET + b"A", "a header's name"),
        (GET + b"A: b", "its value"),
        (GET + b"A: b\r\n" * 1_000, "many headers"),
    ],
)
def test_a_head_without_end(site: Site, start: bytes, why: str) -> None:
    piece = start[-6:] if start.endswith(b"\r\n") else start[-1:]
    long = start + piece * ((MAX_HEAD_BYTES - len(start)) // len(piece) + 1)
    assert statuses(site, long) == REFUSED, why


@pytest.mark.parametrize(
    ("start", "piece", "why"),
    [
        (b"3;a=", b"b", "an extension"),
        (b"0", b"0", "zeros before a size"),
        (b"0\r\n", b"A: b\r\n", "trailers"),
    ],
)
def test_a_chunk_without_end(site: Site, start: bytes, piece: bytes, why: str) -> None:
    head = CHUNKED + b"Expect: 100-continue\r\n\r\n"
    long = start + piece * (MAX_HEAD_BYTES // len(piece) + 1)
    assert statuses(site, head, long) == [100, *REFUSED], why


def test_few_requests_wait_on_a_connection(site: Site) -> None:
    """One is being answered, MAX_AHEAD wait for it."""
    some = MAX_AHEAD * (GET + b"\r\n")
    assert statuses(site, some + LAST) == [*MAX_AHEAD * [200], 404]
    assert statuses(site, some + GET + b"\r\n" + LAST) == REFUSED
