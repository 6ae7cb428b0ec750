"""The box in pages of other sites: the page that tells how, and the element in a real browser."""

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import pytest

from engine.middleware.identity import Identity
from engine.model.hit import Hit
from search_ui.app import create_app
from search_ui.server.guard import HEADERS
from tests.search_ui.conftest import (
    PLAIN,
    START_SECONDS,
    TWENTY_FIVE,
    Searcher,
    Site,
    answering,
)
from tests.search_ui.embedding import TITLE, ask, elsewhere

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HOSTILE = '<img src=x onerror="document.title=1">'


@pytest.mark.parametrize(
    ("public_url", "server", "note", "why"),
    [
        ("https://find.example.org", "https://find.example.org", False, "where we are"),
        ("", "https://search.example", True, "nobody knows: Host is whatever a client says"),
    ],
)
def test_what_there_is_to_copy(public_url: str, server: str, note: bool, why: str) -> None:
    app = create_app(Searcher(), lambda: None, Identity("", public_url))
    with answering(app) as client:
        page = client.get("/embed", headers={"Host": "localhost:9"}).text
    assert f"&lt;script src=&#34;{server}/static/embed.js&#34; defer" in page.replace('"', "&#34;"), why
    assert ("public_url" in page) == note, why
    assert "evil" not in page, why


@pytest.mark.parametrize(
    ("target", "policy", "why"),
    [
        ("/static/embed.js", "cross-origin", "for pages of other sites"),
        ("/static/lycosa.js", HEADERS["Cross-Origin-Resource-Policy"], "for our own"),
    ],
)
def test_which_script_others_may_load(site: Site, target: str, policy: str, why: str) -> None:
    """Fetch, 3.7: Cross-Origin-Resource-Policy."""
    answer = site.get(target)
    assert answer.headers["Cross-Origin-Resource-Policy"] == policy, why
    assert answer.headers["Content-Type"].startswith("text/javascript"), why
    assert answer.headers["Cache-Control"] == "public, max-age=3600", why


@pytest.mark.slow
@pytest.mark.chromium
def test_hits_stand_in_a_page_of_another_site(tab: "Page", shared: Site) -> None:
    """With arrows through them, Escape back to the box, and the number said aloud."""
    with elsewhere(shared, 'size="3" placeholder="Find here"') as web:
        tab.goto(web.url("/"))
        assert tab.get_by_label("Plain").is_hidden()
        ask(tab, "spider web")
        tab.get_by_role("status").filter(has_text="Results: 25").wait_for()
        assert tab.locator("ol a").all_inner_texts() == ["Page 1", "Page 2", "Page 3"]
        assert tab.locator("ol li").first.inner_text().split("\n")[-1] == PLAIN.snippet
        assert tab.get_by_role("button").evaluate("el => getComputedStyle(el).fontWeight") == "600"
        focused = "document.activeElement.shadowRoot.activeElement"
        for key, there in [("Down", "Page 1"), ("Down", "Page 2"), ("Up", "Page 1"), ("Up", "Find here")]:
            tab.keyboard.press(f"Arrow{key}")
            assert tab.evaluate(f"{focused}.textContent || {focused}.placeholder") == there
        tab.keyboard.press("ArrowDown")
        tab.keyboard.press("Escape")
        assert tab.evaluate(f"{focused}.value") == "spider web"
        tab.get_by_role("link", name="All results").click()
        tab.wait_for_url(f"{shared.address}/search?q=spider+web")


STRANGERS: list[tuple[Hit, str | None, str]] = [
    (replace(PLAIN, title=HOSTILE, snippet=HOSTILE), PLAIN.url, "markup is text"),
    (replace(PLAIN, title=HOSTILE, url="javascript:document.title=1"), None, "a script is no link"),
    (replace(PLAIN, title=HOSTILE, url="//["), None, "nor is what is no address"),
    (replace(PLAIN, title=HOSTILE, fragment='a"b'), f"{PLAIN.url}#a%22b", "a section"),
    (replace(PLAIN, title=HOSTILE, language='"><b>'), PLAIN.url, "a language that is none"),
]


