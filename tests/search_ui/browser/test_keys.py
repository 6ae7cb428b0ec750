"""What a script adds to the pages, in a real browser: keys, and the menus of hits."""

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from search_ui.rendering.responses import ROOT
from tests.search_ui.browser.test_completions import FOCUSED, searched
from tests.search_ui.conftest import PLAIN, Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.chromium


MENU_OPEN = "() => [...document.querySelectorAll('details[open]')].length"


@pytest.mark.slow
def test_a_menu_closes_by_escape_and_by_a_click_elsewhere(tab: "Page") -> None:
    tab.goto("/search?q=a")
    menu = tab.locator(".about summary").first
    menu.click()
    tab.get_by_role("link", name="Why this result?").first.focus()
    tab.keyboard.press("Escape")
    assert tab.evaluate(MENU_OPEN) == 0
    assert tab.locator(":focus").inner_text().startswith("⋯"), "who uses keys goes on from there"
    menu.click()
    tab.locator(".count").click()
    assert tab.evaluate(MENU_OPEN) == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "focused", "why"),
    [
        (["/"], "q", "to the box"),
        (["j"], "Page 1", "the first hit"),
        (["ArrowDown", "ArrowDown"], "Page 2", "the next"),
        (["j", "j", "k"], "Page 1", "and back"),
        (["j", "ArrowUp"], "q", "above the first hit is the box"),
        (["/", "ArrowDown"], "Page 1", "out of the box"),
        (["/", "j"], "q", "in the box it is a letter"),
        (["j", "j", "Escape"], "q", "back to the box"),
        (20 * ["j"], "Page 10", "the last hit is the end"),
        (["Control+j", "Alt+k"], "", "with others they belong to the browser"),
    ],
)
def test_keys_go_through_the_hits(tab: "Page", keys: list[str], focused: str, why: str) -> None:
    tab.goto("/search?q=a")
    for key in keys:
        tab.keyboard.press(key)
    assert tab.evaluate(FOCUSED) == focused, why


def test_keys_count_by_their_place_on_other_keyboards(tab: "Page") -> None:
    """Russian letters stand where j is; nobody switches the keyboard to go to a hit."""
    tab.goto("/search?q=a")
    session = tab.context.new_cdp_session(tab)
    session.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": "о", "code": "KeyJ"})
    assert tab.evaluate(FOCUSED) == "Page 1"


def test_a_hit_is_opened_by_keys_alone(tab: "Page", site: Site) -> None:
    site.searcher.known["here"] = [replace(PLAIN, url=f"{site.address}/robot")]
    tab.goto("/search?q=here")
    tab.keyboard.press("j")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/robot")


@pytest.mark.slow
def test_the_keys_are_told_and_can_be_switched_off(new_tab: "Page") -> None:
    """WCAG 2.2, 2.1.4: who speaks to the computer may not want keys of one character."""
    new_tab.goto("/search?q=a")
    new_tab.keyboard.press("?")
    dialog = new_tab.get_by_role("dialog", name="Keyboard shortcuts")
    for _ in range(4):
        assert new_tab.evaluate("document.activeElement.closest('dialog, body').id") in ("keys", "")
        assert new_tab.evaluate("document.activeElement.closest('header, main')") is None
        new_tab.keyboard.press("Tab")
    new_tab.keyboard.press("j")
    new_tab.keyboard.press("Escape")
    dialog.wait_for(state="hidden")
    new_tab.get_by_role("button", name="Keyboard shortcuts").click()
    new_tab.get_by_role("checkbox").uncheck()
    new_tab.get_by_role("button", name="Close").click()
    new_tab.goto("/search?q=a")
    new_tab.keyboard.press("?")
    new_tab.keyboard.press("/")
    assert dialog.is_hidden()
    new_tab.keyboard.press("ArrowDown")
    assert new_tab.evaluate(FOCUSED) == "Page 1"


@pytest.mark.slow
def test_without_scripts_a_person_still_searches(browser: "Browser", site: Site) -> None:
    context = browser.new_context(base_url=site.address, java_script_enabled=False)
    tab = context.new_page()
    tab.goto("/")
    assert tab.get_by_text("Keyboard shortcuts").locator("visible=true").count() == 0
    tab.get_by_role("searchbox", name="Search").fill("web")
    tab.keyboard.press("Enter")
    assert searched(tab) == "web"
    assert tab.locator(".hit").count() == 10
    context.close()


@pytest.mark.slow
@pytest.mark.requirement(298)
@pytest.mark.parametrize("name", sorted(path.name for path in (ROOT / "static").glob("*.js")))
def test_a_script_is_small_and_makes_no_markup(name: str) -> None:
    """What strangers wrote stays text, and nothing is run that is not in the file."""
    script = (ROOT / "static" / name).read_text()
    # Bytes; packed a third of that. The box of other sites brings its style and its words in five languages.
    assert len(script.encode()) < (20_480 if name == "embed.js" else 12_288)
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
        assert word not in script
