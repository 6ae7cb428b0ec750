"""Submissions as rows of the crawl database."""

from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.database import urls
from engine.model.page import State
from engine.store import submissions
from engine.store.blocklist import parse_target
from engine.store.page_store import Store
from engine.store.submissions import (
    SubmissionState,
    decide_submissions,
    is_full,
    load_submission,
    load_waiting,
    save_submission,
    sweep_visited,
)
from engine.store.wanted import load_forced, queue_url
from tests.crawling import states

NOW = 1_800_000_000.0
HOST = "http://h.example"


def visited(connection: sa.Connection, url: str, state: State) -> None:
    """A submitted URL as its visit has left it."""
    queue_url(connection, url, NOW)
    save_submission(connection, url, SubmissionState.QUEUED, NOW)
    connection.execute(sa.update(urls).where(urls.c.url == url).values(state=state, visited_at=NOW))


@pytest.mark.requirement(8)
def test_one_entry_a_url(connection: sa.Connection) -> None:
    """The last word about it counts."""
    save_submission(connection, f"{HOST}/x", SubmissionState.WAITING, NOW)
    save_submission(connection, f"{HOST}/x", SubmissionState.REFUSED, NOW + 1)
    assert load_submission(connection, f"{HOST}/x") == (f"{HOST}/x", NOW + 1, SubmissionState.REFUSED)
    assert load_submission(connection, f"{HOST}/y") is None
    assert load_waiting(connection) == []


@pytest.mark.parametrize(
    ("target", "meant", "why"),
    [
        (f"{HOST}/a", ["/a"], "one URL"),
        ("h.example", ["/a", "/a/b", "/c"], "all of a host: a flood is one decision"),
        (f"{HOST}/a*", ["/a", "/a/b"], "a prefix"),
        ("o.example", [], "none of it waits"),
        (f"{HOST}/decided", [], "it does not wait any more"),
    ],
)
def test_what_the_operator_decides_about(
    connection: sa.Connection, target: str, meant: list[str], why: str
) -> None:
    for path in ("/a", "/a/b", "/c"):
        save_submission(connection, HOST + path, SubmissionState.WAITING, NOW)
    save_submission(connection, f"{HOST}/decided", SubmissionState.ACCEPTED, NOW)
    wanted = [HOST + path for path in meant]
    assert decide_submissions(connection, parse_target(target), SubmissionState.REFUSED, NOW + 1) == wanted, (
        why
    )
    assert [one.url for one in load_waiting(connection)] == [
        HOST + path for path in ("/a", "/a/b", "/c") if path not in meant
    ], why


def test_visits_make_room(connection: sa.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(submissions, "MAX_QUEUED", 3)
    visited(connection, f"{HOST}/page", State.STORED)
    visited(connection, f"{HOST}/none", State.GONE)
    assert not is_full(connection)
    queue_url(connection, f"{HOST}/waits", NOW)
    save_submission(connection, f"{HOST}/waits", SubmissionState.QUEUED, NOW)
    assert not is_full(connection)
    left = (load_submission(connection, f"{HOST}/{name}") for name in ("page", "none", "waits"))
    assert [one and one.outcome for one in left] == [SubmissionState.ROOT, None, SubmissionState.QUEUED]
    for number in range(2):
        queue_url(connection, f"{HOST}/{number}", NOW)
        save_submission(connection, f"{HOST}/{number}", SubmissionState.QUEUED, NOW)
    assert is_full(connection)


def test_there_is_an_end_to_what_is_kept(connection: sa.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest decisions are forgotten, also of what visits have made of it; what waits is not."""
    monkeypatch.setattr(submissions, "MAX_DECIDED", 3)
    for number in range(5):
        save_submission(connection, f"{HOST}/waits/{number}", SubmissionState.WAITING, NOW)
        save_submission(connection, f"{HOST}/old/{number}", SubmissionState.WAITING, NOW - 9 + number)
        decide_submissions(
            connection, parse_target(f"{HOST}/old/{number}"), SubmissionState.REFUSED, NOW - 9 + number
        )
    assert [bool(load_submission(connection, f"{HOST}/old/{n}")) for n in range(5)] == [
        False,
        False,
        True,
        True,
        True,
    ]
    assert len(load_waiting(connection)) == 5
    for number in range(2):
        visited(connection, f"{HOST}/page/{number}", State.STORED)
    sweep_visited(connection)
    assert [bool(load_submission(connection, f"{HOST}/old/{n}")) for n in range(5)].count(True) == 1
    assert connection.execute(sa.select(sa.func.count()).select_from(urls)).scalar() == 2


@pytest.mark.requirement(6)
def test_a_fresh_start_has_the_root_set(tmp_path: Path) -> None:
    """What was submitted and brought a page, or waits, is a seed; so is what was accepted."""
    store = Store(tmp_path)
    with store.engine.begin() as connection:
        visited(connection, f"{HOST}/page", State.STORED)
        visited(connection, f"{HOST}/other-name", State.ALIAS)
        visited(connection, f"{HOST}/none", State.GONE)
        visited(connection, f"{HOST}/waits", State.QUEUED)
        save_submission(connection, f"{HOST}/asked", SubmissionState.WAITING, NOW)
        save_submission(connection, f"{HOST}/accepted", SubmissionState.ACCEPTED, NOW)
        save_submission(connection, f"{HOST}/refused", SubmissionState.REFUSED, NOW)
        queue_url(connection, f"{HOST}/found-by-a-link", NOW)
    store.clear(NOW)
    store.clear(NOW)
    with store.engine.connect() as connection:
        assert load_forced(connection) == {f"{HOST}/accepted"}
        assert [one.url for one in load_waiting(connection)] == [f"{HOST}/asked"]
    store.close()
    assert set(states(tmp_path)) == {f"{HOST}/{name}" for name in ("page", "other-name", "waits", "accepted")}
