"""Three nights in which much goes wrong: the alarms that come are the expected, none missing, none twice."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from engine.alerts import folder_rules
from engine.history.log_files import LOG_FOLDER, list_files
from tests.receivers import mail_server, webhook
from tests.simulation.alarm_nights import GIGABYTE, AlarmNights, Disk, Host, watched_disk
from tests.web.scripted import Answer

FORBIDDEN = Answer(200, "User-agent: *\nDisallow: /\n", {"Content-Type": "text/plain"})


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    """How much memory this machine has left is no part of the script."""
    monkeypatch.setattr(folder_rules, "measure_memory", lambda: None)
    return watched_disk(monkeypatch)


@pytest.fixture
def nights(tmp_path: Path, disk: Disk) -> Iterator[AlarmNights]:
    with ExitStack() as stack:
        hook, box = stack.enter_context(webhook()), stack.enter_context(mail_server())
        hosts = [Host(f"127.31.2.{number}") for number in range(1, 5)]
        for host in hosts:
            host.start()
            stack.callback(host.stop)
        yield AlarmNights(tmp_path, hosts, hook, box)


@pytest.mark.slow
@pytest.mark.requirement(62, 256)
def test_three_nights(nights: AlarmNights, disk: Disk) -> None:
    first, second, third, fourth = nights.hosts

    nights.night(lambda pages: second.stop() if pages >= 20 else None)
    assert nights.told() == ["open host-down host 2"], "it died in the middle of the first night"
    nights.day_after()
    assert nights.told() == []

    second.start()
    third.robots, fourth.robots = FORBIDDEN, Answer(503)

    def fill_up(pages: int) -> None:
        if pages >= 5 and disk.filled_at is None:
            disk.free, disk.filled_at = GIGABYTE // 2, nights.clock.now
        if disk.filled_at and nights.clock.now > disk.filled_at + 600:
            disk.free = 500 * GIGABYTE

    nights.night(fill_up)
    assert sorted(nights.told()) == [
        "open disk",
        "open robots-forbid host 3",
        "open robots-outage host 4",
        "over disk",
        "over host-down host 2",
    ]
    nights.day_after()
    assert nights.told() == []

    third.robots = fourth.robots = Answer(404)
    nights.killed_night(46)
    nights.wait(3_600)
    assert nights.told() == ["over robots-forbid host 3", "over robots-outage host 4", "open failed crawl"]
    first.stop()
    second.stop()
    nights.night()  # begun again by hand; after a kill each host has its pause first, so both fail at once
    assert nights.told() == ["open hosts-down", "over failed crawl"]
    nights.day_after()
    assert nights.told() == []

    nights.wait(3_600)
    assert nights.told() == ["open not-started crawl"], "in the morning after"
    first.start()
    second.start()
    nights.night()
    assert nights.told() == ["over not-started crawl", "over hosts-down"]
    nights.day_after()
    assert nights.told() == []
    days = [path.name[:10] for path in list_files(nights.folder / LOG_FOLDER)]
    assert days == [f"2027-01-{day}" for day in (15, 16, 17, 18)], "the log of requests has the same clock"
