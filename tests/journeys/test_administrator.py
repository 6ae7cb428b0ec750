"""Who keeps it running: a night in which a host dies, what is said of it, and a backup for worse nights."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.journeys.checkout import Checkout
from tests.journeys.operator import logged_in
from tests.receivers import Webhook, webhook
from tests.running import ask
from tests.web.scripted import Route, Site, anchors, html, prose, scripted_web

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.long, pytest.mark.chromium, pytest.mark.git]

QUERIES = ("turbine", "turbine -blade", '"turbine page 3"')


def pages(name: str) -> dict[str, Route]:
    """Four pages: a small site, whose death is to be noticed all the same."""
    paths = [f"/{number}" for number in range(1, 4)]
    found = {
        path: html(f"{name} {path}", f"<p>turbine page {path[1:]}</p>{prose(name + path)}") for path in paths
    }
    return {"/": html(name, prose(name) + anchors(paths)), **found}


def configured(checkout: Checkout, sites: list[Site], hook: str) -> None:
    checkout.scrapy("init")
    seeds = ", ".join(f'"{site.url("/")}"' for site in sites)
    checkout.configure(
        ('seeds = ["https://www.example.org/"]', f"seeds = [{seeds}]"),
        ("# own = false ", "own = true "),
        ('# webhook = "https://chat.example.org/hook"', f'webhook = "{hook}"'),
    )


def answers(address: str) -> list[Any]:
    """What each query finds, in which order."""
    found = [ask(address, query) for query in QUERIES]
    return [
        (one["total"], [(hit["url"], hit["title"], hit["score"]) for hit in one["hits"]]) for one in found
    ]


@pytest.mark.requirement(61, 62, 86, 256, 257)
def test_from_a_clone_to_the_morning_after(checkout: Checkout, browser: "Browser") -> None:
    with (
        webhook() as hook,
        scripted_web(pages("intranet"), "127.31.4.4") as steady,
        scripted_web(pages("archive"), "127.31.4.6") as quiet,
    ):
        with scripted_web(pages("wiki"), "127.31.4.5") as dying:
            configured(checkout, [steady, quiet, dying], hook.url)
            assert "webhook: sent" in checkout.scrapy("alerts", "test")
            checkout.crawl()
        hook.posted.clear()
        checkout.crawl()
        told(hook, dying, "open")
        with checkout.serving() as address, logged_in(checkout, browser, address) as tab:
            sees_what_happened(tab, dying)
            pauses_and_releases(checkout, tab, steady)
            with scripted_web(pages("wiki"), dying.address, dying.port):
                tries_again(checkout, tab, dying)
            told(hook, dying, "open", "over")
            tab.get_by_role("link", name="Overview").click()
            tab.get_by_text("No alarm is open").wait_for()
            saves_and_restores(checkout, address)


def told(hook: Webhook, host: Site, *states: str) -> None:
    """Each once, and of this host alone."""
    assert [(one["status"], one["kind"], one["subject"]) for one in hook.posted] == [
        (state, "host-down", host.url("")) for state in states
    ]


def sees_what_happened(tab: "Page", dying: Site) -> None:
    """On the overview what is wrong and what to do, under failed URLs which."""
    tab.reload()
    tab.get_by_role("heading", name=f"{dying.url('')} is down").wait_for()
    tab.get_by_role("link", name="Failed URLs").click()
    row = tab.get_by_role("row", name=dying.url("")).first
    row.wait_for()
    assert "refused" in row.inner_text()


def pauses_and_releases(checkout: Checkout, tab: "Page", steady: Site) -> None:
    """While its machine is upgraded; nothing is lost."""
    tab.get_by_role("link", name="Hosts").click()
    tab.get_by_role("button", name=f"Pause {steady.url('')}").click()
    tab.get_by_role("heading", name="Paused").wait_for()
    seen = len(steady.log)
    checkout.crawl()
    assert len(steady.log) == seen
    tab.get_by_role("link", name="Hosts").click()
    tab.get_by_role("button", name=f"Release {steady.url('')}").click()
    tab.get_by_role("status").wait_for()
    assert tab.get_by_role("heading", name="Paused").count() == 0


def tries_again(checkout: Checkout, tab: "Page", dying: Site) -> None:
    """The host is back, and who mended it does not wait for its next try."""
    tab.get_by_role("link", name="Hosts").click()
    tab.get_by_role("button", name=f"Recrawl {dying.url('')}").click()
    tab.get_by_role("status").wait_for()
    checkout.crawl()


def saves_and_restores(checkout: Checkout, address: str) -> None:
    """Elsewhere it answers the same; so do the databases that were shortened, while they are searched."""
    before = answers(address)
    assert before[0][0] == 9
    checkout.scrapy("backup", "lycosa.tar")
    checkout.scrapy("vacuum")
    assert answers(address) == before
    elsewhere = ("-s", "DATA_DIR=restored")
    checkout.scrapy("restore", "lycosa.tar", *elsewhere)
    with checkout.serving("--port", "0", *elsewhere) as restored:
        assert answers(restored) == before
