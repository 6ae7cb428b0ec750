"""What is remembered of the URLs that links led to: bounded, forgetful, and made good by the database."""

import sys

import pytest

from engine.frontier import seen_urls
from engine.frontier.seen_urls import MAX_INLINKS, SLOTS, SeenUrls

MILLION = 1_000_000


@pytest.mark.requirement(22, 23)
@pytest.mark.parametrize(
    ("number", "share", "why"),
    [
        (MILLION // 10, 0.95, "a slot holds one: of a hundred thousand in two million slots nearly all stay"),
        pytest.param(MILLION, 0.75, "of a million in two million slots four fifths", marks=pytest.mark.long),
    ],
)
def test_many_urls_and_no_false_seen(number: int, share: float, why: str) -> None:
    """1e6 adds; no URL is taken for a known one, what is forgotten is looked up."""
    table = SeenUrls()
    first = sum(table.add_link(f"http://h.example/{n}") for n in range(number))
    kept = sum(table.count_inlinks(f"http://h.example/{n}") > 0 for n in range(number))
    others = sum(table.add_link(f"http://o.example/{n}") for n in range(number))
    assert (first, others) == (0, 0), "no new URL was taken for a known one"
    assert kept > share * number, why


@pytest.mark.requirement(14, 23)
def test_its_memory_is_bounded() -> None:
    """9 bytes a slot, however many URLs are known."""
    table = SeenUrls()
    before = sys.getsizeof(table._hashes) + sys.getsizeof(table._counts)
    for n in range(10_000):
        table.add_link(f"http://h.example/{n}")
    assert before == sys.getsizeof(table._hashes) + sys.getsizeof(table._counts) < 9 * SLOTS + 1_000


def test_links_are_counted_up_to_a_byte() -> None:
    table, url = SeenUrls(), "http://h.example/"
    assert table.count_inlinks(url) == 0
    assert [table.add_link(url) for _ in range(3)] == [False, True, True]
    assert table.count_inlinks(url) == 3
    for _ in range(MAX_INLINKS):
        table.add_link(url)
    assert table.count_inlinks(url) == MAX_INLINKS


def test_the_last_in_a_slot_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two URLs in one slot the older is forgotten, its count with it; neither is taken for the other."""
    monkeypatch.setattr(seen_urls, "SLOTS", 1)
    monkeypatch.setattr(seen_urls, "_SLOT", 0)
    table = SeenUrls()
    steps = [("a", False), ("a", True), ("b", False), ("a", False), ("a", True)]
    assert [(url, table.add_link(url)) for url, _ in steps] == steps
    assert (table.count_inlinks("a"), table.count_inlinks("b")) == (2, 0)


@pytest.mark.requirement(23)
def test_exact_holds_nothing() -> None:
    """With the exact mode every link is looked up."""
    table = SeenUrls(exact=True)
    assert [table.add_link("http://h.example/") for _ in range(3)] == [False] * 3
    assert table.count_inlinks("http://h.example/") == 0
    assert sys.getsizeof(table._hashes) < 200


@pytest.mark.parametrize(("key", "why"), [(0, "as an empty slot"), (1, "as slot 0 when it is new")])
def test_an_empty_slot_is_no_url(key: int, why: str) -> None:
    class Url(str):
        def __hash__(self) -> int:
            return key

    assert not SeenUrls().add_link(Url("http://h.example/")), why
