"""What each host answered: counts that add up over writes, rates of the last minutes, few rounds."""

import json
from collections import Counter
from pathlib import Path

import pytest

from engine.history.host_counts import (
    KEPT_ROUNDS,
    HostDelta,
    HostRow,
    add_counts,
    begin_round,
    load_host_rows,
    open_history,
)
from tests.crawling import EPOCH, HOST

MINUTE = 60.0


def rows(data: Path, now: float = EPOCH) -> list[HostRow]:
    with open_history(data) as connection:
        return [*load_host_rows(connection, now)]


def delta(requests: int, at: float = EPOCH, **statuses: int) -> HostDelta:
    codes = Counter({status.lstrip("_"): count for status, count in statuses.items()})
    return HostDelta(requests, requests, seconds=0.5 * requests, first_at=at, last_at=at, statuses=codes)


@pytest.mark.requirement(86)
def test_writes_add_up(tmp_path: Path) -> None:
    with open_history(tmp_path) as connection:
        add_counts(connection, 1, {HOST: delta(3, _200=2, _404=1), "http://b.example": delta(1, _200=1)})
        add_counts(connection, 1, {HOST: delta(2, _200=1, timeout=1)})
    first, second = rows(tmp_path)
    assert (first.host, first.requests, first.mean_seconds) == (HOST, 5, 0.5)
    assert json.loads(first.statuses) == {"200": 3, "404": 1, "timeout": 1}
    assert json.loads(second.statuses) == {"200": 1}


@pytest.mark.requirement(61)
@pytest.mark.parametrize(
    ("written", "now", "rate", "why"),
    [
        ({0: 30}, 30.0, 60.0, "half a minute after the first request"),
        ({0: 60, 60: 30}, 90.0, 60.0, "the minute before counts"),
        ({0: 600, 60: 60, 120: 30}, 150.0, 60.0, "the one before that does not"),
        ({0: 60}, 90.0, 40.0, "nothing in this minute"),
        ({0: 60}, 120.0, 0.0, "nothing for a whole minute"),
        ({0: 60, 180: 30}, 210.0, 20.0, "after a pause: 30 requests in 90 seconds"),
        ({0: 1}, 0.0, 60.0, "a second counts as the shortest time"),
    ],
)
def test_the_rate_is_that_of_the_last_minutes(
    tmp_path: Path, written: dict[int, int], now: float, rate: float, why: str
) -> None:
    assert EPOCH % MINUTE == 0
    with open_history(tmp_path) as connection:
        for at, requests in written.items():
            add_counts(connection, 1, {HOST: delta(requests, EPOCH + at)})
    (row,) = rows(tmp_path, EPOCH + now)
    assert row.per_minute == pytest.approx(rate), why


def test_old_rounds_go_and_so_do_those_of_a_deleted_crawl_database(tmp_path: Path) -> None:
    with open_history(tmp_path) as connection:
        for number in range(1, 7):
            begin_round(connection, number)
            add_counts(connection, number, {HOST: delta(1, _200=1)})
        for table in ("hosts", "statuses"):
            kept = [row[0] for row in connection.execute(f"SELECT round FROM {table} ORDER BY round")]
            assert kept == [*range(7 - KEPT_ROUNDS, 7)]
        begin_round(connection, 1)
        assert [*connection.execute("SELECT round FROM hosts")] == []


def test_a_round_that_goes_on_keeps_its_counts(tmp_path: Path) -> None:
    with open_history(tmp_path) as connection:
        for _ in range(2):
            begin_round(connection, 3)
            add_counts(connection, 3, {HOST: delta(1)})
    assert [row.requests for row in rows(tmp_path)] == [2]
