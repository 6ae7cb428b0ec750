"""Sitemaps as a weapon: bombs, mazes, and URLs of others. The start page is stored in spite of them."""

from collections.abc import Callable

from tests.zoo.behaviour import (
    STORED,
    Behaviour,
    Exchange,
    Serve,
    answers,
    by_path,
    endless,
    head,
    sends,
    tarpit,
    typed,
)
from tests.zoo.bodies import bomb
from tests.zoo.honest import SPACE, sitemap
from tests.zoo.redirects import to

KIND = "application/xml"
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
LAUGHTER = f'<!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]><urlset><url><loc>http://x/&l11;</loc></url></urlset>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY f SYSTEM "{}">]><urlset><url><loc>{}/&f;</loc></url></urlset>'
MANY = 40_000  # entries


def says(make: str | Callable[[], str]) -> Serve:
    """A sitemap; {here}, {stranger} and {honest} are replaced."""
    return answers(lambda it: typed(filled(make if isinstance(make, str) else make(), it).encode(), KIND))


def filled(make: str, it: Exchange) -> str:
    parts = {"{here}": it.here, "{stranger}": it.stranger, "{honest}": it.honest}
    for name, value in parts.items():
        make = make.replace(name, value)
    return make


def index(*children: str) -> str:
    items = "".join(f"<sitemap><loc>{url}</loc></sitemap>" for url in children)
    return f'<sitemapindex xmlns="{SPACE}">{items}</sitemapindex>'


def row(
    name: str, why: str, serve: Serve, *, stored: int = 0, most: int = 12, quick: bool = False
) -> Behaviour:
    return Behaviour(f"sitemap: {name}", why, serve, (STORED,), stored, most, "sitemap", quick)


PACKED = index(*(f"{{here}}/sitemap.xml?{n}" for n in range(8)))
BOMBS = answers(lambda it: typed(bomb(), KIND, Content_Encoding="gzip"))

BEHAVIOURS = (
    row("bomb", "300 MB of blanks", BOMBS),
    row("bomb in a file", "packed without saying so", answers(lambda _: typed(bomb(), "application/gzip"))),
    row("eight bombs", "an index of them", by_path({"/sitemap.xml": says(PACKED)}, BOMBS), most=25),
    row("laughs", "entities in entities: 20 TB", says(LAUGHTER), quick=True),
    row(
        "file as entity",
        "reads this machine",
        says(OUTSIDE.format("file:///etc/passwd", "{here}")),
        stored=2,
        quick=True,
    ),
    row("stranger as entity", "asks others", says(OUTSIDE.format("{stranger}/dtd", "{here}")), stored=2),
    row(
        "strangers",
        "URLs of hosts that nobody named",
        says(sitemap([f"{{stranger}}/{n}" for n in range(999)])),
        quick=True,
    ),
    row(
        "neighbours",
        "URLs of another host",
        says(sitemap(["{honest}/delete?all=1", "{honest}/secret"])),
        quick=True,
    ),
    row(
        "index in a circle",
        "names itself",
        says(index("{here}/sitemap.xml", "{here}/sitemap.xml?a")),
        most=25,
    ),
    row(
        "index of strangers",
        "sitemaps elsewhere",
        says(index("{stranger}/s.xml", "file:///etc/passwd")),
        quick=True,
    ),
    row(
        "no end",
        "half a gigabyte of it",
        endless(head(kind=KIND) + b"<urlset>", b"<url><loc>x</loc></url>"),
    ),
    row("tarpit", "never answers", tarpit),
    row("drip", "an octet every while", endless(head(kind=KIND), b"<", 0.3)),
    row("depth", "a hundred thousand elements in each other", says(lambda: "<urlset>" + "<url>" * 100_000)),
    row(
        "one loc",
        "five megabytes long",
        says(lambda: f"<urlset><url><loc>{{here}}/{'x' * 5_000_000}</loc></url></urlset>"),
    ),
    row(
        "many",
        "40,000 pages that are not there",
        says(lambda: sitemap([f"{{here}}/{n}?x={n}" for n in range(MANY)])),
        stored=60,
        most=90,
    ),
    row("circle", "redirects to itself", to("/sitemap.xml")),
    row("to a stranger", "redirects", to(lambda it: it.stranger + "/sitemap.xml"), quick=True),
    row("octets", "all of them, often", answers(lambda _: typed(bytes(range(256)) * 9999, KIND))),
    row(
        "cut",
        "ends before its length",
        sends(head("Content-Length: 99999", kind=KIND), b"<urlset><url><loc>"),
    ),
)
