"""The deploy hook over HTTP: who may ask, what comes back, and how many wrong tokens a client may try."""

from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_network
from pathlib import Path

import httpx
import pytest

from engine.config import ServerConfig
from engine.database import RECRAWL, write_side
from engine.store import parse_target
from engine.submission import add_token
from search_ui.api import recrawl_endpoints
from search_ui.api.openapi import build_document, infer_schema
from search_ui.app import create_app
from tests.crawling import HOST, states
from tests.search_ui.conftest import IDENTITY, Searcher, answering, submissions_of
from tests.search_ui.root_path import ROOT_PATH, below_a_path

PATH = "/api/recrawl"
BEHIND = ServerConfig(trusted_proxies=(ip_network("127.0.0.1"),), requests_per_second=0)


def token_of(folder: Path, site: str = HOST, name: str = "deploy", per_hour: int = 100) -> dict[str, str]:
    """The header of a token for a site."""
    with write_side(folder, RECRAWL) as ledger:
        secret = add_token(ledger, name, [parse_target(site)], per_hour, 0.0)
    return {"Authorization": f"Bearer {secret}"}


@contextmanager
def hook(folder: Path, serving: ServerConfig = ServerConfig()) -> Iterator[httpx.Client]:
    submissions = submissions_of(folder)
    with answering(create_app(Searcher(), lambda: None, IDENTITY, serving, submissions)) as client:
        yield client
    submissions.close()


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    with hook(tmp_path) as client:
        yield client


@pytest.mark.parametrize("kind", ["form", "json"])
def test_a_request_and_its_state(client: httpx.Client, tmp_path: Path, kind: str) -> None:
    token, fields = token_of(tmp_path), {"url": f"{HOST}/new"}
    body = {"json": fields} if kind == "json" else {"data": fields}
    answer = client.post(PATH, headers=token, **body)  # type: ignore[arg-type]  # one of two
    said = answer.json()
    assert answer.status_code == 202
    assert answer.headers["Location"] == f"{PATH}/{said['id']}"
    assert (said["state"], said["url"], said["kind"]) == ("queued", f"{HOST}/new", "page")
    assert set(states(tmp_path)) == {f"{HOST}/new"}
    state = client.get(answer.headers["Location"], headers=token)
    assert (state.status_code, state.json()) == (200, said)
    assert "no-cache" in state.headers["Cache-Control"]


def test_answers_are_as_they_are_described(client: httpx.Client, tmp_path: Path) -> None:
    paths = build_document()["paths"]
    token = token_of(tmp_path)
    made = client.post(PATH, headers=token, json={"url": f"{HOST}/map.xml", "kind": "sitemap"})
    state = client.get(made.headers["Location"], headers=token)
    for answer, method, path in ((made, "post", PATH), (state, "get", f"{PATH}/{{id}}")):
        said = paths[path][method]  # type: ignore[index]
        assert said["security"] == [{"token": []}]
        body = said["responses"][str(answer.status_code)]["content"]["application/json"]
        assert infer_schema(answer.json()) == body["schema"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "status", "says", "why"),
    [
        ({"url": "http://other.example/"}, 403, "the token is for http://h.example", "not its site"),
        ({"url": "nonsense://"}, 422, "", "no URL"),
        ({"url": f"{HOST}/private/x"}, 422, "rule exclude", "a rule"),
        ({"url": f"{HOST}/x", "kind": "feed"}, 400, "“kind” must be one of page, sitemap", "no kind"),
        ({"url": f"{HOST}/x", "kind": ["page"]}, 400, "“kind” must be one of", "no text"),
        ({"url": 7}, 400, "JSON must be sent as", "no text"),
        ({}, 400, "JSON must be sent as", "nothing"),
    ],
)
def test_what_is_refused(
    client: httpx.Client, tmp_path: Path, fields: dict[str, object], status: int, says: str, why: str
) -> None:
    answer = client.post(PATH, headers=token_of(tmp_path), json=fields)
    assert answer.status_code == status, why
    assert answer.headers["Content-Type"] == "application/problem+json"
    assert says in answer.json()["detail"], why
    assert states(tmp_path) == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("header", "why"),
    [
        ({}, "none"),
        ({"Authorization": "Basic bHljb3NhOng="}, "another scheme"),
        ({"Authorization": "Bearer"}, "no token"),
        ({"Authorization": "Bearer lycosa_wrong"}, "a wrong one"),
        ({"Authorization": b"Bearer lycosa_\xff"}, "no ASCII"),
        ({"Authorization": "Bearer a b"}, "two"),
    ],
)
def test_who_has_no_token(client: httpx.Client, tmp_path: Path, header: dict[str, str], why: str) -> None:
    token_of(tmp_path)
    for answer in (
        client.post(PATH, headers=header, json={"url": f"{HOST}/x"}),
        client.get(f"{PATH}/x", headers=header),
    ):
        assert answer.status_code == 401, why
        assert answer.headers["WWW-Authenticate"] == 'Bearer realm="lycosa"'
    assert states(tmp_path) == {}


