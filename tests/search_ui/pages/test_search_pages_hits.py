"""What stands under a hit: its facts, the pages about it, the host's others, its copies."""

from dataclasses import replace
from typing import Any
from urllib.parse import quote

import pytest
from selectolax.lexbor import LexborHTMLParser

from engine.model.sitelink import Sitelink
from search_ui.search_request import MAX_TYPED
from tests.search_ui.conftest import PLAIN, Site
from tests.search_ui.pages.test_search_pages import first, links, seen, texts

BARE = {"fetched_at": "", "inlinks": 0}


@pytest.mark.parametrize(
    ("fields", "menu", "why"),
    [
        ({}, ["Why this result?"], "nothing is known"),
        ({"inlinks": 3}, ["Linked from 3 pages", "Why this result?"], "no date"),
        (
            {"fetched_at": PLAIN.fetched_at},
            ["fetched May 2, 2026", "Why this result?"],
            "nothing links to it",
        ),
        ({"inlinks": 1}, ["Linked from 1 page", "Why this result?"], "one page"),
        ({"date": "2024-02-29"}, ["dated Feb 29, 2024", "Why this result?"], "the page's own date"),
        ({"has_copy": True}, ["Cached text", "Why this result?"], "its owner does not mind a copy"),
    ],
)
def test_the_menu_of_a_hit(site: Site, fields: dict[str, Any], menu: list[str], why: str) -> None:
    site.searcher.known["facts"] = [replace(PLAIN, **{**BARE, **fields})]
    assert seen(site.get("/search?q=facts").text, ".about li") == menu, why


@pytest.mark.parametrize(
    ("fields", "lead", "why"),
    [
        ({"language": "pl"}, ["Polski"], "another language than ours"),
        ({"language": "tlh"}, ["tlh"], "a language that we have no name for"),
        ({"media_type": "application/pdf"}, ["PDF"], "a PDF says so"),
        ({"media_type": "text/plain"}, ["plain text"], "so does a text"),
        ({"media_type": "text/html"}, [], "a page as any"),
        ({"pinned": True}, ["pinned by the operator"], "by the operator"),
        ({"pinned": True, "date": "2024-02-29"}, ["pinned by the operator · Feb 29, 2024"], "two"),
    ],
)
def test_what_is_said_before_the_text(site: Site, fields: dict[str, Any], lead: list[str], why: str) -> None:
    site.searcher.known["facts"] = [replace(PLAIN, **{**BARE, **fields})]
    assert texts(site.get("/search?q=facts").text, ".lead") == lead, why


def test_links_of_a_hit_make_sense_alone(site: Site) -> None:
    """WCAG 2.2, 2.4.9 and 2.5.3: what is seen of each is what it is called by, and it says of which hit."""
    site.searcher.known["a"] = [replace(PLAIN, has_copy=True)]
    page = site.get("/search?q=a").text
    assert texts(page, ".about a") == [
        "Page 1: Linked from 3 pages",
        "Cached text of Page 1",
        "Why this result? Page 1",
    ]
    assert texts(page, ".about summary") == ["⋯About Page 1"]
    url = quote(PLAIN.url, safe="")
    assert links(page, ".about a") == [
        f"/search?q=link%3A{url}",
        f"/text?url={url}&q=a",
        f"/why?url={url}&q=a",
    ]


def test_an_address_too_long_to_be_typed_is_no_link(site: Site) -> None:
    site.searcher.known["a"] = [replace(PLAIN, url=f"https://a.example/{MAX_TYPED * 'a'}")]
    assert texts(site.get("/search?q=a").text, ".about a") == ["Why this result? Page 1"]


def test_hits_of_a_host_are_folded_under_one(site: Site) -> None:
    """The link asks for that host alone, whatever was typed, and keeps what else was chosen."""
    site.searcher.known['"a b" OR c'] = [replace(PLAIN, more_from_host=1_234)]
    text = site.get("/search?q=%22a+b%22+OR+c&lang=en").text
    assert texts(text, ".facts a")[-1] == "1,234 more from docs.example.org"
    assert links(text, ".facts a")[-1] == "/search?q=%22a+b%22+OR+c&host=docs.example.org&lang=en"


def test_the_main_sections_of_a_page_are_links_below_it(site: Site) -> None:
    """Under its text, in the order of the keyboard; what is no address of the web is no link."""
    sections = [Sitelink("Dens & <nets>", f"{PLAIN.url}#dens"), Sitelink("Hunting", f"{PLAIN.url}#hunting")]
    site.searcher.known["named"] = [replace(PLAIN, title="Spiders", sitelinks=sections), PLAIN]
    text = site.get("/search?q=named").text
    assert texts(text, ".sitelinks a") == ["Dens & <nets>", "Hunting"]
    assert links(text, ".sitelinks a") == [section.url for section in sections]
    assert first(text, ".sitelinks").attributes["aria-label"] == "Sections of Spiders"
    assert links(text, ".hit h2 a, .sitelinks a")[:3] == [PLAIN.url, *(section.url for section in sections)]
    script = [Sitelink("Dens", "javascript:alert()")]
    site.searcher.known["hostile"] = [replace(PLAIN, url="javascript:alert()", sitelinks=script)]
    assert links(site.get("/search?q=hostile").text, ".hit a") == []


COPY = "https://mirror.example/a/b.html"


@pytest.mark.requirement(59)
@pytest.mark.parametrize(
    ("copies", "urls", "shown", "why"),
    [
        (0, [], [], "no copies, nothing about them"),
        (1, [COPY], ["1 copy", "mirror.example › a › b.html"], "one"),
        (
            1_234,
            [COPY],
            ["1,234 copies", "mirror.example › a › b.html", "and 1,233 more"],
            "those not listed",
        ),
        (1, ["javascript:alert(1)"], ["1 copy", "javascript:alert(1)"], "no link to what is no web page"),
    ],
)
def test_copies_are_listed_under_the_hit(
    site: Site, copies: int, urls: list[str], shown: list[str], why: str
) -> None:
    site.searcher.known["copied"] = [replace(PLAIN, copies=copies, copy_urls=urls)]
    text = site.get("/search?q=copied").text
    listed = [
        " ".join(node.text(deep=False).split()) for node in LexborHTMLParser(text).css(".about > ul > li")
    ]
    assert [one for one in listed if "cop" in one] + texts(text, ".about li li") == shown, why
    assert [link.attributes["href"] for link in LexborHTMLParser(text).css(".about li li a")] == [
        url for url in urls if url == COPY
    ]
