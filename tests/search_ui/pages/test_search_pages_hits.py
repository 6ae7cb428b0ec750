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
    ("fields", "facts", "why"),
    [
        ({"fetched_at": "", "inlinks": 0}, "why", "nothing is known"),
        ({"fetched_at": ""}, "linked from 3 pages · why", "no date"),
        ({"inlinks": 0}, "fetched May 2, 2026 · why", "a seed, which nothing links to"),
        ({"inlinks": 1}, "fetched May 2, 2026 · linked from 1 page · why", "one page"),
        ({"date": "2024-02-29", "inlinks": 0}, "dated Feb 29, 2024 · why", "the page's own date"),
        ({"language": "pl", **BARE}, "Polski · why", "another language than ours"),
        ({"language": "tlh", **BARE}, "tlh · why", "a language that we have no name for"),
        ({"has_copy": True, **BARE}, "cached text · why", "its owner does not mind a copy"),
        ({"media_type": "application/pdf", **BARE}, "PDF · why", "a PDF says so"),
        ({"media_type": "text/plain", **BARE}, "plain text · why", "so does a text"),
        ({"media_type": "text/html", **BARE}, "why", "a page as any"),
        ({"pinned": True, **BARE}, "pinned by the operator · why", "by the operator"),
    ],
)
def test_facts(site: Site, fields: dict[str, Any], facts: str, why: str) -> None:
    site.searcher.known["facts"] = [replace(PLAIN, **fields)]
    assert seen(site.get("/search?q=facts").text, ".facts") == [facts], why


def test_links_of_a_hit_make_sense_alone(site: Site) -> None:
    """WCAG 2.2, 2.4.9 and 2.5.3: what is seen of each is what it is called by, and it says of which hit."""
    site.searcher.known["a"] = [replace(PLAIN, has_copy=True)]
    page = site.get("/search?q=a").text
    assert texts(page, ".facts a") == [
        "Page 1: linked from 3 pages",
        "cached text of Page 1",
        "why Page 1 is a result",
    ]
    url = quote(PLAIN.url, safe="")
    assert links(page, ".facts a") == [
        f"/search?q=link%3A{url}",
        f"/text?url={url}&q=a",
        f"/why?url={url}&q=a",
    ]


def test_an_address_too_long_to_be_typed_is_no_link(site: Site) -> None:
    site.searcher.known["a"] = [replace(PLAIN, url=f"https://a.example/{MAX_TYPED * 'a'}")]
    assert texts(site.get("/search?q=a").text, ".facts a") == ["why Page 1 is a result"]


def test_hits_of_a_host_are_folded_under_one(site: Site) -> None:
    """The link asks for that host alone, whatever was typed, and keeps what else was chosen."""
    site.searcher.known['"a b" OR c'] = [replace(PLAIN, more_from_host=1_234)]
    text = site.get("/search?q=%22a+b%22+OR+c&lang=en").text
    assert texts(text, ".facts a")[-1] == "1,234 more from docs.example.org"
    assert links(text, ".facts a")[-1] == "/search?q=%22a+b%22+OR+c&host=docs.example.org&lang=en"


def test_the_main_sections_of_a_page_are_links_below_it(site: Site) -> None:
    """Before the facts, in the order of the keyboard; what is no address of the web is no link."""
    sections = [Sitelink("Dens & <nets>", f"{PLAIN.url}#dens"), Sitelink("Hunting", f"{PLAIN.url}#hunting")]
    site.searcher.known["named"] = [replace(PLAIN, title="Spiders", sitelinks=sections), PLAIN]
    text = site.get("/search?q=named").text
    assert texts(text, ".sitelinks a") == ["Dens & <nets>", "Hunting"]
    assert links(text, ".sitelinks a") == [section.url for section in sections]
    assert first(text, ".sitelinks").attributes["aria-label"] == "Sections of Spiders"
    assert links(text, ".hit a")[:3] == [PLAIN.url, *(section.url for section in sections)]
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
    assert [*texts(text, ".hit summary"), *texts(text, ".hit details li")] == shown, why
    assert [link.attributes["href"] for link in LexborHTMLParser(text).css(".hit details a")] == [
        url for url in urls if url == COPY
    ]
