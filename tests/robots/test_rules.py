"""robots.txt files: requirements 112, 113, 124-193."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.robots import MAX_ROBOTS_BYTES, Reason, RobotsTxt
from engine.robots.rules import MAX_WARNINGS, LineCounts
from tests.tables import table

SHARED = Path(__file__).parents[2].parent / "shared/data/robots"
LINES = [
    "User-agent: *",
    "user-agent ours",
    "Disallow: /a",
    "Allow: /a*b$",
    "Crawl-delay: 2",
    "Sitemap: /s",
    "#",
]
MORE = [
    "Disallow: / /b",
    "\ufeff",
    "\r",
    "",
    "junk",
    ":",
    "User-agent: a,b*",
    "Disallow: é%zz",
    "Crawl-delay: [",
]
files = st.lists(st.sampled_from(LINES + MORE), max_size=12).map(lambda lines: "\n".join(lines).encode())
PATH = "http://h/x"


@pytest.mark.parametrize(("body", "agent", "url", "allowed", "why"), table("robots_files.json"))
def test_a_file_and_a_url(body: str, agent: str, url: str, allowed: bool, why: str) -> None:
    robots = RobotsTxt.parse(body.encode())
    assert robots.allowed(agent, url) is allowed, why
    assert robots.explain(agent, url).allowed is allowed, why


@given(st.binary(max_size=300) | files, st.text(max_size=20), st.text(max_size=20))
def test_any_octets_are_a_robots_txt(body: bytes, agent: str, path: str) -> None:
    """Requirement 113: no crash, whatever the site sends."""
    robots = RobotsTxt.parse(body)
    assert robots.allowed(agent, "http://h/" + path) is robots.explain(agent, "http://h/" + path).allowed
    assert sum(robots.lines) >= len(robots.sitemaps)


@given(files)
def test_the_end_of_line_does_not_matter(body: bytes) -> None:
    """Requirement 127."""
    body = body.replace(b"\r", b"")
    groups = RobotsTxt.parse(body).groups
    assert RobotsTxt.parse(body.replace(b"\n", b"\r")).groups == groups
    assert RobotsTxt.parse(body.replace(b"\n", b"\r\n")).groups == groups


@pytest.mark.parametrize(
    ("encoding", "mark", "why"),
    [
        ("utf-8", b"", "plain"),
        ("utf-8", b"\xef\xbb\xbf", "byte order mark"),
        ("utf-8", b"\xef\xbb", "byte order mark, cut"),
        ("utf-8", b"\xef", "byte order mark, cut shorter"),
        ("utf-16-le", b"\xff\xfe", "UTF-16, little end first"),
        ("utf-16-be", b"\xfe\xff", "UTF-16, big end first"),
    ],
)
def test_encodings(encoding: str, mark: bytes, why: str) -> None:
    """Requirement 139, C21."""
    robots = RobotsTxt.parse(mark + "User-agent: *\nDisallow: /ツ\n".encode(encoding))
    assert not robots.allowed("ours", "http://h/%E3%83%84"), why
    assert robots.allowed("ours", PATH), why


def test_bad_octets_hurt_only_their_line() -> None:
    """Requirement 139; and as octets they still compare with what a browser would ask for."""
    robots = RobotsTxt.parse(b"User-agent: *\nDisallow: /caf\xe9\nDisallow: /x\n")
    assert not robots.allowed("ours", PATH)
    assert not robots.allowed("ours", "http://h/caf%E9")
    assert robots.explain("ours", "http://h/caf%E9") == Reason(False, "Disallow: /caf\ufffd", 2)


def test_the_line_that_decides_is_told() -> None:
    robots = RobotsTxt.parse(b"# ours\nuser-agent: ours\ndisallow:   /x #?\nAllow: /x/y\n")
    assert robots.explain("Ours", PATH) == Reason(False, "Disallow: /x", 3)
    assert robots.explain("Ours", PATH + "/y") == Reason(True, "Allow: /x/y", 4)
    assert robots.explain("Ours", "http://h/") == Reason(True)


def test_a_huge_file_is_read_up_to_the_limit() -> None:
    """Requirement 138: whole lines of the first 500 KiB."""
    start = b"User-agent: *\nDisallow: /x\n"
    last = b"Disallow: /y\n"
    filling = b"#" * (MAX_ROBOTS_BYTES - len(start) - len(last) - 1) + b"\n"
    fits, cut = start + filling + last, start + b"#" + filling + last
    assert not RobotsTxt.parse(fits).allowed("ours", "http://h/y")
    assert RobotsTxt.parse(cut).allowed("ours", "http://h/y")
    assert not RobotsTxt.parse(cut).allowed("ours", PATH)


def test_a_long_line_is_read() -> None:
    """Requirement 137, C17: no limit on a line but that of the file."""
    path = "/" + "a" * 20_000
    robots = RobotsTxt.parse(f"User-agent: *\nDisallow: {path}\n".encode())
    assert not robots.allowed("ours", "http://h" + path)
    assert robots.allowed("ours", "http://h/a")


@pytest.mark.parametrize(
    "body",
    [
        b"User-agent: *\nDisallow: /" + b"*a" * 200_000 + b"b",
        b"User-agent: *\n" + b"Disallow: /*a*a*a*b\n" * 2_000,
        b"User-agent: *\nDisallow: " + b"/a " * 20_000,
        b"User-agent: " + b"a " * 200_000 + b"\nDisallow: /a",
        b":" * MAX_ROBOTS_BYTES,
        b"a" * MAX_ROBOTS_BYTES,
        b"allow" + b" " * MAX_ROBOTS_BYTES,
    ],
)
def test_hostile_files_end(body: bytes) -> None:
    """A file or a URL with a will to cost: the test's own time limit is the promise."""
    robots = RobotsTxt.parse(body)
    assert isinstance(robots.allowed("ours", "http://h/" + "a" * 2_000), bool)
    assert len(robots.warnings) <= MAX_WARNINGS