@pytest.mark.requirement(298)
@pytest.mark.chromium
def test_what_strangers_wrote_does_nothing(tab: "Page", shared: Site) -> None:
    shared.searcher.known["site:a.example/b strange"] = [hit for hit, _, _ in STRANGERS]
    with elsewhere(shared, 'site="a.example/b"') as web:
        tab.goto(web.url("/"))
        ask(tab, "strange")
        tab.get_by_role("status").filter(has_text="Results: 5").wait_for()
        for item, (_, link, why) in zip(tab.locator("ol li").all(), STRANGERS, strict=True):
            assert item.inner_text().split("\n")[0] == HOSTILE, why
            links = item.locator("a").all()
            assert [one.get_attribute("href") for one in links] == ([link] if link else []), why
        assert tab.locator("img, b").count() == 0
        assert tab.title() == TITLE


SITES = [
    ("", "", "all sites"),
    ('site="a.example"', "site:a.example ", "what the page adds is not shown to who types"),
]


@pytest.mark.chromium
@pytest.mark.parametrize(("attributes", "narrowed", "why"), SITES)
def test_what_may_be_meant_is_offered(
    tab: "Page", shared: Site, attributes: str, narrowed: str, why: str
) -> None:
    """As markup of a stranger's it is text; chosen, it is searched for in the same box."""
    meant = "spider <b>web"
    shared.searcher.meant[f"{narrowed}spidr"] = f"{narrowed}{meant}"
    shared.searcher.known[f"{narrowed}spidr"] = [PLAIN]
    with elsewhere(shared, attributes) as web:
        tab.goto(web.url("/"))
        ask(tab, "spidr")
        tab.get_by_text("Did you mean:").wait_for()
        offered = tab.get_by_role("link", name=meant)
        assert (
            offered.get_attribute("href") == f"{shared.address}/search?{urlencode({'q': narrowed + meant})}"
        )
        offered.click()
        tab.get_by_role("status").filter(has_text="Results: 25").wait_for()
        assert tab.get_by_role("combobox").input_value() == meant, why
        assert tab.get_by_text("Did you mean:").is_hidden()
        assert tab.url == web.url("/")


@pytest.mark.chromium
@pytest.mark.parametrize(("attributes", "narrowed", "why"), SITES)
def test_where_nothing_matches_hits_of_what_is_meant_are_shown(
    tab: "Page", shared: Site, attributes: str, narrowed: str, why: str
) -> None:
    """At once, as on the search page; unless that has none either."""
    for typed, hits in (("spidr", TWENTY_FIVE[:2]), ("spiddr", [])):
        shared.searcher.known[f"{narrowed}{typed}"] = []
        shared.searcher.meant[f"{narrowed}{typed}"] = f"{narrowed}meant by {typed}"
        shared.searcher.known[f"{narrowed}meant by {typed}"] = hits
    with elsewhere(shared, attributes) as web:
        tab.goto(web.url("/"))
        ask(tab, "spidr")
        tab.get_by_role("status").filter(has_text="Results: 2").wait_for()
        assert tab.get_by_text("Showing results for: meant by spidr").is_visible(), why
        assert tab.locator("ol a").all_inner_texts() == ["Page 1", "Page 2"]
        assert tab.get_by_role("combobox").input_value() == "spidr"
        ask(tab, "spiddr")
        tab.get_by_role("status").filter(has_text="No results").wait_for()
        assert tab.get_by_text("Did you mean: meant by spiddr").is_visible(), why


