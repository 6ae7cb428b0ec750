"""The pages that belong to one hit, in a real browser over a real index."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import httpx
import pytest

from tests.search_ui.hit_corpus import ROOMS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.chromium, pytest.mark.slow]


@pytest.fixture(scope="module")
def tab(browser: "Browser", indexed: httpx.Client) -> Iterator["Page"]:
    context = browser.new_context(base_url=str(indexed.base_url), viewport={"width": 320, "height": 800})
    yield context.new_page()
    context.close()


def test_a_person_opens_both_with_the_keyboard(tab: "Page") -> None:
    """WCAG 2.2, 2.1.1 and 2.4.7; a name says of which hit it is, beside others that look alike."""
    for name, title, marks in (
        ("Cached text of Amber <rooms>", "Cached text of Amber <rooms>", 2),
        ("Why this result? Amber <rooms>", "Why this page is ranked here for amber", 0),
    ):
        tab.goto("/search?q=amber+-long")
        tab.get_by_role("combobox").press("Tab")
        menu = tab.locator("summary").filter(has_text="About Amber <rooms>").first
        while not menu.evaluate("el => el === document.activeElement"):
            tab.keyboard.press("Tab")
        assert menu.evaluate("el => getComputedStyle(el).outlineStyle") == "solid"
        tab.keyboard.press("Enter")
        link = tab.get_by_role("link", name=name).first
        while not link.evaluate("el => el === document.activeElement"):
            tab.keyboard.press("Tab")
        assert link.evaluate("el => getComputedStyle(el).outlineStyle") == "solid"
        tab.keyboard.press("Enter")
        tab.get_by_role("heading", level=1, name=title).wait_for()
        assert tab.locator("article mark").count() == marks
        tab.get_by_role("link", name="Back to the results for amber").click()
        tab.locator(".count").wait_for()


LOOKED_AT = [
    "/search?q=amber",
    "/search?q=amber+qwzzk",
    "/search?q=%22amber+qwzzk%22+site:a.example",
    f"/text?q=amber&url={ROOMS.url}",
    "/text?url=http://a.example/never",
    f"/why?q=amber+fern&url={ROOMS.url}",
]
SMALL = """links => links.map(link => [link.innerText, link.getBoundingClientRect()])
    .filter(([, box]) => box.width < 24 || box.height < 24).map(([text]) => text)"""


@pytest.mark.parametrize("target", LOOKED_AT)
def test_every_page_can_be_read_and_hit_with_a_thumb(tab: "Page", target: str) -> None:
    """WCAG 2.2, 1.4.10 and 2.5.8, which leaves out links within a sentence; 1.3.1: one heading over all."""
    tab.goto(target)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
    assert tab.get_by_role("heading", level=1).count() == tab.get_by_role("main").count() == 1
    assert tab.locator("main :is(li, .url, .way) a").evaluate_all(SMALL) == []
