"""robots.txt files."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.robots import MAX_ROBOTS_BYTES, Reason, RobotsTxt
from engine.robots.lines import Statistics
from engine.robots.profiles import PROFILES
from engine.robots.remarks import MAX_WARNINGS
from engine.robots.ruleset import OFTEN
from tests.tables import table

LINES = [
    "User-agent: *",
    "user-agent ours",
    "Disallow: /a",
    "Allow: /a*b$",
    "Crawl-delay: 2",
    "Request-rate: 1/5 0600-0845",
    "Visit-time: 0600-0845",
    "Content-Signal: search=no",
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


@pytest.mark.requirement(
    112,
    113,
    125,
    126,
    127,
    128,
    129,
    130,
    131,
    132,
    134,
    135,
    136,
    139,
    140,
    143,
    144,
    145,
    146,
    148,
    150,
    151,
    152,
    153,
    154,
    155,
    156,
    158,
    159,
    172,
    173,
    175,
    176,
    177,
    180,
    181,
    183,
    184,
    192,
)
@pytest.mark.parametrize(("body", "agent", "url", "allowed", "why"), table("robots_files.json"))
def test_a_file_and_a_url(body: str, agent: str, url: str, allowed: bool, why: str) -> None:
    robots = RobotsTxt.parse(body.encode())
    assert robots.allowed(agent, url) is allowed, why
    assert robots.explain(agent, url).allowed is allowed, why


@pytest.mark.requirement(113)
@given(
    st.binary(max_size=300) | files, st.text(max_size=20), st.text(max_size=20), st.sampled_from([*PROFILES])
)
def test_any_octets_are_a_robots_txt(body: bytes, agent: str, url: str, profile: str) -> None:
    """No crash, whatever the site sends, and always a verdict."""
    robots = RobotsTxt.parse(body, profile)
    for one in (url, "http://h/" + url):
        assert robots.allowed(agent, one) is robots.explain(agent, one).allowed
    assert robots.crawl_delay(agent) is None or robots.request_rates(agent) is not None
    assert isinstance(robots.visit_times(agent), list)
    assert isinstance(robots.indexable(agent), bool)
    assert len(robots.warnings) <= MAX_WARNINGS
    assert sum(robots.statistics) >= len(robots.sitemaps)


@pytest.mark.requirement(127)
@given(files)
def test_the_end_of_line_does_not_matter(body: bytes) -> None:
    body = body.replace(b"\r", b"")
    groups = RobotsTxt.parse(body).groups
    assert RobotsTxt.parse(body.replace(b"\n", b"\r")).groups == groups
    assert RobotsTxt.parse(body.replace(b"\n", b"\r\n")).groups == groups


@pytest.mark.requirement(139)
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
    """C21."""
    robots = RobotsTxt.parse(mark + "User-agent: *\nDisallow: /ツ\n".encode(encoding))
    assert not robots.allowed("ours", "http://h/%E3%83%84"), why
    assert robots.allowed("ours", PATH), why


@pytest.mark.requirement(139)
def test_bad_octets_hurt_only_their_line() -> None:
    """And as octets they still compare with what a browser would ask for."""
    robots = RobotsTxt.parse(b"User-agent: *\nDisallow: /caf\xe9\nDisallow: /x\n")
    assert not robots.allowed("ours", PATH)
    assert not robots.allowed("ours", "http://h/caf%E9")
    assert robots.explain("ours", "http://h/caf%E9") == Reason(False, "Disallow: /caf\ufffd", 2, ("*",))


def test_the_line_that_decides_is_told() -> None:
    robots = RobotsTxt.parse(b"# ours\nuser-agent: ours\ndisallow:   /x #?\nAllow: /x/y\n")
    assert robots.explain("Ours", PATH) == Reason(False, "Disallow: /x", 3, ("ours",))
    assert robots.explain("Ours", PATH + "/y") == Reason(True, "Allow: /x/y", 4, ("ours",))
    assert robots.explain("Ours", "http://h/") == Reason(True, group=("ours",))
    assert robots.explain("other", PATH) == Reason(True)


def test_the_line_that_allows_is_told_where_nothing_is_disallowed() -> None:
    robots = RobotsTxt.parse(b"User-agent: *\nAllow: /x\n")
    assert robots.explain("ours", PATH) == Reason(True, "Allow: /x", 2, ("*",))


def test_the_names_of_all_groups_that_count_are_told() -> None:
    """C10: merged, sorted, in lower case."""
    robots = RobotsTxt.parse(
        b"User-agent: Ours\nUser-agent: b\nDisallow: /x\nUser-agent: a ours\nAllow: /y\n"
    )
    assert robots.explain("ours", "/y").group == ("a", "b", "ours")
    assert robots.explain("ours", "/robots.txt") == Reason(True, group=("a", "b", "ours"))


URLS = [
    ("/private/x", False, "a path alone"),
    ("/private?b", False, "a path with a query"),
    ("private/x", False, "a path without its slash"),
    ("//h/private", False, "no scheme"),
    ("HTTP://H/private/", False, "capitals"),
    ("http://h/PRIVATE/", True, "requirement 160: capitals in a path are others"),
    ("http://h/end", False, "the end of the path"),
    ("http://h/end#x", False, "a fragment is no part of a path"),
    ("/end#/x", False, "nor of a path alone"),
    ("http://h/end?x", True, "a query is"),
    ("http://h", True, "no path"),
    ("http://h?q", False, "a query without a path"),
    ("http://h?q/end", False, "and with a slash in it"),
    ("http://h#/private", True, "a fragment without a path"),
    ("http://h/ツ", False, "letters outside ASCII"),
    ("http://h/%e3%83%84", False, "their octets"),
    ("http://h/a b", False, "a blank"),
    ("http://h/a%20b", False, "and its octet"),
    ("ftp://h/private", False, "another scheme"),
    ("mailto:me", True, "no path at all"),
    ("http:///private", False, "no host"),
    ("http://[::1/private", False, "half an address"),
    ("", True, "nothing"),
    ("#", True, "only a fragment"),
    ("?q", False, "only a query"),
    ("\ud800", True, "half a character"),
    ("http://h/\0", True, "NUL"),
    ("%", True, "half an escape"),
    ("http://h/private/" + "x" * 100_000, False, "a URL that nobody asks for"),
]


@pytest.mark.requirement(160)
@pytest.mark.parametrize(("url", "allowed", "why"), URLS)
def test_urls_as_strangers_give_them(url: str, allowed: bool, why: str) -> None:
    robots = RobotsTxt.parse("User-agent: *\nDisallow: /private /end$ /?q /ツ /a%20b\n".encode())
    asked = [robots.allowed("ours", url) for _ in range(2 * OFTEN)]
    assert asked == [allowed] * len(asked), why
    assert robots.explain("ours", url).allowed is allowed, why


@pytest.mark.requirement(138)
def test_a_huge_file_is_read_up_to_the_limit() -> None:
    """Whole lines of the first 500 KiB."""
    start = b"User-agent: *\nDisallow: /x\n"
    last = b"Disallow: /y\n"
    filling = b"#" * (MAX_ROBOTS_BYTES - len(start) - len(last) - 1) + b"\n"
    fits, cut = start + filling + last, start + b"#" + filling + last
    assert not RobotsTxt.parse(fits).allowed("ours", "http://h/y")
    assert RobotsTxt.parse(cut).allowed("ours", "http://h/y")
    assert not RobotsTxt.parse(cut).allowed("ours", PATH)


@pytest.mark.requirement(137)
def test_a_long_line_is_read() -> None:
    """No limit on a line but that of the file (C17)."""
    path = "/" + "a" * 20_000
    robots = RobotsTxt.parse(f"User-agent: *\nDisallow: {path}\n".encode())
    assert not robots.allowed("ours", "http://h" + path)
    assert robots.allowed("ours", "http://h/a")


@pytest.mark.slow
@pytest.mark.parametrize("profile", ["rfc9309", "v1", "v2"])
@pytest.mark.parametrize(
    "body",
    [
        b"User-agent: *\nDisallow: /" + b"*" * 1_000_000,
        b"User-agent: *\nDisallow: /" + b"*a" * 200_000 + b"b",
        b"User-agent: *\nDisallow: /" + b"*a" * 2_000 + b"b",
        b"User-agent: *\nDisallow: /" + b"[" * 200_000,
        b"User-agent: *\n" + b"Disallow: /*a*a*a*b\n" * 2_000,
        b"User-agent: *\nDisallow: " + b"/a " * 20_000,
        b"User-agent: " + b"a " * 200_000 + b"\nDisallow: /a",
        b":" * MAX_ROBOTS_BYTES,
        b"a" * MAX_ROBOTS_BYTES,
        b"allow" + b" " * MAX_ROBOTS_BYTES,
        b"\n" * MAX_ROBOTS_BYTES,
        b"\0" * MAX_ROBOTS_BYTES,
        b"<html>" * 100_000,
        b"User-agent: *\nDisallow: /x" * 400_000,
        b"User-agent: *\n" + b"".join(b"Disallow: /%d\n" % number for number in range(100_000)),
        b"User-agent: *\n" + b"".join(b"Disallow: /%b\n" % (b"a" * number) for number in range(900)),
        b"".join(b"User-agent: r%d\nCrawl-delay: 1\n" % number for number in range(14_000)),
    ],
    ids=len,
)
def test_hostile_files_end(body: bytes, profile: str) -> None:
    """A file or a URL with a will to cost: the test's own time limit is the promise."""
    robots = RobotsTxt.parse(body, profile)
    for _ in range(2 * OFTEN):
        assert isinstance(robots.allowed("ours", "http://h/" + "a" * 200), bool)
    assert len(robots.warnings) <= MAX_WARNINGS


@pytest.mark.requirement(124)
def test_lines_are_counted() -> None:
    """Blank, comment and rule lines."""
    assert RobotsTxt.parse(b"").statistics == Statistics(0, 0, 0)
    assert RobotsTxt.parse(b"#a\n \n\n # b\nUser-agent: *\nFoo: x").statistics == Statistics(2, 2, 2)
