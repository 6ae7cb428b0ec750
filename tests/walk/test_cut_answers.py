"""Answers that end before their end: what stood in the rest is not known, so nothing is made of it."""

import gzip
from contextlib import ExitStack
from pathlib import Path

import pytest
from scrapy import Request
from scrapy.http import Headers, Response

from engine.middleware.body_limit import LIMITS
from engine.middleware.decompress import DecompressionMiddleware
from engine.middleware.fetching import fetch_from_response
from engine.model.page import Claim, Fetch, Purpose
from tests.crawling import states
from tests.running import ask, crawl, scrapy, serving
from tests.web.scripted import Answer, Route, anchors, html, prose, scripted_web

pytestmark = pytest.mark.slow

RULES = b"User-agent: *\nAllow: /\nDisallow: /secret\n"
CUT = len(b"User-agent: *\nAllow: /\n")  # octets that came
XML = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>%s/listed</loc></url><url><loc>'
PLAIN = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
PACKED = gzip.compress(RULES + b"#" * 2_000, mtime=0)


def cut_by_length(body: bytes, end: int, fields: bytes = b"") -> Answer:
    """Less than was announced."""
    head = b"HTTP/1.1 200 OK\r\n%bContent-Length: %d\r\n\r\n" % (fields, len(body))
    return Answer(raw=head + body[:end])


