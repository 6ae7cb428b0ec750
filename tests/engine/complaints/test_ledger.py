"""Complaints and the pauses of their hosts: what is opened, what is closed, and what stays paused."""

from pathlib import Path

import pytest

from engine.complaints import ledger
from engine.complaints.complaint import MAX_ANSWER, MAX_CONTACT, MAX_TEXT
from engine.complaints.ledger import (
    close_complaint,
    has_pause,
    load_complaint,
    load_complaints,
    load_open_complaints,
    make_complaint,
)
from engine.errors import Busy, EngineError, Unreadable
from engine.frontier import paused_hosts
from engine.frontier.paused_hosts import load_paused, pause_host, release_host

HOST, OTHER = "https://www.example.org", "https://other.example"
NOW = 1_800_000_000.4


@pytest.mark.requirement(279, 311)
def test_the_host_is_paused_while_it_is_open(tmp_path: Path) -> None:
    opened = make_complaint(tmp_path, HOST, " Too fast. ", " me@example.org ", NOW)
    assert (opened.text, opened.contact) == ("Too fast.", "me@example.org")
    assert load_open_complaints(tmp_path) == [opened]
    assert list(load_paused(tmp_path)) == [HOST]
    assert has_pause(load_paused(tmp_path), opened)
    closed = close_complaint(tmp_path, opened.number, "Slower now.", NOW + 60)
    assert (closed.answer, closed.closed_at) == ("Slower now.", NOW + 60)
    assert load_paused(tmp_path) == {}
    assert load_open_complaints(tmp_path) == []
    assert load_complaints(tmp_path, HOST, 9) == [closed] == [load_complaint(tmp_path, 1)]


def test_who_needs_no_pause_gets_none(tmp_path: Path) -> None:
    opened = make_complaint(tmp_path, HOST, "A typing error.", "", NOW, pauses=False)
    assert (load_paused(tmp_path), has_pause(load_paused(tmp_path), opened)) == ({}, False)
    pause_host(tmp_path, HOST, NOW)
    close_complaint(tmp_path, opened.number, "", NOW)
    assert list(load_paused(tmp_path)) == [HOST], "it is the operator's"


def test_a_pause_of_the_operator_stays(tmp_path: Path) -> None:
    pause_host(tmp_path, HOST, NOW - 900)
    opened = make_complaint(tmp_path, HOST, "Too fast.", "", NOW)
    assert not has_pause(load_paused(tmp_path), opened)
    close_complaint(tmp_path, opened.number, "", NOW + 60)
    assert list(load_paused(tmp_path)) == [HOST], "made before"
    opened = make_complaint(tmp_path, OTHER, "Too fast.", "", NOW)
    release_host(tmp_path, OTHER)
    pause_host(tmp_path, OTHER, NOW + 60)
    close_complaint(tmp_path, opened.number, "", NOW + 90)
    assert list(load_paused(tmp_path)) == [OTHER, HOST], "made since"


def test_a_host_that_was_released_meanwhile(tmp_path: Path) -> None:
    opened = make_complaint(tmp_path, HOST, "Too fast.", "", NOW)
    release_host(tmp_path, HOST)
    assert close_complaint(tmp_path, opened.number, "", NOW).closed_at == NOW


def test_where_no_more_hosts_can_be_paused_it_counts_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paused_hosts, "MAX_HOSTS", 0)
    opened = make_complaint(tmp_path, HOST, "Too fast.", "", NOW)
    assert (load_open_complaints(tmp_path), has_pause(load_paused(tmp_path), opened)) == ([opened], False)


@pytest.mark.parametrize(
    ("text", "contact", "says", "why"),
    [
        ("", "", "Say what is wrong", "nothing"),
        (" \n\t", "", "Say what is wrong", "space"),
        ("x" * (MAX_TEXT + 1), "", "at most 2,000", "too long"),
        ("x", "y" * (MAX_CONTACT + 1), "at most", "an address that is none"),
    ],
)
def test_what_is_refused(tmp_path: Path, text: str, contact: str, says: str, why: str) -> None:
    with pytest.raises(EngineError, match=says):
        make_complaint(tmp_path, HOST, text, contact, NOW)
    assert (load_open_complaints(tmp_path), load_paused(tmp_path)) == ([], {}), why


def test_one_at_a_time_of_a_host_and_not_too_many_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_complaint(tmp_path, HOST, "x" * MAX_TEXT, "", NOW)
    with pytest.raises(EngineError, match="is open still"):
        make_complaint(tmp_path, HOST, "again", "", NOW)
    monkeypatch.setattr(ledger, "MAX_OPEN", 1)
    with pytest.raises(EngineError, match="Write to the operator"):
        make_complaint(tmp_path, OTHER, "x", "", NOW)


def test_the_oldest_that_are_closed_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "MAX_KEPT", 2)
    first = make_complaint(tmp_path, OTHER, "open", "", NOW)
    for number in (2, 3, 4):
        make_complaint(tmp_path, HOST, "x", "", NOW)
        close_complaint(tmp_path, number, "", NOW)
    assert [one.number for one in load_complaints(tmp_path, HOST, 9)] == [4]
    assert load_open_complaints(tmp_path) == [first]


@pytest.mark.parametrize(("number", "answer"), [(1, "x"), (9, "x"), (0, ""), (2, "x" * (MAX_ANSWER + 1))])
def test_what_cannot_be_closed(tmp_path: Path, number: int, answer: str) -> None:
    make_complaint(tmp_path, HOST, "x", "", NOW)
    close_complaint(tmp_path, 1, "", NOW)
    second = make_complaint(tmp_path, HOST, "y", "", NOW)
    with pytest.raises(EngineError):
        close_complaint(tmp_path, number, answer, NOW)
    assert load_open_complaints(tmp_path) == [second]


AWAY = [
    (Unreadable("postgresql://lycosa@db.example/lycosa", "connection refused"), "the server is away"),
    (Busy("others are writing"), "another holds the list of pauses"),
]


@pytest.mark.parametrize(("error", "why"), AWAY, ids=[row[-1] for row in AWAY])
def test_what_cannot_be_paused_now_is_not_done_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: EngineError, why: str
) -> None:
    """So that the same may be asked again: no host is visited, or left alone, for a complaint half done."""

    def fail(*given: object) -> None:
        raise error

    opened = make_complaint(tmp_path, HOST, "Too fast.", "", NOW)
    monkeypatch.setattr(ledger, "pause_host", fail)
    monkeypatch.setattr(ledger, "release_host", fail)
    with pytest.raises(type(error)):
        make_complaint(tmp_path, OTHER, "Too fast.", "", NOW)
    with pytest.raises(type(error)):
        close_complaint(tmp_path, opened.number, "", NOW)
    assert load_open_complaints(tmp_path) == [opened], why
    monkeypatch.undo()
    assert make_complaint(tmp_path, OTHER, "Too fast.", "", NOW).closed_at is None
    assert close_complaint(tmp_path, opened.number, "", NOW).closed_at == NOW
    assert list(load_paused(tmp_path)) == [OTHER]


@pytest.mark.sqlite
def test_a_folder_without_complaints(tmp_path: Path) -> None:
    assert load_open_complaints(tmp_path) == load_complaints(tmp_path, HOST, 1) == []
    assert list(tmp_path.iterdir()) == [], "looking makes nothing"
