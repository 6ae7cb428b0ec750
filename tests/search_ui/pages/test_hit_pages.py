"""The pages that belong to one hit, over a real index."""

from collections.abc import Sequence
from urllib.parse import quote, urlencode

import httpx
import pytest

from tests.search_ui.conftest import Site
from tests.search_ui.hit_corpus import PINNED, ROOMS
from tests.search_ui.pages.test_search_pages import SCRIPT, attribute, first, links, parse, texts


def asked(client: httpx.Client, path: str, url: str, typed: str = "") -> httpx.Response:
    return client.get(f"{path}?{urlencode({'url': url, 'q': typed})}")


def test_a_text_copy_is_the_text_as_it_was_read(indexed: httpx.Client) -> None:
    """Headings, lines, the words of the query; when it was read, and the way to the page itself."""
    answer = asked(indexed, "/text", ROOMS.url, "amber")
    html = answer.text
    assert answer.headers["X-Robots-Tag"] == "noindex, nofollow"
    assert texts(html, "h1") == ["Cached text of Amber <rooms>"]
    assert texts(html, ".copy > *") == ["Of amber.", "<b>basil</b>", "Cedar", "Amber again."]
    assert texts(html, ".copy h2") == ["Cedar"]
    assert texts(html, ".copy mark") == ["amber", "Amber"]
    assert texts(html, ".facts") == ["dated Sep 13, 2020"]
    assert "This is the text as of Nov 14, 2023; the page may have changed" in texts(html, ".note")[0]
    assert links(html, "main a") == [ROOMS.url, "/search?q=amber"]
    assert attribute(html, "#q", "value") == "amber"


def test_without_a_query_nothing_is_marked(indexed: httpx.Client) -> None:
    html = asked(indexed, "/text", ROOMS.url).text
    assert (texts(html, "mark"), links(html, "main a")) == ([], [ROOMS.url])


def test_a_copy_runs_as_its_language_does(indexed: httpx.Client) -> None:
    html = asked(indexed, "/text", "http://b.example/persian").text
    assert first(html, ".copy").attributes == {"class": "copy", "lang": "fa"}
    assert {line.attributes["dir"] for line in parse(html).css(".copy > *")} == {"rtl"}


def test_no_line_is_read_anew_for_each_other_line(indexed: httpx.Client) -> None:
    """Chromium took 12 s for 16,667 lines with dir="auto", in an element that had it as well."""
    html = asked(indexed, "/text", "http://d.example/long").text
    assert len(parse(html).css('.copy > [dir="auto"]')) > 10_000
    assert parse(html).css('[dir="auto"] [dir]') == []


def test_a_long_copy_says_that_it_was_cut(indexed: httpx.Client) -> None:
    assert "This page is long" in asked(indexed, "/text", "http://d.example/long").text


@pytest.mark.requirement(203)
@pytest.mark.parametrize(
    ("url", "said", "why"),
    [
        ("http://c.example/unarchived", "The owner of this page asks", "requirement 203: noarchive"),
        ("http://c.example/parked", "There is no text of this page", "flagged"),
        ("http://a.example/never", "The index does not have this page", "never read, or removed"),
    ],
)
def test_a_page_without_copy_says_so(indexed: httpx.Client, url: str, said: str, why: str) -> None:
    answer = asked(indexed, "/text", url, "amber")
    assert (answer.status_code, answer.headers["X-Robots-Tag"]) == (404, "noindex, nofollow"), why
    assert said in answer.text, why
    assert "amber" not in texts(answer.text, "main")[0].lower(), why


@pytest.mark.requirement(203)
def test_hits_offer_a_copy_only_where_there_is_one(indexed: httpx.Client) -> None:
    html = indexed.get("/search?q=amber").text
    offered = {href for href in links(html, ".about a") if href and href.startswith("/text")}
    assert len(offered) == 4
    assert not [href for href in offered if "unarchived" in href or "parked" in href]
    assert [indexed.get(href).status_code for href in offered] == 4 * [200]


@pytest.mark.requirement(309)
def test_why_a_page_is_a_hit(indexed: httpx.Client) -> None:
    """Each part of the score, and their sum, as /api/explain has them."""
    known = asked(indexed, "/api/explain", ROOMS.url, "amber cedar").json()
    html = asked(indexed, "/why", ROOMS.url, "amber cedar").text
    rows = parse(html).css("table")[0].css("tbody tr, tfoot tr")
    said = [" ".join(row.text(separator=" ").split()) for row in rows]
    parts = [f"{part['text']} {part['score'] - part['penalty']:.2f}" for part in known["clauses"]]
    assert said[:2] == parts
    assert said[2] == f"text score {known['text']:.2f}"
    assert said[-1] == f"Total {known['score']:.2f}"
    assert f"Rank {known['rank']} of {known['total']}" in texts(html, ".note")[0]
    assert "2 pages link to it, from 2 sites" in texts(html, "main")[0]
    stands = [row.text(separator=" ").split() for row in parse(html).css("table")[1].css("tbody tr")]
    assert [stand[:4] for stand in stands if stand[0] == "text"] == [["text", "amber", "2", "7"]]