ROBOTS = [
    (cut_by_length(RULES, CUT), "less than Content-Length announced"),
    (cut_by_length(RULES, 0), "nothing of it"),
    (
        Answer(raw=PLAIN + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%b\r\n" % (CUT, RULES[:CUT])),
        "chunks without a last one",
    ),
    (
        Answer(raw=PLAIN + b"Content-Encoding: gzip\r\nContent-Length: 24\r\n\r\n" + PACKED[:24]),
        "a gzip body without its end, although all octets came",
    ),
    (Answer(206, RULES[:CUT], {"Content-Range": f"bytes 0-{CUT - 1}/{len(RULES)}"}), "a part of it"),
    (Answer(raw=b"HTTP/1.1 000 \r\nContent-Length: 0\r\n\r\n"), "no status"),
]


def test_a_robots_txt_that_was_cut_permits_nothing_for_now(tmp_path: Path) -> None:
    """RFC 9309, 2.3.1.4: what cannot be had is as a 5xx, not as an empty file; the host waits."""
    with ExitStack() as running:
        sites = [
            running.enter_context(scripted_web({"/robots.txt": answer, "/": html(why)}))
            for answer, why in ROBOTS
        ]
        summary = crawl(tmp_path, *(site.url("/") for site in sites))
    for site, (_, why) in zip(sites, ROBOTS, strict=True):
        assert set(site.paths) == {"/robots.txt"}, why
        assert states(tmp_path)[site.url("/")] == ("queued", ""), why
    assert "robots.txt gave no answer (answer cut short)" in summary
    assert "robots.txt gave no answer (no HTTP answer)" in summary
    assert "robots.txt answered 206" in summary


def test_a_page_that_was_cut_takes_no_place(tmp_path: Path) -> None:
    """It is asked for again; the text that is there stays, and a new page is none until it is whole."""
    page = html("Long", f"<p>quagga {prose('long')}</p>")
    whole = page.body if isinstance(page.body, bytes) else str(page.body).encode()
    start = html("Start", anchors(["/old", "/new", "/flaky"]))
    fields = b"Content-Type: text/html\r\n"
    routes: dict[str, Route] = {"/": start, "/old": page, "/new": Answer(404), "/flaky": Answer(404)}
    tries = iter([cut_by_length(whole, 300, fields), html("Flaky", "<p>okapi</p>")])
    with scripted_web(routes) as site:
        crawl(tmp_path, site.url("/"))
        routes["/old"] = cut_by_length(whole.replace(b"quagga", b"zebra"), 300, fields)
        routes["/new"] = cut_by_length(whole, 300, fields)
        routes["/flaky"] = lambda _: next(tries)
        scrapy(tmp_path, "recrawl", f"{site.url('/')}*")
        summary = crawl(tmp_path, site.url("/"))
        asked = site.paths
        known = states(tmp_path)
        with serving(tmp_path) as address:
            found = {words: ask(address, words)["total"] for words in ("quagga", "zebra", "okapi")}
    assert found == {"quagga": 1, "zebra": 0, "okapi": 1}
    assert known[site.url("/old")] == known[site.url("/new")] == ("failed", "answer cut short")
    assert known[site.url("/flaky")] == ("stored", "")
    assert [asked.count(path) - 1 for path in ("/old", "/new", "/flaky")] == [3, 3, 2]
    assert "errors: answer cut short" in summary


def test_a_sitemap_that_was_cut_says_what_it_can(tmp_path: Path) -> None:
    """The URLs that came are asked for; the next time it is read anew, not confirmed."""
    routes: dict[str, Route] = {"/": html("Start"), "/listed": html("Listed", prose("listed"))}
    with scripted_web(routes) as site:
        body = XML % site.url().rstrip("/").encode()
        fields = b'Content-Type: application/xml\r\nETag: "1"\r\n'
        routes["/sitemap.xml"] = cut_by_length(body + b" " * 100, len(body), fields)
        summary = crawl(tmp_path, site.url("/"))
        scrapy(tmp_path, "recrawl", f"{site.url('/')}*")
        crawl(tmp_path, site.url("/"))
        maps = [request for request in site.log if request.path == "/sitemap.xml"]
    assert "/listed" in site.paths
    assert "sitemaps: answer cut short" in summary
    assert not any("if-none-match" in request.headers for request in maps)


def exchange(
    kind: Purpose, body: bytes, *, flags: list[str], packed: bool = False, status: int = 200
) -> Fetch:
    """What becomes of an answer on its way from the network to the crawl."""
    claim = Claim(1, "http://h.example/robots.txt", "http://h.example", kind=kind)
    meta = {"claim": claim, "started": 0.0, "began": 0.0, "sent": 0}
    request = Request(claim.url, meta=meta)
    headers = Headers({"ETag": ['"1"'], **({"Content-Encoding": ["gzip"]} if packed else {})})
    response = Response(claim.url, status, headers, body, flags=flags, request=request)
    return fetch_from_response(DecompressionMiddleware().process_response(request, response))


LONG = gzip.compress(bytes(LIMITS[Purpose.ROBOTS] * 2), mtime=0)
LOST = ["dataloss"]


@pytest.mark.requirement(75)
@pytest.mark.parametrize(
    ("kind", "body", "flags", "packed", "status", "cut", "why"),
    [
        (Purpose.PAGE, b"ab", [], False, 200, False, "whole"),
        (Purpose.PAGE, b"ab", ["partial"], False, 200, False, "requirement 75: ended by hanging up"),
        (Purpose.PAGE, b"ab", LOST, False, 200, True, "cut"),
        (Purpose.PAGE, b"ab", LOST, False, 404, False, "the status has said all"),
        (Purpose.PAGE, b"ab", LOST, False, 301, False, "the same"),
        (Purpose.PAGE, PACKED, [], True, 200, False, "packed"),
        (Purpose.PAGE, PACKED[:-1], [], True, 200, True, "packed, without its end"),
        (Purpose.PAGE, PACKED[:30], [], True, 404, False, "the status has said all"),
        (
            Purpose.ROBOTS,
            PACKED,
            LOST,
            True,
            200,
            True,
            "whole as it was packed, but the server had more to say",
        ),
        (Purpose.ROBOTS, PACKED[:-9], [], True, 200, True, "packed, without its end"),
        (Purpose.ROBOTS, LONG, [], True, 200, False, "RFC 9309, 2.5: longer than we read"),
        (Purpose.ROBOTS, LONG[:-9], [], True, 200, False, "the same: what we do not read does not matter"),
        (Purpose.ROBOTS, b"#" * LIMITS[Purpose.ROBOTS], ["download_stopped"], False, 200, False, "cut by us"),
    ],
)
def test_what_counts_as_cut(
    kind: Purpose, body: bytes, flags: list[str], packed: bool, status: int, cut: bool, why: str
) -> None:
    fetch = exchange(kind, body, flags=flags, packed=packed, status=status)
    assert (fetch.status, fetch.error) == ((0, "answer cut short") if cut else (status, "")), why
    assert bool(fetch.body or fetch.header("etag")) is not cut, why


def test_of_a_sitemap_what_is_there_is_used() -> None:
    for body, packed, flags in ((b"ab", False, LOST), (PACKED[:-9], True, [])):
        fetch = exchange(Purpose.SITEMAP, body, flags=flags, packed=packed)
        assert (fetch.status, fetch.error, fetch.header("etag")) == (200, "answer cut short", "")
        assert fetch.body
