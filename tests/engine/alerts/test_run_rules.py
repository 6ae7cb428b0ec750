"""What the run log tells of crawls and rebuilds: silent, killed, late, stalled."""

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
import sqlalchemy as sa

from engine.alerts import run_rules
from engine.alerts.alert import Alert, AlertKind, Finding
from engine.config import Config, Hours, LimitsConfig, Schedule
from engine.store import Store, end_run, record_heartbeat, start_run

NOW = datetime(2027, 1, 15, 12, 0).timestamp()  # noon of this machine's clock
HOUR = 3_600.0


@contextmanager
def database(data: Path) -> Iterator[sa.Connection]:
    store = Store(data)
    with store.engine.begin() as connection:
        yield connection
    store.close()


def begin(
    connection: sa.Connection,
    at: float,
    beat_at: float,
    kind: str = "crawl",
    counts: Mapping[str, float] = {},
) -> int:
    run = start_run(connection, kind, at)
    record_heartbeat(connection, run, beat_at, counts)
    return run


def wrong(findings: Iterator[Finding]) -> list[tuple[str, str]]:
    return [(finding.kind.value, finding.subject) for finding in findings if finding.is_wrong]


@pytest.mark.requirement(256)
@pytest.mark.parametrize(
    ("silent_for", "reason", "lives", "expected", "why"),
    [
        (30, None, True, [], "it beats"),
        (130, None, True, [("silent", "crawl")], "its process hangs"),
        (130, None, False, [("failed", "crawl")], "it was killed"),
        (30, None, False, [], "it may have been killed a moment ago, and be begun again"),
        (130, "shutdown", False, [], "it was stopped by hand"),
        (130, "finished", False, [], "it has ended"),
    ],
)
def test_signs_of_life(
    tmp_path: Path,
    silent_for: float,
    reason: str | None,
    lives: bool,
    expected: list[tuple[str, str]],
    why: str,
) -> None:
    with database(tmp_path) as connection:
        run = begin(connection, NOW - HOUR, NOW - silent_for)
        if reason is not None:
            end_run(connection, run, NOW - silent_for, reason)
        found = [*run_rules.judge_signs_of_life(connection, lambda number: lives and number == run, NOW)]
        assert wrong(iter(found)) == expected, why
        assert all(finding.at == NOW - silent_for for finding in found if finding.is_wrong)


def test_a_run_that_came_to_its_end_ends_the_alarm_of_the_one_before(tmp_path: Path) -> None:
    with database(tmp_path) as connection:
        end_run(connection, begin(connection, NOW - HOUR, NOW), NOW - 60, "finished")
        end_run(connection, begin(connection, NOW - HOUR, NOW, "rebuild"), NOW - 50, "failed")
        found = [*run_rules.judge_ends(connection)]
    assert [(one.kind, one.subject, one.is_wrong, one.at) for one in found] == [
        (AlertKind.FAILED, "crawl", False, NOW - 60)
    ]


NIGHTLY = Schedule(crawl="30 2 * * *", rebuild="")
FAILED = Alert("f", "open", AlertKind.FAILED, "crawl", NOW - HOUR, None, "it failed")


@pytest.mark.requirement(256)
@pytest.mark.parametrize(
    ("schedule", "began_before", "known", "expected", "why"),
    [
        (NIGHTLY, 9.4, [], [], "it began at 02:36"),
        (NIGHTLY, 33.5, [], [("not-started", "crawl")], "that was yesterday"),
        (NIGHTLY, 33.5, [FAILED], [], "it failed at once, and that was told"),
        (Schedule(crawl="30 14 * * *"), 21.5, [], [], "it is due in the afternoon"),
        (Schedule(crawl="50 11 * * *"), 24.1, [], [], "it was due ten minutes ago"),
        (Schedule(crawl="40 11 * * *"), 24.1, [], [("not-started", "crawl")], "twenty minutes ago"),
        (Schedule(), 99, [], [], "it is never due"),
        (NIGHTLY, None, [], [("not-started", "crawl")], "it never ran, since we watch"),
    ],
)
def test_a_job_that_does_not_begin(
    tmp_path: Path,
    schedule: Schedule,
    began_before: float | None,
    known: list[Alert],
    expected: list[tuple[str, str]],
    why: str,
) -> None:
    config = Config(tmp_path, schedule=schedule)
    with database(tmp_path) as connection:
        if began_before is not None:
            began = NOW - began_before * HOUR
            end_run(connection, begin(connection, began, began), began + 60, "finished")
        found = run_rules.judge_starts(connection, config, known, NOW - 24 * HOUR, NOW)
        assert wrong(found) == expected, why


@pytest.mark.parametrize(
    ("queued", "beat_before", "quiet", "free", "expected", "why"),
    [
        (5, 1, False, True, [("stall", "crawl")], "there is something to do"),
        (0, 1, False, True, [], "there is not"),
        (5, 100, False, True, [], "it runs no more"),
        (5, 1, True, True, [], "nothing is asked in quiet hours"),
        (5, 1, False, False, [], "the disk is nearly full, which is an alarm of its own"),
    ],
)
def test_a_crawl_that_gets_no_answer(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    queued: int,
    beat_before: float,
    quiet: bool,
    free: bool,
    expected: list[tuple[str, str]],
    why: str,
) -> None:
    """That it is seen for a quarter of an hour, with the same count of answers, is for the ledger to tell."""
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(
        shutil, "disk_usage", lambda _: usage._replace(free=10**15 if free else 0, total=10**15)
    )
    hours = (Hours.parse("11:00-13:00"),) if quiet else ()
    config = Config(tmp_path, limits=replace(LimitsConfig(), quiet_hours=hours))
    with database(tmp_path) as connection:
        begin(
            connection,
            NOW - HOUR,
            NOW - beat_before,
            counts={"queued": queued, "fetched": 7, "hosts suspended": 2},
        )
        (found,) = run_rules.judge_progress(connection, config, NOW)
    assert wrong(iter([found])) == expected, why
    assert found.hold == 900
    if expected:
        assert found.mark == "7"
        assert "though 5 URLs wait: 2 hosts are suspended" in found.message


def test_how_a_job_ended() -> None:
    failed = run_rules.describe_end("crawl", "exit code 1", NOW)
    assert (failed.is_wrong, failed.message) == (True, "The crawl failed: exit code 1")
    assert not run_rules.describe_end("rebuild", "", NOW).is_wrong
