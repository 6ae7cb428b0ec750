"""Completions in the embedded box: a combobox (ARIA 1.2) whose arrows go on to the hits."""

from typing import TYPE_CHECKING

import pytest

from engine.suggest.completing import Completion
from tests.search_ui.conftest import Site
from tests.search_ui.embedding import ask, elsewhere

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.chromium, pytest.mark.slow]
FOCUSED = "document.activeElement.shadowRoot.activeElement"


@pytest.fixture(autouse=True)
def names(shared: Site, monkeypatch: pytest.MonkeyPatch) -> list[Completion]:
    """What the beginning of any query may be completed to."""
    found = [
        Completion("Web spiders"),
        Completion("Web frames", "https://docs.example.org/a/frames.html"),
        Completion("Silk <b>web", "https://other.example/b/", "Silk"),
    ]
    monkeypatch.setattr(shared.searcher, "complete", lambda typed: found)
    return found


def begin(tab: "Page", words: str = "web") -> None:
    """Types, and waits for completions and hits."""
    tab.get_by_role("combobox").press_sequentially(words)
    tab.get_by_role("option").first.wait_for()
    tab.get_by_role("status").filter(has_text="Results:").wait_for()


def chosen(tab: "Page") -> str | None:
    """The completion to which the box points, as a screen reader is told."""
    script = f"{FOCUSED}.getAttribute('aria-activedescendant')"
    number = tab.evaluate(script)
    return tab.locator(f"#{number}[aria-selected=true]").inner_text() if number else None


def test_they_are_offered_as_one_types(tab: "Page", shared: Site) -> None:
    """Bold is what is more than was typed; with the page that one leads to; a stranger's markup is text."""
    with elsewhere(shared) as web:
        tab.goto(web.url("/"))
        begin(tab)
        assert tab.get_by_role("combobox").get_attribute("aria-expanded") == "true"
        assert [one.inner_text() for one in tab.get_by_role("option").all()] == [
            "Web spiders",
            "Web framesdocs.example.org › a › frames.html",
            "Silk <b>webSilk",
        ]
        assert tab.get_by_role("option").locator("b").all_inner_texts() == ["spiders", "frames", "Silk <b>"]
        tab.get_by_role("combobox").fill("")
        tab.get_by_role("option").first.wait_for(state="detached")
        assert tab.get_by_role("combobox").get_attribute("aria-expanded") == "false"


@pytest.mark.parametrize(
    ("typed", "name", "bold", "why"),
    [
        ("write ahead", "Write-Ahead Logging", ["Logging"], "case and signs do not count"),
        ("cafe", "The Café", ["The "], "nor do accents"),
        ("log", "Catalog of logs", ["Catalog of ", "s"], "the beginning of a word before the end of one"),
        ("log", "Catalog", ["Cata"], "where there is nothing else"),
        ("xyz", "Another spelling", [], "what is no part of it"),
        ("паук", "Пауки", ["и"], "any script"),
    ],
)
def test_bold_is_what_is_more_than_was_typed(
    tab: "Page", shared: Site, names: list[Completion], typed: str, name: str, bold: list[str], why: str
) -> None:
    names[:] = [Completion(name)]
    with elsewhere(shared) as web:
        tab.goto(web.url("/"))
        begin(tab, typed)
        assert tab.get_by_role("option").locator("b").all_text_contents() == bold, why


def test_arrows_go_through_them_and_on_to_the_hits(tab: "Page", shared: Site) -> None:
    with elsewhere(shared, 'size="2"') as web:
        tab.goto(web.url("/"))
        begin(tab)
        for key, option in [("Up", None), ("Down", "Web spiders"), ("Up", None), ("Down", "Web spiders")]:
            tab.keyboard.press(f"Arrow{key}")
            assert chosen(tab) == option
        for _ in range(3):
            tab.keyboard.press("ArrowDown")
        assert tab.evaluate(f"{FOCUSED}.textContent") == "Page 1"
        assert tab.locator("[aria-selected=true]").count() == 0
        tab.keyboard.press("ArrowUp")
        assert str(chosen(tab)).startswith("Silk")
        tab.keyboard.press("Escape")
        assert tab.get_by_role("option").count() == 0
        assert tab.evaluate(f"{FOCUSED}.value") == "web", "what was typed stays"
        tab.keyboard.press("ArrowDown")
        assert tab.evaluate(f"{FOCUSED}.textContent") == "Page 1"


@pytest.mark.parametrize("by", ["key", "click"])
def test_one_that_is_chosen_is_searched_for(tab: "Page", shared: Site, by: str) -> None:
    with elsewhere(shared) as web:
        tab.goto(web.url("/"))
        begin(tab)
        with tab.expect_response("**/api/search?q=Web+spiders*"):
            if by == "key":
                tab.keyboard.press("ArrowDown")
                tab.keyboard.press("Enter")
            else:
                tab.get_by_role("option").first.click()
        assert tab.get_by_role("combobox").input_value() == "Web spiders"
        assert tab.get_by_role("option").count() == 0
        assert tab.url == web.url("/")


def test_one_that_is_a_page_opens_it(tab: "Page", shared: Site, names: list[Completion]) -> None:
    with elsewhere(shared, more="<p id=there>there</p>") as web:
        names[:] = [Completion("There", web.url("/#there"))]
        tab.goto(web.url("/"))
        begin(tab)
        tab.get_by_role("option").click()
        tab.wait_for_url(web.url("/#there"))


@pytest.mark.parametrize(
    ("site", "offered", "why"),
    [
        ("docs.example.org", ["Web spiders", "Web frames"], "a host"),
        ("example.org", ["Web spiders", "Web frames"], "and those below it, as site: means it"),
        ("docs.example.org/a", ["Web spiders", "Web frames"], "pages below an address"),
        ("docs.example.org/b", ["Web spiders"], "another"),
        ("ample.org", ["Web spiders"], "no host's name ends so"),
    ],
)
def test_pages_of_other_sites_are_not_offered(
    tab: "Page", shared: Site, site: str, offered: list[str], why: str
) -> None:
    with elsewhere(shared, f'site="{site}"') as web:
        tab.goto(web.url("/"))
        begin(tab)
        shown = [one.evaluate("one => one.dataset.query") for one in tab.get_by_role("option").all()]
        assert shown == offered, why


@pytest.mark.slow
def test_after_enter_none_come_late(tab: "Page", shared: Site) -> None:
    with elsewhere(shared) as web:
        tab.goto(web.url("/"))
        begin(tab)
        ask(tab, "spider")
        tab.get_by_role("status").filter(has_text="Results: 25").wait_for()
        tab.wait_for_timeout(500)
        assert tab.get_by_role("option").count() == 0
