"""The robots.txt gate: alone, in a crawl's settings, and where a redirected robots.txt is looked for."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy import Request
from scrapy.crawler import Crawler
from scrapy.exceptions import IgnoreRequest
from scrapy.settings import Settings
from scrapy.statscollectors import MemoryStatsCollector

from engine.middleware.address_guard import PrivateHosts
from engine.middleware.robots_txt import RobotsTxtMiddleware, is_foreign_redirect
from engine.model.page import Claim, Purpose
from engine.robots import RobotsState, Verdict
from tests.running import scrapy
from tests.web.scripted import Answer, Route, html, scripted_web

NAMED = PrivateHosts.build((), ("wiki.corp.example", "box.example:81", "http://intranet"))
OWN = PrivateHosts.build(
    ("http://127.0.0.1:8001", "http://127.0.0.1:8002", "http://a.corp", "https://b.corp"), ()
)
HOST = "http://h.example"


@pytest.mark.requirement(110)
@pytest.mark.parametrize(
    ("host", "url", "astray", "why"),
    [
        (HOST, "http://h.example/en/robots.txt", False, "its own host, another path"),
        (HOST, "http://h.example/", False, "its own host: many send all that is missing to the start"),
        (HOST, "http://h.example/hop1?x=2", False, "requirement 110: five hops, whatever they are called"),
        (HOST, "http://h.example/logout", True, "a button, even of its own"),
        (HOST, "http://h.example/shop?add-to-cart=5", True, "the same"),
        (HOST, "https://h.example/robots.txt", False, "http to https"),
        (HOST, "https://h.example/", False, "the same, and the path is lost"),
        (HOST, "https://www.h.example/robots.txt", False, "www"),
        (HOST, "https://www.h.example/start", False, "the same, and the path is lost"),
        (HOST, "https://www.h.example/logout", True, "a button"),
        ("https://www.h.example", "http://h.example/robots.txt", False, "and back"),
        (HOST, "http://o.example/robots.txt", False, "RFC 9309, 2.3.1.2: across authorities"),
        (HOST, "https://o.example:8443/robots.txt", False, "on any port"),
        (HOST, "http://8.8.8.8/robots.txt", False, "by address"),
        (HOST, "http://o.example/", True, "another host: robots.txt alone"),
        (HOST, "http://o.example/logout", True, "the same"),
        (HOST, "http://o.example/x/robots.txt", True, "the same"),
        (HOST, "http://o.example/robots.txt?x=1", True, "the same"),
        (HOST, "http://o.example/robots.txt/", True, "the same"),
        (HOST, "http://o.example/ROBOTS.TXT", True, "the same"),
        (HOST, "http://h.example:8080/x", True, "another port is another host"),
        (HOST, "http://h.example:8080/robots.txt", False, "the same, and its robots.txt"),
        (HOST, "http://127.0.0.1/robots.txt", True, "this machine"),
        (HOST, "http://[::ffff:7f00:1]/robots.txt", True, "the same in disguise"),
        (HOST, "http://169.254.169.254/robots.txt", True, "where clouds keep their keys"),
        (HOST, "http://[64:ff9b::a00:1]/robots.txt", True, "through a gateway"),
        (HOST, "http://localhost:8000/robots.txt", True, "a name of this machine"),
        (HOST, "http://intranet/robots.txt", True, "allowed for another purpose"),
        (HOST, "http://intranet/logout", True, "the same"),
        (HOST, "http://wiki.corp.example/robots.txt", True, "the same with a whole name"),
        (HOST, "http://wiki.corp.example:8080/robots.txt", True, "on every port"),
        (HOST, "http://box.example:81/robots.txt", True, "allowed on one port"),
        (HOST, "http://box.example/robots.txt", False, "the other is of the open Internet, or nowhere"),
        (HOST, "http://printer.local/robots.txt", True, "a name of a local network"),
        (
            "http://corp.example",
            "http://www.corp.example/robots.txt",
            False,
            "www of a name that is not named",
        ),
        ("http://www.intranet", "http://intranet/robots.txt", True, "www of one that is: it is another host"),
        ("http://intranet", "http://intranet/rules.txt", False, "a private host of itself"),
        ("http://intranet", "https://intranet/robots.txt", False, "the same over https"),
        ("http://intranet", "http://intranet/logout", True, "a button"),
        ("http://intranet", "http://printer.local/robots.txt", True, "of another"),
        ("http://127.0.0.1:8001", "http://127.0.0.1:8001/r", False, "an own host of itself"),
        ("http://127.0.0.1:8001", "http://127.0.0.1:8002/robots.txt", False, "of another own host"),
        ("http://127.0.0.1:8001", "http://127.0.0.1:8002/x", True, "another file of it"),
        ("http://a.corp", "https://b.corp/robots.txt", False, "by their names"),
        ("http://a.corp", "http://b.corp/robots.txt", True, "b is own on another port alone"),
        (HOST, "http://127.0.0.1:8002/robots.txt", True, "a stranger's, of an own host"),
        ("http://127.0.0.1:8001", "http://127.0.0.1:6379/robots.txt", True, "another port of this machine"),
        ("http://127.0.0.1:8001", "https://127.0.0.1:8001/robots.txt", False, "its own port over https"),
        ("http://127.0.0.1", "http://127.0.0.2/robots.txt", True, "another address of it"),
        ("http://[::1]", "https://[::1]/robots.txt", False, "http to https"),
    ],
)
def test_where_a_robots_txt_is_looked_for(host: str, url: str, astray: bool, why: str) -> None:
    hop = Claim(0, url, host, hops=1, kind=Purpose.ROBOTS)
    assert is_foreign_redirect(hop, NAMED, OWN) is astray, why


RULES = RobotsState(Verdict.OBEY, b"User-agent: *\nDisallow: /private\n", 0.0, 1e12)
ROBOTS = Claim(0, f"{HOST}/robots.txt", HOST, kind=Purpose.ROBOTS)


STATS = MemoryStatsCollector(cast(Crawler, SimpleNamespace(settings=Settings())))


def crawler(rules: RobotsState) -> Any:
    """What the middleware asks of a crawler: one host's rules."""
    spider = SimpleNamespace(
        robots_state=lambda host: rules if host == HOST else None, named_hosts=None, own_hosts=None
    )
    return SimpleNamespace(spider=spider, stats=STATS)


