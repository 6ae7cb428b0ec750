"""The search for programs."""

from dataclasses import replace
from ipaddress import ip_network

import pytest

from engine.config import ServerConfig
from engine.index.query.clauses import Role
from engine.index.searching.score_explanation import ClauseExplanation, ScoreExplanation
from engine.index.searching.term_explanation import TermExplanation, WordExplanation
from engine.index.searching.url_explanation import RankExplanation
from engine.linkgraph.inlinks import Inlinks
from engine.middleware.identity import Identity
from engine.suggest.completing import Completion
from search_ui.app import create_app
from search_ui.search_request import MAX_TYPED
from tests.search_ui.asgi import Asking
from tests.search_ui.conftest import IDENTITY, PLAIN, Searcher, Site


def test_the_shape(site: Site) -> None:
    site.searcher.known["one"] = [replace(PLAIN, title="Ein Netz für „Lycosa“", language="de")]
    answer = site.get("/api/search?q=one")
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.json() == {
        "query": "one",
        "total": 1,
        "page": 1,
        "took_ms": 12.3,
        "notes": [],
        "did_you_mean": "",
        "sites": [],
        "hits": [
            {
                "url": "https://docs.example.org/guide/page-1.html",
                "link": "https://docs.example.org/guide/page-1.html",
                "title": "Ein Netz für „Lycosa“",
                "section": "",
                "fragment": "",
                "snippet": "A spider waits in its burrow.",
                "marks": [[2, 8]],
                "score": 12.5,
                "inlinks": 3,
                "language": "de",
                "date": "",
                "fetched_at": "2026-05-02T10:20:30+00:00",
                "copies": 0,
                "copy_urls": [],
                "pinned": False,
                "more_from_host": 0,
                "sitelinks": [],
            }
        ],
    }


@pytest.mark.requirement(296)
def test_a_note_has_a_kind_for_programs_and_a_sentence_for_people(site: Site) -> None:
    assert site.get("/api/search?q=noted").json()["notes"] == [
        {
            "kind": "partial-matches",
            "input": "",
            "limit": 0,
            "text": "No page has all of these words. These have some of them.",
        }
    ]


@pytest.mark.parametrize(
    ("fields", "first", "count", "why"),
    [
        ("", "Page 1", 10, "ten by default"),
        ("&size=3&page=2", "Page 4", 3, "page 2 begins where page 1 ends"),
        ("&size=100", "Page 1", 25, "all there are"),
        ("&page=3", "Page 21", 5, "the rest"),
    ],
)
def test_page_and_size(site: Site, fields: str, first: str, count: int, why: str) -> None:
    hits = site.get("/api/search?q=a" + fields).json()["hits"]
    assert (hits[0]["title"], len(hits)) == (first, count), why


@pytest.mark.parametrize(("fields", "fold"), [("", True), ("&fold=1", True), ("&fold=0", False)])
def test_programs_can_have_all_of_a_host(site: Site, fields: str, fold: bool) -> None:
    site.get("/api/search?q=a" + fields)
    assert site.searcher.folded[-1] is fold


def test_a_page_past_the_last_is_empty(site: Site) -> None:
    answer = site.get("/api/search?q=a&page=50").json()
    assert (answer["total"], answer["hits"]) == (25, [])


def test_half_a_character_is_still_json(site: Site) -> None:
    site.searcher.known["half"] = [replace(PLAIN, title="a\ud800b")]
    assert site.get("/api/search?q=half").json()["hits"][0]["title"] == "a?b"


@pytest.mark.parametrize(
    ("target", "method", "status", "detail"),
    [
        ("/api/search", "GET", 400, "“q” must contain"),
        ("/api/search?q=%00", "GET", 400, "“q” must contain"),
        ("/api/search?q=" + (MAX_TYPED + 1) * "a", "GET", 400, "“q” may have at most 1,000"),
        ("/api/search?q=a&page=abc", "GET", 400, "“page” must be a whole number from 1 to 100"),
        ("/api/search?q=a&size=101", "GET", 400, "“size” must be a whole number from 1 to 100"),
        ("/api/search?q=a&size=-1", "GET", 400, "“size” must be a whole number"),
        ("/api/search?q=a&fold=no", "GET", 400, "“fold” must be 0 or 1"),
        ("/api/search?q=missing", "GET", 503, "Nothing is indexed yet. To start: scrapy crawl web"),
        ("/api/search?q=damaged", "GET", 503, "The index cannot be read"),
        ("/api/search?q=broken", "GET", 500, "Something went wrong"),
        ("/api/explain?q=a", "GET", 400, "“url” must be the full address"),
        ("/api/explain?q=a&url=mailto:a", "GET", 400, "“url” must be the full address"),
        ("/api/explain?url=http://a.example/", "GET", 400, "“q” must contain"),
        ("/api/explain?q=a&url=http://a.example/", "GET", 404, "The index does not have this page"),
        ("/api/explain?q=missing&url=http://a.example/", "GET", 503, "Nothing is indexed yet."),
        ("/api/search?q=a", "POST", 405, "does not support this method"),
        ("/api/nothing", "GET", 404, "There is no page at this address"),
    ],
)
def test_problem_documents(site: Site, target: str, method: str, status: int, detail: str) -> None:
    """RFC 9457."""
    answer = site.get(target, method)
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    problem = answer.json()
    assert set(problem) == {"type", "title", "status", "detail"}
    assert (problem["type"], problem["status"]) == ("about:blank", status)
    assert detail in problem["detail"]
    assert "secret" not in answer.text


