"""No request is longer than a server can be expected to take, whoever wrote its address."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from engine.url import MAX_URL_LENGTH
from tests.running import crawl
from tests.web.scripted import Answer, Route, Site, anchors, html, prose

LONG = "/" + "x" * MAX_URL_LENGTH
MOVED = Answer(302, headers={"Location": LONG})
XML = {"Content-Type": "application/xml"}


def sitemap(kind: str, url: str) -> Answer:
    """A sitemap, or an index of sitemaps, that names one URL."""
    items = {"urlset": "url", "sitemapindex": "sitemap"}
    item = items[kind]
    space = "http://www.sitemaps.org/schemas/sitemap/0.9"
    return Answer(200, f'<{kind} xmlns="{space}"><{item}><loc>{url}</loc></{item}></{kind}>', XML)


CASES: list[tuple[dict[str, Route], str]] = [
    ({"/": html("Start", anchors([LONG, "/a"]))}, "a link"),
    ({"/": html("Start", anchors(["/moved", "/a"])), "/moved": MOVED}, "a redirect"),
    ({"/robots.txt": MOVED}, "a robots.txt that moved"),
    ({"/sitemap.xml": MOVED}, "a sitemap that moved"),
    ({"/sitemap.xml": sitemap("urlset", "{site}" + LONG)}, "an entry of a sitemap"),
    ({"/sitemap.xml": sitemap("sitemapindex", "{site}" + LONG)}, "a sitemap that an index names"),
]


def host(routes: dict[str, Route], why: str) -> Site:
    """A site with pages of its own, and what is too long about it."""
    pages = {"/": html(why, prose(why) + anchors(["/a"])), "/a": html("A", prose(f"{why} a"))}
    return Site({"/robots.txt": Answer(404), "/sitemap.xml": Answer(404), **pages, **routes})


@pytest.mark.slow
@pytest.mark.requirement(46, 48, 282)
def test_no_request_is_too_long(tmp_path: Path) -> None:
    with ExitStack() as stack:
        sites = [stack.enter_context(host(routes, why)) for routes, why in CASES]
        for site in sites:
            for path, answer in list(site.routes.items()):
                if isinstance(answer, Answer) and isinstance(answer.body, str):
                    body = answer.body.replace("{site}", site.url("/")[:-1])
                    site.routes[path] = Answer(answer.status, body, answer.headers)
        crawl(tmp_path, *(site.url("/") for site in sites))
        for site, (_, why) in zip(sites, CASES, strict=True):
            assert {"/robots.txt", "/", "/a"} <= set(site.paths), why
            assert max(len(site.url(path)) for path in site.paths) <= MAX_URL_LENGTH, why
