"""Complaints of site owners: listed and closed."""

import pytest

from engine.complaints import load_open_complaints
from engine.frontier import load_paused
from tests.crawling import HOST
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.pages.test_search_pages import texts


@pytest.mark.requirement(279)
def test_open_ones_are_listed_and_closed(full: Operator) -> None:
    assert texts(full.get("/admin/complaints").text, "h2") == [f"1: {HOST}", "2: http://other.example"]
    assert HOST in load_paused(full.folder)
    done = full.act("/admin/complaints", number="1", answer="Slower now.")
    assert done.status_code == 303
    shown = full.get(done.headers["location"]).text
    assert f"complaint closed: 1, of {HOST}: Slower now." in texts(shown, ".note")
    assert HOST not in load_paused(full.folder)
    full.act("/admin/complaints", number="2")
    assert "No complaint is open." in full.get("/admin/complaints").text


@pytest.mark.parametrize(
    "fields", [{}, {"number": "9"}, {"number": "x"}, {"number": "1", "answer": "x" * 2_001}]
)
def test_what_cannot_be_closed(full: Operator, fields: dict[str, str]) -> None:
    assert full.act("/admin/complaints", **fields).status_code == 422
    assert len(load_open_complaints(full.folder)) == 2
