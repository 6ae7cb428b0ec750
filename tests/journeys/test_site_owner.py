"""A stranger to Lycosa finds it in the log of the own server, and decides what it may have."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.request import urlopen

import pytest

from engine.ownership.mark import file_path
from tests.journeys.checkout import Checkout
from tests.running import WAIT_SECONDS, ask, free_ports
from tests.web.scripted import Answer, Route, Site, anchors, html, prose, scripted_web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.long, pytest.mark.chromium, pytest.mark.git]

ANSWER = "It asks once a minute from now on."
TEXT = {"Content-Type": "text/plain"}
RULES = "User-agent: *\nDisallow: /drafts/\n"


def shop() -> dict[str, Route]:
    return {
        "/": html("The kiln", prose("kiln") + anchors(["/glaze.html", "/drafts/raku.html", "/prices.html"])),
        "/glaze.html": html("Glaze", "<p>Celadon is a green glaze.</p>" + prose("glaze")),
        "/prices.html": html("Prices", "<p>Celadon bowls by weight.</p>" + prose("prices")),
        "/drafts/raku.html": html("Raku", "<p>Celadon without a kiln.</p>" + prose("raku")),
        "/hidden.html": html("Porcelain", "<p>Kaolin from the hill.</p>" + prose("porcelain")),
    }


@contextmanager
def somebody_searches(checkout: Checkout, site: Site) -> Iterator[str]:
    """A Lycosa that reads this site as a guest, a second between requests; its address."""
    port = free_ports(1)
    checkout.scrapy("init")
    checkout.configure(
        ('# contact = "you@example.org"', 'contact = "owner@crawl.example"'),
        ('# public_url = "https://search.example.org"', f'public_url = "http://127.0.0.1:{port}"'),
        ('# allow_private = ["intranet.example.org"]', f'allow_private = ["{site.address}:{site.port}"]'),
        ('seeds = ["https://www.example.org/"]', f'seeds = ["{site.url("/")}"]'),
        ('# profile = "polite" ', 'profile = "brisk" '),
    )
    checkout.crawl()
    with checkout.serving("--port", str(port)) as address:
        yield address


def titles(address: str, words: str) -> set[str]:
    return {hit["title"] for hit in ask(address, words)["hits"]}


@pytest.mark.requirement(66, 198, 200, 279, 310, 311, 316)
def test_from_a_line_of_the_log_to_pages_that_left(checkout: Checkout, browser: "Browser") -> None:
    with scripted_web(shop(), "127.31.4.2") as site, somebody_searches(checkout, site) as address:
        assert titles(address, "celadon") == {"Glaze", "Prices", "Raku"}
        assert site.paths[0] == "/robots.txt"
        (agent,) = {request.headers["user-agent"] for request in site.log}
        robot = agent.partition("+")[2].rstrip(")")
        tab = browser.new_page()
        tab.goto(robot)
        tab.get_by_role("heading", name="Keep it out").wait_for()
        assert tab.get_by_role("main").get_by_text(agent).count() == 1, "the log's line is the page's"
        assert tab.get_by_role("link", name="owner@crawl.example").count() == 2
        asks_what_rules_say(tab, site)
        site.routes["/robots.txt"] = Answer(200, RULES, TEXT)
        site.routes["/prices.html"] = html(
            "Prices", prose("prices"), '<meta name="robots" content="noindex">'
        )
        submits_a_page(tab, site)
        described(robot, agent)
        checkout.scrapy("robots", "--refresh", site.url(""))
        assert titles(address, "celadon") == {"Glaze", "Prices"}, "the operator need not wait for a crawl"
        seen = len(site.log)
        checkout.crawl()
        assert titles(address, "celadon") == {"Glaze"}
        assert "/drafts/raku.html" not in [request.path for request in site.log[seen:]]
        assert titles(address, "kaolin") == {"Porcelain"}
        tab.get_by_role("link", name="status of this page").click()
        tab.get_by_role("heading", name="It can be found").wait_for()
        tab.close()


def asks_what_rules_say(tab: "Page", site: Site) -> None:
    """Before the file is changed: the line that decides, for a page that it names and for another."""
    tab.get_by_role("link", name="check what a robots.txt says").click()
    for path, verdict in (("/drafts/raku.html", "Not allowed"), ("/glaze.html", "Allowed")):
        tab.get_by_label("robots.txt").fill(RULES)
        tab.get_by_label("Address of the page").fill(site.url(path))
        tab.get_by_role("button", name="Check").click()
        tab.get_by_role("heading", name=verdict, exact=True).wait_for()
    tab.get_by_label("Address of the page").fill(site.url("/drafts/raku.html"))
    tab.get_by_role("button", name="Check").click()
    tab.get_by_text("Line 2 decides").wait_for()
    assert tab.locator("mark").inner_text() == "Disallow: /drafts/"


def submits_a_page(tab: "Page", site: Site) -> None:
    """To which no page links."""
    tab.get_by_role("link", name="Submit a page").click()
    tab.get_by_label("Address of the page").fill(site.url("/hidden.html"))
    tab.get_by_role("main").get_by_role("button", name="Submit").click()
    tab.get_by_role("heading", name="It is queued").wait_for()


def described(robot: str, agent: str) -> None:
    """For who keeps a list of robots."""
    with urlopen(f"{robot}.json", timeout=WAIT_SECONDS) as answer:
        about = json.load(answer)
    assert (about["user_agent"], about["contact"]) == (agent, "owner@crawl.example")
    assert about["sample"] == "User-agent: Lycosa\nDisallow: /\n"


@pytest.mark.requirement(120, 279, 285, 286, 311, 318)
def test_from_a_proof_to_a_receipt_and_an_answer(checkout: Checkout, browser: "Browser") -> None:
    """Who owns the site shows it, sees what is wrong, removes a page, and complains."""
    routes = shop()
    routes["/glaze.html"] = html("Prices", "<p>Celadon is a green glaze.</p>" + anchors(["/sold.html"]))
    with scripted_web(routes, "127.31.4.3") as site, somebody_searches(checkout, site) as address:
        assert titles(address, "celadon") == {"Prices", "Raku"}
        tab = browser.new_page()
        tab.goto(f"{address}/robot")
        shows_that_it_is_theirs(tab, site)
        sees_what_is_wrong(tab, site)
        removes_a_page(tab)
        assert titles(address, "celadon") == {"Prices"}, "it has left at once"
        complains(tab)
        seen = len(site.log)
        checkout.crawl()
        assert site.paths[seen:] == [], "not even robots.txt is asked for while the complaint is open"
        assert "complaint 1  " in checkout.scrapy("complaints")
        assert "The owner of" in checkout.scrapy("alerts")
        checkout.scrapy("complaints", "--close", "1", "--answer", ANSWER)
        tab.reload()
        tab.get_by_text(ANSWER).wait_for()
        checkout.crawl()
        assert len(site.log) > seen
        assert "/drafts/raku.html" not in site.paths[seen:]
        takes_it_back(tab)
        tab.close()


def shows_that_it_is_theirs(tab: "Page", site: Site) -> None:
    """By a file: the page says which, and what it has to say."""
    tab.get_by_role("link", name="Your site in this search").click()
    tab.get_by_label("Your host").fill(f"{site.address}:{site.port}")
    tab.get_by_role("button", name="Next").click()
    tab.get_by_role("heading", name="is yours").wait_for()
    text = tab.locator("pre").nth(1).inner_text()
    tab.get_by_role("button", name="Check").click()
    tab.get_by_text("the server answered with status 404").wait_for()
    site.routes[file_path(text.partition(": ")[2])] = Answer(200, text, TEXT)
    tab.get_by_role("button", name="Check").click()
    tab.get_by_role("heading", name="Overview").wait_for()


def sees_what_is_wrong(tab: "Page", site: Site) -> None:
    tab.get_by_text("Last read: ").wait_for()
    tab.get_by_role("link", name="Broken links").click()
    row = tab.get_by_role("row").nth(1)
    assert row.inner_text().split() == [site.url("/glaze.html"), site.url("/sold.html")]
    tab.get_by_role("link", name="Errors", exact=True).click()
    tab.get_by_role("rowheader", name=site.url("/sold.html")).wait_for()
    tab.get_by_role("link", name="Titles and descriptions").click()
    tab.get_by_role("heading", name="Titles of several pages (1)").wait_for()
    assert tab.get_by_role("link", name=site.url("/glaze.html")).count() == 2, "it lacks a description, too"


def removes_a_page(tab: "Page") -> None:
    tab.get_by_role("link", name="Removals").click()
    tab.get_by_label("Address, or how addresses begin").fill("/drafts/*")
    tab.get_by_role("button", name="Remove").click()
    tab.get_by_role("heading", name="Removal 1").wait_for()
    tab.get_by_text("Pages that left the search: 1.").wait_for()


def complains(tab: "Page") -> None:
    tab.get_by_role("link", name="Complaint").click()
    tab.get_by_label("What is wrong?").fill("It asks too often.")
    tab.get_by_role("button", name="Complain").click()
    tab.get_by_text("The host is paused").wait_for()


def takes_it_back(tab: "Page") -> None:
    tab.get_by_role("link", name="Removals").click()
    tab.get_by_role("button", name="Undo").click()
    tab.get_by_text("The next crawl visits the pages again.").wait_for()
