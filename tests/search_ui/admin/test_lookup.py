"""What is known of a URL, a host or a prefix."""

import pytest

from tests.crawling import HOST
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.pages.test_search_pages import texts


@pytest.mark.parametrize(
    ("target", "status", "says", "why"),
    [
        (f"{HOST}/spider", 200, "stored", "a page"),
        (f"{HOST}/gone", 200, "HTTP 404", "one that is missing"),
        (f"{HOST}/never", 200, "unknown", "one that nobody knows"),
        ("h.example", 200, "robots.txt", "a host"),
        (f"{HOST}/*", 200, "allowed", "a prefix"),
        ("never.example", 200, "Requests", "a host that was never asked"),
        ("https://never.example:8443", 200, "Requests", "the same with scheme and port"),
        ("https://never.example/docs/*", 200, "Requests", "a prefix of one"),
        ("*.example", 422, "write", "no host"),
        ("http:", 422, "write a URL", "nothing of all this"),
        ("", 200, "", "the form alone"),
    ],
)
def test_what_is_known(full: Operator, target: str, status: int, says: str, why: str) -> None:
    answer = full.get(f"/admin/lookup?target={target}")
    assert answer.status_code == status, why
    assert says in answer.text
    assert texts(answer.text, "main h2") == (
        ["What is known", "robots.txt", "Requests"] if target and status == 200 else []
    )
