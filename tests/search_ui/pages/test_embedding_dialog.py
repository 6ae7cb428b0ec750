"""The embedded box in a dialog: a button, Ctrl K, the focus that comes back; and how it all looks."""

import gzip
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

import pytest

from search_ui.rendering import ROOT
from tests.search_ui.conftest import Site, without_complaints
from tests.search_ui.embedding import elsewhere

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.chromium, pytest.mark.slow]
MAX_BYTES = 15_000  # of the script, as it is sent
FOCUSED = "document.activeElement.id || document.activeElement.localName"
FIELDS = '<p><label>Name <input id="theirs"></label></p>'
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")


def test_it_is_small() -> None:
    assert len(gzip.compress((ROOT / "static" / "embed.js").read_bytes())) < MAX_BYTES


@pytest.mark.parametrize(
    ("close", "why"),
    [
        (lambda tab: tab.keyboard.press("Escape"), "Escape"),
        (lambda tab: tab.keyboard.press("Control+k"), "the same keys again"),
        (lambda tab: tab.get_by_role("button", name="Close").click(), "its button"),
        (lambda tab: tab.mouse.click(3, 3), "a click beside it"),
    ],
    ids=["Escape", "keys", "button", "beside"],
)
def test_keys_open_it_and_the_focus_comes_back(tab: "Page", shared: Site, close: object, why: str) -> None:
    """To the field where one was writing."""
    with elsewhere(shared, "dialog", FIELDS) as web:
        tab.goto(web.url("/"))
        assert tab.get_by_role("combobox").count() == 0, "nothing but a button"
        tab.get_by_label("Name").focus()
        tab.keyboard.press("Control+k")
        assert tab.get_by_role("dialog", name="Search").is_visible()
        tab.keyboard.type("web")
        tab.get_by_role("status").filter(has_text="Results: 25").wait_for()
        assert callable(close)
        tab.keyboard.press("Escape")  # completions
        close(tab)
        assert tab.get_by_role("dialog").count() == 0, why
        assert tab.evaluate(FOCUSED) == "theirs", why
        tab.keyboard.press("Control+k")
        assert tab.get_by_role("combobox").input_value() == "web", "as it was left"
        assert tab.locator("ol li").count() == 10


def test_its_button_opens_it(tab: "Page", shared: Site) -> None:
    with elsewhere(shared, 'dialog placeholder="Search the guide"') as web:
        tab.goto(web.url("/"))
        opener = tab.get_by_role("button", name="Search the guide")
        opener.click()
        assert tab.get_by_role("combobox", name="Search the guide").evaluate("box => box.matches(':focus')")
        tab.keyboard.press("Escape")
        assert opener.evaluate("button => button.matches(':focus')")


def test_the_focus_stays_in_it(tab: "Page", shared: Site) -> None:
    with elsewhere(shared, "dialog", FIELDS) as web:
        tab.goto(web.url("/"))
        tab.keyboard.press("Control+k")
        for _ in range(12):
            tab.keyboard.press("Tab")
            assert tab.evaluate(FOCUSED) != "theirs"


@pytest.mark.parametrize(
    ("attributes", "script", "why"),
    [
        ("", "", "it was not asked for"),
        ("dialog", "document.querySelector('lycosa-search').remove()", "it is gone from the page"),
        (
            "dialog",
            "addEventListener('keydown', (e) => e.preventDefault(), true)",
            "the page has a use for it",
        ),
    ],
    ids=["none", "removed", "taken"],
)
def test_when_the_keys_are_the_pages(
    tab: "Page", shared: Site, attributes: str, script: str, why: str
) -> None:
    with elsewhere(shared, attributes, FIELDS) as web:
        tab.goto(web.url("/"))
        tab.evaluate(script or "0")
        tab.get_by_label("Name").focus()
        tab.keyboard.press("Control+k")
        assert tab.get_by_role("dialog").count() == 0, why
        assert tab.evaluate(FOCUSED) == "theirs"


