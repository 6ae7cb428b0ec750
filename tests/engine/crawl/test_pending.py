"""When visits are committed that wait for others."""

from engine.crawl.pending import BATCH_SECONDS, BATCH_VISITS, PendingVisits
from engine.model.page import Claim, Fetch, State, Visit

HOST = "http://h.example"
FAILED = Visit(Fetch(Claim(1, f"{HOST}/", HOST), 500), State.FAILED)
NOW = 1_000.0


def test_they_wait_for_a_quarter_of_a_second() -> None:
    pending = PendingVisits()
    pending.add(FAILED, NOW)
    pending.add(FAILED, NOW + BATCH_SECONDS / 2)
    assert not pending.is_full(NOW + BATCH_SECONDS * 0.99)
    assert pending.is_full(NOW + BATCH_SECONDS)


def test_enough_of_them_wait_no_longer() -> None:
    pending = PendingVisits()
    for number in range(1, BATCH_VISITS + 1):
        pending.add(FAILED, NOW)
        assert pending.is_full(NOW) == (number == BATCH_VISITS)
    assert pending.take() == [FAILED] * BATCH_VISITS
    assert not pending
