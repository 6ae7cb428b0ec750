"""Quarantine: what is held, and what is let in."""

from engine.model import State
from tests.crawling import HOST
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.pages.test_search_pages import texts


def test_a_page_is_let_in(full: Operator) -> None:
    shown = full.get("/admin/quarantine").text
    assert texts(shown, "tbody th") == [f"{HOST}/fly"]
    assert "private key" in texts(shown, "tbody tr")[0]
    answer = full.act("/admin/quarantine", target=f"{HOST}/fly")
    assert answer.status_code == 303
    assert texts(full.get("/admin/quarantine").text, "main > p")[-1] == "No page is in quarantine."
    assert full.states()[f"{HOST}/fly"] == State.QUEUED
    again = full.act("/admin/quarantine", target=f"{HOST}/fly")
    assert (again.status_code, "is not in quarantine" in again.text) == (422, True)
