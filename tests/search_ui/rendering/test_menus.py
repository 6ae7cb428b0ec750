"""What hits can be narrowed down to, on the page and for programs."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from urllib.parse import parse_qs, quote, urlsplit

import pytest

from engine.model.narrowing import FacetCount, Facets, Sort
from search_ui.rendering import menus
from search_ui.rendering.translations import format_date_medium
from search_ui.search_request import MAX_CHOSEN
from tests.search_ui.conftest import CRAWL, PLAIN, Site
from tests.search_ui.pages.test_search_pages import SCRIPT, attribute, links, texts

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
TODAY = NOON.date()
WEEK = (TODAY - timedelta(7)).isoformat()
SHARES = {
    "host": [FacetCount("docs.example.org", 21), FacetCount("b.example:81", 4)],
    "lang": [FacetCount("fa", 24), FacetCount("tlh", 1)],
    "type": [FacetCount("html", 25)],
    "after": [FacetCount(WEEK, 9), FacetCount((TODAY - timedelta(30)).isoformat(), 25)],
}


@pytest.fixture(autouse=True)
def no_midnight(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is noon, however long the tests take."""
    monkeypatch.setattr(menus, "datetime", SimpleNamespace(now=NOON.astimezone))


@pytest.fixture
def narrow(site: Site) -> Site:
    site.searcher.facets = Facets(SHARES)
    return site


def test_a_menu_has_what_leaves_some_hits_out(narrow: Site) -> None:
    """All are web pages, and of the past month: to choose that would change nothing."""
    page = narrow.get("/search?q=a+b").text
    assert texts(page, ".narrow summary") == ["Site", "Language", "Date"]
    assert texts(page, ".narrow li") == [
        *("docs.example.org 21", "b.example:81 4", "فارسی 24", "tlh 1", "past week 9")
    ]
    assert links(page, ".narrow li a")[1:3] == [
        "/search?q=a+b&host=b.example%3A81",
        "/search?q=a+b&lang=fa",
    ]
    assert texts(page, ".chosen") == []


def test_what_is_chosen_can_be_taken_back(narrow: Site) -> None:
    page = narrow.get(f"/search?q=a&host=docs.example.org&after={WEEK}&sort=date&lang=").text
    assert texts(page, ".chosen bdi") == ["Site: docs.example.org", "Date: past week"]
    assert links(page, ".chosen") == [
        f"/search?q=a&after={WEEK}&sort=date",
        "/search?q=a&host=docs.example.org&sort=date",
    ]
    assert texts(page, ".narrow summary") == ["Language"]
    assert (
        links(page, ".narrow li a")[0] == f"/search?q=a&host=docs.example.org&lang=fa&after={WEEK}&sort=date"
    )


def test_labels_of_sites_are_a_menu_of_their_own(narrow: Site) -> None:
    narrow.searcher.facets = Facets({"label": [FacetCount("Manuals & <b>", 7)], **SHARES})
    page = narrow.get("/search?q=a").text
    assert texts(page, ".narrow summary") == ["Collection", "Site", "Language", "Date"]
    assert links(page, ".narrow li a")[0] == "/search?q=a&label=Manuals+%26+%3Cb%3E"
    page = narrow.get("/search?q=a&label=Manuals+%26+%3Cb%3E&lang=fa").text
    assert texts(page, ".chosen bdi")[0] == "Collection: Manuals & <b>"
    assert links(page, ".chosen")[0] == "/search?q=a&lang=fa"


def test_hits_by_relevance_and_by_date(narrow: Site) -> None:
    page = narrow.get("/search?q=a&lang=fa").text
    assert texts(page, ".sort") == ["Sort by relevance date"]
    assert links(page, ".sort a") == ["/search?q=a&lang=fa&sort=date"]
    page = narrow.get("/search?q=a&lang=fa&sort=date").text
    assert texts(page, ".sort b[aria-current]") == ["date"]
    assert links(page, ".sort a") == ["/search?q=a&lang=fa"]


@pytest.mark.requirement(306)
def test_following_next_keeps_what_was_chosen(narrow: Site) -> None:
    """Paging without gaps, of what is left."""
    seen: list[str] = []
    target: str | None = "/search?q=a&host=docs.example.org&sort=date"
    while target:
        assert (
            parse_qs(urlsplit(target).query).items()
            >= {"host": ["docs.example.org"], "sort": ["date"]}.items()
        )
        page = narrow.get(target).text
        seen += texts(page, ".hit h2")
        target = next(iter(links(page, "a[rel=next]")), None)
    assert seen == [f"Page {number}" for number in range(1, 26)]
    page = narrow.get("/search?q=a&host=docs.example.org&page=9").text
    assert links(page, "main p a") == ["/search?q=a&host=docs.example.org"]


