"""What people type for an address that is none."""

from pathlib import Path

import pytest

from tests.search_ui.pages.test_submit_pages import submit_client


@pytest.mark.requirement(8)
@pytest.mark.parametrize("typed", ["hello", "https//www.example.org/page.html"])
def test_what_is_no_address_is_told_so(tmp_path: Path, typed: str) -> None:
    """It would be one of a host "hello" or "https", on a private network."""
    with submit_client(tmp_path) as client:
        page = client.post("/submit", data={"url": typed})
        problem = client.post("/api/submit", json={"url": typed})
    assert (page.status_code, problem.status_code) == (422, 422)
    for said in (page.text, problem.json()["detail"]):
        assert "Enter the full address of a page" in said
        assert "private" not in said
