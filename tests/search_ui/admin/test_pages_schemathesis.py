"""Requests that another's program makes up, in a session of the operator's."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from selectolax.lexbor import LexborHTMLParser
from starlette.routing import Route

from search_ui.admin.gate import COOKIE
from tests.search_ui.admin.conftest import PASSWORD, Operator, served_admin
from tests.search_ui.admin.forms import FORMS, QUERIES, describe_admin
from tests.search_ui.schemathesis_run import MOST_SECONDS, PAGE_CHECKS, run_schemathesis


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    with served_admin(tmp_path_factory.mktemp("operated") / "data") as client:
        yield client


def test_the_table_has_every_page(operator: Operator) -> None:
    routes = (route.path for route in operator.app.routes if isinstance(route, Route))
    assert sorted(QUERIES) == sorted(path for path in routes if path.startswith("/admin"))
    assert set(FORMS) <= set(QUERIES)


@pytest.mark.slow
@pytest.mark.timeout(MOST_SECONDS)
@pytest.mark.parametrize(
    ("phases", "examples", "least"),
    [
        ("fuzzing", 6, 20),
        pytest.param("examples,coverage,fuzzing", 100, 1_000, marks=pytest.mark.long),
    ],
)
def test_no_request_is_too_much(
    address: httpx.Client, tmp_path: Path, phases: str, examples: int, least: int
) -> None:
    address.post("/admin/login", data={"password": PASSWORD})
    (field, *_) = LexborHTMLParser(address.get("/admin/audit").text).css("input[name=token]")
    (tmp_path / "openapi.json").write_text(json.dumps(describe_admin(field.attributes["value"] or "")))
    options = ["--url", str(address.base_url), "--header", f"Cookie: {COOKIE}={address.cookies[COOKIE]}"]
    assert run_schemathesis(tmp_path, "openapi.json", phases, examples, *PAGE_CHECKS, *options) >= least
    assert "Log out" in address.get("/admin").text, "it was inside to the end"
