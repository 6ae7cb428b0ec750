"""Who publishes a manual wants a search in it that knows what was published a moment ago."""

import json
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx
import pytest

from tests.journeys.checkout import Checkout
from tests.running import WAIT_SECONDS
from tests.web.scripted import Route, Site, anchors, html, prose, scripted_web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.long, pytest.mark.chromium, pytest.mark.git]

GUIDE = "<p>How a loom is threaded.</p>"
SECTIONS = {"warping": "A warping board measures the threads.", "heddles": "Each thread passes a heddle."}


def manual() -> dict[str, Route]:
    """Three pages, the second of sections that can be linked to."""
    sections = "".join(
        f'<h2 id="{name}">{name.title()}</h2><p>{text}</p>{prose(name)}' for name, text in SECTIONS.items()
    )
    return {
        "/": html("The loom manual", prose("start") + anchors(["/guide.html", "/install.html"])),
        "/guide.html": html("Threading guide", GUIDE + sections),
        "/install.html": html("Setting up", "<p>Where the treadles go.</p>" + prose("install")),
    }


def embed(site: Site, lycosa: str) -> None:
    """The front page gets the box, as /embed describes it."""
    script = f'<script src="{lycosa}/static/embed.js" defer></script><link rel="icon" href="data:,">'
    site.routes["/"] = html("The loom manual", "<lycosa-search dialog></lycosa-search>", script)


def looked_up(tab: "Page", site: Site, words: str, title: str) -> str:
    """Where a reader comes to who types words into the dialog and opens the first hit, by keyboard alone."""
    tab.goto(site.url("/"))
    tab.locator("lycosa-search").get_by_role("button", name="Search").first.wait_for()
    tab.keyboard.press("Control+k")
    dialog = tab.get_by_role("dialog")
    tab.keyboard.type(words)
    hit = dialog.get_by_role("link", name=title)
    hit.wait_for()
    while hit.evaluate("link => link.getRootNode().activeElement !== link"):
        tab.keyboard.press("ArrowDown")
    tab.keyboard.press("Enter")
    tab.wait_for_url(lambda url: urlsplit(url).path != "/")
    return tab.url.partition(":~:")[0]


@pytest.mark.requirement(8, 298)
def test_from_a_clone_to_what_was_published_a_moment_ago(checkout: Checkout, browser: "Browser") -> None:
    with scripted_web(manual(), "127.31.4.1") as site:
        checkout.scrapy("init")
        checkout.configure(
            ('seeds = ["https://www.example.org/"]', f'seeds = ["{site.url("/")}"]'),
            ("# own = false ", "own = true "),
            ("# cors_origins = []", f'cors_origins = ["{site.url("")}"]'),
        )
        assert "stored" in checkout.crawl()
        tab = browser.new_page()
        with checkout.serving() as lycosa, httpx.Client(base_url=lycosa, timeout=WAIT_SECONDS) as client:
            embed(site, lycosa)
            opened = looked_up(tab, site, "measures threads", "Threading guide › Warping")
            assert opened == site.url("/guide.html#warping")
            publish(checkout, site, client)
            opened = looked_up(tab, site, "velvet pile", "Velvet")
            assert opened == site.url("/velvet.html")
            opened = looked_up(tab, site, "bobbin", "Threading guide")
            assert opened.startswith(site.url("/guide.html"))
            assert client.get("/api/search", params={"q": "heddle"}).json()["hits"] == []
        tab.close()


def publish(checkout: Checkout, site: Site, client: httpx.Client) -> None:
    """A changed page and a new one go out; the deployment tells the search, and asks until it has them."""
    made = json.loads(checkout.scrapy("token", "add", "deploy", "--site", site.url(""), "--json"))
    token = {"Authorization": f"Bearer {made['token']}"}
    site.routes["/guide.html"] = html("Threading guide", GUIDE + "<p>Wind the bobbin.</p>" + prose("guide"))
    site.routes["/velvet.html"] = html("Velvet", "<p>Velvet has a pile.</p>" + prose("velvet"))
    places = []
    for path in ("/guide.html", "/velvet.html"):
        answer = client.post("/api/recrawl", headers=token, json={"url": site.url(path)})
        assert (answer.status_code, answer.json()["state"]) == (202, "queued"), answer.text
        places.append(answer.headers["Location"])
    assert client.post("/api/recrawl", json={"url": site.url("/")}).status_code == 401
    checkout.crawl()
    assert [client.get(place, headers=token).json()["state"] for place in places] == ["indexed", "indexed"]
