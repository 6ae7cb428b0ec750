"""Suspects: what is proposed is blocked, or more, or less, or nothing."""

import pytest

from tests.crawling import HOST
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.pages.test_search_pages import attribute, texts


def test_what_is_proposed(full: Operator) -> None:
    shown = full.get("/admin/suspects").text
    assert texts(shown, ".suspect h2") == [f"queries: {HOST}", f"repeat: {HOST}"]
    assert attribute(shown, "#target-1", "value") == "http://trap.example/calendar?*"


@pytest.mark.parametrize(
    ("fields", "status", "says", "left", "why"),
    [
        (("1", "block", "http://trap.example/calendar?*", "endless"), 303, "removal 3", 1, "as proposed"),
        (("1", "block", "", "endless"), 303, "prefix http://trap.example/calendar?", 1, "as proposed, too"),
        (("1", "block", "http://trap.example/*", "endless"), 303, "prefix http://trap.example/", 1, "more"),
        (("1", "block", "trap.example", "endless"), 303, "host trap.example", 1, "the whole host"),
        (("2", "dismiss", "", ""), 303, "suspect dismissed: repeat", 1, "no trap"),
        (("1", "block", "", ""), 422, "give a reason", 2, "no reason"),
        (("1", "block", "http:", "endless"), 422, "write a URL", 2, "no target"),
        (("9", "block", "", "endless"), 422, "there is no suspect 9", 2, "none of that number"),
        (("x", "block", "", "endless"), 422, "choose a suspect", 2, "no number"),
        (("1", "", "", ""), 422, "choose a suspect", 2, "no judgement"),
    ],
)
def test_judgements(
    full: Operator, fields: tuple[str, ...], status: int, says: str, left: int, why: str
) -> None:
    named = dict(zip(("number", "decision", "target", "reason"), fields, strict=True))
    answer = full.act("/admin/suspects", **named)
    assert answer.status_code == status, why
    shown = full.get(answer.headers["location"]).text if status == 303 else answer.text
    assert says in " ".join(texts(shown, ".note")), why
    assert len(texts(full.get("/admin/suspects").text, ".suspect")) == left