@pytest.mark.chromium
def test_hits_come_as_one_types(tab: "Page", shared: Site) -> None:
    """Without Enter, for what is in the box now; with the steps to each, and nothing for an empty box."""
    shared.searcher.known["spider"] = [replace(PLAIN, url="https://docs.example.org/a%20b/%ff.html")]
    with elsewhere(shared) as web:
        tab.goto(web.url("/"))
        tab.get_by_role("combobox").press_sequentially("spider")
        tab.get_by_role("status").filter(has_text="Results: 1").wait_for()
        assert tab.locator("ol li p").first.inner_text() == "docs.example.org › a b › %ff.html"
        tab.get_by_role("combobox").fill("")
        tab.locator("ol li").first.wait_for(state="detached")
        assert tab.get_by_role("status").inner_text() == ""
        assert tab.url == web.url("/")


@pytest.mark.chromium
def test_matches_are_marked(tab: "Page", shared: Site) -> None:
    """Also behind a letter that is two units of a string in JavaScript."""
    shared.searcher.known["web"] = [
        replace(PLAIN, snippet="\U00010330 web <b> webs", marks=[(2, 5), (10, 14)])
    ]
    with elsewhere(shared) as web:
        tab.goto(web.url("/"))
        ask(tab, "web")
        tab.locator("mark").first.wait_for()
        assert tab.locator("mark").all_inner_texts() == ["web", "webs"]
        assert tab.locator("ol li p").last.inner_text() == "\U00010330 web <b> webs"


@pytest.mark.chromium
def test_an_answer_that_comes_late_is_dropped(tab: "Page", shared: Site) -> None:
    shared.searcher.known["late"] = [PLAIN]
    shared.searcher.started.clear()
    shared.searcher.go_on.clear()
    with elsewhere(shared) as web:
        tab.goto(web.url("/"))
        tab.get_by_role("combobox").fill("wait")
        assert shared.searcher.started.wait(START_SECONDS)
        tab.get_by_role("combobox").fill("late")
        tab.get_by_role("status").filter(has_text="Results: 1").wait_for()
        shared.searcher.go_on.set()
        with tab.expect_response("**/api/search?q=more*"):
            tab.get_by_role("combobox").fill("more")
        tab.get_by_role("status").filter(has_text="Results: 25").wait_for()


@pytest.mark.chromium
def test_words_of_its_own_are_in_the_language_of_the_page(tab: "Page", shared: Site) -> None:
    shared.searcher.known["ничего"] = []
    with elsewhere(shared, 'lang="ru-RU"') as web:
        tab.goto(web.url("/"))
        ask(tab, "ничего")
        tab.get_by_text("Ничего не найдено").wait_for()
        assert tab.get_by_role("button", name="Поиск").is_visible()


@pytest.mark.slow
@pytest.mark.chromium
@pytest.mark.parametrize(
    ("scripts", "query", "why"),
    [
        (True, "site:a.example web", "its answers are not for this site"),
        (False, "web", "without scripts the form within the element is there"),
    ],
)
def test_else_the_hits_open_here(browser: "Browser", site: Site, scripts: bool, query: str, why: str) -> None:
    context = browser.new_context(java_script_enabled=scripts)
    tab = context.new_page()
    with elsewhere(site, 'site="a.example"') as web:
        tab.goto(web.url("/"))
        tab.locator("input:visible").fill("web")
        tab.keyboard.press("Enter")
        tab.wait_for_url(f"{site.address}/search?" + urlencode({"q": query}))
        assert tab.locator(".hit").count() == 10, why
    context.close()


@pytest.mark.slow
@pytest.mark.chromium
def test_the_page_that_tells_how_shows_it(tab: "Page", site: Site) -> None:
    tab.goto("/")
    tab.get_by_role("link", name="A search box for your site").click()
    box = tab.locator("lycosa-search.live")
    box.get_by_role("combobox").fill("web")
    tab.keyboard.press("Enter")
    box.get_by_role("status").filter(has_text="Results: 25").wait_for()
    assert box.get_by_role("listitem").count() == 3
    tab.set_viewport_size({"width": 320, "height": 800})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
