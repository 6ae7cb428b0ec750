"""Heads that are no heads: endless, dripping, lying, or of another protocol."""

import asyncio
import random

from tests.web.scripted import Answer, html, prose
from tests.zoo.behaviour import (
    ALIAS,
    FAILED,
    LOST,
    STORED,
    Behaviour,
    Exchange,
    answers,
    by_path,
    endless,
    head,
    page,
    sends,
    tarpit,
    typed,
)

OK = b"HTTP/1.1 200 OK\r\n"
WHOLE = str(html("Sound", prose("sound")).body).encode()
LENGTH = f"Content-Length: {len(WHOLE)}"
MAYBE = (*LOST, STORED, ALIAS)
MEGABYTE = 1 << 20


async def reset_after_head(exchange: Exchange) -> None:
    await exchange.send(head("Content-Length: 1000"))
    exchange.reset()


async def reset_at_once(exchange: Exchange) -> None:
    exchange.reset()


async def reset_at_random(exchange: Exchange) -> None:
    answer = head(LENGTH) + WHOLE
    await exchange.send(answer[: random.Random(exchange.path).randrange(len(answer))])
    exchange.reset()


async def half_closed(exchange: Exchange) -> None:
    """Says that nothing more comes, and stays."""
    exchange.writer.write_eof()
    await tarpit(exchange)


async def second_answer(exchange: Exchange) -> None:
    """What comes behind the answer would be taken for that to the next request."""
    smuggled = html("Smuggled", "<p>smuggledword</p>" + prose("smuggled"))
    await exchange.answer(page(exchange, "/next", "/last"))
    await exchange.answer(smuggled)


async def many_hints(exchange: Exchange) -> None:
    await exchange.send(b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n" * 3)
    await exchange.answer(page(exchange))


async def slow_start(exchange: Exchange) -> None:
    for octet in OK:
        await exchange.send(bytes([octet]))
        await asyncio.sleep(0.5)
    exchange.open = False


def wide(name: str, size: int) -> Answer:
    """A page with one very long field."""
    return Answer(200, WHOLE, {name: "x" * size})


def odd(name: str, why: str, status: str, *, stored: int = 0) -> Behaviour:
    """A page under a status that it should not have."""
    ends = (*LOST, "gone", "alias", STORED) if stored else (*LOST, "gone", "alias")
    return Behaviour(name, why, sends(head(LENGTH, status=status) + WHOLE), ends, stored)


BEHAVIOURS = (
    Behaviour(
        "endless fields", "who keeps a head fills his memory", endless(OK, b"X-A: bcdefghijk\r\n"), quick=True
    ),
    Behaviour(
        "endless folded field",
        "one field has no end",
        endless(OK + b"X: a\r\n", b" bcdefghijklm\r\n"),
        quick=True,
    ),
    Behaviour(
        "endless status line", "no line's end comes", endless(b"HTTP/1.1 200 ", b"OK" * 64), quick=True
    ),
    Behaviour("endless field name", "no colon comes", endless(OK, b"x" * 64)),
    Behaviour(
        "100 flood", "interim answers have no end", endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), quick=True
    ),
    Behaviour(
        "103 flood", "the same with hints", endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
    ),
    Behaviour("early hints", "three hints, then the page", many_hints, (STORED,), 1, quick=True),
    Behaviour("drip head", "a field every while keeps the connection", endless(OK, b"X: y\r\n", 0.3)),
    Behaviour("drip status", "an octet every while", slow_start),
    Behaviour("tarpit", "accepts, and is silent", tarpit, at="connection"),
    Behaviour("tarpit answer", "hears, and is silent", tarpit),
    Behaviour("half closed", "ends its side, and stays", half_closed),
    Behaviour("reset after head", "RST in place of a body", reset_after_head, quick=True),
    Behaviour("reset on accept", "RST in place of anything", reset_at_once, at="connection"),
    Behaviour("reset at random", "RST wherever it hurts", reset_at_random, MAYBE, 1),
    Behaviour("HTTP/0.9", "a page without a head", sends(WHOLE), quick=True),
    Behaviour("SMTP banner", "another protocol speaks first", sends(b"220 mail ESMTP\r\n"), at="connection"),
    Behaviour(
        "TLS alert",
        "TLS on the plain port",
        sends(b"\x15\x03\x01\x00\x02\x02\x0a"),
        at="connection",
    ),
    Behaviour(
        "second answer", "poisons the next request of the connection", second_answer, MAYBE, 3, quick=True
    ),
    Behaviour(
        "ETag of 4 MB", "is stored and sent back", answers(lambda _: wide("ETag", 4 * MEGABYTE)), MAYBE, 1
    ),
    Behaviour(
        "ETag of 3 kB", "is sent back each night", answers(lambda _: wide("ETag", 3000)), MAYBE, 1, quick=True
    ),
    Behaviour(
        "type of 1 MB",
        "is parsed by patterns",
        answers(lambda _: typed(WHOLE, f"text/html; {'a=b; ' * 200_000}")),
        MAYBE,
        1,
    ),
    Behaviour(
        "cookie flood",
        "ten thousand of them",
        sends(head(*["Set-Cookie: a=" + "b" * 90] * 10_000, LENGTH) + WHOLE),
        MAYBE,
        1,
    ),
    Behaviour("NUL in a field", "ends a string in C", sends(head("X-\0: a\0b", LENGTH) + WHOLE), MAYBE, 1),
    Behaviour(
        "bare LF",
        "half of all parsers take it",
        sends(head(LENGTH).replace(b"\r", b"") + WHOLE),
        MAYBE,
        1,
        quick=True,
    ),
    Behaviour(
        "fields without colon", "are no fields", sends(head("nonsense", ":", LENGTH) + WHOLE), MAYBE, 1
    ),
    odd("status 000", "has no name", "000 None"),
    odd("status 999", "has no class", "999 Go away"),
    odd("status -200", "is no number", "-200 OK"),
    odd("status of 1 MB", "is a number", "2" * MEGABYTE + " OK"),
    odd("unasked 206", "is a part of a page", "206 Partial Content"),
    odd("unasked 304", "says that nothing known has changed", "304 Not Modified", stored=1),
    odd("204 with a body", "has none", "204 No Content", stored=1),
    odd("unasked 101", "speaks something else from now on", "101 Switching Protocols"),
    odd("401", "asks for a password", "401 Unauthorized\r\nWWW-Authenticate: Basic realm=x"),
    Behaviour(
        "418 for all", "jokes are answers", answers(lambda _: Answer(418, WHOLE)), (FAILED,), quick=True
    ),
    Behaviour(
        "reset on the second",
        "keeps a connection to end it",
        by_path({"/": answers(lambda it: page(it, "/next"))}, reset_at_once),
        (STORED,),
        1,
    ),
)
