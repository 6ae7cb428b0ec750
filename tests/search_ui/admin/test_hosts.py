"""Hosts: what they answered, and a visit to all of one."""

import pytest

from engine.frontier import load_paused
from engine.model import State
from tests.crawling import HOST
from tests.search_ui.admin.conftest import Operator
from tests.search_ui.pages.test_search_pages import links, texts


@pytest.mark.requirement(86, 119)
def test_fifty_on_a_page(full: Operator) -> None:
    first = full.get("/admin/hosts")
    names = texts(first.text, "tbody th")
    assert (names[0], len(names)) == (HOST, 50)
    assert "200 ×40" in texts(first.text, "tbody tr")[0].replace("\xa0", " ")
    assert "allow all, read " in texts(first.text, "tbody tr")[0]
    assert "not read yet" in texts(first.text, "tbody tr")[1]
    (following,) = [link for link in links(first.text, ".way a") if link and "from" in link]
    rest = texts(full.get(following).text, "tbody th")
    assert len(rest) == 11
    assert not set(rest) & set(names)
    assert texts(full.get("/admin/hosts?from=999999999999999").text, "tbody th") == []


@pytest.mark.parametrize(
    ("target", "status", "says", "why"),
    [
        ("h.example", 303, "7 URLs are queued", "a host, with its sitemap"),
        (f"{HOST}/fly", 303, "1 URL is queued", "a URL"),
        (f"{HOST}/f*", 303, "1 URL is queued", "a prefix"),
        ("never.example", 422, "no crawl has found", "not known"),
        ("", 422, "write a URL", "nothing"),
        ("http://", 422, "write a URL", "no host"),
    ],
)
def test_visits_again(full: Operator, target: str, status: int, says: str, why: str) -> None:
    answer = full.act("/admin/hosts", target=target)
    assert answer.status_code == status, why
    shown = full.get(answer.headers["location"]).text if status == 303 else answer.text
    assert says in " ".join(texts(shown, ".note")), why
    assert (full.states()[f"{HOST}/fly"] == State.QUEUED) is (status == 303)


def test_a_host_is_paused_and_released(full: Operator) -> None:
    answer = full.act("/admin/hosts", target=HOST, decision="pause")
    shown = full.get(answer.headers["location"]).text
    assert texts(shown, ".note") == [f"host: pause: {HOST}"]
    assert any(row.startswith(f"{HOST}, since ") for row in texts(shown, ".paused li"))
    assert HOST in load_paused(full.folder)
    full.act("/admin/hosts", target=HOST, decision="release")
    assert HOST not in load_paused(full.folder)
    for target, says in ((HOST, "is not paused"), ("", "write a URL"), (f"{HOST}/a", "is no host")):
        refused = full.act("/admin/hosts", target=target, decision="release")
        assert (refused.status_code, says in refused.text) == (422, True)