def test_the_schemes_name_has_any_case(client: httpx.Client, tmp_path: Path) -> None:
    """RFC 9110, 11.1."""
    token = token_of(tmp_path)["Authorization"].removeprefix("Bearer ")
    header = {"Authorization": f"bearer  {token}"}
    assert client.post(PATH, headers=header, json={"url": f"{HOST}/x"}).status_code == 202


def test_another_tokens_request_is_unknown(client: httpx.Client, tmp_path: Path) -> None:
    mine, other = token_of(tmp_path), token_of(tmp_path, name="other")
    place = client.post(PATH, headers=mine, json={"url": f"{HOST}/x"}).headers["Location"]
    assert client.get(place, headers=other).status_code == 404
    assert client.get(f"{PATH}/..%2F..%2Fhealth", headers=mine).status_code == 404


def test_more_than_an_hour_has(client: httpx.Client, tmp_path: Path) -> None:
    token = token_of(tmp_path, per_hour=2)
    answers = [client.post(PATH, headers=token, json={"url": f"{HOST}/{n}"}) for n in range(3)]
    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert 1_795 <= int(answers[-1].headers["Retry-After"]) <= 1_800


def test_wrong_tokens_of_a_client_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the client that a trusted proxy names, whatever it asks for; others are served."""
    monkeypatch.setattr(recrawl_endpoints, "MAX_FAILED", 3)
    token = token_of(tmp_path)
    wrong, fields = {"Authorization": "Bearer lycosa_x"}, {"url": f"{HOST}/x"}
    with hook(tmp_path, BEHIND) as client:

        def ask(header: dict[str, str], of: str) -> int:
            headers = {**header, "X-Forwarded-For": of}
            return client.post(PATH, headers=headers, json=fields).status_code

        assert [ask(token, "192.0.2.1") for _ in range(5)] == [202] * 5, "right ones are not counted"
        assert [ask(wrong, "192.0.2.1") for _ in range(4)] == [401, 401, 401, 429]
        assert ask(token, "192.0.2.1") == 429, "nor may it try on"
        assert ask(token, "192.0.2.2") == 202


def test_below_a_path(tmp_path: Path) -> None:
    with below_a_path(tmp_path, f"https://www.example.org{ROOT_PATH}") as client:
        token = token_of(tmp_path)
        for prefix in (ROOT_PATH, ""):  # whether the web server strips it or not
            answer = client.post(f"{prefix}{PATH}", headers=token, json={"url": f"{HOST}/x"})
            place = answer.headers["Location"]
            assert place.startswith(f"{ROOT_PATH}{PATH}/")
            assert client.get(place, headers=token).json()["state"] == "queued"


def test_where_nothing_is_taken_in(tmp_path: Path) -> None:
    with answering(create_app(Searcher(), lambda: None, IDENTITY)) as client:
        assert client.post(PATH, headers=token_of(tmp_path), json={"url": f"{HOST}/x"}).status_code == 404


def test_readers_submissions_may_be_off(tmp_path: Path) -> None:
    """The operator's tokens have nothing to do with what strangers submit."""
    submissions = submissions_of(tmp_path)
    submissions.is_open = False
    with answering(create_app(Searcher(), lambda: None, IDENTITY, submissions=submissions)) as client:
        assert client.get("/submit").status_code == 404
        answer = client.post(PATH, headers=token_of(tmp_path), json={"url": f"{HOST}/x"})
        assert answer.status_code == 202
    submissions.close()
