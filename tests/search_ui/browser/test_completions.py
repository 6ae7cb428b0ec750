"""Completions while a person types, in a real browser."""

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from engine.suggest.completing import MAX_COMPLETIONS, Completion
from tests.running import until
from tests.search_ui.conftest import Site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

pytestmark = [pytest.mark.chromium, pytest.mark.slow]

HOSTILE = '<img src=x onerror="document.title=1">'
WAIT = 250  # milliseconds of the page's clock: the script waits 120 for the next key
HOUR = 3_600_000  # milliseconds of the page's clock: later than anything before it
FOCUSED = "(here => here === document.body ? '' : here.id || here.innerText)(document.activeElement)"


def searched(tab: "Page") -> str:
    """The words of the page of hits that comes next."""
    tab.wait_for_url("**/search?*")
    return parse_qs(urlsplit(tab.url).query)["q"][0]


def typed(tab: "Page", words: str) -> None:
    """Home, words in the box, and the list of completions under it."""
    tab.goto("/")
    tab.locator("#q:focus").wait_for()
    tab.keyboard.type(words)
    tab.get_by_role("option").first.wait_for()


def home_without_time(tab: "Page") -> list[str]:
    """Home, with a clock that only run_for() moves: a machine that stalls makes no pause between keys.

    What comes to be completed at the server is noted in the list.
    """
    asked: list[str] = []

    def note(request: "Request") -> None:
        if "/api/suggest" in request.url:
            asked.append(parse_qs(urlsplit(request.url).query)["q"][0])

    tab.on("request", note)
    tab.clock.install(time=0)
    tab.goto("/")
    tab.locator("#q:focus").wait_for()
    tab.clock.pause_at(HOUR)
    return asked


def test_a_completion_is_taken_with_the_keyboard(tab: "Page") -> None:
    typed(tab, "web")
    box = tab.get_by_role("combobox", name="Search", expanded=True)
    offered = tab.get_by_role("listbox", name="Suggestions").get_by_role("option")
    until(
        lambda: offered.locator(".name").all_inner_texts() == ["web one", "web two"],
        "what begins with web, not with we",
    )
    assert tab.get_by_role("status").inner_text() == "Suggestions: 2"
    for key, chosen in [("Down", "web one"), ("Down", "web two"), ("Down", None), ("Up", "web two")]:
        tab.keyboard.press(f"Arrow{key}")
        name = box.get_attribute("aria-activedescendant")
        assert (tab.locator(f"#{name} .name").inner_text() if name else None) == chosen
        assert tab.locator("[aria-selected=true] .name").all_inner_texts() == [chosen][: bool(chosen)]
        assert box.input_value() == "web"
    tab.keyboard.press("Enter")
    assert searched(tab) == "web two"


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "finger"])
def test_a_completion_is_pointed_at(browser: "Browser", site: Site, touch: bool) -> None:
    context = browser.new_context(base_url=site.address, has_touch=touch)
    tab = context.new_page()
    typed(tab, "web")
    two = tab.get_by_role("option", name="web two")
    two.tap() if touch else two.click()
    assert searched(tab) == "web two"
    context.close()


def test_enter_alone_searches_for_what_was_typed(tab: "Page") -> None:
    typed(tab, "web")
    tab.keyboard.press("Enter")
    assert searched(tab) == "web"


@pytest.mark.parametrize(
    ("key", "focused", "why"),
    [
        ("Escape", "q", "the box keeps the focus and the words"),
        ("Tab", "Search", "on to the button"),
    ],
)
def test_completions_are_closed(tab: "Page", key: str, focused: str, why: str) -> None:
    typed(tab, "web")
    tab.keyboard.press(key)
    tab.get_by_role("listbox").wait_for(state="hidden")
    assert tab.evaluate(FOCUSED) == focused, why
    assert tab.get_by_role("combobox", expanded=False).input_value() == "web", why


