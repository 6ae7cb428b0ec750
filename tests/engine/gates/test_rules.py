"""Each gate by its table: figures of the old generation and the new one, and whether that is refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.gates.rules import (
    FEW,
    NOISE_SECONDS,
    WORST,
    AnswerFigures,
    HostDocuments,
    check_documents,
    check_hosts,
    check_latency,
    check_ndcg,
)

A = "http://a.example"

HOSTS = [
    (HostDocuments(100, 100, 100), "", "nothing is missing"),
    (HostDocuments(0, 100, 100), "", "a new host"),
    (HostDocuments(0, 0, 0), "", "a host that never had a page"),
    (HostDocuments(100, 81, 81), "", "fewer by less than a fifth"),
    (HostDocuments(100, 79, 79), "79 of 100 documents are left", "fewer by more"),
    (HostDocuments(100, 20, 20, withdrawn=80), "", "all that is missing left by somebody's word"),
    (
        HostDocuments(100, 70, 70, withdrawn=10),
        "70 of 90 documents are left",
        "of the others too many are missing",
    ),
    (HostDocuments(100, 0, 0, withdrawn=100), "", "a whole host left by somebody's word"),
    (HostDocuments(100, 0, 0, withdrawn=99), "0 of 1 documents", "all that should be left is missing"),
    (HostDocuments(6, 1, 1), "", "few documents: their share says nothing"),
    (HostDocuments(6, 0, 0), "does not say why", "but never all"),
    (HostDocuments(1, 0, 0), "0 of 1 documents are left", "a host of one page"),
    (
        HostDocuments(100, 99, 100),
        "has 99 documents of 100 pages in the crawl database",
        "a page is not in the index",
    ),
    (HostDocuments(0, 0, 100), "has 0 documents of 100 pages", "and never was"),
    (HostDocuments(100, 100, 20), "", "pages that came after the count"),
]


@pytest.mark.parametrize(("host", "says", "why"), HOSTS, ids=[why for *_, why in HOSTS])
def test_what_a_host_may_lose(host: HostDocuments, says: str, why: str) -> None:
    refused = check_hosts({A: host, "http://b.example": HostDocuments(9, 9, 9)}, 20)
    assert (refused is None) == (not says), why
    assert says in (refused or ""), why
    assert "b.example" not in (refused or ""), why


def test_the_worst_hosts_are_named() -> None:
    hosts = {f"http://{n}.example": HostDocuments(100 + n, 0, 0) for n in range(9)}
    refused = check_hosts(hosts, 20) or ""
    named = [n for n in range(9) if f"http://{n}.example" in refused]
    assert named == list(range(9 - WORST, 9))
    assert refused.index("http://8.") < refused.index("http://7.")
    assert refused.endswith(", and 4 more")


@pytest.mark.parametrize(
    ("hosts", "passes", "why"),
    [
        ([HostDocuments(1000, 960, 960)], True, "4 % are missing"),
        ([HostDocuments(1000, 940, 940)], False, "6 %"),
        ([HostDocuments(1000, 940, 940), HostDocuments(0, 60, 60)], True, "as many are new"),
        ([HostDocuments(1000, 500, 500, withdrawn=500)], True, "they left by somebody's word"),
        ([HostDocuments(10, 5, 5)], True, "few: their share says nothing"),
        ([], True, "nothing at all"),
    ],
)
def test_what_an_index_may_lose(hosts: list[HostDocuments], passes: bool, why: str) -> None:
    found = check_documents({f"http://{n}.example": host for n, host in enumerate(hosts)}, 5)
    assert (found is None) == passes, why


@pytest.mark.parametrize(
    ("old", "new", "passes", "why"),
    [
        (0.70, 0.80, True, "better"),
        (0.70, 0.66, True, "a little worse"),
        (0.70, 0.64, False, "worse"),
        (0.00, 0.00, True, "without judged queries"),
    ],
)
def test_how_much_worse_it_may_answer(old: float, new: float, passes: bool, why: str) -> None:
    assert (check_ndcg(AnswerFigures(old, 0), AnswerFigures(new, 0), 5) is None) == passes, why


@pytest.mark.parametrize(
    ("old", "new", "passes", "why"),
    [
        (0.100, 0.050, True, "faster"),
        (0.100, 0.190, True, "slower, but not twice"),
        (0.100, 0.210, False, "twice and more"),
        (0.001, 0.001 + NOISE_SECONDS * 0.9, True, "many times, but nobody sees it"),
        (0.001, 0.001 + NOISE_SECONDS * 1.1, False, "many times, and more than noise"),
        (0.0, 0.0, True, "nothing was asked"),
    ],
)
def test_how_much_longer_it_may_take(old: float, new: float, passes: bool, why: str) -> None:
    assert (check_latency(AnswerFigures(0, old), AnswerFigures(0, new), 100) is None) == passes, why


counts = st.integers(0, 1000)


@given(counts, counts, counts, st.integers(0, 100))
def test_who_lost_more_is_not_let_through(before: int, now: int, gone: int, percent: int) -> None:
    gone = min(gone, before)
    refused = check_hosts({A: HostDocuments(before, now, now, gone)}, percent)
    if refused and now:
        assert check_hosts({A: HostDocuments(before, now - 1, now - 1, gone)}, percent)
    if not refused:
        assert before - gone - now <= max(FEW, (before - gone) * percent / 100)
        assert now or before <= gone, "never all"
