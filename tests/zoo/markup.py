"""Pages that were written to stop their reader: too many of everything."""

import random
from collections.abc import Callable

from tests.web.scripted import Answer, prose
from tests.zoo.behaviour import LOST, NOINDEX, STORED, Behaviour, Exchange, Serve, answers, typed

MAYBE = (*LOST, STORED, "alias")
MANY = 100_000
FULL = 9_000_000  # bytes; a page of the largest size that is taken


def body(source: Callable[[], str | bytes], kind: str = "text/html; charset=utf-8") -> Serve:
    """A page of this source, which is made when it is asked for: all of them together take long."""

    def shown(_: Exchange) -> Answer:
        text = source()
        return typed(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text, kind)

    return answers(shown)


def around(text: str, head: str = "") -> str:
    """A page with honest words and this."""
    return f"<!doctype html><html lang=en><title>Around</title>{head}<body>{text}{prose(repr(text[:99]))}"


def links(exchange: Exchange) -> str:
    """A million links, as far as a page may be long."""
    return around("".join(f"<a href=/{n}>x</a>" for n in range(FULL // 20)))


def words(seed: str, size: int) -> str:
    """Words that are all different."""
    chance = random.Random(seed)
    return " ".join(f"{chance.getrandbits(40):x}" for _ in range(size // 11))


def repeated(name: str, text: str, *, quick: bool = False, size: int = FULL) -> Behaviour:
    """One thing over and over, as often as a page may be long."""
    source = body(lambda: around(text * (size // len(text.encode()))))
    return Behaviour(f"many {name}", "one thing over and over", source, MAYBE, 1, quick=quick)


METAS = "".join(f'<meta name="robots" content="max-snippet:{n}">' for n in range(3000))
BEHAVIOURS = (
    Behaviour(
        "a million links",
        "each is kept and asked for",
        answers(lambda it: typed(links(it).encode())),
        MAYBE,
        60,
        90,
    ),
    repeated("DIVs in each other", "<div>", size=2_000_000),
    repeated("tables in each other", "<table><tr><td>", size=2_000_000),
    repeated("open A", "<a href=x>", size=2_000_000),
    repeated("open FORM and B", "<form><b><i>", size=2_000_000),
    repeated("tags without end", "<a href="),
    repeated("comments without end", "<!--", size=2_000_000),
    repeated("CDATA", "<![CDATA["),
    repeated("ampersands", "&"),
    repeated("entities", "&amp;"),
    repeated("long entities", "&CounterClockwiseContourIntegral;"),
    repeated("headings", "<h2 id=a>b</h2>"),
    repeated("definitions", "<dt id=a>b<dd>c"),
    repeated("paragraphs", "<p>a"),
    repeated("attributes", "<p a=b c=d e=f "),
    repeated("less-than signs", "<"),
    repeated("quotes", "<a title='"),
    repeated("templates", "<template>", size=2_000_000),
    repeated("SVG in MATH", "<svg><math>", size=2_000_000),
    repeated("combining accents", "e\u0301\u0323"),
    repeated("joiners", "\u200d\u200b\ufeff"),
    repeated("turned texts", "\u202ea\u2066b"),
    repeated("flags", "\U0001f1e6"),
    repeated("Chinese", "中文字符"),
    repeated("Thai", "ภาษาไทย"),
    Behaviour(
        "attribute of 5 MB",
        "one attribute",
        body(lambda: around(f"<p title='{'x' * 5_000_000}'>a</p>")),
        MAYBE,
        1,
    ),
    Behaviour(
        "title of 1 MB",
        "is shown with each hit",
        body(lambda: f"<title>{'title ' * 180_000}</title>{prose('t')}"),
        MAYBE,
        1,
        quick=True,
    ),
    Behaviour("word of 5 MB", "is no word", body(lambda: around("x" * 5_000_000)), MAYBE, 1, quick=True),
    Behaviour(
        "all words different",
        "each is a term of the index",
        body(lambda: around(words("terms", FULL))),
        MAYBE,
        1,
    ),
    Behaviour(
        "one word a million times",
        "each is a place in the index",
        body(lambda: around("spamword " * 900_000)),
        MAYBE,
        1,
    ),
    Behaviour(
        "names with many parts", "each part is a term", body(lambda: around("aB" * 2_000_000)), MAYBE, 1
    ),
    Behaviour("dotted names", "each part is a term", body(lambda: around("a.b_c-d/" * 900_000)), MAYBE, 1),
    Behaviour(
        "hidden noindex",
        "behind 3,000 other directives",
        body(lambda: around("hiddenword", METAS + '<meta name="robots" content="noindex">')),
        (NOINDEX, *LOST),
        0,
        quick=True,
    ),
    Behaviour(
        "noindex in the header",
        "behind a thousand of others",
        answers(
            lambda _: typed(
                around("n").encode(),
                X_Robots_Tag=", ".join(["otherbot: x"] * 999 + ["lycosa: noindex"]),
            )
        ),
        (NOINDEX, *LOST, STORED),
        1,
    ),
    Behaviour(
        "a field of hidden words",
        "that nobody sees",
        body(lambda: around(f"<div style='display:none'>{'hiddenspam ' * 9000}</div>")),
        MAYBE,
        1,
    ),
    Behaviour(
        "base64 picture",
        "8 MB inside a page",
        body(lambda: around(f"<img src='data:image/png;base64,{'A' * 8_000_000}'>")),
        MAYBE,
        1,
    ),
    Behaviour(
        "XHTML of empty tags",
        "a pattern runs over all",
        body(lambda: "<a " * 2_000_000, "application/xhtml+xml"),
        MAYBE,
        1,
    ),
    Behaviour(
        "XHTML of open CDATA",
        "the same",
        body(lambda: "<![CDATA[" * 900_000, "application/xhtml+xml"),
        MAYBE,
        1,
    ),
)
