"""When visits are committed that wait for others."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from engine.crawl.pending import (
    BATCH_BYTES,
    BATCH_SECONDS,
    BATCH_URLS,
    BATCH_VISITS,
    LONGEST_BATCH_SECONDS,
    PendingVisits,
)
from engine.model.page import Claim, Fetch, Reading, State, Visit
from engine.robots import Directives
from engine.store import MOST_COMPARED
from tests.crawling import reading

HOST = "http://h.example"
ASKED = f"{HOST}/asked"
FAILED = Visit(Fetch(Claim(1, f"{HOST}/", HOST), 500), State.FAILED)
NOW = 1_000.0


def test_they_wait_for_a_quarter_of_a_second() -> None:
    pending = PendingVisits()
    pending.add(FAILED, NOW)
    pending.add(FAILED, NOW + BATCH_SECONDS / 2)
    assert not pending.is_full(NOW + BATCH_SECONDS * 0.99, 1)
    assert pending.is_full(NOW + BATCH_SECONDS, 1)


@pytest.mark.parametrize(
    ("runs", "seconds", "why"),
    [
        (1, BATCH_SECONDS, "alone"),
        (4, 4 * BATCH_SECONDS, "each a quarter as often"),
        (1_000, LONGEST_BATCH_SECONDS, "half of a pause: a host's next URLs may be among them"),
    ],
)
def test_many_runs_write_as_often_as_one(runs: int, seconds: float, why: str) -> None:
    pending = PendingVisits()
    pending.add(FAILED, NOW)
    assert not pending.is_full(NOW + seconds * 0.99, runs), why
    assert pending.is_full(NOW + seconds, runs), why


def test_enough_of_them_wait_no_longer() -> None:
    pending = PendingVisits()
    for number in range(1, BATCH_VISITS + 1):
        pending.add(FAILED, NOW)
        assert pending.is_full(NOW, 1) == (number == BATCH_VISITS)
    assert pending.take() == [FAILED] * BATCH_VISITS
    assert not pending


@pytest.mark.parametrize(
    ("links", "packed", "is_full", "why"),
    [
        (BATCH_URLS - 1, 0, False, "one URL fewer than a commit may have"),
        (BATCH_URLS, 0, True, "as many URLs"),
        (0, BATCH_BYTES - 1, False, "one byte fewer"),
        (0, BATCH_BYTES, True, "as many bytes"),
    ],
)
def test_what_makes_a_long_commit_waits_no_longer(links: int, packed: int, is_full: bool, why: str) -> None:
    pending = PendingVisits()
    reading = Reading("en", "text/html", Directives(), b"", [f"{HOST}/x"] * links, bytes(packed))
    pending.add(Visit(Fetch(Claim(1, f"{HOST}/", HOST), 200), State.STORED, reading=reading), NOW)
    assert pending.is_full(NOW, 1) == is_full, why
    pending.take()
    assert not pending.is_full(NOW, 1), "and nothing of it is counted for the next"


def near_urls(keys: Sequence[int], *stored: Sequence[int]) -> list[str]:
    """The paths of candidates for a page with these keys: /0 has the first of `stored`, and so on."""
    pending = PendingVisits()
    for number, of_one in enumerate([*stored, keys]):
        url = ASKED if number == len(stored) else f"{HOST}/{number}"
        read = replace(reading(url, []), near=of_one)
        pending.add(Visit(Fetch(Claim(number, url, HOST), 200), State.STORED, reading=read), NOW)
    found = [page.url.removeprefix(HOST) for page in pending.find_near(keys, ASKED)]
    pending.take()
    assert pending.find_near(keys, ASKED) == []
    return found


@pytest.mark.parametrize(
    ("keys", "stored", "found", "why"),
    [
        ((1, 2, 3), [(4, 5, 6)], [], "none in common"),
        (
            (1, 2, 3),
            [(1, 2, 9), (1, 8, 9)],
            ["/0", "/1"],
            "two share one: the later one hides no earlier one",
        ),
        ((1, 2, 3), [(1, 8, 9), (1, 2, 9)], ["/1", "/0"], "who shares more comes first"),
        ((1, 2, 3), [(1, 2, 9), (7, 8, 3)], ["/1", "/0"], "the last is of all shingles, and weighs most"),
        ((1, 2), [(1, 8)] * (MOST_COMPARED + 1), ["/0", "/1", "/2", "/3"], "no more than can be compared"),
        ((), [(1, 2)], [], "too short a page"),
    ],
)
def test_candidates_for_near_duplicates(
    keys: Sequence[int], stored: Sequence[Sequence[int]], found: list[str], why: str
) -> None:
    assert near_urls(keys, *stored) == found, why
