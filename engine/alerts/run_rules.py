"""Finds what is wrong with the runs of crawl and rebuild, by the run log alone."""

from collections.abc import Callable, Collection, Iterator
from datetime import datetime

import sqlalchemy as sa

from engine.alerts.alert import Alert, AlertKind, Finding
from engine.config import Config
from engine.cron import next_time, read_triggers
from engine.folder import FreeSpace
from engine.frontier import QuietHours
from engine.monitor import count
from engine.store import CRAWL, FEEDS, RunRow, load_last_run, load_living_runs, load_stopped_runs

SILENT_SECONDS = 120.0  # without a sign of life; there is one each five seconds
GRACE_SECONDS = 900.0  # after its time, in which a job may begin
STALL_SECONDS = 900.0  # without an answer; thrice the longest Crawl-delay that a crawl waits for
REBUILD = "rebuild"
JOBS = (CRAWL, REBUILD)  # which have to begin at their times; feeds are read by crawls, too
_AGAIN = "'scrapy crawl web' goes on where it was"


def judge_signs_of_life(
    connection: sa.Connection, is_alive: Callable[[int], bool], now: float
) -> Iterator[Finding]:
    """Judges whether crawls that have not ended beat; `is_alive` tells whether a process does this run."""
    silent = [
        run
        for run in load_stopped_runs(connection, CRAWL)
        if run.ended_at is None and now - run.beat_at > SILENT_SECONDS
    ]
    hanging = [run for run in silent if is_alive(run.id)]
    for run in hanging:
        begun, beat = _when(run.started_at), _when(run.beat_at)
        message = f"The crawl that began {begun} has given no sign of life since {beat}"
        advice = f"Look at its log, stop its process (kill -9 loses no page) and run it again: {_AGAIN}."
        yield Finding(AlertKind.SILENT, CRAWL, True, run.beat_at, message, advice)
    if not hanging:
        yield Finding(AlertKind.SILENT, CRAWL, False, now)
    for run in silent:
        if run not in hanging:
            message = (
                f"The crawl that began {_when(run.started_at)} was killed {_when(run.beat_at)} or soon after"
            )
            advice = f"Look for what killed it, as a lack of memory ('dmesg'), and run it again: {_AGAIN}."
            yield Finding(AlertKind.FAILED, CRAWL, True, run.beat_at, message, advice)


def judge_ends(connection: sa.Connection) -> Iterator[Finding]:
    """Judges whether the last run of each job has come to its end; others tell what kept it from that."""
    for name in (*JOBS, FEEDS):
        last = load_last_run(connection, name)
        if last and last.ended_at and last.reason == "finished":
            yield Finding(AlertKind.FAILED, name, False, last.ended_at)


def judge_starts(
    connection: sa.Connection, config: Config, known: Collection[Alert], watched_since: float, now: float
) -> Iterator[Finding]:
    """Judges whether each job began at its time. A job that failed at once is told of as such."""
    triggers = read_triggers(config.schedule)
    failed = {alert.subject for alert in known if alert.kind is AlertKind.FAILED}
    for name in JOBS:
        run = load_last_run(connection, name)
        due = next_time(triggers[name], run.last_seen if run else watched_since) if name in triggers else None
        is_late = due is not None and due + GRACE_SECONDS < now
        message = f"The {name} that was due {_when(due or now)} has not begun"
        advice = (
            "Look whether 'scrapy schedule' runs and what it logs (systemctl status lycosa-schedule); "
            f"'scrapy {name}{' web' if name == CRAWL else ''}' begins now."
        )
        if not (is_late and name in failed):
            at = due if due is not None and is_late else now
            yield Finding(AlertKind.NOT_STARTED, name, is_late, at, message, advice)


def judge_progress(connection: sa.Connection, config: Config, now: float) -> Iterator[Finding]:
    """Judges whether the crawls that run get answers, unless they are meant to wait."""
    living = load_living_runs(connection, now)
    waits = QuietHours(config.limits.quiet_hours).seconds_left(now) > 0
    waits = waits or bool(FreeSpace(config.data_dir, config.limits.free_bytes).shortage())
    queued = sum(int(run.counters.get("queued", 0)) for run in living)
    mark = str(sum(int(run.counters.get("fetched", 0)) for run in living))
    advice = (
        "'scrapy status --hosts' shows what hosts answer, 'scrapy plan' how long they ask to wait. A crawl "
        f"that hangs may be stopped: {_AGAIN}."
    )
    message = (
        "The crawl has had no answer for a quarter of an hour, though "
        f"{count(queued, 'URL waits', 'URLs wait')}: {_find_reason(living)}"
    )
    is_wrong = queued > 0 and not waits
    yield Finding(AlertKind.STALL, CRAWL, is_wrong, now, message, advice, STALL_SECONDS, mark)


def describe_end(name: str, why: str, now: float) -> Finding:
    """Describes a job that has ended just now; `why`: what it failed for, '' where it did not."""
    advice = {
        CRAWL: f"Mend that, and run it again: {_AGAIN}.",
        REBUILD: "Mend that, and run 'scrapy rebuild' again; meanwhile the old index answers.",
        FEEDS: "Mend that; at its next time the schedule tries again.",
    }
    what = "reading of feeds" if name == FEEDS else name
    return Finding(AlertKind.FAILED, name, bool(why), now, f"The {what} failed: {why}", advice[name])


def _find_reason(living: Collection[RunRow]) -> str:
    suspended = sum(int(run.counters.get("hosts suspended", 0)) for run in living)
    if suspended:
        hosts = count(suspended, "host is", "hosts are")
        return f"{hosts} suspended, as the log says, and no other has its turn"
    return "no host has its turn, or none answers"


def _when(at: float) -> str:
    """Formats a time for people, by this machine's clock."""
    return datetime.fromtimestamp(at).astimezone().strftime("%Y-%m-%d %H:%M %Z")
