"""The operator's pages while the server of the crawl database is away."""

import pytest

from tests.search_ui.admin.conftest import Operator
from tests.search_ui.admin.forms import QUERIES

AWAY = "postgresql://nobody@127.0.0.1:1/lycosa"


@pytest.fixture
def inside_without_server(full: Operator) -> Operator:
    """Logged in where crawl.toml names a server that does not answer."""
    crawl_toml = full.folder / "crawl.toml"
    crawl_toml.write_text(f'database = "{AWAY}"\n{crawl_toml.read_text("utf-8")}', encoding="utf-8")
    return full.restarted()


@pytest.mark.parametrize("page", sorted({*QUERIES}))
def test_a_page_says_when_to_come_again(inside_without_server: Operator, page: str) -> None:
    """Also one that only shows files: whose session it is, is known to the server alone."""
    answer = inside_without_server.get(page)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "The database server is away or refuses to answer." in answer.text
    assert AWAY not in answer.text, "strangers read it, too"
    assert "Traceback" not in answer.text


def test_a_form_did_nothing_wrong(inside_without_server: Operator) -> None:
    answer = inside_without_server.post("/admin/failed", {"target": "http://h.example/gone", "token": "x"})
    assert answer.status_code == 503