@pytest.mark.requirement(298)
def test_a_hostile_completion_is_text(new_tab: "Page", site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [Completion(HOSTILE), Completion(HOSTILE, f"http://a.example/{HOSTILE}")]
    monkeypatch.setattr(site.searcher, "complete", lambda words: found)
    typed(new_tab, "web")
    assert new_tab.get_by_role("option").locator(".name").all_text_contents() == [HOSTILE, HOSTILE]
    assert new_tab.locator("img").count() == 0
    assert new_tab.title() == "Lycosa"


@pytest.mark.parametrize("way", ["key", "mouse"])
def test_a_completion_that_is_a_page_leads_there(
    new_tab: "Page", site: Site, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    """It says where that is; the page does not learn from where."""
    found = [Completion("web pages", f"{site.address}/robot#keep")]
    monkeypatch.setattr(site.searcher, "complete", lambda words: found)
    typed(new_tab, "web")
    option = new_tab.get_by_role("option", name="web pages")
    assert option.locator(".leads").inner_text().endswith(" › robot")
    if way == "mouse":
        option.click()
    else:
        new_tab.keyboard.press("ArrowDown")
        new_tab.keyboard.press("Enter")
    new_tab.wait_for_url("**/robot#keep")
    assert new_tab.evaluate("document.referrer") == ""


KINDS = [
    (Completion("Web pages"), "Web", "search", ["pages"], "", "a query: what is added is bold"),
    (Completion("Web pages", "http://a.example/b"), "Web", "page", ["pages"], "a.example › b", "a page"),
    (Completion("The web-site", "http://a.example/#b", "Spiders"), "web-s", "section", ["The ", "ite"],
     "Spiders", "a section, with the title of its page"),
    (Completion("cobweb Wéb", ""), "web", "search", ["cobweb "], "", "where a word begins"),
]  # fmt: skip


@pytest.mark.parametrize(("found", "same", "kind", "bold", "leads", "why"), KINDS)
def test_a_completion_says_what_it_is(
    new_tab: "Page",
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    found: Completion,
    same: str,
    kind: str,
    bold: list[str],
    leads: str,
    why: str,
) -> None:
    monkeypatch.setattr(site.searcher, "complete", lambda words: [found])
    typed(new_tab, same.lower())
    option = new_tab.get_by_role("option")
    assert option.locator(".name").inner_text() == found.text, why
    assert option.locator("b").evaluate_all("all => all.map(one => one.textContent)") == bold, why
    assert option.locator(".kind").inner_text() == kind, why
    assert (option.locator(".leads").inner_text() if leads else "") == leads, why


BEGUN = [
    ("cafe", 1, False, "the one that began so still does, but for its accent"),
    ("cafe n", 1, False, "and its case"),
    ("cafe no", 0, True, "it does no more: the server may know better"),
    ("cafe nox", 0, False, "where nothing begins so nothing longer does"),
    ("cafe", 1, True, "shorter"),
    ("!", 0, True, "a sign has begun nothing"),
    ("!c", 8, True, "so what comes behind it is asked for"),
    ("!ca", 8, True, "there may be more than are told"),
]


# How often a list was shown, also where it is as empty as the one before.
SHOWN = """() => {
  window.shown = 0;
  const observer = new MutationObserver((records) => (window.shown += records.length));
  observer.observe(document.querySelector("#q"), { attributeFilter: ["aria-expanded"] });
}"""


def test_what_is_known_is_not_asked_for(new_tab: "Page", site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """While what was typed grows, and all that begins so has been told."""

    def complete(words: str) -> list[Completion]:
        if words.startswith("!c"):
            return [Completion(f"!case {number}") for number in range(MAX_COMPLETIONS)]
        return [Completion("Café N")] if "cafe n".startswith(words) else []

    monkeypatch.setattr(site.searcher, "complete", complete)
    asked = home_without_time(new_tab)
    new_tab.keyboard.type("c")
    new_tab.clock.run_for(WAIT)
    new_tab.get_by_role("option").first.wait_for()
    new_tab.evaluate(SHOWN)
    for shown, (words, offered, is_asked, why) in enumerate(BEGUN):
        before = len(asked)
        new_tab.locator("#q").fill(words)
        new_tab.clock.run_for(WAIT)
        until(lambda shown=shown: new_tab.evaluate("shown") > shown, f"completions of {words}")  # type: ignore[misc]
        assert (new_tab.get_by_role("option").count(), asked[before:]) == (offered, [words] * is_asked), why


def test_only_what_is_still_wanted_is_asked_for(new_tab: "Page") -> None:
    """The server is spared while somebody types, or composes a character of several keys."""
    asked = home_without_time(new_tab)
    new_tab.keyboard.type("spider")
    new_tab.clock.run_for(WAIT)
    new_tab.get_by_role("option").first.wait_for()
    assert asked == ["spider"]
    session = new_tab.context.new_cdp_session(new_tab)
    session.send("Input.imeSetComposition", {"text": "zhi", "selectionStart": 3, "selectionEnd": 3})
    new_tab.clock.run_for(WAIT)
    session.send("Input.insertText", {"text": "蜘蛛"})
    new_tab.clock.run_for(WAIT)
    new_tab.get_by_role("option", name="spider蜘蛛 one").wait_for()
    new_tab.locator("#q").fill("")
    new_tab.get_by_role("listbox").wait_for(state="hidden")
    new_tab.clock.run_for(WAIT)
    assert asked == ["spider", "spider蜘蛛"]


def test_a_server_that_cannot_complete_is_no_trouble(tab: "Page") -> None:
    typed(tab, "missin")
    with tab.expect_response("**/api/suggest?q=missing") as answer:
        tab.keyboard.type("g")
    assert answer.value.status == 503
    tab.get_by_role("listbox").wait_for(state="hidden")
    tab.keyboard.press("Enter")
    assert searched(tab) == "missing"
