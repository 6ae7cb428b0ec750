"""Who looks for something, and wants to know where it stands, since when, and why it was found."""

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from xml.etree import ElementTree

import httpx
import pytest

from tests.journeys.checkout import Checkout
from tests.running import WAIT_SECONDS
from tests.web.scripted import Answer, Route, Site, anchors, html, prose, scripted_web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.long, pytest.mark.chromium, pytest.mark.git]

WIDTH = 390  # pixels of a phone
SITE = "127.31.4.7"


def dated(day: str) -> str:
    return f'<meta property="article:published_time" content="{day}">'


def archive() -> dict[str, Route]:
    """Letters of two languages and years, a text file, and a list of them."""
    letters = "<p>The printer set the broadside in Antiqua by hand.</p>"
    pages: dict[str, Route] = {
        "/letters/1761.html": html("Letter of 1761", letters + prose("1761"), dated("2019-03-01")),
        "/letters/1794.html": html(
            "Letter of 1794", f"<p>By hand the broadside was sold.</p>{prose('1794')}", dated("2023-06-01")
        ),
        "/listy/1801.html": html(
            "List z 1801",
            "<p>Drukarz złożył ten arkusz ręcznie, a broadside sprzedano w mieście na rynku.</p>"
            "<p>Nikt nie wie, kto go kupił, ponieważ księgi zaginęły podczas pożaru.</p>",
            dated("2021-01-01"),
            lang="pl",
        ),
        "/notes.txt": Answer(
            200, "Notes on a broadside\n\nThe printer is not known.\n", {"Content-Type": "text/plain"}
        ),
    }
    return {"/": html("Archive", prose("archive") + anchors(pages)), **pages}


# What is typed, and the titles that it finds, in any order.
ASKED = [
    ("antiqua", {"Letter of 1761"}, "a word"),
    ('"the printer set"', {"Letter of 1761"}, "a phrase"),
    ("broadside -printer filetype:html lang:en", {"Letter of 1794"}, "what is not wanted"),
    ("antiqua OR arkusz", {"Letter of 1761", "List z 1801"}, "one or the other"),
    ("broadsi* lang:pl", {"List z 1801"}, "how a word begins, in a language"),
    ("intitle:letter", {"Letter of 1761", "Letter of 1794"}, "a word of the title"),
    ("broadside inurl:listy", {"List z 1801"}, "a word of the address"),
    ("broadside site:{site}/letters", {"Letter of 1761", "Letter of 1794"}, "below an address"),
    ("broadside after:2020 before:2022", {"List z 1801"}, "between two years"),
    ("zlozyl", {"List z 1801"}, "without the accents"),
    ("link:{home}letters/1761.html", {"Archive"}, "who links to it"),
]


@pytest.mark.requirement(295, 298, 306)
def test_from_a_clone_to_what_was_looked_for(checkout: Checkout, browser: "Browser") -> None:
    with scripted_web(archive(), SITE) as site:
        checkout.scrapy("init")
        checkout.configure(
            ('seeds = ["https://www.example.org/"]', f'seeds = ["{site.url("/")}"]'),
            ("# own = false ", "own = true "),
        )
        checkout.crawl()
        with checkout.serving() as address, httpx.Client(base_url=address, timeout=WAIT_SECONDS) as client:
            asks_in_many_ways(client, site)
            follows_by_programs(client, site)
            context = browser.new_context(base_url=address, java_script_enabled=False)
            reads_on_a_phone(context.new_page(), site)
            context.close()
            context = browser.new_context(base_url=address)
            begins_to_type(context.new_page())
            context.close()


def asks_in_many_ways(client: httpx.Client, site: Site) -> None:
    for typed, expected, why in ASKED:
        words = typed.format(site=site.url("").removeprefix("http://"), home=site.url("/"))
        found = searched(client, words)
        assert {hit["title"] for hit in found["hits"]} == expected, (why, found["notes"])


def searched(client: httpx.Client, words: str, **more: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get("/api/search", params={"q": words, **more}).raise_for_status().json()
    return found


def follows_by_programs(client: httpx.Client, site: Site) -> None:
    """The newest first, a feed of the same, why a page is where it is, and what the API says of itself."""
    hits = searched(client, "broadside filetype:html", sort="date", type="html")["hits"]
    titles = [hit["title"] for hit in hits if hit["title"] != "Archive"]
    assert titles == ["Letter of 1794", "List z 1801", "Letter of 1761"]
    asked = {"q": "broadside", "sort": "date"}
    feed = ElementTree.fromstring(client.get("/search.rss", params=asked).raise_for_status().content)
    listed = [item.findtext("link") for item in feed.iter("item")]
    assert site.url("/letters/1794.html") in listed
    assert sorted(map(str, listed)) == sorted(hit["link"] for hit in searched(client, "broadside")["hits"])
    why = client.get("/api/explain", params={"q": "antiqua", "url": site.url("/letters/1761.html")}).json()
    assert why["rank"] == 1
    assert "/api/search" in client.get("/api/openapi.json").json()["paths"]


def reads_on_a_phone(tab: "Page", site: Site) -> None:
    """Without scripts: words, a filter, the order, the text that was read, and why it was found."""
    tab.set_viewport_size({"width": WIDTH, "height": 760})
    tab.goto("/")
    tab.get_by_role("searchbox", name="Search").fill("broadside")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/search?*")
    assert tab.locator(".hit").count() == 4
    tab.locator(".narrow summary", has_text="Language").click()
    tab.locator(".narrow").get_by_role("link", name="Polski").click()
    tab.wait_for_url("**lang=pl*")
    assert tab.locator(".hit h2").all_inner_texts() == ["List z 1801"]
    feed = tab.locator("link[type='application/rss+xml']").get_attribute("href")
    items = ElementTree.fromstring(tab.request.get(feed or "").body()).iter("item")
    assert [item.findtext("title") for item in items] == ["List z 1801"], "what is followed is what is shown"
    tab.get_by_role("link", name="Remove Language: Polski").click()
    tab.locator(".sort").get_by_role("link", name="date").click()
    tab.wait_for_url("**sort=date*")
    assert "2023" in tab.locator(".hit", has_text="Letter of 1794").locator(".lead").inner_text()
    assert tab.evaluate("document.documentElement.scrollWidth") <= WIDTH
    hit = tab.locator(".hit", has_text="Letter of 1761")
    hit.locator(".about summary").click()
    hit.get_by_role("link", name="Cached text").click()
    assert "Antiqua" in tab.get_by_role("article").inner_text()
    assert tab.get_by_role("article").locator("mark").first.inner_text() == "broadside"
    tab.get_by_role("link", name="Back to the results").click()
    hit.locator(".about summary").click()
    hit.get_by_role("link", name="Why this result?").click()
    tab.get_by_role("table", name="How its score adds up").wait_for()
    assert tab.evaluate("document.documentElement.scrollWidth") <= WIDTH
    tab.goto(f"/search?{urlencode({'q': 'antiqua'})}")
    tab.locator(".hit").get_by_role("link", name="Letter of 1761").first.click()
    tab.wait_for_url(f"{site.url('/letters/1761.html')}*")


def begins_to_type(tab: "Page") -> None:
    tab.goto("/")
    tab.get_by_role("combobox").press_sequentially("lett")
    tab.get_by_role("option", name="Letter of 1761").click()
    tab.wait_for_url("**/letters/1761.html*")
