"""What an owner may want to mend."""

import pytest

from engine.robots import MAX_ROBOTS_BYTES, RobotsTxt
from engine.robots.profiles import PROFILES
from engine.robots.remarks import MAX_WARNINGS


@pytest.mark.requirement(140, 143, 156, 192)
@pytest.mark.parametrize(
    ("body", "line", "text"),
    [
        ("useragent: a", 1, '"useragent": did you mean User-Agent?'),
        ("User-agent: a\nDissallow: /", 2, '"Dissallow": did you mean Disallow?'),
        ("User-agent: *\ndisallow /x", 2, "no colon"),
        ("Disallow: /x", 1, "disallow before any User-agent is ignored"),
        ("User-agent: ou*", 1, "* has no meaning inside a name: ou*"),
        ("User-agent: *\nDisallow: x", 2, "a path starts with /: x"),
        ("User-agent: *\nDisallow: /x /y", 2, "several paths on one line"),
        ("User-agent: *\nCrawl-delay: soon", 2, "no number of seconds: soon"),
        ("User-agent: *\nRequest-rate: 5", 2, "no rate: 5"),
        ("User-agent: *\nRequest-rate: 0/5", 2, "no rate: 0/5"),
        ("User-agent: *\nVisit-time: night", 2, "no hours: night"),
        ("Crawl-delay: 5", 1, "crawl-delay before any User-agent is ignored"),
        ("\nSitemap: /s.xml", 2, "a Sitemap needs a whole URL"),
        ("Sitemap:", 1, "a Sitemap needs a whole URL"),
        ("\n <!DOCTYPE html>\n<p>Allow us to explain</p>", 1, "a web page, and no robots.txt"),
        ("\nU\0s\0e\0r\0", 2, "NUL bytes: not a text, or UTF-16 without its byte order mark"),
    ],
)
def test_what_an_owner_may_want_to_mend(body: str, line: int, text: str) -> None:
    """Read as well as can be, and said."""
    assert RobotsTxt.parse(body.encode()).warnings == ((line, text),)


@pytest.mark.requirement(185)
def test_what_is_only_unknown_is_no_fault() -> None:
    body = (
        b"User-agent: *\nRequest-rate: 1/5\nVisit-time: 0600-0845\nRobot-version: 2.0\nComment: hello\n"
        b"Content-Signal: ai-train=no\nHost: h\n"
    )
    assert [RobotsTxt.parse(body, profile).warnings for profile in PROFILES] == [()] * len(PROFILES)


@pytest.mark.requirement(138)
def test_a_file_that_was_cut_says_so() -> None:
    """And where."""
    body = b"User-agent: *\nDisallow: /x\n" + b"#" * MAX_ROBOTS_BYTES
    assert RobotsTxt.parse(body).warnings == (
        (2, "nothing below is read: the file has more than 512000 octets"),
    )
    assert not RobotsTxt.parse(body[:MAX_ROBOTS_BYTES]).warnings


def test_warnings_stand_in_the_order_of_lines() -> None:
    body = b"User-agent: a*\nSitemap: s\nuseragent: b\nDisallow: x /y\nUser-agent: c*\n"
    lines = [line for line, _ in RobotsTxt.parse(body).warnings]
    assert lines == [1, 2, 3, 4, 5]


def test_there_are_no_more_warnings_than_anybody_reads() -> None:
    """And what is odd about the whole file is among them."""
    warnings = RobotsTxt.parse(b"<html>\n" + b"Disallow: /\n" * 10 * MAX_WARNINGS).warnings
    assert len(warnings) == MAX_WARNINGS
    assert warnings[0] == (1, "a web page, and no robots.txt")