def test_what_was_meant_is_asked_of_what_was_chosen(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site.searcher, "meant", {"spidr": "spider"})
    page = site.get("/search?q=spidr&lang=fa&sort=date").text
    assert links(page, ".note a") == ["/search?q=spider&lang=fa&sort=date"]


def test_what_left_nothing_can_be_taken_back(narrow: Site) -> None:
    page = narrow.get("/search?q=nothing&type=pdf").text
    assert (texts(page, ".chosen bdi"), links(page, ".chosen")) == (["Type: PDF"], ["/search?q=nothing"])
    assert texts(page, ".sort") == []
    assert texts(narrow.get("/search?q=nothing").text, ".narrow") == []


def test_guesses_say_so(site: Site) -> None:
    site.searcher.facets = Facets(
        {"host": [FacetCount("a.example", 12_000), FacetCount("b.example", 3)]}, exact=False
    )
    site.searcher.known["many"] = [PLAIN] * 20_000
    page = site.get("/search?q=many").text
    assert texts(page, ".narrow li") == ["a.example about 12,000", "b.example about 3"]


@pytest.mark.requirement(298)
def test_a_strangers_host_is_text(site: Site) -> None:
    site.searcher.facets = Facets({"host": [FacetCount(SCRIPT, 1)]})
    page = site.get("/search?q=a").text
    assert texts(page, ".narrow li bdi") == [SCRIPT]
    assert texts(page, ".narrow :is(script, img, [onerror])") == []


MALFORMED = [
    ("host=a%20b", "“host” must be a host, such as docs.example.org."),
    ("host=" + quote(SCRIPT), "“host” must be a host"),
    ("host=" + (MAX_CHOSEN + 1) * "a", "“host” must be a host"),
    ("host=a.example/x", "“host” must be a host"),
    ("label=" + (MAX_CHOSEN + 1) * "a", "“label” must be a name that the operator gave to a group of sites."),
    ("label=unknown", None),
    ("lang=english", "“lang” must be a language code"),
    ("lang=%00", None),
    ("type=exe", "“type” must be one of html, txt, md, docx, pptx, xlsx, odt, ods, odp, rtf, epub, pdf."),
    ("after=2024-02-30", "“after” must be a date"),
    ("sort=random", "“sort” must be relevance or date."),
    ("facets=2", "“facets” must be 0 or 1."),
    ("sort=&host=&facets=0", None),
]


@pytest.mark.parametrize(("fields", "detail"), MALFORMED)
def test_malformed_choices(site: Site, fields: str, detail: str | None) -> None:
    """The same on the page and for programs; an empty field chooses nothing."""
    answer = site.get(f"/api/search?q=a&{fields}")
    assert site.get(f"/search?q=a&{fields}").status_code == answer.status_code
    if detail is None:
        assert answer.status_code == 200
    else:
        assert answer.status_code == 400
        assert detail in answer.json()["detail"]


def test_programs_ask_for_counts(narrow: Site) -> None:
    assert "facets" not in narrow.get("/api/search?q=a").json()
    found = narrow.get("/api/search?q=a&facets=1&lang=en&sort=date").json()["facets"]
    assert (found["exact"], [*found]) == (True, ["exact", "host", "lang", "type", "after"])
    assert found["host"][1] == {"value": "b.example:81", "hits": 4}


def test_a_choice_is_not_refreshed_away(site: Site) -> None:
    """The page that looks again while a crawl runs asks for the same."""
    site.crawl = CRAWL
    page = site.get("/search?q=nothing&lang=fa").text
    assert attribute(page, "[data-again]", "href") == "/search?q=nothing&lang=fa"


@pytest.mark.parametrize(
    ("field", "value", "label"),
    [
        ("after", TODAY.isoformat(), f"since {format_date_medium(TODAY)}"),
        ("after", "2024-05", "since 2024-05"),
        ("lang", "pl", "Polski"),
        ("lang", "xx", "xx"),
        ("type", "docx", "Word"),
        ("type", "pptx", "PowerPoint"),
        ("type", "ods", "OpenDocument spreadsheet"),
        ("host", "html", "html"),
    ],
)
def test_labels(field: str, value: str, label: str) -> None:
    assert menus.format_value(field, value) == label


def test_every_order_has_a_name(site: Site) -> None:
    assert len(texts(site.get("/search?q=a").text, ".sort a, .sort b")) == len(Sort)
