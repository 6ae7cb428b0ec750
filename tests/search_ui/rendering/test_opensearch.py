"""What browsers and feed readers get, read by another parser of XML."""

from dataclasses import replace
from xml.etree import ElementTree as Xml

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.hit import Hit
from engine.model.page import Results
from search_ui.rendering.opensearch import ATOM, OPENSEARCH, format_description, format_rss
from tests.search_ui.conftest import PLAIN, Site

BASE = "https://search.example"
SPACE = f"{{{OPENSEARCH}}}"


def read(document: bytes) -> Xml.Element:
    return Xml.fromstring(document)


def test_a_browser_can_add_it(site: Site) -> None:
    """OpenSearch 1.1, draft 6: the addresses are whole, and below public_url."""
    answer = site.get("/opensearch.xml")
    assert answer.headers["Content-Type"] == "application/opensearchdescription+xml"
    root = read(answer.content)
    assert (root.tag, root.findtext(f"{SPACE}ShortName")) == (f"{SPACE}OpenSearchDescription", "Lycosa")
    templates = {url.get("type"): url.get("template") for url in root.iter(f"{SPACE}Url")}
    assert templates["text/html"] == f"{BASE}/search?q={{searchTerms}}&page={{startPage?}}"
    for template in templates.values():
        asked = str(template).replace("{searchTerms}", "fern")
        for optional in ("{startPage?}", "{count?}"):
            asked = asked.replace(optional, "")
        assert site.get(asked.removeprefix(BASE)).status_code == 200, template


@pytest.mark.parametrize("target", ["/", "/search?q=a", "/nothing"])
def test_every_page_names_it(site: Site, target: str) -> None:
    assert '<link rel="search" type="application/opensearchdescription+xml"' in site.get(target).text


@pytest.mark.parametrize(
    ("asked", "named", "why"),
    [
        ("q=%22a+b%22&page=2", "q=%22a+b%22", "the first hits are the news"),
        ("q=a&lang=pl&host=b.example", "q=a&amp;host=b.example&amp;lang=pl", "narrowed as they are shown"),
        ("q=a&sort=date", "q=a&amp;sort=date", "in the order in which they are shown"),
    ],
)
def test_the_results_name_their_feed(site: Site, asked: str, named: str, why: str) -> None:
    page = site.get(f"/search?{asked}").text
    assert f'<link rel="alternate" type="application/rss+xml" href="/search.rss?{named}"' in page, why


def test_a_feed_names_what_it_was_narrowed_to(site: Site) -> None:
    channel = read(site.get("/search.rss?q=a&lang=pl&sort=date").content).find("channel")
    assert channel is not None
    assert channel.findtext("link") == f"{BASE}/search?q=a&lang=pl&sort=date"
    own, _ = channel.iter(f"{{{ATOM}}}link")
    assert own.get("href") == f"{BASE}/search.rss?q=a&lang=pl&sort=date"


def test_hits_as_a_feed(site: Site) -> None:
    site.searcher.known["one"] = [replace(PLAIN, fragment="eyes", snippet="a <b> & c")]
    answer = site.get("/search.rss?q=one")
    assert answer.headers["Content-Type"] == "application/rss+xml"
    channel = read(answer.content).find("channel")
    assert channel is not None
    assert channel.findtext("link") == f"{BASE}/search?q=one"
    counts = [channel.findtext(f"{SPACE}{name}") for name in ("totalResults", "startIndex", "itemsPerPage")]
    assert counts == ["1", "1", "10"]
    assert [link.get("href") for link in channel.iter(f"{{{ATOM}}}link")] == [
        f"{BASE}/search.rss?q=one",
        f"{BASE}/opensearch.xml",
    ]
    (item,) = channel.iter("item")
    assert {child.tag: child.text for child in item} == {
        "title": "Page 1",
        "link": f"{PLAIN.url}#eyes",
        "guid": PLAIN.url,
        "description": "a &lt;b&gt; &amp; c",  # HTML within XML
    }


def test_a_page_of_a_feed(site: Site) -> None:
    channel = read(site.get("/search.rss?q=a&page=2&size=3").content).find("channel")
    assert channel is not None
    assert channel.findtext(f"{SPACE}startIndex") == "4"
    (asked,) = channel.iter(f"{SPACE}Query")
    assert asked.attrib == {"role": "request", "searchTerms": "a", "startPage": "2"}
    assert channel.findtext("item/title") == "Page 4"


@pytest.mark.requirement(298)
def test_a_link_that_would_run_is_none() -> None:
    """Nothing but http and https is linked to."""
    results = Results("a", 1, 1, 10, 1.0, [replace(PLAIN, url="javascript:alert(1)")])
    assert read(format_rss(results, BASE)).find("channel/item/link") is None


junk = st.text(st.characters(), max_size=20)


@given(junk, st.lists(st.builds(Hit, junk, junk, junk, st.just(1.0), st.just(0), junk, junk), max_size=3))
def test_whatever_pages_say_it_is_xml(typed: str, hits: list[Hit]) -> None:
    """XML 1.0, section 2.2: controls, half characters and U+FFFF are nowhere in a document."""
    typed = typed.encode("utf-8", "replace").decode()
    root = read(format_rss(Results(typed, len(hits), 1, 10, 1.0, hits), BASE))
    assert len(list(root.iter("item"))) == len(hits)


@given(junk)
def test_whatever_the_address_is_it_is_xml(base: str) -> None:
    assert len(list(read(format_description(base)))) == 10


@pytest.mark.parametrize(
    ("target", "status"),
    [("/search.rss", 400), ("/search.rss?q=missing", 503), ("/search.rss?q=a&size=0", 400)],
)
def test_a_feed_that_cannot_be_made(site: Site, target: str, status: int) -> None:
    answer = site.get(target)
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    page = site.client.get(target, headers={"Accept": "text/html,*/*;q=0.8"})
    assert (page.status_code, page.headers["Content-Type"]) == (status, "text/html; charset=utf-8")