@pytest.mark.parametrize(
    ("url", "typed", "said", "why"),
    [
        (PINNED.url, "rare words", "Rank 1: the operator pinned it for this query.", "a pin"),
        (ROOMS.url, "amber fern", "fern, missing", "a word that it lacks"),
        (ROOMS.url, "amber site:b.example", "Excluded by: site:b.example", "a filter"),
        (PINNED.url, "fern", "No page links to it", "a page that nothing links to"),
        (ROOMS.url, "xyxxy", "It does not match the query.", "a page that is no hit"),
        (ROOMS.url, "site:a.example", "Rank 1 of 2, score", "filters alone"),
        ("http://c.example/parked", "amber", "because the page has no content", "flagged"),
        (ROOMS.url, SCRIPT, "Why this page is ranked here for", "what was typed is text"),
        (
            "http://c.example/x?a=%3Cscript%3E&b=%27",
            "amber",
            "c.example › x?a=<script>&b='",
            "so is an address",
        ),
    ],
)
def test_why_or_why_not(indexed: httpx.Client, url: str, typed: str, said: str, why: str) -> None:
    answer = asked(indexed, "/why", url, typed)
    assert answer.status_code == 200, why
    assert said in texts(answer.text, "main")[0], why
    assert texts(answer.text, "script:not([src]), img, [onerror]") == [], why


@pytest.mark.parametrize(
    ("typed", "told", "why"),
    [
        ("amber", [], "there are hits"),
        ("amber qwzzk", ["amber: 6 pages", "qwzzk: no pages", "amber"], "some have some of the words"),
        ('"amber qwzzk" site:a.example', ['"amber qwzzk": no pages', "site:a.example: 2 pages"], "no hits"),
        ("qwzzk", [], "one word alone"),
    ],
)
def test_which_words_failed(indexed: httpx.Client, typed: str, told: Sequence[str], why: str) -> None:
    """Only asked where there is no hit, or none with all of the words."""
    found = texts(indexed.get(f"/search?q={quote(typed)}").text, ".missing li")
    assert found[: len(told)] == list(told), why
    assert bool(found) == bool(told), why


HOSTILE = [
    ("", 400, "no url"),
    ("url=", 400, "an empty one"),
    ("url=javascript:alert(1)", 400, "runs in our page"),
    ("url=JaVa%09script:alert(1)", 400, "browsers drop the tab"),
    ("url=data:text/html,x", 400, "a page of its own"),
    ("url=file:///etc/passwd", 400, "the server's disk"),
    ("url=//a.example/", 400, "no scheme"),
    ("url=http://u:p@a.example/", 400, "a password"),
    ("url=http://[oops/", 400, "no URL at all"),
    ("url=http://a.example/%00", 404, "NUL"),
    ("url=http://a.example/%2500%0d%0aX:y", 404, "a line break"),
    ("url=http://a.example/%ff%fe", 404, "not UTF-8"),
    ("url=http://a.example/%ED%A0%80", 404, "a lone surrogate"),
    ("url=http://a.example/%E2%80%AE", 404, "turns round what follows"),
    ("url=http://a.example/" + 20_000 * "a", 404, "huge"),
    ("url=http://a.example/" + 5_000 * "%2541", 404, "escapes within escapes"),
    ("url=" + quote(f"http://a.example/{SCRIPT}"), 404, "a script"),
    ("url=http://a.example/{{7*7}}", 404, "a template"),
    ("url=http://a.example/'%20OR%201=1--", 404, "SQL"),
    ("url=http://a.example/never&url=" + quote(ROOMS.url), 404, "repeated: the first counts"),
    ("&".join(40 * ["a=b"]), 400, "too many fields"),
]


@pytest.mark.parametrize("path", ["/text", "/why"])
@pytest.mark.parametrize(("fields", "status", "why"), HOSTILE, ids=[why for *_, why in HOSTILE])
def test_hostile_addresses(indexed: httpx.Client, path: str, fields: str, status: int, why: str) -> None:
    answer = indexed.get(f"{path}?q=amber&{fields}")
    assert answer.status_code == status, why
    assert not {"<script>", "<img", "Traceback", "http://a.example/49"} & set(answer.text.split()), why
    assert texts(answer.text, "script:not([src]), img") == [], why


@pytest.mark.parametrize(
    ("typed", "copied", "explained", "why"),
    [
        ("", 200, 400, "a copy needs no words"),
        ("%00%07", 200, 400, "controls are no words"),
        ("%ff%fe", 200, 200, "not UTF-8"),
        ("%ED%A0%80amber", 200, 200, "a lone surrogate"),
        ("a" * 1_001, 200, 400, "past the limit"),
        (quote(SCRIPT), 200, 200, "a script"),
        ("%E2%80%AEamber", 200, 200, "turns round what follows"),
        ('"' * 999, 200, 200, "quotation marks"),
        ("site:%00 OR -" + 300 * "*", 200, 200, "operators"),
        ("{{7*7}}{%25", 200, 200, "a template"),
    ],
)
def test_hostile_words(indexed: httpx.Client, typed: str, copied: int, explained: int, why: str) -> None:
    url = quote(ROOMS.url, safe="")
    answers = [indexed.get(f"{path}?url={url}&q={typed}") for path in ("/text", "/why")]
    assert [answer.status_code for answer in answers] == [copied, explained], why
    assert [texts(answer.text, "script:not([src]), img") for answer in answers] == [[], []], why
    assert indexed.get(f"/search?q=qwzzk {typed}").status_code == 200, why


@pytest.mark.parametrize(("path", "method", "status"), [("/text", "POST", 405), ("/why", "HEAD", 503)])
def test_other_ways_to_ask(site: Site, path: str, method: str, status: int) -> None:
    assert site.get(f"{path}?url=http://a.example/&q=missing", method).status_code == status


def test_tables_say_what_they_are(indexed: httpx.Client) -> None:
    """WCAG 2.2, 1.3.1: every table has a caption, every column and row its heading."""
    page = parse(asked(indexed, "/why", ROOMS.url, "amber fern").text)
    for table in page.css("table:has(thead)"):
        assert len(table.css("caption")) == 1
        assert all(node.attributes["scope"] == "col" for node in table.css("thead th"))
        assert all(row.css("th[scope=row]") for row in table.css("tbody tr, tfoot tr"))
