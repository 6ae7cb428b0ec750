"""Messages are sent once, and tried a stated number of times; a dead receiver stops nothing."""

import logging
from pathlib import Path

import pytest

from engine.alerts import delivery
from engine.alerts.alert import Alert, AlertKind, Finding
from engine.alerts.channels import Channel, ChannelError
from engine.alerts.delivery import MAX_TRIES, PAUSES, deliver
from engine.alerts.ledger import record_findings
from engine.database import ALERTS, write_side
from engine.folder import lock_folder

NOW = 1_800_000_000.0


class Receiver:
    """Takes alarms unless it is `dead`; counts the tries."""

    def __init__(self, *, dead: bool = False) -> None:
        self.dead, self.tries, self.got = dead, 0, list[tuple[str, str]]()

    def __call__(self, alert: Alert) -> None:
        self.tries += 1
        if self.dead:
            raise ChannelError("nobody is there")
        self.got.append((alert.subject, alert.status))


def raise_alarms(data: Path, *hosts: str, ways: tuple[str, ...] = ("one", "other")) -> None:
    findings = [Finding(AlertKind.HOST_DOWN, host, True, NOW, f"{host} is down") for host in hosts]
    with write_side(data, ALERTS) as connection:
        record_findings(connection, findings, ways, NOW)


def test_a_dead_receiver_keeps_no_other_from_being_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    raise_alarms(tmp_path, "a", "b")
    dead, living = Receiver(dead=True), Receiver()
    channels: dict[str, Channel] = {"one": dead, "other": living}
    deliver(tmp_path, channels, NOW)
    deliver(tmp_path, channels, NOW)
    assert living.got == [("a", "open"), ("b", "open")]
    assert dead.tries == 2, "one message at each look"
    said = [record.getMessage() for record in caplog.records]
    assert said[0] == "an alarm could not be sent by one (nobody is there); the next try is in 60 s"
    dead.dead = False
    deliver(tmp_path, channels, NOW + PAUSES[0])
    assert dead.got == [("a", "open"), ("b", "open")]
    assert len(living.got) == 2


def test_a_message_is_given_up_after_so_many_tries(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    raise_alarms(tmp_path, "a", ways=("one",))
    dead, now = Receiver(dead=True), NOW
    while now < NOW + 2 * sum(PAUSES):
        deliver(tmp_path, {"one": dead}, now)
        now += 60
    assert dead.tries == MAX_TRIES == 6
    given_up = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert [record.getMessage() for record in given_up] == [
        "an alarm could not be sent by one (nobody is there), and is given up after 6 tries: a is down"
    ]


def test_one_process_sends_at_a_time(tmp_path: Path) -> None:
    raise_alarms(tmp_path, "a")
    living = Receiver()
    with lock_folder(tmp_path, "alerts"):
        deliver(tmp_path, {"one": living}, NOW)
    assert living.got == []
    deliver(tmp_path, {"one": living}, NOW)
    assert living.got == [("a", "open")]


def test_what_is_not_written_any_more_gets_nothing_later(tmp_path: Path) -> None:
    raise_alarms(tmp_path, "a")
    deliver(tmp_path, {"one": Receiver()}, NOW)
    other = Receiver()
    deliver(tmp_path, {"one": Receiver(), "other": other}, NOW)
    assert other.got == []


def test_a_look_sends_for_so_long_at_most(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    raise_alarms(tmp_path, "a", "b")
    monkeypatch.setattr(delivery, "ROUND_SECONDS", 0.0)
    living = Receiver()
    deliver(tmp_path, {"one": living}, NOW)
    assert living.got == []
