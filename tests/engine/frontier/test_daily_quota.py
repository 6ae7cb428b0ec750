"""How many pages of a host may be asked for on one day."""

from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

from engine.database import urls
from engine.frontier.daily_quota import DAY, DailyQuota
from engine.model.page import Purpose
from engine.store.page_store import Store

QUEUE: Any = SimpleNamespace(id=1)
MIDNIGHT = 20_000 * DAY


@pytest.mark.requirement(44)
@pytest.mark.parametrize(
    ("visited", "waits", "why"),
    [
        ([], 0, "nothing was asked for"),
        ([MIDNIGHT - 0.5, MIDNIGHT + 1], 0, "one of them was asked for yesterday"),
        ([MIDNIGHT, MIDNIGHT + 1], DAY - 60, "the day begins at midnight"),
    ],
)
def test_what_was_asked_for_today_counts(tmp_path: Path, visited: list[float], waits: int, why: str) -> None:
    with closing(Store(tmp_path)) as store:
        rows = [
            {"url": f"http://h.example/{at}", "host_id": 1, "state": "stored", "found_at": 0.0}
            | {"visited_at": at, "kind": Purpose.PAGE}
            for at in visited
        ]
        with store.engine.begin() as connection:
            if rows:
                connection.execute(sa.insert(urls), rows)
        assert DailyQuota(store.engine, 2).seconds_to_wait(QUEUE, MIDNIGHT + 60) == waits, why


@pytest.mark.requirement(44)
def test_a_new_day_begins_a_new_count(tmp_path: Path) -> None:
    with closing(Store(tmp_path)) as store:
        quota = DailyQuota(store.engine, 1)
        assert not quota.seconds_to_wait(QUEUE, MIDNIGHT)
        quota.count_request(QUEUE)
        assert quota.seconds_to_wait(QUEUE, MIDNIGHT) == DAY
        assert not quota.seconds_to_wait(QUEUE, MIDNIGHT + DAY)
