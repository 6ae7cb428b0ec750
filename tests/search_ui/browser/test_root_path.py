"""Below a path of another site, behind nginx: a browser comes to every page, and asks for nothing else."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest

from benchmarks.sites import free_address, nginx
from tests.search_ui.conftest import without_complaints
from tests.search_ui.root_path import ROOT_PATH, below_a_path

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

pytestmark = [pytest.mark.chromium, pytest.mark.nginx, pytest.mark.slow]
MOST_PAGES = 400
# Pages that links and forms lead to, whatever their query.
ALL = {"/", "/search", "/text", "/why", "/submit", "/embed", "/robot", "/robot.json", "/robot/check"}
FOR_PROGRAMS = {"/api/", "/api/openapi.json"}  # no page for people links to them


@pytest.fixture(scope="module", params=["stripped", pytest.param("kept", marks=pytest.mark.long)])
def public_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where nginx answers for Lycosa below a path, which it strips or passes on; all else is 404."""
    host, port = free_address("127.9.41.1")
    public_url = f"http://{host}:{port}{ROOT_PATH}"
    with below_a_path(tmp_path_factory.mktemp("below"), public_url) as client:
        upstream = str(client.base_url).rstrip("/") + "/" * (request.param == "stripped")
        location = (
            f"location {ROOT_PATH}/ {{ proxy_pass {upstream}; proxy_set_header Host $http_host; "
            "proxy_set_header X-Forwarded-For $remote_addr; }"
        )
        with nginx(f"server {{ listen {host}:{port}; {location} }}", [(host, port)]):
            yield public_url


@pytest.fixture
def outside(browser: "Browser", public_url: str) -> Iterator[tuple["Page", list[str]]]:
    """A tab, and what it asked for that is not below the path."""
    context = browser.new_context()
    tab, others = context.new_page(), list[str]()

    def note(asked: "Request") -> None:
        if not asked.url.startswith((f"{public_url}/", "data:", "about:")):
            others.append(asked.url)

    tab.on("request", note)
    with without_complaints(tab):
        yield tab, others
    context.close()


def test_every_page_leads_to_every_other(public_url: str, outside: tuple["Page", list[str]]) -> None:
    """Through all links of our own host; into other languages from home."""
    tab, others = outside
    home = f"{public_url}/"
    waiting, seen = [home, f"{public_url}/search?q=amber", f"{public_url}/api/"], set[str]()
    while waiting:
        url = waiting.pop()
        if url in seen:
            continue
        seen.add(url)
        assert len(seen) < MOST_PAGES, "pages without end"
        if url.endswith(".json"):  # for whose icon Chromium asks the host
            assert tab.request.get(url).status == 200, url
            continue
        answer = tab.goto(url)
        assert answer
        assert answer.status == 200, f"{url}, to which a link leads"
        hrefs = tab.eval_on_selector_all("a[href]", "all => all.map(one => one.getAttribute('href'))")
        links = [urldefrag(urljoin(url, href)).url for href in hrefs]
        ours = [link for link in links if urlsplit(link).netloc == urlsplit(public_url).netloc]
        waiting += [link for link in ours if url == home or "hl=" not in link]
        assert home in links or url == home or "hl=" in url
    assert {urlsplit(url).path.removeprefix(ROOT_PATH) for url in seen} == ALL | FOR_PROGRAMS
    assert others == []


def test_what_scripts_and_forms_ask_stays_below_it(
    public_url: str, outside: tuple["Page", list[str]]
) -> None:
    tab, others = outside
    tab.goto(f"{public_url}/")
    tab.get_by_role("combobox").press_sequentially("ceda")
    tab.get_by_role("option").first.wait_for()
    tab.get_by_role("combobox").fill("amber")
    tab.keyboard.press("Enter")
    tab.wait_for_url(f"{public_url}/search?q=amber")
    tab.get_by_role("link", name="polski").click()
    tab.wait_for_url("**hl=pl")
    tab.goto(f"{public_url}/submit")
    assert tab.locator("html").get_attribute("lang") == "pl", "the cookie came back"
    tab.locator("#url").fill("http://a.example/new")
    tab.get_by_role("main").get_by_role("button").click()
    tab.locator("#submission").wait_for()
    tab.goto(f"{public_url}/robot/check")
    tab.locator("#robots").fill("User-agent: *")
    tab.locator("#url").fill("http://a.example/new")
    tab.get_by_role("main").get_by_role("button").click()
    tab.locator("#verdict").wait_for()
    assert others == []


def test_the_box_asks_below_it(public_url: str, outside: tuple["Page", list[str]]) -> None:
    tab, others = outside
    tab.goto(f"{public_url}/embed")
    tab.get_by_role("main").get_by_role("combobox").first.fill("amber")
    tab.keyboard.press("Enter")
    tab.get_by_role("main").get_by_role("listitem").first.wait_for()
    assert others == []


def test_a_folder_of_the_path_is_all_that_cookies_go_to(
    public_url: str, outside: tuple["Page", list[str]], tmp_path: Path
) -> None:
    tab, _ = outside
    tab.goto(f"{public_url}/?hl=fa")
    assert [cookie.get("path") for cookie in tab.context.cookies()] == [f"{ROOT_PATH}/"]