def test_nobody_else_is_asked(new_tab: "Page", shared: Site) -> None:
    asked = list[str]()
    new_tab.on("request", lambda request: asked.append(request.url))
    with elsewhere(shared, "dialog") as web:
        new_tab.goto(web.url("/"))
        new_tab.keyboard.press("Control+k")
        new_tab.keyboard.type("web")
        new_tab.get_by_role("status").filter(has_text="Results: 25").wait_for()
        new_tab.get_by_role("option").first.wait_for()
        assert [
            url for url in asked if not url.startswith((web.url("/"), f"{shared.address}/", "data:"))
        ] == []
        assert len(asked) >= 4
        assert new_tab.context.cookies() == []


VARIABLES = {
    "--lycosa-ground": ("dialog", "background-color"),
    "--lycosa-ink": ("dialog", "color"),
    "--lycosa-edge": ("dialog", "border-color"),
    "--lycosa-link": ("ol a", "color"),
    "--lycosa-mark": ("mark", "background-color"),
    "--lycosa-on-mark": ("mark", "color"),
    "--lycosa-quiet": ("[role=status]", "color"),
    "--lycosa-accent": ("form button", "background-color"),
    "--lycosa-on-accent": ("form button", "color"),
}


def test_variables_of_the_page_choose_the_colours(tab: "Page", shared: Site, site: Site) -> None:
    """All that /embed tells of are there, and do what it says; others are no colours that an element has."""
    told = site.get("/embed").text
    script = (ROOT / "static" / "embed.js").read_text(encoding="utf-8")
    others = ("--lycosa-font", "--lycosa-radius", "--lycosa-backdrop")
    for name in (*VARIABLES, *others):
        assert f"<code>{name}</code>" in told
        assert f"var({name}," in script
    with elsewhere(shared, "dialog") as web:
        tab.goto(web.url("/"))
        for number, name in enumerate(VARIABLES):
            tab.evaluate(f"document.documentElement.style.setProperty('{name}', 'rgb(1, 2, {number})')")
        tab.keyboard.press("Control+k")
        tab.keyboard.type("web")
        tab.locator("mark").first.wait_for()
        for number, (selector, style) in enumerate(VARIABLES.values()):
            found = tab.locator(f"lycosa-search {selector}").first
            assert found.evaluate(f"one => getComputedStyle(one).getPropertyValue('{style}')") == (
                f"rgb(1, 2, {number})"
            ), selector


@pytest.fixture
def fresh(browser: "Browser") -> Iterator["Page"]:
    context = browser.new_context()
    with without_complaints(context.new_page()) as tab:
        yield tab
    context.close()


LOOKS = [
    ("", "light", 1280),
    ("", "dark", 320),
    ("dialog", "dark", 1280),
    pytest.param("", "dark", 1280, marks=pytest.mark.long),
    pytest.param("", "light", 320, marks=pytest.mark.long),
    pytest.param("dialog", "light", 1280, marks=pytest.mark.long),
    pytest.param("dialog", "light", 320, marks=pytest.mark.long),
    pytest.param("dialog", "dark", 320, marks=pytest.mark.long),
]


@pytest.mark.slow
@pytest.mark.parametrize(("attributes", "scheme", "width"), LOOKS)
def test_everybody_can_use_it(
    fresh: "Page", shared: Site, attributes: str, scheme: Literal["light", "dark"], width: int
) -> None:
    """By axe-core, with completions and hits open, one of them chosen; nothing is cut off on a phone."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed").Axe()
    fresh.emulate_media(color_scheme=scheme)
    fresh.set_viewport_size({"width": width, "height": 800})
    with elsewhere(shared, attributes, '<meta name="color-scheme" content="light dark">') as web:
        fresh.goto(web.url("/"))
        fresh.evaluate("document.documentElement.style.background = 'Canvas'")  # axe takes it for white, else
        if attributes:
            fresh.keyboard.press("Control+k")
        fresh.get_by_role("combobox").press_sequentially("web")
        fresh.get_by_role("status").filter(has_text="Results: 25").wait_for()
        fresh.get_by_role("option").first.wait_for()
        fresh.keyboard.press("ArrowDown")
        options = {"runOnly": TAGS, "resultTypes": ["violations"]}
        found = axe.run(fresh, options=options).response["violations"]
        assert [(one["id"], node["html"]) for one in found for node in one["nodes"]] == []
        assert fresh.evaluate("document.documentElement.scrollWidth") <= width
        if attributes:
            sizes = fresh.locator("dialog").evaluate("one => [one.scrollWidth, one.clientWidth]")
            assert sizes[0] <= sizes[1]
