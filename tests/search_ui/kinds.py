"""Every kind of page that people see, by name, and how a browser comes to it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine.model.narrowing import FacetCount, Facets
from engine.model.sitelink import Sitelink
from tests.crawling import HOST
from tests.search_ui.admin.conftest import PASSWORD
from tests.search_ui.conftest import CRAWL, PLAIN, Site
from tests.search_ui.hit_corpus import ROOMS
from tests.search_ui.owner.full_site import KEY as OWNERS_KEY

if TYPE_CHECKING:
    from playwright.sync_api import Page

Steps = Callable[["Page"], object]


def in_every_state(site: Site) -> None:
    """A crawl runs, hits can be narrowed down, and `words` finds some in other scripts."""
    site.crawl = CRAWL
    hosts = [FacetCount("docs.example.org", 9), FacetCount("www.example.org", 1)]
    site.searcher.facets = Facets({"host": hosts, "lang": [FacetCount("fa", 3), FacetCount("en", 7)]})
    persian = replace(
        PLAIN,
        title="عنکبوت گرگی",
        snippet="عنکبوت گرگی در لانه‌اش منتظر می‌ماند.",
        marks=[(0, 6)],
        language="fa",
        copies=2,
        copy_urls=[PLAIN.url],
    )
    sections = [
        Sitelink("لانه", f"{PLAIN.url}#den"),
        Sitelink("Hunting at night, and by day", f"{PLAIN.url}#hunting"),
    ]
    persian = replace(persian, sitelinks=sections)
    site.searcher.known = {"nothing": [], "words": [persian, replace(PLAIN, title="Паук", more_from_host=3)]}


def filled(target: str, **fields: str) -> Steps:
    """What a form answers."""

    def steps(tab: "Page") -> None:
        tab.goto(target)
        for label, value in fields.items():
            tab.get_by_label(label.replace("_", " ")).fill(value)
        tab.get_by_role("main").get_by_role("button").first.click()
        tab.wait_for_load_state()

    return steps


def opened(target: str) -> Steps:
    return lambda tab: tab.goto(target)


def menu_open(tab: "Page") -> None:
    tab.goto("/search?q=spider&host=docs.example.org")
    tab.locator(".narrow summary").first.click()


def keys_open(tab: "Page") -> None:
    tab.goto("/search?q=spider")
    tab.get_by_role("button", name="Keyboard shortcuts").click()
    tab.get_by_role("dialog").wait_for()


def completing(words: str) -> Steps:
    """The completions of words, one of them chosen."""

    def steps(tab: "Page") -> None:
        tab.goto("/")
        tab.get_by_role("combobox").press_sequentially(words)
        tab.get_by_role("option").first.wait_for()
        tab.keyboard.press("ArrowDown")

    return steps


def refused(tab: "Page") -> None:
    """As while very many search."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("search_ui.search_threads.MAX_WAITING", -1)
        tab.goto("/search?q=spider")


def ways_open(tab: "Page") -> None:
    tab.goto("/search?q=nothing")
    for summary in tab.locator("main details.ways summary").all():
        summary.click()


def as_operator(target: str) -> Steps:
    """A page of the operator's, who logs in where that is asked for."""

    def steps(tab: "Page") -> None:
        tab.goto("/admin")
        if tab.url.endswith("/login"):
            tab.get_by_label("Password").fill(PASSWORD)
            tab.get_by_role("button", name="Log in").click()
            tab.get_by_role("heading", name="Overview").wait_for()
        tab.goto(target)

    return steps


def logged_out(steps: Steps) -> Steps:
    """The same in a browser that has no session."""

    def all_steps(tab: "Page") -> None:
        tab.context.clear_cookies()
        steps(tab)

    return all_steps


def as_owner(tab_or_path: str) -> Steps:
    """A page of an owner's, who comes in where that is asked for."""

    def steps(tab: "Page") -> None:
        tab.goto("/owner")
        if not tab.get_by_role("button", name="Log out").count():
            tab.get_by_label("Host of the key").fill(HOST)
            tab.get_by_label("Key", exact=True).fill(OWNERS_KEY)
            tab.get_by_role("button", name="Log in").click()
            tab.get_by_role("heading", name="Overview").wait_for()
        tab.goto(
            tab_or_path if tab_or_path == "/owner" else f"/owner/{HOST.replace('://', '/')}{tab_or_path}"
        )

    return steps


def box_open(tab: "Page") -> None:
    """The box of other sites, in our own page that shows it."""
    tab.goto("/embed")
    box = tab.locator("lycosa-search.live")
    box.get_by_role("combobox").press_sequentially("web")
    box.get_by_role("option").first.wait_for()
    box.get_by_role("listitem").first.wait_for()
    tab.keyboard.press("ArrowDown")


