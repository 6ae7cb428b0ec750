"""Submissions: the operator decides about one, or about all of a host."""

import pytest

from tests.crawling import HOST
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.admin.full_folder import HOSTILE
from tests.search_ui.pages.test_search_pages import texts

ONE = "http://other.example/7"


def waiting(operator: Operator) -> list[str]:
    return texts(operator.get("/admin/submissions").text, ".count")


def test_they_wait_in_pages(full: Operator) -> None:
    assert waiting(full) == ["1 to 50 of 60, oldest first"]
    shown = full.get("/admin/submissions?from=50").text
    assert texts(shown, ".count") == ["51 to 60 of 60, oldest first"]
    assert HOSTILE not in full.get("/admin/submissions").text


@pytest.mark.parametrize(
    ("target", "decision", "status", "left", "says", "why"),
    [
        (ONE, "accept", 303, "59", "queued 1", "one"),
        (ONE, "refuse", 303, "59", "not visited 1", "one, for good"),
        ("http://other.example/1*", "refuse", 303, "49", "not visited 11", "a prefix"),
        ("other.example", "accept", 303, "", "queued 60", "a host"),
        ("http://never.example/", "accept", 422, "60", "no submission of it waits", "none waits"),
        (ONE, "", 422, "60", "choose whether", "no decision"),
        (ONE, "delete", 422, "60", "choose whether", "no such decision"),
        ("", "accept", 422, "60", "write a URL", "nothing"),
    ],
)
def test_decisions(
    full: Operator, target: str, decision: str, status: int, left: str, says: str, why: str
) -> None:
    answer = full.act("/admin/submissions", target=target, decision=decision)
    assert answer.status_code == status, why
    shown = full.get(answer.headers["location"]).text if status == 303 else answer.text
    assert says in " ".join(texts(shown, ".note")), why
    assert "".join(waiting(full)).partition(" of ")[2].partition(",")[0] == left, why
    assert (ONE in full.states()) is (decision == "accept" and status == 303)


@pytest.mark.parametrize(
    ("target", "decision", "status", "says", "why"),
    [
        (f"{HOST}/hidden", "queue", 303, "/hidden is queued", "one that no link leads to"),
        (f"{HOST}/spider", "queue", 303, "/spider is known (stored)", "one that is there"),
        (f"{HOST}/spider", "force", 303, "/spider is queued (despite rule: stored)", "once more"),
        ("http://other.example/99", "queue", 422, "is refused: scope", "out of scope"),
        ("http://other.example/99", "force", 303, "is queued (despite rule: scope)", "once all the same"),
        ("http://shop.example/1", "force", 422, "is refused: removed", "what was removed stays out"),
        ("http:", "queue", 422, "is refused", "no URL"),
        (f"{HOST}/hidden {HOSTILE}", "queue", 303, "is queued", "whatever it is called"),
        ("", "force", 422, "is refused", "nothing"),
    ],
)
def test_a_url_of_the_operator(
    full: Operator, target: str, decision: str, status: int, says: str, why: str
) -> None:
    answer = full.act("/admin/submissions", target=target, decision=decision)
    assert answer.status_code == status, why
    shown = full.get(answer.headers["location"]).text if status == 303 else answer.text
    assert says in " ".join(texts(shown, ".note")), why
    queued = [url for url, state in full.states().items() if state == "queued"]
    assert (target in queued or HOSTILE in target) is (status == 303 and "known" not in says), why


def test_without_a_contact_no_stranger_is_visited(full: Operator) -> None:
    """As on the terminal (requirement 68)."""
    (full.folder / "crawl.toml").write_text("", encoding="utf-8")
    without = full.restarted()
    answer = without.act("/admin/submissions", target=ONE, decision="accept")
    assert answer.status_code == 422
    assert "tell the owner who asks" in answer.text