@pytest.mark.parametrize(
    ("url", "meta", "passes", "why"),
    [
        (f"{HOST}/open", {}, True, "allowed"),
        (f"{HOST}/private/x", {}, False, "disallowed"),
        (f"{HOST}/%70rivate/x", {}, False, "disallowed, spelled otherwise (RFC 9309, 2.2.2)"),
        (f"{HOST}/open", {"proxy": "http://p.example:3128"}, False, "past the address guard"),
        ("http://other.example/", {}, False, "its robots.txt is not known: not now"),
        (ROBOTS.url, {"claim": ROBOTS}, True, "robots.txt itself"),
    ],
)
def test_no_request_passes_that_robots_txt_does_not_allow(
    url: str, meta: dict[str, Any], passes: bool, why: str
) -> None:
    gate = RobotsTxtMiddleware(crawler(RULES))
    request = Request(url, meta=meta)
    if passes:
        gate.process_request(request)
    else:
        with pytest.raises(IgnoreRequest):
            gate.process_request(request)


def test_a_crawl_obeys_robots_txt_whoever_makes_the_request(tmp_path: Path) -> None:
    """The frontier would not have given the URL out; a middleware that asks behind its back is refused."""
    routes: dict[str, Route] = {
        "/robots.txt": Answer(200, "User-agent: *\nDisallow: /private", {"Content-Type": "text/plain"}),
        "/": html("Start", "<p>words</p>"),
        "/open/page": html("Open", "<p>other words</p>"),
        "/private/page": html("Private", "<p>no words for robots</p>"),
    }
    with scripted_web(routes) as site:
        words = (
            "-a",
            f"seeds={site.url('/')}",
            "-a",
            "own=1",
            "-s",
            'SPIDER_MIDDLEWARES={"tests.engine.middleware.careless.CarelessMiddleware": 20}',
        )
        scrapy(tmp_path, "crawl", "web", *words)
        asked = {request.path for request in site.log}
    assert "/open/page" in asked, "the careless middleware asks at all"
    assert "/private/page" not in asked
