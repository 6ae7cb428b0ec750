"""Which URLs have failed, and when they are tried again."""

from collections.abc import Mapping

import pytest
import sqlalchemy as sa

from engine.database import hosts, urls
from engine.model.page import Purpose, State
from engine.store.failures import FailedUrl, load_failed_urls
from tests.crawling import EPOCH

HOUR = 3_600.0
ROWS = [
    (
        {"state": State.FAILED, "reason": "timeout", "status": 0, "fails": 3, "visited_at": EPOCH},
        True,
        "gave up",
    ),
    ({"state": State.GONE, "reason": "http 404", "status": 404, "missing_since": EPOCH}, True, "missing"),
    ({"state": State.QUEUED, "fails": 1, "reason": "http 500"}, True, "it waits for its second try"),
    ({"state": State.QUEUED}, False, "it waits for its first"),
    ({"state": State.STORED}, False, "it is well"),
    ({"state": State.DISALLOWED, "reason": "robots.txt"}, False, "its owner's will is no failure"),
    ({"state": State.SKIPPED, "reason": "media type"}, False, "ours neither"),
    ({"state": State.GONE, "kind": Purpose.SITEMAP}, False, "a sitemap that was only guessed"),
]


def insert(connection: sa.Connection, *rows: Mapping[str, object]) -> None:
    host = connection.execute(sa.insert(hosts).returning(hosts.c.id), {"host": "http://h"}).scalar_one()
    for number, row in enumerate(rows):
        usual = {"url": f"http://h/{number}", "host_id": host, "found_at": 0.0, "state": State.QUEUED}
        connection.execute(sa.insert(urls), {**usual, **row})


@pytest.mark.parametrize(("row", "is_listed", "why"), ROWS, ids=[why for _, _, why in ROWS])
def test_what_is_listed(connection: sa.Connection, row: dict[str, object], is_listed: bool, why: str) -> None:
    insert(connection, row)
    assert len([*load_failed_urls(connection, EPOCH)]) == is_listed, why


def test_all_that_is_said_of_one(connection: sa.Connection) -> None:
    row = {
        "reason": "http 404",
        "status": 404,
        "fails": 0,
        "visited_at": EPOCH,
        "missing_since": EPOCH - HOUR,
    }
    insert(connection, {"state": State.GONE, **row, "due_at": EPOCH + HOUR})
    found = [*load_failed_urls(connection, EPOCH + 1), *load_failed_urls(connection, EPOCH + HOUR + 1)]
    waits = FailedUrl(1, "http://h/0", State.GONE, **row, due_at=EPOCH + HOUR, is_due=False)  # type: ignore[arg-type]
    assert found == [waits, waits._replace(is_due=True)]


def test_they_come_in_the_order_in_which_they_were_found(connection: sa.Connection) -> None:
    insert(connection, *[{"state": State.FAILED}] * 1_200)
    assert [one.url for one in load_failed_urls(connection, EPOCH)] == [f"http://h/{n}" for n in range(1_200)]
    later = [one.url for one in load_failed_urls(connection, EPOCH, after=1_198)]
    assert later == ["http://h/1198", "http://h/1199"], "a page of the list begins after one's id"
