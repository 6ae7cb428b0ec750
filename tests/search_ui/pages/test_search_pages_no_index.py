"""The pages before there is an index, and while a crawl runs."""

import pytest

from engine.monitor.progress import Progress
from engine.search import SearchViews
from search_ui.app import create_app
from tests.search_ui.conftest import CRAWL, IDENTITY, Searcher, Site, answering
from tests.search_ui.pages.test_search_pages import attribute, parse, texts


@pytest.mark.parametrize(
    ("crawl", "retry", "why"),
    [(None, None, "nothing will change by itself"), (CRAWL, "5", "the first pages come soon")],
)
def test_no_index_says_when_to_ask_again(
    site: Site, crawl: Progress | None, retry: str | None, why: str
) -> None:
    """RFC 9110, section 10.2.3."""
    site.crawl = crawl
    assert site.get("/search?q=missing").headers.get("Retry-After") == retry, why


@pytest.mark.parametrize("language", ["en", "fa", "pl", "ru", "zh"])
def test_a_damaged_index_is_told_of_in_each_language(site: Site, language: str) -> None:
    """With no word of where it lies."""
    answer = site.get(f"/search?q=damaged&hl={language}")
    assert answer.status_code == 503
    assert "g000001" not in answer.text
    assert ("cannot be read" in answer.text) == (language == "en")


def test_no_index_says_how_to_start(site: Site) -> None:
    answer = site.get("/search?q=missing")
    assert answer.status_code == 503
    assert texts(answer.text, "pre") == ["scrapy crawl web -a seeds=https://www.example.org/"]
    assert attribute(answer.text, "#q", "value") == "missing"


@pytest.mark.parametrize(
    ("target", "shown", "refreshed", "why"),
    [
        ("/", True, [], "home tells, and stays still for who is typing"),
        ("/search?q=a", True, [], "hits tell, and stay still for who is reading"),
        ("/search?q=nothing", True, ["/search?q=nothing"], "there may be hits soon"),
        ("/search?q=missing", True, ["/search?q=missing"], "there may be an index soon"),
        ("/nothing-here", False, [], "a problem is not about the crawl"),
    ],
)
def test_a_crawl_that_runs_is_told(
    site: Site, target: str, shown: bool, refreshed: list[str], why: str
) -> None:
    site.crawl = CRAWL
    page = site.get(target).text
    told = "Crawling now: 1,204 pages read, 880 waiting. Failed: 3. 4.0 a second, about 4 min left."
    assert texts(page, ".progress") == ([told] if shown else []), why
    assert [node.attributes["href"] for node in parse(page).css("[data-again='5']")] == refreshed, why


@pytest.mark.parametrize(
    ("crawl", "told", "why"),
    [
        (None, [], "no crawl"),
        (Progress(False, 9, 0, 0, 0.0), [], "a crawl that has ended"),
        (Progress(True, 1, 0, 0, 0.0), ["Crawling now: 1 page read, 0 waiting."], "it has just begun"),
    ],
)
def test_progress(site: Site, crawl: Progress | None, told: list[str], why: str) -> None:
    site.crawl = crawl
    for target in ("/", "/search?q=nothing", "/search?q=missing"):
        assert texts(site.get(target).text, ".progress") == told, why


def test_nothing_is_told_of_a_crawl_that_has_hidden_pages() -> None:
    """Its numbers count them."""
    views = SearchViews(lambda _: Searcher())  # type: ignore[arg-type,return-value]
    with answering(create_app(views, lambda: CRAWL, IDENTITY)) as client:
        assert texts(client.get("/").text, ".progress") == []
