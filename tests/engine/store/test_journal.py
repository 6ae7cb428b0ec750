"""The journal of a crawl: what was answered before a kill is not asked again, what was under way later."""

import os
import resource
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sqlalchemy as sa
from hypothesis import given
from hypothesis import strategies as st

from engine.database import urls, write_transaction
from engine.store.journal import (
    KILLED,
    MAX_BODY,
    MAX_DEATHS,
    MAX_FILE,
    MAX_SECONDS,
    Journal,
    JournaledResponse,
    open_journal,
    read_journal,
    requeue_interrupted,
)
from tests.crawling import EPOCH, HOST, Clock, Web, chain, crawl_of, run

URL = "http://h.example/1"
ANSWER = JournaledResponse(
    URL, 200, (("content-type", "text/html"), ("x", "\xff")), b"<p>text", ("flag",), EPOCH
)


def test_what_was_answered_is_there_and_what_was_under_way_is_known(tmp_path: Path) -> None:
    path = tmp_path / "journal.1"
    journal = Journal(path)
    for number in (1, 2, 3):
        assert journal.note_request(number, URL) is None
    journal.note_response(1, ANSWER)
    journal.note_response(3, ANSWER)
    journal.note_saved([3])
    assert read_journal(path) == {1: ANSWER, 2: None}


def test_an_answer_is_given_once_a_run_and_for_its_url_alone(tmp_path: Path) -> None:
    """A kill on its way to the database does not lose it; ids of a database made anew differ."""
    path = tmp_path / "journal.1"
    journal = Journal(path, {1: ANSWER, 2: ANSWER})
    assert journal.note_request(2, "http://h.example/another") is None
    assert journal.note_request(1, URL) == ANSWER
    assert read_journal(path) == {1: replace(ANSWER, replayed=True), 2: None}
    assert journal.note_request(1, URL) is None
    assert read_journal(path) == {1: None, 2: None}


