"""robots.txt as a weapon: bombs, mazes, endless and half answers. What cannot be had means "not now"."""

from collections.abc import Callable

from tests.web.scripted import Answer
from tests.zoo.behaviour import (
    DISALLOWED,
    LOST,
    STORED,
    Behaviour,
    Exchange,
    Serve,
    answers,
    endless,
    head,
    sends,
    tarpit,
    typed,
)
from tests.zoo.bodies import bomb
from tests.zoo.redirects import to

NOT_NOW = (*LOST, DISALLOWED)  # the page is not asked for
EITHER = (*NOT_NOW, STORED)
FIELD = "User-agent: *\nDisallow: /\n"


def says(make: Callable[[], str | bytes], kind: str = "text/plain") -> Serve:
    """A whole robots.txt."""

    def said(_: Exchange) -> Answer:
        body = make()
        return typed(body.encode() if isinstance(body, str) else body, kind)

    return answers(said)


def status(code: int, **more: str) -> Serve:
    """A robots.txt that cannot be had."""
    return answers(lambda _: Answer(code, headers={k.replace("_", "-"): v for k, v in more.items()}))


def row(name: str, why: str, serve: Serve, *ends: str, quick: bool = False) -> Behaviour:
    return Behaviour(f"robots.txt: {name}", why, serve, ends or NOT_NOW, 0, 12, "robots", quick)


def asterisks() -> str:
    return "User-agent: *\n" + "".join(f"Disallow: /*a*b*c*{n}*$\n" for n in range(32_000))


def deeper(exchange: Exchange) -> str:
    """The next robots.txt of a chain."""
    return f"/robots.txt?{len(exchange.path)}{exchange.path.rpartition('?')[2][-9:]}"


BEHAVIOURS = (
    row("wildcards", "1 MB of rules that are all asked", says(asterisks), *EITHER),
    row(
        "asterisks",
        "one rule of a hundred asterisks",
        says(lambda: f"User-agent: *\nDisallow: /{'*a' * 500}$\n"),
        *EITHER,
    ),
    row("one line", "five megabytes long", says(lambda: "Disallow: /" + "x" * 5_000_000), *EITHER),
    row(
        "groups",
        "50,000 robots",
        says(lambda: "".join(f"User-agent: bot{n}\nDisallow: /\n" for n in range(50_000))),
        *EITHER,
    ),
    row(
        "no end",
        "half a gigabyte of it",
        endless(head(kind="text/plain"), b"# and so on\n"),
        *EITHER,
    ),
    row(
        "bomb",
        "300 MB of blanks",
        answers(lambda _: typed(bomb(), "text/plain", Content_Encoding="gzip")),
        *EITHER,
    ),
    row(
        "cut",
        "the rules that forbid have not come",
        sends(head("Content-Length: 900", kind="text/plain"), b"User-agent: *\n"),
        quick=True,
    ),
    row("drip", "an octet every while", endless(head(kind="text/plain"), b"#", 0.3), *EITHER),
    row("tarpit", "never answers", tarpit),
    row("circle", "redirects to itself", to("/robots.txt"), *EITHER),
    row("maze", "redirects for ever", to(deeper), *EITHER),
    row(
        "to a stranger",
        "an address that nobody named",
        to(lambda it: it.stranger + "/robots.txt"),
        *EITHER,
        quick=True,
    ),
    row(
        "to a side effect",
        "a neighbour's button",
        to(lambda it: it.honest + "/delete?all=1"),
        *EITHER,
    ),
    row("to a neighbour's page", "rules that are no rules", to(lambda it: it.honest + "/"), *EITHER),
    row("to a file", "of this machine", to("file:///etc/passwd"), *EITHER),
    row("401", "asks for a password", status(401), quick=True),
    row("403", "means no", status(403), quick=True),
    row("500", "means not now", status(500), quick=True),
    row("429 for ever", "in a million years", status(429, Retry_After="31536000000000"), quick=True),
    row("503 with no date", "Retry-After is no date", status(503, Retry_After="\x00soon")),
    row(
        "a page",
        "HTML of status 200",
        says(lambda: "<html><p>User-agent: *<p>Disallow: /</html>", "text/html"),
        *EITHER,
    ),
    row(
        "delay for ever",
        "Crawl-delay of thirty years",
        says(lambda: "User-agent: *\nCrawl-delay: 1e9\n"),
        *EITHER,
    ),
    row(
        "odd numbers",
        "delays that are none",
        says(
            lambda: (
                "User-agent: *\nCrawl-delay: nan\nCrawl-delay: -inf\nRequest-rate: 0/0\nVisit-time: 9999-1\n"
            )
        ),
        *EITHER,
    ),
    row("UTF-16", "NULs between its letters", says(lambda: FIELD.encode("utf-16")), *EITHER),
    row("octets", "all of them, often", says(lambda: bytes(range(256)) * 999), *EITHER),
    row(
        "sitemaps",
        "10,000 of them, of strangers",
        says(lambda: "".join(f"Sitemap: http://127.99.99.99/{n}\n" for n in range(10_000))),
        STORED,
    ),
)
