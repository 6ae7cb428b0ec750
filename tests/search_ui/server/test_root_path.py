"""The search page below a path of another site: no address in any answer leaves it."""

from collections.abc import Iterator

import httpx
import pytest

from engine.errors import EngineError
from engine.middleware.identity import Identity
from search_ui.app import create_app
from search_ui.server.root_path import split_public_url
from tests.search_ui.asgi import Asking
from tests.search_ui.conftest import Searcher
from tests.search_ui.hit_corpus import ROOMS
from tests.search_ui.root_path import ROOT_PATH, below_a_path, is_below, list_addresses

PUBLIC_URL = f"https://www.example.org{ROOT_PATH}"
HIT = f"url={ROOMS.url}&q=amber"
# Each route, as it is asked here, and what it answers.
TARGETS = {
    "/": ("/", 200),
    "/search": ("/search?q=amber&hl=pl", 200),
    "/text": (f"/text?{HIT}", 200),
    "/why": (f"/why?{HIT}", 200),
    "/submit": ("/submit?url=http://a.example/", 200),
    "/embed": ("/embed", 200),
    "/robot": ("/robot", 200),
    "/robot.json": ("/robot.json", 200),
    "/robot/check": ("/robot/check", 200),
    "/api/": ("/api/", 200),
    "/api/openapi.json": ("/api/openapi.json", 200),
    "/api/search": ("/api/search?q=amber", 200),
    "/api/explain": (f"/api/explain?{HIT}", 200),
    "/api/suggest": ("/api/suggest?q=am", 200),
    "/api/submit": ("/api/submit?url=http://a.example/", 200),
    "/api/recrawl": ("/api/recrawl", 405),
    "/api/recrawl/{id}": ("/api/recrawl/none", 401),
    "/search.rss": ("/search.rss?q=amber", 200),
    "/opensearch.xml": ("/opensearch.xml", 200),
    "/health": ("/health", 200),
    "/health/ready": ("/health/ready", 200),
    "/metrics": ("/metrics", 200),
    "/favicon.ico": ("/favicon.ico", 200),
    "/robots.txt": ("/robots.txt", 200),
    "/static/embed.js": ("/static/embed.js", 200),
    "/static": ("/static/style.css", 200),
}
PROBLEMS = {
    "/search?q=a&page=0": 400,
    "/search?q=nothing+at+all": 200,
    "/nothing": 404,
    "/api/nothing": 404,
    "/static/": 404,
}
ASKED = {**dict(TARGETS.values()), **PROBLEMS}
WITH_OUR_ADDRESSES = ("/opensearch.xml", "/search.rss?q=amber", "/api/suggest?q=am", "/robot.json")


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with below_a_path(tmp_path_factory.mktemp("below"), PUBLIC_URL) as client:
        yield client


def test_the_table_has_every_route() -> None:
    paths = {
        getattr(route, "path", "") for route in create_app(Searcher(), lambda: None, Identity("")).routes
    }
    assert paths == set(TARGETS)


@pytest.mark.parametrize(("target", "status"), ASKED.items())
def test_answers_are_the_same_whether_a_proxy_strips_the_path_or_not(
    below: httpx.Client, target: str, status: int
) -> None:
    stripped, kept = below.get(target), below.get(ROOT_PATH + target)
    assert (stripped.status_code, kept.status_code) == (status, status)
    if target.partition("?")[0] not in ("/metrics", "/search", "/api/search"):  # those tell counts and times
        assert stripped.text == kept.text
    assert stripped.headers["content-type"] == kept.headers["content-type"]


@pytest.mark.parametrize("target", ASKED)
def test_no_address_leaves_the_path(below: httpx.Client, target: str) -> None:
    answer = below.get(target)
    found = [
        url
        for url in list_addresses(answer, PUBLIC_URL + target)
        if url.startswith("https://www.example.org/")
        or not answer.headers["content-type"].startswith("text/html")
    ]
    assert [url for url in found if not is_below(url, PUBLIC_URL)] == []
    if "html" in answer.headers["content-type"]:
        assert len(found) >= 2, "the style sheet and the way home at least"
    if target in WITH_OUR_ADDRESSES:
        assert any(url.startswith(f"{PUBLIC_URL}/") for url in found)


def test_forms_and_errors_stay_below_it(below: httpx.Client) -> None:
    refused = below.post(
        "/submit", data={"url": "http://a.example/"}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert (refused.status_code, f"our own page: {ROOT_PATH}/submit." in refused.text) == (403, True)
    checked = below.post("/robot/check", data={"robots": "User-agent: *\nDisallow: /", "url": "http://a.b/"})
    assert f'action="{ROOT_PATH}/robot/check"' in checked.text


def test_a_server_error_has_no_address_outside_either() -> None:
    app = create_app(Searcher(), lambda: None, Identity("", PUBLIC_URL))
    for target in ("/search?q=broken", f"{ROOT_PATH}/search?q=broken"):
        answer = Asking(app).get(target, {"Host": "www.example.org"})
        assert (answer.status_code, f'href="{ROOT_PATH}/"' in answer.text) == (500, True)
        assert 'href="/"' not in answer.text
    told = Asking(app).get(f"{ROOT_PATH}/api/search?q=broken").headers["content-type"]
    assert told == "application/problem+json", "programs are told by the path that we are below"


def test_the_choice_of_a_language_is_kept_for_this_path_alone(below: httpx.Client) -> None:
    assert f"; Path={ROOT_PATH}/; " in below.get("/?hl=pl").headers["set-cookie"]


def test_the_api_names_its_server(below: httpx.Client) -> None:
    assert below.get("/api/openapi.json").json()["servers"] == [{"url": ROOT_PATH}]


def test_only_who_has_a_host_alone_decides_about_its_transport(below: httpx.Client) -> None:
    assert "strict-transport-security" not in below.get("/").headers


@pytest.mark.parametrize(
    ("root_path", "target", "why"),
    [
        ("/find", "/find", "the slash was forgotten"),
        ("/find", "/find/", "home"),
        ("/a/find", "/a/find", "a path of two parts"),
        ("/a/search", "/a/search/", "a name of ours further down"),
        ("/searching", "/", "a name that begins as ours"),
    ],
)
def test_home_is_found(root_path: str, target: str, why: str) -> None:
    app = create_app(Searcher(), lambda: None, Identity("", f"https://www.example.org{root_path}"))
    answer = Asking(app).get(target)
    assert (answer.status_code, f'action="{root_path}/search"' in answer.text) == (200, True), why


@pytest.mark.parametrize("root_path", ["/api", "/static", "/robot", "/health"])
def test_a_path_that_hides_pages_of_ours_is_refused(root_path: str) -> None:
    """Of /api/search nobody could tell whether it is the API's or, below /api, the page of results."""
    with pytest.raises(EngineError, match=f"public_url: {root_path} is a path of the search page's own"):
        create_app(Searcher(), lambda: None, Identity("", f"https://www.example.org{root_path}"))


@pytest.mark.parametrize(
    ("public_url", "origin", "root_path"),
    [
        ("", "", ""),
        ("https://a.example", "https://a.example", ""),
        ("https://a.example:8443/b/c", "https://a.example:8443", "/b/c"),
    ],
)
def test_origin_and_root_path(public_url: str, origin: str, root_path: str) -> None:
    assert split_public_url(public_url) == (origin, root_path)
