"""The META gate as Scrapy middleware: alone, and that a crawl has it in its settings."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import Response

from engine.crawl.response_policy import apply_directives
from engine.middleware.meta_robots import MetaRobotsMiddleware
from engine.model.page import Claim, Fetch, State, Visit
from engine.robots import Directives
from tests.crawling import reading
from tests.running import scrapy
from tests.web.scripted import Answer, Route, anchors, html, scripted_web

HOST = "http://h.example"


def visit(**said: Any) -> Visit:
    """A page that was read, of which its owner says so much."""
    read = replace(reading(f"{HOST}/", [f"{HOST}/next"]), **said)
    return Visit(Fetch(Claim(1, f"{HOST}/", HOST), 200), State.STORED, reading=read)


def passed(*found: Any) -> list[Any]:
    """What the META gate lets through, of what a spider's callback yields."""
    walk = SimpleNamespace(meta_robots=lambda one: apply_directives(one, indexable=True))
    crawler: Any = SimpleNamespace(spider=SimpleNamespace(crawl=SimpleNamespace(walk=walk)))
    gate = MetaRobotsMiddleware(crawler)

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


@pytest.mark.slow
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