@given(st.lists(st.tuples(st.sampled_from("?!."), st.integers(1, 4)), max_size=12), st.integers(0, 1_500))
def test_a_kill_at_any_moment_leaves_what_was_noted(steps: list[tuple[str, int]], cut: int) -> None:
    """Whatever of the last note was written."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "journal.1")
        journal, states = Journal(path), [(0, dict[int, JournaledResponse | None]())]
        for kind, number in steps:
            now = dict(states[-1][1])
            if kind == "?":
                journal.note_request(number, URL)
                now[number] = None
            elif kind == "!":
                journal.note_response(number, ANSWER)
                now |= {number: ANSWER} if number in now else {}
            else:
                journal.note_saved([number])
                now.pop(number, None)
            states.append((path.stat().st_size, now))
        os.truncate(path, min(cut, states[-1][0]))
        assert read_journal(path) == [state for size, state in states if size <= cut][-1]
        journal.close()


@pytest.mark.parametrize(("changed", "left"), [(0, {1: None}), (1, {1: ANSWER}), (2, {1: ANSWER, 2: None})])
def test_a_record_that_a_disk_has_changed_ends_it(
    tmp_path: Path, changed: int, left: dict[int, JournaledResponse | None]
) -> None:
    """Its length is right: its checksum is not."""
    path, ends = tmp_path / "journal.1", list[int]()
    journal = Journal(path)
    journal.note_request(1, URL)
    journal.note_response(1, ANSWER)
    ends.append(path.stat().st_size)
    journal.note_request(2, URL)
    ends.append(path.stat().st_size)
    journal.note_response(2, ANSWER)
    ends.append(path.stat().st_size)
    octets = bytearray(path.read_bytes())
    octets[ends[changed] - 1] ^= 1
    path.write_bytes(octets)
    assert read_journal(path) == left


@pytest.mark.parametrize(
    ("octets", "why"),
    [(b"", "empty"), (b"?" * 5, "torn"), (bytes(900), "a power cut"), (os.urandom(900), "another program's")],
    ids=["empty", "torn", "zeros", "noise"],
)
def test_what_is_no_journal_says_nothing(tmp_path: Path, octets: bytes, why: str) -> None:
    path = tmp_path / "journal.1"
    path.write_bytes(octets)
    assert read_journal(path) == {}, why
    assert read_journal(tmp_path / "none") == {}


def test_its_file_and_what_it_keeps_stay_small(tmp_path: Path) -> None:
    path = tmp_path / "journal.1"
    journal = Journal(path)
    large = JournaledResponse(URL, 200, (), bytes(MAX_BODY), (), EPOCH)
    journal.note_request(0, URL)
    for number in range(1, 30):
        journal.note_request(number, URL)
        journal.note_response(number, large)
        journal.note_saved([number])
        assert path.stat().st_size <= MAX_FILE + 2 * MAX_BODY
    assert read_journal(path) == {0: None}
    for number in range(1, 30):
        journal.note_request(number, URL)
        journal.note_response(number, large)
    assert path.stat().st_size <= MAX_FILE + 10 * MAX_BODY
    journal.note_response(0, JournaledResponse(URL, 200, (), bytes(MAX_BODY + 1), (), EPOCH))
    assert read_journal(path)[0] is None
    journal.close()
    assert not path.exists()


def test_a_full_disk_ends_the_notes_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "journal.1"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    journal = Journal(path)
    journal.note_request(1, URL)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (200, before[1]))
        for number in range(2, 50):
            journal.note_request(number, URL)
            journal.note_response(number, ANSWER)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert 1 in read_journal(path)
    journal.close()


def test_a_run_takes_up_what_dead_runs_have_left(tmp_path: Path) -> None:
    """Not what is of another living run, nor what is too old."""
    crawl = crawl_of(tmp_path, Clock())
    old = JournaledResponse(URL, 200, (), b"", (), EPOCH - MAX_SECONDS - 1)
    for run_id, answers in ((1, {1: ANSWER}), (2, {2: ANSWER}), (3, {3: ANSWER, 4: old})):
        Journal(tmp_path / f"journal.{run_id}", answers)
    with write_transaction(crawl.store.engine) as connection:
        journal = open_journal(connection, tmp_path, 1, [1, 2], EPOCH)
    assert [journal.note_request(number, URL) for number in (1, 2, 3, 4)] == [ANSWER, None, ANSWER, None]
    assert sorted(path.name for path in tmp_path.glob("journal*")) == ["journal.1", "journal.2"]


def test_an_answer_outlives_kill_after_kill(tmp_path: Path) -> None:
    """It is no more asked for than the first time, but whoever reads it may be what dies: that is counted."""
    crawl = crawl_of(tmp_path, Clock())
    Journal(tmp_path / "journal.1", {1: ANSWER})
    for death in range(3):
        with write_transaction(crawl.store.engine) as connection:
            journal = open_journal(connection, tmp_path, 1, [], EPOCH)
            fails = connection.execute(sa.select(urls.c.fails).where(urls.c.id == 1)).scalar_one()
        assert journal.note_request(1, URL) == ANSWER
        assert fails == death


def test_what_was_under_way_goes_to_the_back_and_at_last_has_failed(tmp_path: Path) -> None:
    """A page that brings the process down whenever it is asked for does not do so for ever."""
    web, clock = Web(chain("/", "/1")), Clock()
    crawl = crawl_of(tmp_path, clock)
    for death in range(MAX_DEATHS):
        with write_transaction(crawl.store.engine) as connection:
            requeue_interrupted(connection, [1])
            found = sa.select(urls.c.url, urls.c.fails, urls.c.state, urls.c.reason).where(urls.c.id == 1)
            row = connection.execute(found).one()
        assert row[:2] == (f"{HOST}/", death + 1)
    assert row[2:] == ("failed", KILLED)
    run(crawl, web, clock)
    assert web.asked() == []
    with write_transaction(crawl.store.engine) as connection:
        requeue_interrupted(connection, [1])
        assert connection.execute(found).one() == row, "what is not queued any more is left as it is"
