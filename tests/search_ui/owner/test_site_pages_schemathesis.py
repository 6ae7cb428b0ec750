"""Requests that another's program makes up, in a session of the owner of a host."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from selectolax.lexbor import LexborHTMLParser

from search_ui.owner.context import COOKIE, ROOT, site_path
from search_ui.owner.routes import PAGES
from tests.crawling import HOST
from tests.search_ui.admin.conftest import make_app
from tests.search_ui.conftest import answering
from tests.search_ui.owner.full_site import KEY, fill
from tests.search_ui.schemathesis_run import (
    MOST_SECONDS,
    PAGE_CHECKS,
    describe,
    describe_page,
    run_schemathesis,
)

FORMS = {"/removals": ("target", "number"), "/complaint": ("text", "contact", "goes_on", "number")}
QUERIES = {"/removals": ("done",)}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A server, and a session of the owner of a host of which there is much to show."""
    config = fill(tmp_path_factory.mktemp("owned") / "data")
    with answering(make_app(config)) as client:
        client.post(f"{ROOT}/check", data={"host": HOST, "key": KEY})
        yield client


def test_the_table_has_every_form() -> None:
    assert sorted(FORMS) == sorted(tab for tab, (_, act) in PAGES.items() if act)


@pytest.mark.slow
@pytest.mark.timeout(MOST_SECONDS)
@pytest.mark.parametrize(
    ("phases", "examples", "least"),
    [
        ("fuzzing", 6, 20),
        pytest.param("examples,coverage,fuzzing", 100, 500, marks=pytest.mark.long),
    ],
)
def test_no_request_is_too_much(
    address: httpx.Client, tmp_path: Path, phases: str, examples: int, least: int
) -> None:
    (field, *_) = LexborHTMLParser(address.get(ROOT).text).css("input[name=token]")
    token = field.attributes["value"] or ""
    paths = {
        f"{site_path(HOST)}{tab}": describe_page(QUERIES.get(tab, ()), FORMS.get(tab), token) for tab in PAGES
    }
    paths[ROOT] = describe_page(("host",), None, token)
    paths[f"{ROOT}/check"] = describe_page((), ("host", "key"), token)
    (tmp_path / "openapi.json").write_text(json.dumps(describe(paths)))
    options = ["--url", str(address.base_url), "--header", f"Cookie: {COOKIE}={address.cookies[COOKIE]}"]
    assert run_schemathesis(tmp_path, "openapi.json", phases, examples, *PAGE_CHECKS, *options) >= least
    assert "Your hosts" in address.get(ROOT).text, "it was inside to the end"