def dialog_open(tab: "Page") -> None:
    tab.goto("/embed")
    tab.keyboard.press("Control+k")
    tab.get_by_role("dialog").get_by_role("combobox").press_sequentially("web")
    tab.get_by_role("dialog").get_by_role("listitem").first.wait_for()


SUBMITTED = "Address_of_the_page"
# Over the searcher of tests.search_ui.conftest, by which all states can be had.
PAGES: Mapping[str, Steps] = {
    "home, while a crawl runs": opened("/"),
    "home, completions open": completing("web"),
    "results": opened("/search?q=spider"),
    "results, a note, a choice, by date": opened("/search?q=noted&host=docs.example.org&sort=date"),
    "results, a menu open": menu_open,
    "results, keys told": keys_open,
    "results in other scripts": opened("/search?q=words"),
    "results, page 2": opened("/search?q=spider&page=2"),
    "no results, hints open": ways_open,
    "no index": opened("/search?q=missing"),
    "submission": opened("/submit"),
    "submission, not known": opened(f"/submit?url={HOST}/never"),
    "submission, no address": opened("/submit?url=x"),
    "submission, queued": filled("/submit", **{SUBMITTED: f"{HOST}/queued"}),
    "submission, waiting": filled("/submit", **{SUBMITTED: "http://other.example/"}),
    "submission, refused": filled("/submit", **{SUBMITTED: "http://router/admin"}),
    "embedding": opened("/embed"),
    "embedding, completions and hits open": box_open,
    "embedding, the dialog open": dialog_open,
    "for programs": opened("/api/"),
    "for site owners": opened("/robot"),
    "robots.txt": opened("/robot/check"),
    "robots.txt, checked": filled(
        "/robot/check", robots="User-agent: *\nDisallow: /a", **{SUBMITTED: "http://a.example/a"}
    ),
    "problem: not found": opened("/nothing"),
    "problem: bad request": opened("/search?q=a&page=0"),
    "problem: broken": opened("/search?q=broken"),
    "problem: busy": refused,
}
# Over a real index.
OF_HITS: Mapping[str, Steps] = {
    "results, some words fail": opened("/search?q=amber+qwzzk"),
    "no results, with the reason": opened("/search?q=%22amber+qwzzk%22+site:a.example"),
    "home, completions that are pages": completing("cedar"),
    "text copy": opened(f"/text?q=amber&url={ROOMS.url}"),
    "text copy in Persian": opened("/text?q=amber&url=http://b.example/persian"),
    "no text copy": opened("/text?url=http://a.example/never"),
    "why": opened(f"/why?q=amber+fern&url={ROOMS.url}"),
    "why, pinned": opened("/why?q=rare+words&url=http://a.example/pinned"),
    "why, not found": opened("/why?q=amber&url=http://a.example/never"),
}
# Over a data folder in which all that they show has happened.
OF_OPERATOR: Mapping[str, Steps] = {
    "operator: log in": logged_out(opened("/admin/login")),
    "operator: wrong password": logged_out(filled("/admin/login", Password="x")),
    "operator: overview": as_operator("/admin"),
    "operator: audit log": as_operator("/admin/audit"),
    "operator: hosts": as_operator("/admin/hosts"),
    "operator: hosts, the last": as_operator("/admin/hosts?from=50"),
    "operator: failed URLs": as_operator("/admin/failed"),
    "operator: submissions": as_operator("/admin/submissions"),
    "operator: alarms": as_operator("/admin/alarms"),
    "operator: look up": as_operator(f"/admin/lookup?target={HOST}/broken"),
    "operator: look up, no URL": as_operator("/admin/lookup?target=http:"),
    "operator: suspects": as_operator("/admin/suspects"),
    "operator: removals": as_operator("/admin/removals"),
    "operator: complaints": as_operator("/admin/complaints"),
    "operator: quarantine": as_operator("/admin/quarantine"),
    "operator: index": as_operator("/admin/index"),
    "operator: queries": as_operator("/admin/queries"),
    "operator: synonyms": as_operator("/admin/synonyms"),
    "operator: pins": as_operator("/admin/pins"),
    "operator: tokens": as_operator("/admin/tokens"),
    "operator: a query begins a line": as_operator("/admin/synonyms?add=evnt+loop"),
    "operator: labels": as_operator("/admin/labels"),
}
# Over a data folder in which all that they show has happened to a host.
OF_OWNER: Mapping[str, Steps] = {
    "owner: come in": logged_out(opened("/owner")),
    "owner: no host": logged_out(opened("/owner?host=http://never.example")),
    "owner: show it": logged_out(opened(f"/owner?host={HOST}")),
    "owner: overview": as_owner(""),
    "owner: your hosts": as_owner("/owner"),
    "owner: errors": as_owner("/errors"),
    "owner: broken links": as_owner("/links"),
    "owner: titles": as_owner("/titles"),
    "owner: left out": as_owner("/skipped"),
    "owner: removals": as_owner("/removals?done=1"),
    "owner: complaint": as_owner("/complaint"),
}