def test_lines_are_counted() -> None:
    """Requirement 124: blank, comment and rule lines."""
    assert RobotsTxt.parse(b"").lines == LineCounts(0, 0, 0)
    assert RobotsTxt.parse(b"#a\n \n\n # b\nUser-agent: *\nFoo: x").lines == LineCounts(2, 2, 2)


@pytest.mark.parametrize(
    ("body", "line", "text"),
    [
        ("useragent: a", 1, "useragent for user-agent"),
        ("User-agent: *\ndisallow /x", 2, "no colon"),
        ("Disallow: /x", 1, "disallow before any User-agent is ignored"),
        ("User-agent: ou*", 1, "* has no meaning inside a name: ou*"),
        ("User-agent: *\nDisallow: x", 2, "a path starts with /: x"),
        ("User-agent: *\nDisallow: /x /y", 2, "several paths on one line"),
        ("User-agent: *\nCrawl-delay: soon", 2, "no number of seconds: soon"),
        ("\nSitemap: /s.xml", 2, "a Sitemap needs a whole URL"),
    ],
)
def test_what_an_owner_may_want_to_mend(body: str, line: int, text: str) -> None:
    """Requirements 140, 143, 156, 192: read as well as can be, and said."""
    assert RobotsTxt.parse(body.encode()).warnings == ((line, text),)


def test_what_is_only_unknown_is_no_fault() -> None:
    """Requirement 185."""
    body = b"User-agent: *\nRequest-rate: 1/5\nVisit-time: 0600-0845\nRobot-version: 2.0\nComment: hello\n"
    assert RobotsTxt.parse(body).warnings == ()


@pytest.mark.parametrize(
    ("value", "seconds", "why"),
    [
        ("5", 5.0, "seconds"),
        ("0.5", 0.5, "requirement 191: a fraction"),
        (".5", 0.5, "a fraction alone"),
        ("10s", 10.0, "a unit behind it"),
        ("999999999999", 999999999.0, "longer than anybody waits"),
        ("0", 0.0, "no delay is an answer"),
        ("-1", None, "no time"),
        ("soon", None, "no number"),
        ("", None, "nothing"),
        ("\u0665", None, "digits of another script"),
    ],
)
def test_crawl_delay(value: str, seconds: float | None, why: str) -> None:
    robots = RobotsTxt.parse(f"User-agent: *\nCrawl-delay: {value}\n".encode())
    assert robots.crawl_delay("ours") == seconds, why


def test_a_crawl_delay_belongs_to_its_group() -> None:
    """Requirements 152, 153, 191: own record before *, the longest of several."""
    robots = RobotsTxt.parse(
        b"User-agent: *\nCrawl-delay: 9\nDisallow: /a\n\n"
        b"User-agent: ours\nCrawl-delay: 1\nCrawl-delay: 3\nDisallow:\n\n"
        b"User-agent: ours\nCrawl-delay: 2\nDisallow:\n\n"
        b"User-agent: quick\nDisallow: /b\n"
    )
    assert robots.crawl_delay("other") == 9.0
    assert robots.crawl_delay("Ours") == 3.0
    assert robots.crawl_delay("quick") is None


def test_sitemaps_are_listed_wherever_they_stand() -> None:
    """Requirements 192, 193: many, anywhere, whoever is named; comments stripped."""
    robots = RobotsTxt.parse(
        b"Sitemap: http://h/1.xml\nUser-agent: other\nSitemap: http://h/2.xml # second\nDisallow: /\n"
        b"Sitemap:\nsite-map: /3.xml"
    )
    assert robots.sitemaps == ("http://h/1.xml", "http://h/2.xml", "/3.xml")


def _shared(name: str) -> list[dict[str, object]]:
    path = SHARED / name
    if not path.exists():
        pytest.skip("the shared test data are not beside the checkout")
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _holds(case: dict[str, object]) -> bool:
    robots = RobotsTxt.parse(bytes.fromhex(str(case["robots_hex"])))
    return robots.allowed(str(case["agent"]), str(case["url"])) is case["allowed"]


@pytest.mark.shared
def test_the_specification_of_others() -> None:
    """142 of 146 expectations; of the four, three are RFC 9309, 2.2.2 and one is Google's own."""
    cases = _shared("spec-correctness.jsonl")
    differences = {case["id"] for case in cases if not _holds(case)}
    assert len(cases) == 146
    assert differences == {
        "non-ascii-paths#1.1",
        "non-ascii-paths#2.1",
        "non-ascii-paths#3.0",
        "index-page#0.0",
    }


@pytest.mark.shared
def test_the_cases_of_the_source_documents() -> None:
    cases = [case for case in _shared("seed-profiles.jsonl") if case["profile"] == "rfc9309"]
    assert cases
    assert [case["id"] for case in cases if not _holds(case)] == []
