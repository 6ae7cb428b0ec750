"""Hooks of own spiders: what they change, what they must not, and what they raise."""

import gzip
import string
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import Request
from scrapy.http import HtmlResponse, Response

from engine.config import Config, load_config
from engine.crawl import apply_directives, page_of
from engine.middleware import UNPACKED
from engine.model import Claim, Fetch, Page, Section, State, Visit
from engine.packing import unpack_links
from engine.plugins.spider_hooks import MAX_BYTES, MAX_ITEMS, SpiderHooks, unpack_response
from engine.url import NO_ALIASES
from engine.workers.body import read_body
from tests.engine.text.screening.test_secrets import drawn

URL = "http://h.example/dir/page"
KEY = f"id {'AKIA' + drawn(16, string.ascii_uppercase)} end"
BODY = """<html lang=en><head><title>Page</title>{}</head><body><h1>Heading</h1><p>Words of the page.</p>
<a href=/a>a</a> <a href=/b rel=nofollow>b</a></body></html>"""


def config() -> Config:
    return load_config({"DATA_DIR": "data", "CRAWL_TOML": "none"})


def run(head: str = "", /, **hooks: Any) -> tuple[Visit, list[Any], Counter[str]]:
    """Reads a page behind the META gate, and applies hooks; the visit, the items, and what was counted."""
    body = BODY.format(head).encode()
    fetch = Fetch(Claim(1, URL, "http://h.example"), 200, (("content-type", "text/html"),), body)
    visit = Visit(fetch, State.STORED, reading=read_body(body, URL, "text/html", fetch.headers))
    counts: Counter[str] = Counter()
    spider = SimpleNamespace(own_hooks=frozenset(hooks), name="own", **hooks)
    made = SpiderHooks(spider, config(), lambda: NO_ALIASES, lambda name: counts.update([name]))
    response = HtmlResponse(URL, body=body, request=Request(URL))
    visit, *items = made.apply(apply_directives(visit, indexable=True), response)
    return visit, items, counts


def retitle(page: Page, response: Any) -> Page:
    return replace(page, title=response.css("h1::text").get(), url="http://elsewhere.example/")


def test_a_page_is_what_extract_makes_of_it() -> None:
    visit, _, counts = run(extract=retitle)
    before, _, _ = run()
    assert visit.reading
    assert before.reading
    assert (page_of(visit).title, page_of(visit).url, counts) == ("Heading", URL, Counter())
    assert visit.reading.outlinks == before.reading.outlinks == ("http://h.example/a",)


def test_its_digests_and_secrets_are_of_the_new_text() -> None:
    def write(text: str) -> Callable[..., Page]:
        return lambda page, response: replace(page, sections=[Section("", "", text)])

    before, new, secret = (run(extract=write(text))[0].reading for text in ("one", "other words", KEY))
    assert before
    assert new
    assert secret
    assert before.fingerprint != new.fingerprint
    assert (len(new.secrets), len(secret.secrets)) == (0, 1)


@pytest.mark.parametrize(
    ("found", "followed", "why"),
    [
        (["/x", "y", "http://o.example/"], ("/x", "/dir/y", "http://o.example/"), "relative, too"),
        (["/x", "/x#part"], ("/x",), "each once"),
        (["mailto:a@h.example", "javascript:1", "http://"], (), "no URL"),
        (["/a", "/b"], ("/a",), "nofollow is the owner's"),
        ([], (), "none"),
    ],
)
def test_links_are_those_of_the_hook(found: Iterable[str], followed: tuple[str, ...], why: str) -> None:
    visit, _, _ = run(links=lambda page, response: found)
    assert visit.reading
    expected = tuple(url if "://" in url else f"http://h.example{url}" for url in followed)
    assert visit.reading.outlinks == expected, why


@pytest.mark.parametrize(
    ("head", "state", "links", "why"),
    [
        ("", State.STORED, 1, "nothing is asked"),
        ("<meta name=robots content=noindex>", State.NOINDEX, 1, "its links may be followed"),
        ("<meta name=robots content=nofollow>", State.STORED, 0, "and here they may not"),
        ("<meta name=robots content=none>", State.NOINDEX, 0, "neither"),
        ("<meta http-equiv=refresh content='0; url=/new'>", State.ALIAS, 0, "another URL represents it"),
    ],
)
def test_owners_decide_before_the_hooks(head: str, state: State, links: int, why: str) -> None:
    called: list[str] = []

    def called_for(page: Page, response: Any) -> Any:
        called.append("text")
        return page

    visit, items, _ = run(
        head,
        extract=called_for,
        links=lambda page, response: ["/x"],
        items=lambda page, response: [called_for(page, response)],
    )
    assert visit.reading
    assert (visit.state, len(visit.reading.outlinks)) == (state, links), why
    assert (len(called), len(items)) == ((2, 1) if state is State.STORED else (0, 0)), why


def boom(*_: Any) -> Any:
    raise LookupError("boom")


@pytest.mark.parametrize(
    ("hook", "does", "error", "why"),
    [
        ("extract", boom, "LookupError", "it raises"),
        ("extract", lambda page, response: None, "TypeError", "it forgets to return"),
        ("extract", lambda page, response: replace(page, title=object()), "AttributeError|TypeError", "junk"),
        ("links", boom, "LookupError", "it raises"),
        ("links", lambda page, response: None, "TypeError", "it forgets to return"),
        ("items", boom, "LookupError", "it raises"),
    ],
)
def test_what_a_hook_raises_loses_no_page(hook: str, does: Callable[..., Any], error: str, why: str) -> None:
    visit, items, counts = run(**{hook: does})
    before, _, _ = run()
    assert (visit, items) == (before, []), why
    kinds = [name.removeprefix("spider_exceptions/") for name in counts]
    assert sum(counts.values()) == 2
    assert sorted(kinds)[1] == "count"
    assert sorted(kinds)[0] in error.split("|"), why


def test_what_is_not_extracts_to_say_stays() -> None:
    visit, _, _ = run(extract=lambda page, response: replace(page, title="x", links=(), media_type="text/x"))
    assert visit.reading
    assert visit.reading.media_type == page_of(visit).media_type == "text/html"
    assert unpack_links(visit.reading.content).urls == ["http://h.example/a", "http://h.example/b"]


def test_a_page_with_secrets_gives_no_items() -> None:
    secret = run(
        extract=lambda page, response: replace(page, sections=[Section("", "", KEY)]),
        items=lambda page, response: [{"text": page.text}],
    )
    assert secret[0].reading
    assert (len(secret[0].reading.secrets), secret[1]) == (1, [])


def test_items_have_an_end() -> None:
    def endless(page: Page, response: Any) -> Iterable[int]:
        number = 0
        while True:
            yield (number := number + 1)

    assert len(run(items=endless)[1]) == MAX_ITEMS


def test_a_response_is_as_scrapys_users_expect_it() -> None:
    body = "<p>zażółć</p>".encode()
    request = Request(URL, meta={UNPACKED: len(body)})
    kind = {"Content-Type": "text/html; charset=utf-8"}
    packed = Response(URL, body=gzip.compress(body), headers=kind, request=request)
    found: Any = unpack_response(packed)
    assert found.css("p::text").get() == "zażółć"


def test_a_very_long_body_reaches_no_hook() -> None:
    request = Request(URL, meta={UNPACKED: MAX_BYTES + 1})
    assert unpack_response(Response(URL, body=b"short", request=request)) is None
    assert unpack_response(Response(URL, body=b"x" * (MAX_BYTES + 1), request=Request(URL))) is None
