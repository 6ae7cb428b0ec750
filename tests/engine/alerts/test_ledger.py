"""The alarms of a data folder: each is queued once, whoever looks and whoever is killed."""

import multiprocessing
import os
import signal
from contextlib import suppress
from itertools import count
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.alerts import ledger
from engine.alerts.alert import AlertKind, Finding
from engine.alerts.ledger import find_due, load_open, record_findings
from engine.database import ALERTS, alerts, outbox, write_side

NOW = 1_800_000_000.0
WAYS = ("webhook", "mail")


def found(*hosts: str, wrong: bool = True, at: float = NOW) -> list[Finding]:
    return [Finding(AlertKind.HOST_DOWN, host, wrong, at, f"{host} is down", "look") for host in hosts]


def queued(data: Path) -> list[tuple[str, str, str]]:
    """Channel, status and subject of all that waits."""
    with write_side(data, ALERTS) as connection:
        rows = connection.execute(sa.select(outbox.c.channel, outbox.c.status, outbox.c.subject))
        return sorted((channel, status, subject) for channel, status, subject in rows)


def test_each_alarm_is_queued_once_for_each_channel_over_all_who_look(tmp_path: Path) -> None:
    for minute in range(3):
        with write_side(tmp_path, ALERTS) as connection:
            told = record_findings(connection, found("a", "b"), WAYS, NOW + 60 * minute)
            assert len(told) == (0 if minute else 2)
    with write_side(tmp_path, ALERTS) as connection:
        assert [alert.subject for alert in load_open(connection)] == ["a", "b"]
        record_findings(connection, found("a", wrong=False, at=NOW + 200), WAYS, NOW + 200)
        assert [alert.subject for alert in load_open(connection)] == ["b"]
    both = [
        (way, status, host) for way in WAYS for status, host in (("open", "a"), ("open", "b"), ("over", "a"))
    ]
    assert queued(tmp_path) == sorted(both)


def test_what_cannot_be_queued_is_not_known_either(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk fills up between the two: the next look finds it anew."""

    def fail(*_: object) -> None:
        raise OSError("disk I/O error")

    with monkeypatch.context() as patched:
        patched.setattr(ledger, "queue", fail)
        with suppress(OSError), write_side(tmp_path, ALERTS) as connection:
            record_findings(connection, found("a"), WAYS, NOW)
    with write_side(tmp_path, ALERTS) as connection:
        assert load_open(connection) == []
        assert len(record_findings(connection, found("a"), WAYS, NOW)) == 1
    assert len(queued(tmp_path)) == 2


def test_the_end_is_not_sent_before_the_begin(tmp_path: Path) -> None:
    """Also where the begin has to be tried again later."""
    with write_side(tmp_path, ALERTS) as connection:
        record_findings(connection, found("a", "b"), ["mail"], NOW)
        first = find_due(connection, "mail", NOW)
        assert first
        ledger.postpone(connection, first, NOW + 300)
        record_findings(connection, found("a", "b", wrong=False, at=NOW + 60), ["mail"], NOW + 60)
        sent = []
        while message := find_due(connection, "mail", NOW + 60):
            sent.append((message.alert.subject, message.alert.status))
            ledger.drop(connection, message)
        assert sent == [("b", "open"), ("b", "over")]
        while message := find_due(connection, "mail", NOW + 300):
            sent.append((message.alert.subject, message.alert.status))
            ledger.drop(connection, message)
    assert sent[2:] == [("a", "open"), ("a", "over")]


def test_there_is_an_end_to_what_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "MAX_ALERTS", 5)
    monkeypatch.setattr(ledger, "MAX_WAITING", 3)
    with write_side(tmp_path, ALERTS) as connection:
        told = record_findings(connection, found(*map(str, range(9))), ["mail"], NOW)
        assert len(told) == len(load_open(connection)) == 5
        record_findings(connection, found("8"), ["mail"], NOW)
        assert len(load_open(connection)) == 5
    assert [host for _, _, host in queued(tmp_path)] == ["2", "3", "4"]


def _look_on_and_on(data: Path, begun: object) -> None:
    for n in count():
        with write_side(data, ALERTS) as connection:
            hosts = found(*(f"h{host}" for host in range(20)), wrong=n % 2 == 0, at=NOW + 7_200 * n)
            record_findings(connection, hosts, ["mail"], NOW + 7_200 * n)
        begun.set()  # type: ignore[attr-defined]


@pytest.mark.parametrize("kill", range(3))
def test_killed_at_any_moment_no_message_is_missing_or_there_twice(tmp_path: Path, kill: int) -> None:
    context = multiprocessing.get_context("fork")
    begun = context.Event()
    process = context.Process(target=_look_on_and_on, args=(tmp_path, begun))
    process.start()
    assert begun.wait(30)
    assert process.pid
    process.join(0.05 * (kill + 1))
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    with write_side(tmp_path, ALERTS) as connection:
        rows = connection.execute(sa.select(alerts)).all()
        messages = [tuple(row) for row in connection.execute(sa.select(outbox.c.id, outbox.c.status))]
    assert len(messages) == len(set(messages)) > 0
    expected = {(row.id, "open") for row in rows} | {(row.id, "over") for row in rows if row.over_at}
    assert expected <= set(messages)
    opened = {number for number, status in messages if status == "open"}
    assert {number for number, status in messages if status == "over"} <= opened
