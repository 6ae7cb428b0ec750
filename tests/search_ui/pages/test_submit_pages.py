"""Submission over HTTP: the form, the same for programs, what other sites may not do."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from ipaddress import ip_network
from pathlib import Path

import httpx
import pytest

from engine.config import ServerConfig
from engine.store import submissions
from search_ui.app import create_app
from search_ui.pages import submit_pages
from search_ui.pages.submit_pages import MAX_FORM_BYTES
from tests.crawling import HOST, states
from tests.running import WAIT_SECONDS, crawl, serving
from tests.search_ui.conftest import IDENTITY, Searcher, answering, submissions_of
from tests.search_ui.pages.test_search_pages import SCRIPT, attribute, first, links, texts
from tests.web.scripted import Answer, html, scripted_web


@contextmanager
def submit_client(folder: Path, public_url: str = IDENTITY.public_url) -> Iterator[httpx.Client]:
    """A client of a search page over a data folder."""
    submissions = submissions_of(folder)
    identity = replace(IDENTITY, public_url=public_url)
    app = create_app(
        Searcher(), lambda: None, identity, ServerConfig(allowed_hosts=("search.lan",)), submissions
    )
    with answering(app) as client:
        yield client
    submissions.close()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    with submit_client(tmp_path) as client:
        yield client


@pytest.fixture(scope="module")
def counter(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """One for all that comes: what was asked before is to harm nobody."""
    with submit_client(tmp_path_factory.mktemp("counter")) as client:
        yield client


def state(client: httpx.Client, url: str) -> str:
    """What programs are told of it."""
    answer = client.get("/api/submit", params={"url": url})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["state"])


@pytest.mark.requirement(7, 8)
@pytest.mark.parametrize(
    ("typed", "status", "heading", "word", "why"),
    [
        (f"{HOST}/x", 202, "It is queued", "queued", "requirement 7: in scope"),
        (f"  {HOST}:80/./x#a ", 202, "It is queued", "queued", "requirement 8: canonical"),
        ("http://o.example/", 202, "Waiting for the operator", "waiting", "out of scope"),
        (f"{HOST}/a.zip", 422, "It was refused", "unknown", "refused, with the reason"),
        ("http://127.0.0.1:22/", 422, "It was refused", "unknown", "the operator's own network"),
    ],
)
def test_the_form_and_the_api_say_the_same(
    tmp_path: Path, client: httpx.Client, typed: str, status: int, heading: str, word: str, why: str
) -> None:
    page = client.post("/submit", data={"url": typed})
    assert (page.status_code, first(page.text, "#submission").text()) == (status, heading), why
    assert state(client, typed) == word, why
    assert len(states(tmp_path)) == (word == "queued"), why
    for again in (
        client.post("/api/submit", data={"url": typed}),
        client.post("/api/submit", json={"url": typed}),
    ):
        assert again.status_code == status, why
        assert again.json().get("state", "unknown") == word, why
        assert again.headers["content-type"].startswith("application/")
    assert len(states(tmp_path)) == (word == "queued"), "requirement 8: still one entry"


@pytest.mark.requirement(8)
def test_a_refusal_says_why(client: httpx.Client) -> None:
    """In words, and as a problem document (RFC 9457) for programs."""
    page = client.post("/submit", data={"url": "http://router/admin"})
    assert "The reason: it is on a private network." in first(page.text, ".verdict").text()
    problem = client.post("/api/submit", json={"url": "http://router/admin"})
    assert problem.headers["content-type"] == "application/problem+json"
    assert problem.json()["detail"] == "Refused: it is on a private network."


def test_what_has_become_of_it_has_an_address(client: httpx.Client) -> None:
    page = client.post("/submit", data={"url": f"{HOST}/x?a=b&c=%26"}).text
    (address,) = [link for link in links(page, ".verdict a") if link]
    assert first(client.get(address).text, "#submission").text() == "It is queued"
    assert attribute(client.get(address).text, "#url", "value") == f"{HOST}/x?a=b&c=%26"
    assert (
        first(client.get("/submit", params={"url": f"{HOST}/y"}).text, "#submission").text()
        == "It is unknown"
    )
    assert texts(client.get("/submit").text, "#submission") == []
    assert "/submit" in links(client.get("/").text, "footer a")


HOSTILE = [
    "",
    "x" * 5_000,
    SCRIPT,
    f"http://h.example/{SCRIPT}",
    f'"><img src=x onerror=alert(1)>{HOST}',
    "javascript:alert(1)",
    "data:text/html,<script>",
    "http://u:p@h.example/",
    "http://[::1",
    "http://h.example:99999/",
    "http://h.example/\0\r\nSet-Cookie: a=b",
    "http://\u202eh.example/\u2066",
    "'; DROP TABLE urls; --",
    "{{ 7 * 7 }}",
    "http://xn--/",
    "http://%zz/",
    "file:///etc/passwd",
]


@pytest.mark.parametrize("typed", HOSTILE)
def test_hostile_addresses(counter: httpx.Client, typed: str) -> None:
    """A page and a document with a status of their own, and nothing of it comes back as markup."""
    for page in (counter.post("/submit", data={"url": typed}), counter.get("/submit", params={"url": typed})):
        assert page.status_code in (200, 202, 400, 422)
        assert "<script>" not in page.text
        assert "<img" not in page.text
        assert ">49<" not in page.text
    for answer in (
        counter.post("/api/submit", json={"url": typed}),
        counter.get("/api/submit", params={"url": typed}),
    ):
        assert answer.status_code in (200, 202, 400, 422)
        assert isinstance(answer.json(), dict)


@pytest.mark.parametrize(
    ("content", "kind", "status", "why"),
    [
        (b"", "", 415, "no body"),
        (b"url=http://h.example/", "text/plain", 415, "what a form of another site could send unasked"),
        (b"{", "application/json", 400, "no JSON"),
        (b"[" * 30_000, "application/json", 400, "nested without end"),
        (b"\xff", "application/json", 400, "no UTF-8"),
        (b"[]", "application/json", 400, "no object"),
        (b'{"url": 1}', "application/json", 400, "no text"),
        (b'{"url": "\\ud800"}', "application/json; charset=utf-8", 422, "half a character"),
        (b'{"url": "' + b"x" * MAX_FORM_BYTES + b'"}', "application/json", 413, "too large"),
        (b"url=%FF%00", "application/x-www-form-urlencoded", 422, "no UTF-8"),
        (b"url=&url=http://h.example/", "application/x-www-form-urlencoded", 202, "an empty field is none"),
        (b"&".join([b"url=x"] * 50), "application/x-www-form-urlencoded", 400, "too many fields"),
    ],
)
def test_hostile_bodies(counter: httpx.Client, content: bytes, kind: str, status: int, why: str) -> None:
    answer = counter.post("/api/submit", content=content, headers={"Content-Type": kind} if kind else {})
    assert answer.status_code == status, why
    assert counter.get("/submit?url=%FF%00%ED%A0%80").status_code == 400
    assert counter.get("/api/submit").status_code == 400
    assert counter.put("/submit").status_code == 405


@pytest.mark.slow
@pytest.mark.parametrize(
    ("headers", "status", "why"),
    [
        ({}, 202, "a program"),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "null"}, 202, "our own page, whatever else it hides"),
        ({"Sec-Fetch-Site": "none"}, 202, "typed by the person"),
        ({"Sec-Fetch-Site": "cross-site"}, 403, "a page of another site"),
        ({"Sec-Fetch-Site": "same-site"}, 403, "a neighbour under the same domain is another site"),
        ({"Origin": "http://search.lan:8000"}, 202, "our own page, without TLS"),
        ({"Origin": "https://search.example"}, 202, "our own page, as public_url says"),
        ({"Origin": "https://evil.example"}, 403, "another site"),
        ({"Origin": "http://search.lan:8001"}, 403, "another port is another site"),
        ({"Origin": "null"}, 403, "a page that hides where it is from"),
        ({"Origin": "http://["}, 403, "no origin"),
        ({"Origin": ""}, 403, "an empty one"),
        ({"Origin": "https://search.lan:8000"}, 403, "another scheme is another site"),
        ({"Origin": "http://search.example"}, 403, "likewise of public_url"),
        ({"Origin": "http://search.lan:8000@evil.example"}, 403, "our name in front of another's"),
        ({"Origin": "http://evil.example@search.lan:8000"}, 403, "a user's name is no part of an origin"),
        ({"Origin": "http://SEARCH.lan:8000"}, 202, "names have no case"),
        ({"Referer": "http://search.lan:8000/submit"}, 202, "a browser that sends no Origin, from our page"),
        ({"Referer": "https://evil.example/search.lan:8000"}, 403, "from another's"),
        ({"Referer": "about:blank"}, 403, "from nowhere"),
        ({"Origin": "http://search.lan:8000", "Referer": "https://evil.example/"}, 202, "Origin comes first"),
        ({"Sec-Fetch-Site": ""}, 403, "no value that there is"),
        (
            {"Sec-Fetch-Site": "cross-site", "Origin": "http://search.lan:8000"},
            403,
            "what browsers say themselves",
        ),
        ({"Sec-Fetch-Site": "cross-site", "Referer": "http://search.lan:8000/"}, 403, "and without Origin"),
    ],
)
@pytest.mark.parametrize("public_url", [IDENTITY.public_url, ""], ids=["public", "unnamed"])
def test_other_sites_may_not_submit(
    tmp_path: Path, headers: dict[str, str], status: int, why: str, public_url: str
) -> None:
    headers = {"Host": "search.lan:8000", **headers}
    if not public_url and "https://search.example" in headers.values():
        status = 403
    with submit_client(tmp_path, public_url) as client:
        for path in ("/submit", "/api/submit"):
            answer = client.post(path, data={"url": f"{HOST}/x"}, headers=headers)
            assert answer.status_code == status, why
        twice = [("Host", "search.lan:8000"), ("Sec-Fetch-Site", "none"), ("Sec-Fetch-Site", "cross-site")]
        assert client.post("/submit", data={"url": f"{HOST}/x"}, headers=twice).status_code == 403
    assert len(states(tmp_path)) == (status == 202), why


def test_not_now(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that is written to for long, and a queue that is full: 503, and when to come again."""
    monkeypatch.setattr("engine.submission.service.BUSY_SECONDS", 0.01)
    monkeypatch.setattr(submissions, "MAX_QUEUED", 1)
    with submit_client(tmp_path) as client:
        crawling = sqlite3.connect(tmp_path / "crawl.db")
        crawling.execute("BEGIN IMMEDIATE")
        answers = [client.post(path, data={"url": f"{HOST}/x"}) for path in ("/submit", "/api/submit")]
        assert [(one.status_code, one.headers["retry-after"]) for one in answers] == [(503, "5")] * 2
        assert state(client, f"{HOST}/x") == "unknown", "who asks need not wait"
        crawling.rollback()
        crawling.close()
        assert client.post("/submit", data={"url": f"{HOST}/x"}).status_code == 202
        full = client.post("/api/submit", json={"url": f"{HOST}/y"})
        assert (full.status_code, full.headers["retry-after"]) == (503, "3600")


