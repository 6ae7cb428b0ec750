"""The pages in a real browser."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from engine.index.indexing.follow import Follower
from engine.model.narrowing import FacetCount, Facets
from engine.model.page import Results
from engine.search.search import SearchService
from engine.text.html.markup import read_html
from search_ui.pages import search_pages
from tests.engine.index.source import Memory
from tests.search_ui.conftest import CRAWL, PLAIN, Site
from tests.web.scripted import html, prose, scripted_web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.chromium


@pytest.mark.slow
@pytest.mark.requirement(295)
def test_a_person_searches_with_the_keyboard(tab: "Page") -> None:
    """The form, as a person fills it."""
    tab.goto("/")
    tab.locator("#q:focus").wait_for()
    tab.keyboard.type("spider web")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/search?q=spider+web")
    assert tab.get_by_role("heading", level=1).inner_text() == "Results for spider web"
    assert tab.get_by_role("combobox", name="Search").input_value() == "spider web"
    assert tab.get_by_role("listitem").locator("mark").count() == 10
    tab.get_by_role("navigation").get_by_role("link", name="Next").click()
    tab.get_by_text("page 2 of 3").wait_for()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "width", "is_cut", "why"),
    [
        ("The Slow Garden", 1000, False, "there is room, however short the address is"),
        ("The Slow Garden", 320, False, "and on a phone"),
        (20 * "wide ", 320, True, "anybody may call a site by any name: its address stays in sight"),
    ],
)
def test_a_sites_name_is_cut_only_where_it_is_long(
    tab: "Page", site: Site, monkeypatch: pytest.MonkeyPatch, name: str, width: int, is_cut: bool, why: str
) -> None:
    hit = replace(PLAIN, url="https://docs.example.org/")
    found = Results("a", 1, 1, 10, 1.0, [hit], sites={"docs.example.org": name})
    monkeypatch.setattr(site.searcher, "search", lambda typed, page, choice: found)
    tab.set_viewport_size({"width": width, "height": 800})
    tab.goto("/search?q=a")
    assert tab.locator(".hit .site").evaluate("el => el.scrollWidth > el.clientWidth") is is_cut, why


def test_a_person_narrows_hits_down(tab: "Page", site: Site) -> None:
    """With the keyboard; a menu closes when another opens, and lies within a small screen."""
    shares = [FacetCount("docs.example.org", 9), FacetCount(80 * "wide.", 1)]
    site.searcher.facets = Facets({"host": shares, "lang": [FacetCount("fa", 3)]})
    tab.set_viewport_size({"width": 320, "height": 800})
    tab.goto("/search?q=spider")
    tab.get_by_text("Language", exact=True).click()
    tab.get_by_text("Site", exact=True).focus()
    tab.keyboard.press("Enter")
    tab.get_by_role("link", name="wide.").wait_for()
    assert not tab.locator(".narrow").get_by_role("link", name="فارسی").is_visible()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/search?q=spider&host=docs.example.org")
    assert tab.get_by_role("combobox", name="Search").input_value() == "spider"
    tab.get_by_role("link", name="Remove Site: docs.example.org").click()
    tab.wait_for_url("**/search?q=spider")


@pytest.mark.slow
@pytest.mark.requirement(317)
def test_an_owner_checks_a_robots_txt_with_the_keyboard(tab: "Page") -> None:
    """What was pasted stays in the form."""
    tab.goto("/")
    tab.get_by_role("link", name="For site owners").click()
    tab.get_by_role("link", name="Check what a robots.txt says").click()
    tab.get_by_label("robots.txt").fill("\nUser-agent: *\nDisallow: /" + 500 * "a")
    tab.get_by_label("Address of the page").fill("https://www.example.org/" + 500 * "a")
    tab.keyboard.press("Enter")
    tab.get_by_role("heading", name="Not allowed").wait_for()
    assert tab.get_by_label("robots.txt").input_value().startswith("\nUser-agent: *\nDisallow: /a")
    assert tab.locator(".file mark").count() == 1
    tab.set_viewport_size({"width": 320, "height": 800})
    assert tab.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.requirement(298)
def test_a_script_query_does_not_run(tab: "Page") -> None:
    tab.goto("/search?q=%3Cscript%3Edocument.title=1%3C/script%3E")
    assert tab.title() == "<script>document.title=1</script> – Lycosa"


@pytest.mark.slow
@pytest.mark.parametrize(
    "target",
    ["/", "/search?q=wide", "/search?q=a&page=2", "/search?q=missing", "/robot", "/robot/check", "/api/"],
)
def test_nothing_is_wider_than_the_screen(tab: "Page", site: Site, target: str) -> None:
    """WCAG 2.2, 1.4.10, with words that do not break of themselves."""
    wide = replace(PLAIN, title=300 * "W", snippet=300 * "w", url="https://a.example/" + 300 * "w")
    site.searcher.known["wide"] = [wide]
    tab.goto(target)
    for width in (320, 390, 1280):
        tab.set_viewport_size({"width": width, "height": 800})
        assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_a_persian_hit_runs_from_the_right(tab: "Page", site: Site) -> None:
    site.searcher.known["words"] = [
        replace(PLAIN, title="عنکبوت گرگی", language="fa", copies=1),
        replace(PLAIN, title="شكراً", language=""),
    ]
    tab.goto("/search?q=words")
    directions = "hits => hits.map(hit => getComputedStyle(hit).direction)"
    assert tab.locator(".hit").evaluate_all(directions) == ["rtl", "ltr"]
    box = tab.locator(".about summary").first.bounding_box()
    assert box
    assert box["x"] > 400, "its menu stands beside its address, at the right"
    order = "el => { const [a, b] = el.querySelectorAll('bdi bdi'); return [a, b].map(x => x.offsetLeft) }"
    host, path = tab.locator(".url").first.evaluate(order)
    assert host < path  # an address reads from left to right in every language


SECTIONS = [
    ("amber", '<h2 id="plain">Amber</h2>', "an id"),
    ("basil", '<h2 id="a b%20c\'ü&quot;#">Basil</h2>', "an id that has to be escaped"),
    ("cedar", '<h2><a name="cedar-wood"></a>Cedar</h2>', "a name, as pages of the last century have it"),
    ("dune", '<section id="dunes"><h2>Dune</h2></section>', "the id of a section"),
    ("ember", "<h2>Ember</h2>", "none: the nearest before it"),
]


@pytest.mark.slow
def test_a_hit_opens_where_its_passage_stands(browser: "Browser", tmp_path: Path) -> None:
    """Scrolled there, or near it, as far as the page lets itself be scrolled."""
    far = "".join(prose(str(number)) for number in range(9))
    answer = html("Many", far + "".join(f"{head}<p>Of {word}, this.</p>{far}" for word, head, _ in SECTIONS))
    with scripted_web({"/": answer}) as web, closing(SearchService(tmp_path)) as search:
        read = read_html(str(answer.body).encode(), web.url("/"), "text/html; charset=utf-8", ())
        Follower(Memory(read), tmp_path).catch_up()
        tab = browser.new_page()
        for word, _, why in SECTIONS:
            (hit,) = search.search(word).hits
            assert hit.section.lower() == word, why
            tab.goto("about:blank")
            tab.goto(hit.link)
            assert tab.evaluate("scrollY") > 0, why
            # Without an id it is found by its text, and stands in the middle.
            there = (
                tab.get_by_text(f"Of {word}, this.")
                if word == "ember"
                else tab.get_by_role("heading", name=word)
            )
            top = there.evaluate("el => el.getBoundingClientRect().top")
            assert 0 < top < tab.evaluate("innerHeight") if word == "ember" else abs(top) < 100, why
        tab.close()


def test_the_first_tab_stop_skips_to_the_hits(tab: "Page") -> None:
    """WCAG 2.2, 2.4.1 and 2.4.7."""
    tab.goto("/search?q=a")
    tab.keyboard.press("Tab")
    assert tab.locator(":focus").inner_text() == "Skip to main content"
    assert tab.locator(":focus").evaluate("el => el.getBoundingClientRect().top") >= 0
    assert tab.locator(":focus").evaluate("el => getComputedStyle(el).outlineStyle") == "solid"


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "ground"), [("light", "rgb(253, 252, 250)"), ("dark", "rgb(23, 24, 26)")])
def test_light_and_dark(new_tab: "Page", scheme: Literal["light", "dark"], ground: str) -> None:
    new_tab.emulate_media(color_scheme=scheme)
    new_tab.goto("/search?q=a")
    assert new_tab.evaluate("getComputedStyle(document.body).backgroundColor") == ground


@pytest.mark.slow
def test_a_page_without_an_index_fills_up_by_itself(
    new_tab: "Page", site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search_pages, "RETRY_SECONDS", 1)
    site.crawl = CRAWL
    new_tab.goto("/search?q=missing")
    assert new_tab.get_by_role("heading", level=1).inner_text() == "Nothing is indexed yet"
    found = Results("missing", 1, 1, 10, 1.0, [PLAIN])
    site.crawl = replace(CRAWL, pages=1_300)
    new_tab.get_by_text("1,300 pages read").wait_for()
    new_tab.get_by_role("combobox").fill("another")
    monkeypatch.setattr(site.searcher, "search", lambda typed, page, choice: found)
    with new_tab.expect_response("**/search?q=missing"):
        pass
    assert new_tab.get_by_role("combobox").input_value() == "another", "who is typing is not disturbed"
    new_tab.get_by_role("combobox").fill("missing")
    new_tab.locator(".hit").wait_for()