@pytest.mark.requirement(297)
@pytest.mark.parametrize(
    ("typed", "suggested", "why"),
    [
        ("fern", ["fern", ["fern one", "fern two"]], "as OpenSearch has it"),
        ("%D0%BC%D0%B8%D1%80", ["мир", ["мир one", "мир two"]], "any script"),
        ("", ["", []], "nothing is typed yet"),
    ],
)
def test_suggestions(site: Site, typed: str, suggested: list[object], why: str) -> None:
    answer = site.get(f"/api/suggest?q={typed}")
    assert (answer.json()[:2], answer.headers["Content-Type"]) == (
        suggested,
        "application/x-suggestions+json",
    ), why


@pytest.mark.requirement(298)
@pytest.mark.parametrize(
    ("address", "leads", "why"),
    [
        (
            "https://a.example/b/%C3%A9.html#c",
            ("a.example › b › é.html", "https://a.example/b/%C3%A9.html#c"),
            "to a place on a page",
        ),
        ("", ("", f"{IDENTITY.public_url}/search?q=web+one"), "to the hits"),
        (
            "javascript:alert(1)",
            ("", f"{IDENTITY.public_url}/search?q=web+one"),
            "to nothing that is no web page",
        ),
    ],
)
def test_where_suggestions_lead(
    site: Site, monkeypatch: pytest.MonkeyPatch, address: str, leads: tuple[str, str], why: str
) -> None:
    """OpenSearch Suggestions 1.0: descriptions, then addresses."""
    monkeypatch.setattr(site.searcher, "complete", lambda words: [Completion(f"{words} one", address)])
    assert site.get("/api/suggest?q=web").json() == ["web", ["web one"], [leads[0]], [leads[1]]], why


def test_suggestions_of_no_index_are_a_problem(site: Site) -> None:
    assert site.get("/api/suggest?q=missing").status_code == 503


@pytest.mark.requirement(309)
def test_why_a_page_stands_where_it_does(site: Site) -> None:
    """The URL as its canonical form, whatever its spelling."""
    stand = TermExplanation("amber", 1.0, "title", 1, 3, 8.0)
    part = ClauseExplanation(
        Role.MUST, "Amber", True, 9.0, 0.0, (WordExplanation("amber", 4, 3, 2.0, 8.0, 9.0, (stand,)),)
    )
    account = ScoreExplanation((part,), 1.0, True, 8.5, {"exact_form": 1.0}, 0.25, 0.1, 9.75, 3, True)
    url = "http://a.example/"
    site.searcher.ranks[url] = RankExplanation(url, "Amber", account, 4, 5, 6, False, Inlinks(7, 2, 0.1), ())
    answer = site.get("/api/explain?q=Amber&url=HTTP://A.example:80").json()
    assert (answer["url"], answer["score"], answer["missing"]) == (url, 9.75, [])
    assert (answer["rank"], answer["uncollapsed_rank"], answer["total"]) == (4, 5, 6)
    assert answer["gains"] == {"exact_form": 1.0}
    assert answer["inlinks"] == {"pages": 7, "voters": 2, "votes": 0.1}
    (word,) = answer["clauses"][0]["words"]
    assert word["terms"] == [stand._asdict()]
    assert (answer["clauses"][0]["role"], word["idf"]) == ("must", 2.0)


@pytest.mark.parametrize(
    ("here", "why"),
    [
        ("http://127.0.0.1:8000", "the address at which the connection arrived"),
        ("http://[::1]:8000", "one of IPv6 has brackets in a URL (RFC 3986, 3.2.2)"),
    ],
)
def test_without_a_public_url_addresses_are_those_of_this_server(here: str, why: str) -> None:
    """Whatever the client has for a Host."""
    asking = Asking(create_app(Searcher(), lambda: None, Identity("", ""), ServerConfig()), "127.0.0.1")
    described = asking.get(f"{here}/opensearch.xml", {"Host": "localhost"}).text
    assert f'template="{here}/search?q=' in described, why
    assert "localhost" not in described


@pytest.mark.parametrize("path", ["/opensearch.xml", "/search.rss?q=spider"])
@pytest.mark.parametrize(
    ("proxies", "base", "why"),
    [
        (("127.0.0.1/32",), "https://search.example", "a trusted proxy with TLS before us"),
        ((), "http://127.0.0.1:8000", "no proxy is trusted"),
    ],
)
def test_behind_a_proxy_addresses_are_those_that_it_was_asked_for(
    path: str, proxies: tuple[str, ...], base: str, why: str
) -> None:
    serving = ServerConfig(trusted_proxies=tuple(map(ip_network, proxies)), allowed_hosts=("search.example",))
    asking = Asking(create_app(Searcher(), lambda: None, Identity("", ""), serving), "127.0.0.1")
    headers = {"Host": "search.example", "X-Forwarded-Proto": "https"}
    said = asking.get(f"http://127.0.0.1:8000{path}", headers).text
    assert f"{base}/" in said, why
    assert ({"https://search.example", "http://127.0.0.1:8000"} - {base}).pop() not in said
