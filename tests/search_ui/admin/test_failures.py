"""What could not be fetched, and another try."""

from engine.model import State
from tests.crawling import HOST
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.pages.test_search_pages import texts


def test_they_are_listed_with_reason_and_next_try(full: Operator) -> None:
    rows = texts(full.get("/admin/failed").text, "tbody tr")
    assert [row.partition("http ")[2].partition(" ")[0][:3] for row in rows if "/broken" in row] == ["500"]
    assert any(row.startswith(f"{HOST}/gone") and "missing since" in row for row in rows)


def test_another_try_is_queued_and_noted(full: Operator) -> None:
    answer = full.act("/admin/failed", target=f"{HOST}/gone")
    assert answer.status_code == 303
    assert f"recrawl: {HOST}/gone is queued" in full.get(answer.headers["location"]).text
    assert full.states()[f"{HOST}/gone"] == State.QUEUED
    assert f"recrawl: {HOST}/gone is queued" in full.get("/admin/audit").text


def test_pages_of_them(full: Operator) -> None:
    assert texts(full.get("/admin/failed?after=999999").text, "main p") == ["No URL has failed."]
