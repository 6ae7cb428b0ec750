"""The operator's pages while the server of the crawl database is away."""

import pytest

from tests.search_ui.admin.conftest import Operator
from tests.search_ui.admin.forms import QUERIES

AWAY = "postgresql://nobody@127.0.0.1:1/lycosa"
WITHOUT_DATABASE = {  # they are of files in the data folder
    *(
        "/admin/alarms",
        "/admin/audit",
        "/admin/complaints",
        "/admin/lookup",
        "/admin/queries",
        "/admin/tokens",
    ),
    *("/admin/labels", "/admin/pins", "/admin/synonyms", "/admin/login", "/admin/logout"),
}


@pytest.fixture
def inside_without_server(full: Operator) -> Operator:
    """Logged in where crawl.toml names a server that does not answer."""
    crawl_toml = full.folder / "crawl.toml"
    crawl_toml.write_text(f'database = "{AWAY}"\n{crawl_toml.read_text("utf-8")}', encoding="utf-8")
    return full.restarted()


@pytest.mark.parametrize("page", sorted({*QUERIES} - WITHOUT_DATABASE))
def test_a_page_says_what_is_wrong_and_when_to_come_again(inside_without_server: Operator, page: str) -> None:
    answer = inside_without_server.get(page)
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "5")
    assert "is the server up" in answer.text
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("page", sorted(WITHOUT_DATABASE - {"/admin/login", "/admin/logout"}))
def test_what_needs_no_database_is_shown(inside_without_server: Operator, page: str) -> None:
    assert inside_without_server.get(page).status_code == 200


def test_a_form_that_needs_it_did_nothing_wrong(inside_without_server: Operator) -> None:
    answer = inside_without_server.post(
        "/admin/failed", {"target": "http://h.example/gone", "token": inside_without_server.token()}
    )
    assert answer.status_code == 503
    assert "is the server up" in answer.text
