"""The two gates as Scrapy middleware: each alone, and that a crawl has them in its settings."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response

from engine.crawl.response_policy import weigh
from engine.middleware.meta_robots import MetaRobotsMiddleware
from engine.middleware.robots_txt import RobotsTxtMiddleware
from engine.model.page import Claim, Fetch, Purpose, State, Visit
from engine.robots import Directives, RobotsState, Verdict
from tests.crawling import reading
from tests.running import scrapy
from tests.web.scripted import Answer, Route, anchors, html, scripted_web

HOST = "http://h.example"
RULES = RobotsState(Verdict.OBEY, b"User-agent: *\nDisallow: /private\n", 0.0, 1e12)
ROBOTS = Claim(0, f"{HOST}/robots.txt", HOST, kind=Purpose.ROBOTS)


def spider(walk: Any = None, rules: Any = None) -> Any:
    """What the middlewares ask of a spider."""
    lines = SimpleNamespace(robots=lambda host: rules if host == HOST else None)
    crawl = SimpleNamespace(walk=walk, frontier=SimpleNamespace(lines=lines))
    return SimpleNamespace(spider=SimpleNamespace(crawl=crawl, named_hosts=None, own_hosts=None))


@pytest.mark.parametrize(
    ("url", "meta", "passes", "why"),
    [
        (f"{HOST}/open", {}, True, "allowed"),
        (f"{HOST}/private/x", {}, False, "disallowed"),
        (f"{HOST}/%70rivate/x", {}, False, "disallowed, spelled otherwise (RFC 9309, 2.2.2)"),
        ("http://other.example/", {}, False, "its robots.txt is not known: not now"),
        (ROBOTS.url, {"claim": ROBOTS}, True, "robots.txt itself"),
    ],
)
def test_no_request_passes_that_robots_txt_does_not_allow(
    url: str, meta: dict[str, Any], passes: bool, why: str
) -> None:
    gate = RobotsTxtMiddleware(spider(rules=RULES))
    request = Request(url, meta=meta)
    if passes:
        gate.process_request(request)
    else:
        with pytest.raises(IgnoreRequest):
            gate.process_request(request)


def visit(**said: Any) -> Visit:
    """A page that was read, of which its owner says so much."""
    read = replace(reading(f"{HOST}/", [f"{HOST}/next"]), **said)
    return Visit(Fetch(Claim(1, f"{HOST}/", HOST), 200), State.STORED, reading=read)


def passed(*found: Any) -> list[Any]:
    """What the META gate lets through, of what a spider's callback yields."""
    walk = SimpleNamespace(meta_robots=lambda one: weigh(one, indexable=True))
    gate = MetaRobotsMiddleware(spider(walk))

    async def yielded() -> AsyncIterator[Any]:
        for one in found:
            yield one

    async def taken() -> list[Any]:
        return [one async for one in gate.process_spider_output(Response(HOST), yielded())]

    return asyncio.run(taken())


@pytest.mark.parametrize(
    ("said", "state", "why"),
    [
        ({}, State.STORED, "nothing said"),
        ({"directives": Directives(index=False)}, State.NOINDEX, "noindex, in META or X-Robots-Tag"),
        ({"directives": Directives(follow=False)}, State.STORED, "nofollow is about links"),
        ({"directives": Directives(archive=False)}, State.STORED, "noarchive is about copies"),
        ({"moved_to": f"{HOST}/new"}, State.ALIAS, "META refresh (requirement 82)"),
    ],
)
def test_what_owners_say_on_a_page_counts_before_any_pipeline(
    said: dict[str, Any], state: State, why: str
) -> None:
    (found,) = passed(visit(**said))
    assert found.state is state, why


def test_requests_pass_as_they_are() -> None:
    request = Request(f"{HOST}/robots.txt")
    assert passed(request, visit()) == [request, visit()]


def test_a_crawl_obeys_robots_txt_whoever_makes_the_request(tmp_path: Path) -> None:
    """The frontier would not have given the URL out; a spider that asks behind its back is refused, too."""
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
            "SPIDER_MODULES=tests.engine.middleware.careless",
        )
        scrapy(tmp_path, "crawl", "web", *words)
        asked = {request.path for request in site.log}
    assert "/open/page" in asked, "the careless spider asks at all"
    assert "/private/page" not in asked


def test_a_crawl_obeys_meta_robots(tmp_path: Path) -> None:
    """In HTML and in headers: no word of such pages is kept, their links are followed."""
    header = {"Content-Type": "text/html", "X-Robots-Tag": "noindex"}
    routes: dict[str, Route] = {
        "/": html("Start", anchors(("/meta", "/header", "/plain"))),
        "/meta": Answer(200, "<title>m</title><meta name=robots content=noindex><p>xyzzy<a href=/1>1</a>"),
        "/header": Answer(200, "<title>h</title><p>xyzzy<a href=/2>2</a>", header),
        "/plain": html("Plain", "<p>xyzzy for all</p>"),
    }
    with scripted_web(routes) as site:
        scrapy(tmp_path, "crawl", "web", "-a", f"seeds={site.url('/')}", "-a", "own=1")
        found = scrapy(tmp_path, "search", "xyzzy").stdout
        assert {"/1", "/2"} <= {request.path for request in site.log}
    assert "/plain" in found
    assert "/meta" not in found
    assert "/header" not in found
