"""Many sites, one robot."""

import pytest

from engine.robots import sites
from engine.robots.sites import MAX_SITES, RobotRules

OUT = b"User-agent: ours\nDisallow: /x\n"
IN = b"User-agent: ours\nDisallow:\n"


class Clock:
    """A clock that stands still until it is set; seconds."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.mark.requirement(179, 195)
def test_each_url_is_judged_by_its_own_site(clock: Clock) -> None:
    """A rule's path is that of its own host alone."""
    rules = RobotRules("ours", clock)
    rules.parse("http://a.example/robots.txt", OUT, 2_000.0)
    rules.parse("http://b.example/robots.txt", IN, 2_000.0)
    assert rules.allowed("http://a.example/x") is False
    assert rules.allowed("http://a.example/y") is True
    assert rules.allowed("http://b.example/x") is True


@pytest.mark.requirement(196)
def test_before_a_parse_nothing_is_decided(clock: Clock) -> None:
    rules = RobotRules("ours", clock)
    assert rules.allowed("http://a.example/y") is None
    rules.parse("http://a.example/robots.txt", OUT, 2_000.0)
    assert rules.allowed("http://b.example/y") is None


@pytest.mark.requirement(195)
def test_rules_that_are_no_longer_fresh_are_unknown(clock: Clock) -> None:
    """From then on robots.txt must be fetched again."""
    rules = RobotRules("ours", clock)
    rules.parse("http://a.example/robots.txt", OUT, 2_000.0)
    for now, allowed in ((1_999.9, False), (2_000.0, None), (3_000.0, None)):
        clock.now = now
        assert rules.allowed("http://a.example/x") is allowed
    rules.parse("http://a.example/robots.txt", IN, 4_000.0)
    assert rules.allowed("http://a.example/x") is True


@pytest.mark.requirement(89, 90)
@pytest.mark.parametrize(
    ("url", "allowed", "why"),
    [
        ("http://a.example:80/x", False, "requirement 89: the default port is the same site"),
        ("HTTP://A.Example/./x", False, "another spelling of the same URL"),
        ("http://a.example/%78#y", False, "escapes and fragments"),
        ("http://a.example:8080/x", None, "requirement 89: another port"),
        ("https://a.example/x", None, "another scheme (C19)"),
        ("http://www.a.example/x", None, "requirement 90: another name"),
        ("ftp://a.example/x", None, "C20: http(s) only"),
        ("/x", None, "no site"),
        ("http://", None, "no host"),
        ("http://me:secret@a.example/x", None, "nobody's link"),
        ("\ud800", None, "no text"),
    ],
)
def test_which_site_a_url_is_of(url: str, allowed: bool | None, why: str, clock: Clock) -> None:
    rules = RobotRules("ours", clock)
    rules.parse("http://a.example/any/page", OUT, 2_000.0)
    assert rules.allowed(url) is allowed, why


def test_what_has_no_site_is_not_kept(clock: Clock) -> None:
    rules = RobotRules("ours", clock)
    rules.parse("ftp://a.example/robots.txt", OUT, 2_000.0)
    assert rules.allowed("ftp://a.example/x") is None


def test_the_oldest_of_too_many_sites_is_forgotten(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_SITES >= 100
    monkeypatch.setattr(sites, "MAX_SITES", 2)
    rules = RobotRules("ours", clock)
    for name in "abac":
        rules.parse(f"http://{name}.example/", OUT, 2_000.0)
    assert [rules.allowed(f"http://{name}.example/x") for name in "abc"] == [False, None, False]


def test_without_a_clock_it_is_now() -> None:
    rules = RobotRules("ours")
    rules.parse("http://a.example/", OUT, 4e9)
    rules.parse("http://b.example/", OUT, 1.0)
    assert rules.allowed("http://a.example/x") is False
    assert rules.allowed("http://b.example/x") is None
