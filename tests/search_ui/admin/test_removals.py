"""Removals: what leaves, what comes back, and the receipts."""

from contextlib import closing

import pytest

from engine.search import SearchService
from tests.crawling import HOST
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.pages.test_search_pages import texts


def test_all_are_listed_the_newest_first(full: Operator) -> None:
    rows = texts(full.get("/admin/removals").text, "tbody tr")
    assert [row.partition(" ")[0] for row in rows] == ["URL", "prefix"]
    assert "undone " in rows[0]
    assert "http://shop.example/*" in rows[1]


@pytest.mark.parametrize(
    ("fields", "status", "says", "why"),
    [
        (
            {"target": f"{HOST}/spider", "reason": "r"},
            303,
            f"removal: URL {HOST}/spider, r; 1 page left the index; removal 3",
            "a page",
        ),
        ({"target": "h.example", "reason": "r", "contact": "c@o.example"}, 303, "c@o.example", "a host"),
        ({"target": f"{HOST}/spider"}, 422, "give a reason", "no reason"),
        ({"reason": "r"}, 422, "write a URL", "no target"),
        ({"number": "1"}, 303, "queued for the next crawl; removal 1", "undo"),
        ({"number": "2"}, 422, "there is no removal 2 in force", "undone already"),
        ({"number": "9"}, 422, "there is no removal 9 in force", "no such removal"),
    ],
)
def test_what_is_done(full: Operator, fields: dict[str, str], status: int, says: str, why: str) -> None:
    answer = full.act("/admin/removals", **fields)
    assert answer.status_code == status, why
    shown = full.get(answer.headers["location"]).text if status == 303 else answer.text
    assert says in " ".join(texts(shown, ".note")), why


def test_what_is_removed_is_found_no_more(full: Operator) -> None:
    with closing(SearchService(full.folder)) as search:
        assert search.contains(f"{HOST}/spider")
    full.act("/admin/removals", target=f"{HOST}/spider", reason="its owner asked")
    with closing(SearchService(full.folder)) as search:
        assert not search.contains(f"{HOST}/spider")
