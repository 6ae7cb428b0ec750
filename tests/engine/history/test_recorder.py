"""The recorder: the crawl pays for a tuple; what the disk refuses is told, and nothing else happens."""

import json
import sqlite3
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from engine.history import recorder as module
from engine.history.entry import describe_visit
from engine.history.host_counts import HISTORY, load_host_rows, open_history
from engine.history.log_files import LOG_FOLDER, LogFiles, read_lines
from engine.history.recorder import Recorder
from engine.model.page import Claim, Fetch, Purpose, State, Visit
from tests.crawling import EPOCH, HOST, Clock

ROBOTS = Fetch(Claim(0, f"{HOST}/robots.txt", HOST, kind=Purpose.ROBOTS), 404, at=EPOCH)


def visit(status: int, **fields: Any) -> Visit:
    fetch = Fetch(Claim(1, f"{HOST}/", HOST), status, at=EPOCH, seconds=0.5, received=100, **fields)
    return Visit(fetch, State.STORED if status == 200 else State.FAILED)


def recording(data: Path, told: list[str], days: int = 30) -> Recorder:
    made = Recorder(Clock())
    made.open(data, 1, days, told.append)
    return made


def lines(data: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in read_lines(data)]


def test_all_that_was_added_is_there_at_the_end(tmp_path: Path) -> None:
    told: list[str] = []
    made = recording(tmp_path, told)
    made.add_robots(ROBOTS)
    for _ in range(3):
        made.add_visit(visit(200))
    made.add_visit(visit(0, error="timeout"))
    made.add_visit(Visit(Fetch(Claim(2, f"{HOST}/no", HOST), 0, at=EPOCH), State.DISALLOWED, "robots.txt"))
    made.add_visit(visit(200, replayed=True))
    made.add_skip("links", "scope", "http://other.example/")
    made.add_change(HOST, "new")
    made.close()
    assert [line["event"] for line in lines(tmp_path)] == [*["request"] * 5, "skip", "request", "skip"]
    with open_history(tmp_path) as connection:
        (row,) = load_host_rows(connection, EPOCH)
        (new,) = connection.execute("SELECT new FROM hosts").fetchone()
    assert (row.requests, row.answers, row.errors, row.bytes, new) == (5, 3, 1, 400, 1), "what was sent"
    assert json.loads(row.statuses) == {"200": 3, "timeout": 1, "robots 404": 1}
    assert told == []


def test_without_a_folder_nothing_is_kept(tmp_path: Path) -> None:
    made = Recorder()
    made.add_visit(visit(200))
    made.close()
    assert not made._waiting


def test_a_log_that_nobody_wants_leaves_the_counts(tmp_path: Path) -> None:
    made = recording(tmp_path, [], days=0)
    made.add_visit(visit(200))
    made.close()
    assert not (tmp_path / LOG_FOLDER).exists()
    with open_history(tmp_path) as connection:
        assert len([*load_host_rows(connection, EPOCH)]) == 1


def test_a_log_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / LOG_FOLDER).touch()
    told: list[str] = []
    made = recording(tmp_path, told)
    made.add_visit(visit(200))
    made.close()
    assert {*told} == {"the request log cannot be written (File exists): it lacks what is requested now"}
    with open_history(tmp_path) as connection:
        assert len([*load_host_rows(connection, EPOCH)]) == 1, "the counts are"


def test_counts_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    (tmp_path / HISTORY).write_text("no database, for sure" * 10)
    told: list[str] = []
    made = recording(tmp_path, told)
    made.add_visit(visit(200))
    made.close()
    assert told
    assert {*told} == {
        "the counts of hosts cannot be written (file is not a database): reports lack what is requested now"
    }
    assert len(lines(tmp_path)) == 1


def test_a_disk_that_hangs_takes_no_memory_but_these(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """More than MAX_WAITING is dropped; when the disk is back the log goes on."""
    goes_on, hangs = Event(), Event()

    def hang(self: LogFiles, text: str, now: float) -> None:
        hangs.set()
        goes_on.wait()
        write(self, text, now)

    write = LogFiles.append
    monkeypatch.setattr(module, "MAX_WAITING", 10)
    monkeypatch.setattr(LogFiles, "append", hang)
    told: list[str] = []
    made = recording(tmp_path, told)
    assert hangs.wait(30)
    for _ in range(100):
        made.add_visit(visit(200))
    goes_on.set()
    made.close()
    assert len(lines(tmp_path)) == 10
    assert told == ["the disk is too slow for the request log: it lacks some lines"]


def test_a_database_that_is_back_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    told: list[str] = []
    made = module._Writer(tmp_path, 1, 30, told.append)
    with monkeypatch.context() as broken:
        broken.setattr(module, "add_counts", fail)
        made.write([describe_visit(visit(200))], 0, EPOCH)
    made.write([describe_visit(visit(200))], 0, EPOCH)
    made.close()
    with open_history(tmp_path) as connection:
        assert [row.requests for row in load_host_rows(connection, EPOCH)] == [1]
    assert len(told) == 1
