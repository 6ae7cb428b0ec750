"""Answers without end, and what becomes of them."""

from collections.abc import Iterable, Iterator
from itertools import repeat

OK = b"HTTP/1.1 200 OK\r\n"
PLAIN = OK + b"Content-Type: text/html\r\n"
CHUNKED = PLAIN + b"Transfer-Encoding: chunked\r\n\r\n"
PIECE = 64 * 1024  # bytes; as Twisted reads from a connection at once
NO_HTTP, TOO_LARGE = "no HTTP answer", "response head too large"
WHOLE = "whole"


def numbered(line: bytes) -> Iterator[bytes]:
    """Lines that differ by a number."""
    return (line % number for number in range(10**9))


def some(endless: Iterable[bytes], least: int) -> bytes:
    """So many octets of it, and as many more as end the last piece."""
    taken = bytearray()
    for piece in endless:
        taken += piece
        if len(taken) >= least:
            break
    return bytes(taken)


ENDLESS = [
    (PLAIN, numbered(b"X-%d: y\r\n"), TOO_LARGE, "fields"),
    (PLAIN, repeat(b"X: y\r\n"), TOO_LARGE, "one field again and again"),
    (PLAIN, repeat(b"Set-Cookie: a=b\r\n"), TOO_LARGE, "cookies"),
    (PLAIN + b"X: y\r\n", repeat(b" folded\r\n"), TOO_LARGE, "RFC 9112, 5.2: one field on many lines"),
    (PLAIN + b"X: y\r\n", repeat(b"\tfolded\n"), TOO_LARGE, "the same with a tab and bare line feeds"),
    (PLAIN + b"X: y\r\n", repeat(b" \r\n"), TOO_LARGE, "the same with nothing on them"),
    (PLAIN, repeat(b"no colon\r\n"), TOO_LARGE, "lines that are no field"),
    (PLAIN, repeat(b":\n"), NO_HTTP, "fields without a name"),
    (PLAIN + b"X: ", repeat(b"y" * 100), TOO_LARGE, "one line"),
    (PLAIN + b"ETag: ", repeat(b"y"), TOO_LARGE, "one line, octet by octet"),
    (PLAIN, repeat(b"X: " + b"y" * 16_000 + b"\r\n"), TOO_LARGE, "few fields, each as long as it may be"),
    (b"HTTP/1.1 200 ", repeat(b"O"), TOO_LARGE, "a status line"),
    (b"", repeat(b"\0"), TOO_LARGE, "no line at all"),
    (b"", repeat(b"y" * 20_000 + b"\n"), TOO_LARGE, "a line that ends too late"),
    (b"", repeat(b"\n"), NO_HTTP, "empty lines in place of a status line"),
    (b"", repeat(b"HTTP/1.1 100 Continue\r\n\r\n"), TOO_LARGE, "RFC 9110, 15.2: interim answers"),
    (b"", repeat(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), TOO_LARGE, "RFC 8297"),
    (b"", repeat(b"HTTP/1.1 102 \n\n"), TOO_LARGE, "short ones"),
    (b"HTTP/1.1 199 \r\n", numbered(b"X-%d: y\r\n"), TOO_LARGE, "an interim answer's own fields"),
    (CHUNKED + b"1;", repeat(b"x=y;" * 20), WHOLE, "RFC 9112, 7.1.1: the extension of a chunk"),
    (CHUNKED, repeat(b"1;" + b"x" * 900 + b"\r\ny\r\n"), NO_HTTP, "extensions of many chunks"),
    (CHUNKED, repeat(b"1\r\ny\r\n"), NO_HTTP, "chunks of one octet"),
    (CHUNKED, repeat(b"000000000000000001\r\ny\r\n"), NO_HTTP, "with zeros before the length"),
    (CHUNKED + b"1\r\ny\r\n0\r\n", numbered(b"X-%d: y\r\n"), WHOLE, "RFC 9112, 7.1.2: a trailer"),
    (CHUNKED + b"1\r\ny\r\n0\r\nX: ", repeat(b"y"), WHOLE, "one field of a trailer"),
    (CHUNKED, repeat(b"0"), WHOLE, "the length of a chunk"),
]
