"""Who looks after what is found: words that mean the same, first places, groups, traps, removals."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from tests.journeys.checkout import Checkout
from tests.journeys.operator import logged_in
from tests.running import ask, until
from tests.web.scripted import Route, Site, anchors, html, prose, scripted_web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.long, pytest.mark.chromium, pytest.mark.git]

BIRDS = {
    "lapwing": "The lapwing breeds on wet meadows.",
    "peewit": "A peewit calls over the field in spring.",
    "curlew": "The curlew breeds in the moor.",
    "dunlin": "The dunlin breeds near the coast.",
}
CALENDAR = "/walks/next/next/next/next/next/"  # it leads into itself


def club() -> dict[str, Route]:
    """Pages of birds, and a calendar that does not end."""
    pages = {
        f"/birds/{name}.html": html(name.title(), f"<p>{text}</p>{prose(name)}")
        for name, text in BIRDS.items()
    }
    walks = html("Walks", "<p>Walks where the bittern booms.</p>" + prose("walks") + anchors([CALENDAR]))
    links = "".join(f'<a href="{path}">on</a> ' for path in (*pages, "/walks/"))
    return {"/": html("Bird club", prose("club") + links), "/walks/": walks, **pages}


@contextmanager
def searched(checkout: Checkout, site: Site) -> Iterator[str]:
    """The club's search page, with a label for its pages of birds."""
    checkout.scrapy("init")
    place = f"{site.address}:{site.port}"
    label = f'[[label]]\nname = "Birds"\nsites = ["{place}/birds"]\n'
    checkout.configure(
        ('seeds = ["https://www.example.org/"]', f'seeds = ["{site.url("/")}"]'),
        ("# own = false ", "own = true "),
        ("# Choices that the standards", f"{label}\n# Choices that the standards"),
    )
    checkout.crawl()
    with checkout.serving() as address:
        yield address


def titles(address: str, words: str) -> list[str]:
    return [hit["title"] for hit in ask(address, words)["hits"]]


@pytest.mark.requirement(47, 285)
def test_from_a_clone_to_what_people_find(checkout: Checkout, browser: "Browser") -> None:
    with scripted_web(club(), "127.31.4.3") as site, searched(checkout, site) as address:
        with logged_in(checkout, browser, address) as tab:
            writes_synonyms_and_pins(tab, site, address)
            narrows_by_a_label(tab, address)
            blocks_a_trap(tab, site, address)
            removes_a_page_and_lets_it_back(tab, site, address)
        judges_queries(checkout, site, address)


def writes_synonyms_and_pins(tab: "Page", site: Site, address: str) -> None:
    assert titles(address, "lapwing") == ["Lapwing"]
    saves(tab, address, "Synonyms", "lapwing | peewit")
    until(lambda: titles(address, "lapwing") == ["Lapwing", "Peewit"], "the other name of the bird")
    *_, last = titles(address, "breeds")
    saves(tab, address, "Pins", f"breeds | {site.url(f'/birds/{last.lower()}.html')}")
    until(lambda: titles(address, "breeds")[0] == last, "the page that was pinned")
    tab.goto(f"{address}/search?q=breeds")
    assert "pinned by the operator" in tab.locator(".hit").first.inner_text()


def saves(tab: "Page", address: str, name: str, line: str) -> None:
    tab.goto(f"{address}/admin")
    tab.get_by_role("link", name=name).click()
    tab.get_by_role("textbox").fill(line)
    tab.get_by_role("button", name="Save").click()
    tab.get_by_role("status").wait_for()


def narrows_by_a_label(tab: "Page", address: str) -> None:
    tab.goto(f"{address}/admin/labels")
    tab.get_by_role("rowheader", name="Birds").wait_for()
    tab.goto(f"{address}/search?q=bird+OR+walks+OR+breeds")
    tab.get_by_role("link", name="Walks").wait_for()
    tab.locator(".narrow summary", has_text="Collection").click()
    tab.locator(".narrow").get_by_role("link", name="Birds").click()
    tab.get_by_role("link", name="Remove Collection: Birds").wait_for()
    assert tab.get_by_role("link", name="Walks").count() == 0
    assert {*tab.locator(".hit h2").all_inner_texts()} == {name.title() for name in BIRDS}


def blocks_a_trap(tab: "Page", site: Site, address: str) -> None:
    """By a prefix that is wider than what is proposed."""
    assert titles(address, "bittern") == ["Walks"]
    tab.goto(f"{address}/admin")
    tab.get_by_role("link", name="Suspects").click()
    assert tab.get_by_label("Target").input_value() == site.url("/walks/next/next/*")
    tab.get_by_label("Target").fill(site.url("/walks/*"))
    tab.get_by_label("Reason").fill("a calendar without end")
    tab.get_by_role("button", name="Block").click()
    tab.get_by_role("status").wait_for()
    until(lambda: titles(address, "bittern") == [], "the trap's pages are gone")


def removes_a_page_and_lets_it_back(tab: "Page", site: Site, address: str) -> None:
    tab.get_by_role("link", name="Removals").click()
    tab.get_by_label("Remove a URL").fill(site.url("/birds/dunlin.html"))
    tab.get_by_label("Reason").fill("its author asked for it")
    tab.get_by_role("button", name="Remove").click()
    tab.get_by_role("status").wait_for()
    until(lambda: titles(address, "dunlin") == [], "the page is gone")
    row = tab.get_by_role("row", name="its author asked for it")
    row.get_by_role("button", name="Undo").click()
    tab.get_by_role("status").wait_for()
    assert titles(address, "dunlin") == [], "its text was deleted: the next visit brings it back"


def judges_queries(checkout: Checkout, site: Site, address: str) -> None:
    """What a rebuild must not make worse, and what the ranking does with a collection."""
    checkout.crawl()
    until(lambda: titles(address, "dunlin") == ["Dunlin"], "the page that was let back")
    assert titles(address, "bittern") == [], "what was blocked stays out"
    wanted = [f"{name}\t{site.url(f'/birds/{name}.html')}\n" for name in BIRDS]
    (checkout.folder / "data" / "queries.tsv").write_text("".join(wanted), encoding="utf-8")
    assert "published" in checkout.scrapy("rebuild")
    judged = checkout.folder / "judged"
    judged.mkdir()
    rows = [json.dumps({"id": name, "title": name, "text": text}) for name, text in BIRDS.items()]
    (judged / "docs.jsonl").write_text("\n".join(rows), encoding="utf-8")
    (judged / "queries.tsv").write_text("1\tpeewit call\n2\tbird near the coast\n", encoding="utf-8")
    (judged / "qrels.tsv").write_text("1\tpeewit\t1\n2\tdunlin\t1\n", encoding="utf-8")
    measured = json.loads(checkout.scrapy("evaluate", "judged", "--json"))
    assert (measured["queries"], measured["documents"]) == (2, 4)
    assert measured["ndcg@10"] == 1
