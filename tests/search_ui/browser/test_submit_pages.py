"""Submission in a real browser: by keyboard, and from a page of another site."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.crawling import HOST, states
from tests.search_ui.pages.test_submit_pages import submit_client
from tests.web.scripted import html, scripted_web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.chromium, pytest.mark.slow]


@pytest.fixture
def tab(browser: "Browser", tmp_path: Path) -> Iterator["Page"]:
    """A tab with our form in it."""
    with submit_client(tmp_path) as client:
        tab = browser.new_page(viewport={"width": 320, "height": 800})
        tab.goto(str(client.base_url))
        tab.get_by_role("link", name="Submit a page").click()
        yield tab
        tab.close()


@pytest.mark.requirement(7)
def test_a_person_submits_with_the_keyboard(tmp_path: Path, tab: "Page") -> None:
    """By a browser that says with its form where that was."""
    tab.get_by_label("Address of the page").fill(f"{HOST}/{'long' * 100}")
    tab.keyboard.press("Enter")
    tab.get_by_role("heading", name="It is queued").wait_for()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
    tab.get_by_role("link", name="status of this page").click()
    tab.wait_for_url("**/submit?url=**")
    tab.get_by_role("heading", name="It is queued").wait_for()
    assert len(states(tmp_path)) == 1


def test_a_page_of_another_site_submits_nothing(tmp_path: Path, tab: "Page") -> None:
    field = f"<input name='url' value='{HOST}/x'>"
    form = f"<form method='post' action='{tab.url}'>{field}<button>Win</button></form>"
    with scripted_web({"/": html("A game", form)}) as other:
        tab.goto(other.url("/"))
        tab.get_by_role("button", name="Win").click()
        tab.get_by_role("heading", name="Forbidden").wait_for()
    assert states(tmp_path) == {}
