"""Tokens: which there are, and one less; none is made or shown here."""

import pytest

from engine.database import RECRAWL, write_side
from engine.submission.tokens import MARK, load_tokens
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.admin.full_folder import HOSTILE
from tests.search_ui.pages.test_search_pages import texts

SECOND = HOSTILE.rstrip("\u202e")


def test_which_there_are(full: Operator, inside: Operator) -> None:
    shown = full.get("/admin/tokens").text
    assert sorted(texts(shown, "tbody th")) == sorted(["deploy", SECOND])
    assert "http://h.example/docs/*" in shown
    assert MARK not in shown, "no secret, and nothing by which one begins"
    assert "<script>alert" not in shown
    assert "There are none." in inside.get("/admin/tokens").text


@pytest.mark.parametrize(
    ("target", "status", "left", "why"),
    [
        ("deploy", 303, [SECOND], "one"),
        (SECOND, 303, ["deploy"], "whatever it is called"),
        ("never", 422, ["deploy", SECOND], "none of this name"),
        ("", 422, ["deploy", SECOND], "no name"),
    ],
)
def test_one_is_removed(full: Operator, target: str, status: int, left: list[str], why: str) -> None:
    assert full.act("/admin/tokens", target=target).status_code == status, why
    with write_side(full.folder, RECRAWL) as ledger:
        assert sorted(one.name for one in load_tokens(ledger)) == sorted(left), why
