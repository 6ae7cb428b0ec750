"""What is asked beside the rules, in every profile."""

import pytest

from engine.robots import RobotsTxt
from engine.robots.profiles import PROFILES
from engine.robots.timing import RequestRate, Window


@pytest.mark.requirement(191)
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


@pytest.mark.requirement(152, 153, 191)
def test_a_crawl_delay_belongs_to_its_group() -> None:
    """Own record before *, the longest of several."""
    robots = RobotsTxt.parse(
        b"User-agent: *\nCrawl-delay: 9\nDisallow: /a\n\n"
        b"User-agent: ours\nCrawl-delay: 1\nCrawl-delay: 3\nDisallow:\n\n"
        b"User-agent: ours\nCrawl-delay: 2\nDisallow:\n\n"
        b"User-agent: quick\nDisallow: /b\n"
    )
    assert robots.crawl_delay("other") == 9.0
    assert robots.crawl_delay("Ours") == 3.0
    assert robots.crawl_delay("quick") is None


@pytest.mark.requirement(192, 193)
def test_sitemaps_are_listed_wherever_they_stand() -> None:
    """Many, anywhere, whoever is named; comments stripped."""
    robots = RobotsTxt.parse(
        b"Sitemap: http://h/1.xml\nUser-agent: other\nSitemap: http://h/2.xml # second\nDisallow: /\n"
        b"Sitemap:\nsite-map: /3.xml"
    )
    assert robots.sitemaps == ("http://h/1.xml", "http://h/2.xml", "/3.xml")


@pytest.mark.requirement(193)
def test_sitemaps_are_no_rules() -> None:
    """Read in every version, whether or not a group is ours."""
    body = b"User-agent: other\nDisallow: /\n\nSitemap: http://h/\xc3\xa9.xml\n"
    for profile in PROFILES:
        assert RobotsTxt.parse(body, profile).sitemaps == ("http://h/é.xml",)


ALL = (
    b"User-agent: ours\nCrawl-delay: 2\nRequest-rate: 1/5\nRequest-rate: 5/1m 0200-2259\n"
    b"Visit-time: 0600-0845\nContent-Signal: search=no\nDisallow: /x\n"
)


@pytest.mark.requirement(185, 186, 187, 188, 191)
@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_reads_what_is_asked_beside_the_rules(profile: str) -> None:
    robots = RobotsTxt.parse(ALL, profile)
    assert robots.crawl_delay("ours/1.0") == 2.0
    assert robots.request_rates("ours") == [RequestRate(1, 5), RequestRate(5, 60, Window(120, 1379))]
    assert robots.visit_times("ours") == [Window(360, 525)]
    assert not robots.indexable("ours")
    assert not robots.allowed("ours", "/x")
    assert robots.warnings == ()


@pytest.mark.parametrize("profile", PROFILES)
def test_who_is_not_meant_is_asked_for_nothing(profile: str) -> None:
    robots = RobotsTxt.parse(ALL, profile)
    assert robots.crawl_delay("zeta") is None
    assert not robots.request_rates("zeta")
    assert not robots.visit_times("zeta")
    assert robots.indexable("zeta")


@pytest.mark.requirement(135)
@pytest.mark.parametrize("profile", PROFILES)
def test_a_wish_speaks_to_the_names_above_it(profile: str) -> None:
    """It ends no names, and those below are none of its own."""
    robots = RobotsTxt.parse(
        b"User-agent: a\nCrawl-delay: 1\nUser-agent: b\nVisit-time: 0600-0845\nDisallow: /x\n"
        b"Crawl-delay: 3\n",
        profile,
    )
    assert [robots.crawl_delay(name) for name in ("a", "b")] == [3.0, 3.0]
    assert [robots.allowed(name, "/x") for name in ("a", "b")] == [False, False]
    early = RobotsTxt.parse(
        b"User-agent: a\nCrawl-delay: 1\nUser-agent: b\nUser-agent: a\nDisallow: /\n", profile
    )
    assert [early.crawl_delay(name) for name in ("a", "b")] == [1.0, None]


def test_several_groups_add_up() -> None:
    """C10: lists are concatenated in the order of the file."""
    robots = RobotsTxt.parse(
        b"User-agent: ours\nRequest-rate: 1/5\nDisallow: /a\nUser-agent: b\nRequest-rate: 1/6\nDisallow:\n"
        b"User-agent: ours\nRequest-rate: 1/7\nVisit-time: 0100-0200\nVisit-time: 0300-0400\n"
    )
    assert [rate.seconds for rate in robots.request_rates("ours")] == [5.0, 7.0]
    assert robots.visit_times("ours") == [Window(60, 120), Window(180, 240)]


@pytest.mark.requirement(147)
def test_versions_without_merging_take_the_first_group_only() -> None:
    body = b"User-agent: ours\nCrawl-delay: 1\nDisallow: /a\n\nUser-agent: ours\nCrawl-delay: 2\n"
    assert RobotsTxt.parse(body, "v1").crawl_delay("ours") == 1.0
    assert RobotsTxt.parse(body).crawl_delay("ours") == 2.0


@pytest.mark.parametrize(
    ("lines", "indexable", "why"),
    [
        ("Content-Signal: search=no", False, "no"),
        ("Content-Signal: search=yes", True, "yes"),
        ("content-signal: ai-train=no, SEARCH=NO", False, "letter case, and among others"),
        ("Content-Signal: search = no ai-input=yes", False, "blanks"),
        ("Content-Signal: ai-train=no", True, "nothing about searching"),
        ("Content-Signal: research=no", True, "another word"),
        ("Content-Signal: search=nothing", True, "neither yes nor no"),
        ("Content-Signal: search=yes, search=no", False, "both on a line: no wins"),
        ("Content-Signal: search=no\nContent-Signal: search=yes", False, "both on two: no wins"),
        ("Disallow: /x\nContent-Signal: search=no", False, "behind a rule"),
        ("Disallow: /x\n\nUser-agent: b\nContent-Signal: search=no", True, "for another robot"),
    ],
)
def test_content_signal(lines: str, indexable: bool, why: str) -> None:
    """contentsignals.org: search=no is as noindex for the whole host."""
    assert RobotsTxt.parse(f"User-agent: ours\n{lines}\n".encode()).indexable("ours") is indexable, why