def test_one_client_fills_a_hundredth_of_the_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever address of its household it comes from; what adds nothing is not counted."""
    monkeypatch.setattr(submit_pages, "CLIENT_PAGES", 3)
    submissions = submissions_of(tmp_path)
    serving = ServerConfig(requests_per_second=0, trusted_proxies=(ip_network("127.0.0.1"),))
    with answering(create_app(Searcher(), lambda: None, IDENTITY, serving, submissions)) as client:

        def submit(source: str, path: str, host: str = "http://o.example") -> httpx.Response:
            headers = {"X-Forwarded-For": source}
            return client.post("/api/submit", json={"url": f"{host}/{path}"}, headers=headers)

        again = [submit("2001:db8::1", "x", HOST).status_code for _ in range(5)]
        assert again == 5 * [202], "one page, again and again"
        assert [submit(f"[2001:db8::{n}]:80", f"{n}").status_code for n in range(1, 5)] == [
            202,
            202,
            429,
            429,
        ]
        refused = submit("2001:db8::9", "9")
        assert "You have submitted 3 pages" in refused.json()["detail"]
        assert 0 < int(refused.headers["Retry-After"]) <= 28_800, "a third of a day"
        assert submit("2001:db8:0:1::1", "other").status_code == 202, "another household"
    submissions.close()


@pytest.mark.parametrize(
    ("method", "path"), [("GET", "/submit"), ("POST", "/submit"), ("POST", "/api/submit")]
)
def test_it_can_be_switched_off(indexed: httpx.Client, method: str, path: str) -> None:
    answer = indexed.request(method, path)
    assert answer.status_code == 404
    assert "takes no submissions" in answer.text


@pytest.mark.slow
@pytest.mark.requirement(2, 6, 7)
def test_from_the_form_to_the_index(tmp_path: Path) -> None:
    """Submitted over HTTP, crawled, found; what robots.txt forbids is never asked for."""
    routes = {
        "/robots.txt": Answer(200, "User-agent: *\nDisallow: /secret"),
        "/": html("Home", "<p>nothing links to the other page</p>"),
        "/obscure": html("Obscure", "<p>a capercaillie, seldom seen</p>"),
    }
    with scripted_web(routes) as web:
        toml = f'[[site]]\nseeds = ["{web.url("/")}"]\nown = true\n'
        (tmp_path / "crawl.toml").write_text(toml, encoding="utf-8")
        with (
            serving(tmp_path) as address,
            httpx.Client(base_url=address, timeout=WAIT_SECONDS, trust_env=False) as client,
        ):
            assert client.post("/submit", data={"url": web.url("/obscure#top")}).status_code == 202
            assert client.post("/api/submit", json={"url": web.url("/secret")}).status_code == 202
            assert state(client, web.url("/obscure")) == "queued"
            assert web.paths == [], "submitting fetches nothing"
            crawl(tmp_path, web.url("/"))
            assert state(client, web.url("/obscure")) == "indexed"
            assert state(client, web.url("/secret")) == "refused"
            page = client.get("/submit", params={"url": web.url("/obscure")}).text
            assert first(page, "#submission").text() == "It can be found"
        assert "/secret" not in web.paths
        crawl(tmp_path, web.url("/"), fresh="1")
        assert web.paths.count("/obscure") == 2, "requirement 6: it is a seed of the fresh crawl"
