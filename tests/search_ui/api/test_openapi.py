"""The description of the API says what the API does: it is asked for all that it is said to take."""

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
from selectolax.lexbor import LexborHTMLParser

from engine.index.query.operators import OPERATORS
from engine.index.searching.url_explanation import RankExplanation
from search_ui.api.openapi import build_document, encode_document, infer_schema
from search_ui.api.operations import _RANK, OPERATIONS
from tests.search_ui.conftest import PLAIN, Site

API: Any = build_document()
# What needs a token is asked for in test_recrawl_endpoints.py.
OPEN: dict[tuple[str, str], Any] = {
    (path, method): said
    for path, methods in API["paths"].items()
    for method, said in methods.items()
    if "security" not in said
}
GETS: dict[str, Any] = {path: said for (path, method), said in OPEN.items() if method == "get"}
POSTS: dict[str, Any] = {path: said for (path, method), said in OPEN.items() if method == "post"}


def examples(path: str) -> dict[str, object]:
    return {one["name"]: one["example"] for one in GETS[path]["parameters"]}


def limits() -> Iterator[tuple[str, str, object, int]]:
    """Values at and past every limit, and the status that they should have."""
    for path, get in GETS.items():
        for one in get["parameters"]:
            for value, status in (*past_bounds(one["schema"]), *past_words(one)):
                yield path, one["name"], value, status


def past_bounds(schema: Any) -> Iterator[tuple[object, int]]:
    """Of numbers and lists of values."""
    for key, past in (("minimum", -1), ("maximum", 1)):
        if key in schema:
            yield schema[key], 200
            yield schema[key] + past, 400
    if "enum" in schema:
        yield from ((value, 200) for value in schema["enum"])
        yield from ((value, 400) for value in (2, "1.0", "else"))


def past_words(parameter: Any) -> Iterator[tuple[object, int]]:
    """Of texts."""
    schema, is_required = parameter["schema"], parameter["required"]
    if "maxLength" in schema:
        yield schema["maxLength"] * "a", 200
        yield (schema["maxLength"] + 1) * "a", 400
    if "pattern" in schema:
        yield " \0\N{RIGHT-TO-LEFT OVERRIDE}\N{NO-BREAK SPACE}", 400 if is_required else 200
    if not is_required and ("pattern" in schema or "anyOf" in schema):
        yield "?", 400
    if is_required:
        yield "", 400


def known(site: Site) -> None:
    rank: RankExplanation = _RANK
    site.searcher.ranks[rank.url] = rank


@pytest.mark.parametrize(("path", "name", "value", "status"), list(limits()))
def test_every_limit_is_the_real_one(site: Site, path: str, name: str, value: object, status: int) -> None:
    known(site)
    fields = urlencode({**examples(path), name: value})
    assert site.get(f"{path}?{fields}").status_code == status, (name, str(value)[:20])


@pytest.mark.parametrize("path", GETS)
def test_every_answer_has_the_type_and_shape_that_are_said(site: Site, path: str) -> None:
    known(site)
    answer = site.get(f"{path}?{urlencode(examples(path))}")
    assert answer.status_code == 200
    (said,) = GETS[path]["responses"]["200"]["content"].items()
    assert answer.headers["Content-Type"].removesuffix("; charset=utf-8") == said[0]
    if said[0] == "application/json" and path != "/api/openapi.json":
        assert set(answer.json()) == set(said[1]["schema"]["properties"])


def test_a_hit_has_what_is_said(site: Site) -> None:
    site.searcher.known["one"] = [PLAIN]
    (hit,) = site.get("/api/search?q=one").json()["hits"]
    said = GETS["/api/search"]["responses"]["200"]["content"]["application/json"]["schema"]
    properties = said["properties"]["hits"]["items"]["properties"]
    assert {name: infer_schema(value)["type"] for name, value in hit.items()} == {
        name: schema["type"] for name, schema in properties.items()
    }


def test_all_of_the_api_is_described(site: Site) -> None:
    routes = site.routes
    assert {path for path in routes if path.startswith("/api/")} - {"/api/"} <= set(API["paths"])
    assert set(API["paths"]) <= routes
    assert sum(map(len, API["paths"].values())) == len(OPERATIONS)


@pytest.mark.parametrize("path", ["/api/search", "/api/explain"])
def test_every_operator_of_a_query_is_named(path: str) -> None:
    (about,) = [one["description"] for one in GETS[path]["parameters"] if one["name"] == "q"]
    assert [word for word in OPERATORS if f"{word}:" not in about] == []


@pytest.mark.parametrize("path", POSTS)
def test_what_is_posted_is_answered_as_is_said(site: Site, path: str) -> None:
    """As a form and as JSON; and a field that is required is."""
    said = POSTS[path]
    example = said["requestBody"]["content"]["application/json"]["example"]
    for answer in (site.client.post(path, data=example), site.client.post(path, json=example)):
        assert answer.status_code == 202
        assert (
            infer_schema(answer.json()) == said["responses"]["202"]["content"]["application/json"]["schema"]
        )
    assert site.client.post(path, data={"else": "x"}).status_code == 422
    assert site.client.post(path, json={"else": "x"}).status_code == 400


def test_programs_get_it(site: Site) -> None:
    assert site.get("/api/openapi.json").json() == json.loads(json.dumps(API))


def test_it_is_encoded_once() -> None:
    """Slow readers of it, 1,400 at once, kept everybody else waiting for seconds."""
    assert encode_document("/find") is encode_document("/find")
    assert json.loads(encode_document("/find")) == json.loads(json.dumps(build_document("/find")))


def test_people_can_read_it(site: Site) -> None:
    page = LexborHTMLParser(site.get("/api/").text)
    assert [node.text() for node in page.css("h2 code")] == [f"{one.method} {one.path}" for one in OPERATIONS]
    text = " ".join(page.text().split())
    assert "Number of the page of hits, from 1. minimum: 1, maximum: 100, default: 1." in text
    assert '"title": "Wolf spiders"' in text


def test_json_has_no_such_value() -> None:
    with pytest.raises(TypeError, match="JSON has no"):
        infer_schema(object())
