"""Bodies that lie about their length, have none, or are far more than they seem."""

import gzip
import zlib
from functools import cache

from tests.web.scripted import Answer, html, prose
from tests.zoo.behaviour import (
    ALIAS,
    LOST,
    STORED,
    Behaviour,
    Exchange,
    Serve,
    answers,
    endless,
    head,
    page,
    sends,
    typed,
)

MEGABYTE = 1 << 20
CHUNKED = "Transfer-Encoding: chunked"
MAYBE = (*LOST, STORED, ALIAS)
START = b"<html><title>Start</title><p>" + prose("start").encode()
PACKED_MB = 300  # unpacked megabytes of a bomb
GZIP = {"Content_Encoding": "gzip"}


@cache
def bomb(layers: int = 1) -> bytes:
    """Megabytes of blanks, packed."""
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    body = b"".join(packer.compress(b" " * MEGABYTE) for _ in range(PACKED_MB)) + packer.flush()
    for _ in range(layers - 1):
        body = gzip.compress(body)
    return body


def cut(length: int) -> Serve:
    """Promises so many bytes, and hangs up after the first words."""
    return sends(head(f"Content-Length: {length}"), START)


def with_length(length: str) -> Serve:
    """Words under a length that is none."""
    return sends(head(f"Content-Length: {length}"), START)


async def octet_by_octet(exchange: Exchange) -> None:
    """Each octet a chunk: many times its size on the wire, and an event each."""
    answer = page(exchange).body
    chunks = [b"1\r\n%c\r\n" % octet for octet in str(answer).encode()]
    await exchange.send(head(CHUNKED), b"".join(chunks), b"0\r\n\r\n")


def coded(body: bytes, coding: str = "gzip") -> Serve:
    """A body under a Content-Encoding."""
    return answers(lambda _: typed(body, Content_Encoding=coding))


WHOLE = html("Whole", prose("whole")).body
PLAIN = str(WHOLE).encode()
BOTH = head(CHUNKED, "Content-Length: 5") + b"%x\r\n%s\r\n0\r\n\r\n" % (len(PLAIN), PLAIN)

BEHAVIOURS = (
    Behaviour("endless page", "has no length", endless(head(), b"<p>and so on ")),
    Behaviour("endless chunks", "the same in chunks", endless(head(CHUNKED), b"10\r\n0123456789abcdef\r\n")),
    Behaviour("drip body", "a word every while", endless(head(), b"word ", 0.3), MAYBE, 1),
    Behaviour("drip chunks", "a chunk every while", endless(head(CHUNKED), b"1\r\na\r\n", 0.3), MAYBE, 1),
    Behaviour("octet by octet", "a chunk for each octet", octet_by_octet, MAYBE, 1, quick=True),
    Behaviour("cut page", "ends before its length", cut(100_000), MAYBE, 1, quick=True),
    Behaviour("exabyte", "promises more than there are disks", cut(10**18), MAYBE, 1, quick=True),
    Behaviour("length of many digits", "is no number of any machine", with_length("9" * 5_000), MAYBE, 1),
    Behaviour("length below zero", "is none", with_length("-1"), MAYBE, 1, quick=True),
    Behaviour("two lengths", "one for us, one for a proxy", with_length("5\r\nContent-Length: 50"), MAYBE, 1),
    Behaviour("length in Arabic digits", "int() takes them", with_length("\xb2\xb3"), MAYBE, 1),
    Behaviour("length and chunks", "RFC 9112, 6.3: smuggling", sends(BOTH), MAYBE, 1),
    Behaviour("chunk of no size", "ZZZ is no number", sends(head(CHUNKED), b"ZZZ\r\nabc\r\n"), quick=True),
    Behaviour(
        "chunk of an exabyte", "is waited for", sends(head(CHUNKED), b"ffffffffffffffff\r\nabc"), MAYBE, 1
    ),
    Behaviour("chunk below zero", "is none", sends(head(CHUNKED), b"-5\r\nabcde\r\n"), MAYBE, 1),
    Behaviour("endless chunk size", "no line's end comes", endless(head(CHUNKED), b"0" * 64)),
    Behaviour(
        "endless extension",
        "RFC 9112, 7.1.1",
        endless(head(CHUNKED) + b"5", b";x=yz" * 500),
        MAYBE,
        1,
        quick=True,
    ),
    Behaviour(
        "endless trailers", "fields behind the body", endless(head(CHUNKED) + b"0\r\n", b"X: y\r\n"), MAYBE, 1
    ),
    Behaviour("gzip bomb", "300 MB in 300 kB", answers(lambda _: typed(bomb(), **GZIP)), quick=True),
    Behaviour(
        "gzip bomb in two layers",
        "300 MB in 1 kB",
        answers(lambda _: typed(bomb(2), Content_Encoding="gzip, gzip")),
        MAYBE,
        1,
    ),
    Behaviour(
        "gzip named often", "a coding a hundred times", coded(PLAIN, ", ".join(["gzip"] * 100)), MAYBE, 1
    ),
    Behaviour("gzip that is none", "plain text", coded(PLAIN), MAYBE, 1, quick=True),
    Behaviour("gzip cut", "ends in the middle", coded(gzip.compress(PLAIN)[:-30]), MAYBE, 1, quick=True),
    Behaviour(
        "gzip of many members", "a head for each word", coded(gzip.compress(b"word ") * 20_000), MAYBE, 1
    ),
    Behaviour(
        "deflate of nothing",
        "a million empty blocks",
        coded(b"\x00\x00\x00\xff\xff" * 1_000_000, "deflate"),
        MAYBE,
        1,
    ),
    Behaviour("brotli unasked", "we never asked for it", coded(PLAIN, "br"), MAYBE, 1),
    Behaviour(
        "picture as page",
        "a PNG called HTML",
        answers(lambda _: typed(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 999)),
        MAYBE,
        1,
        quick=True,
    ),
    Behaviour(
        "page as picture", "HTML called a PNG", answers(lambda _: typed(PLAIN, "image/png")), quick=True
    ),
    Behaviour(
        "page of no type",
        "and of no beginning",
        answers(lambda _: Answer(200, b"\0" * 9999, {"Content-Type": ""})),
        MAYBE,
        1,
    ),
)
