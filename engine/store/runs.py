"""Keeps the run log: when crawls and rebuilds ran, how they ended, what they counted."""

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import sqlalchemy as sa

from engine.database import runs, write_transaction

RESUMED = ("", "shutdown")  # how a run ends that the next one of its kind goes on with
KEPT_RUNS = 1_000  # of each kind: three years of nights; some 3 MB
CRAWL, FEEDS = "crawl", "feeds"  # kinds of runs: all pages in their rounds; feeds, and what is new in them
CRAWLING = (CRAWL, FEEDS)  # they share the hosts
LEASE_SECONDS = 30.0  # without a sign of life, after which others take a run's hosts

# Asked four times a second: building it would cost as much again. So would the text for a list of parameters,
# which is made each time.
IS_LIVING = sa.and_(
    runs.c.ended_at.is_(None),
    runs.c.kind.in_([sa.literal_column(f"'{kind}'", sa.Text) for kind in CRAWLING]),
    runs.c.beat_at > sa.bindparam("since"),
)
_LIVING = sa.select(runs).where(IS_LIVING).order_by(runs.c.id)


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run, of CRAWLING or a rebuild; times are seconds since 1970, `ended_at` None while it lives."""

    id: int
    kind: str
    started_at: float
    beat_at: float
    ended_at: float | None
    reason: str
    counters: Mapping[str, float]
    idle: bool | None = None  # has nothing to do unless another run calls for one of its hosts
    sites: str | None = None  # a digest of what it crawls
    examples: Mapping[str, str] = field(default_factory=dict)  # of URLs that were left, by the rules
    round: int | None = None  # the run with which its round began

    @property
    def last_seen(self) -> float:
        """Returns the time of the last sign of life."""
        return max(self.beat_at, self.ended_at or 0.0)

    @property
    def resumable(self) -> bool:
        """Tells whether the run was killed or stopped by hand."""
        return self.reason in RESUMED


def load_last_run(connection: sa.Connection, kind: str) -> RunRow | None:
    """Loads the newest run of a kind, None before the first."""
    query = sa.select(runs).where(runs.c.kind == kind).order_by(runs.c.id.desc()).limit(1)
    row = connection.execute(query).mappings().first()
    return _parse_run(row) if row else None


def load_run(connection: sa.Connection, number: int) -> RunRow:
    """Loads one run."""
    return _parse_run(connection.execute(sa.select(runs).where(runs.c.id == number)).mappings().one())


def load_stopped_runs(connection: sa.Connection, kind: str) -> Iterator[RunRow]:
    """Yields runs killed or stopped by hand since the last that came to its end, newest first."""
    query = sa.select(runs).where(runs.c.kind == kind).order_by(runs.c.id.desc())
    for row in connection.execute(query).mappings():
        run = _parse_run(row)
        if not run.resumable:
            return
        yield run


def load_living_runs(connection: sa.Connection, now: float) -> list[RunRow]:
    """Loads crawls that have not ended and gave a sign of life of late, oldest first."""
    alive = connection.execute(_LIVING, {"since": now - LEASE_SECONDS})
    return [_parse_run(row) for row in alive.mappings()]


def start_run(connection: sa.Connection, kind: str, now: float, sites: str = "") -> int:
    """Inserts a run that begins; returns its number. `sites`: a digest of what it crawls.

    Deletes what is older than KEPT_RUNS of its kind.
    """
    row = {"kind": kind, "started_at": now, "beat_at": now, "sites": sites}
    number = int(connection.execute(sa.insert(runs).returning(runs.c.id), row).scalar_one())
    _delete_old_runs(connection, kind, now)
    return number


def resume_run(connection: sa.Connection, run_id: int, now: float, sites: str) -> None:
    """Marks a stopped run as going on."""
    row = {"ended_at": None, "reason": "", "beat_at": now, "sites": sites}
    connection.execute(sa.update(runs).where(runs.c.id == run_id), row)


def record_heartbeat(
    connection: sa.Connection, run_id: int, now: float, counters: Mapping[str, float], *, idle: bool = False
) -> None:
    """Records a heartbeat with the current counts."""
    row = {"beat_at": now, "counters": json.dumps(counters), "idle": idle}
    connection.execute(sa.update(runs).where(runs.c.id == run_id), row)


def save_round(connection: sa.Connection, run_id: int, number: int) -> None:
    """Saves to which round a run belongs."""
    connection.execute(sa.update(runs).where(runs.c.id == run_id), {"round": number})


def save_examples(connection: sa.Connection, run_id: int, examples: Mapping[str, str]) -> None:
    """Saves a URL for each rule that left some; those that are there already stay."""
    kept = {**examples, **load_run(connection, run_id).examples}
    connection.execute(sa.update(runs).where(runs.c.id == run_id), {"examples": json.dumps(kept)})


def end_run(connection: sa.Connection, run_id: int, now: float, reason: str) -> None:
    """Records how a run ended."""
    connection.execute(sa.update(runs).where(runs.c.id == run_id), {"ended_at": now, "reason": reason})


@contextmanager
def log_run(engine: sa.Engine, kind: str) -> Iterator[None]:
    """Logs a run around a piece of work; its reason is 'finished', or 'failed' after an exception."""
    with write_transaction(engine) as connection:
        run_id = start_run(connection, kind, time.time())
    reason = "failed"
    try:
        yield
        reason = "finished"
    finally:
        with write_transaction(engine) as connection:
            end_run(connection, run_id, time.time(), reason)


def _delete_old_runs(connection: sa.Connection, kind: str, now: float) -> None:
    """Deletes the oldest runs of a kind, but for those that live and those with which another's round began.

    Leases, rounds of hosts and turns of URLs have numbers of runs to compare, and need no row; a number is
    not given again, as the newest stay.
    """
    of_kind, other = runs.c.kind == kind, runs.alias()
    newest = sa.select(runs.c.id).where(of_kind).order_by(runs.c.id.desc())
    oldest = newest.limit(1).offset(KEPT_RUNS - 1).scalar_subquery()
    lives = runs.c.ended_at.is_(None) & (runs.c.beat_at > now - LEASE_SECONDS)
    rounds = sa.select(other.c.round).where(other.c.round.is_not(None), other.c.round != other.c.id)
    old = of_kind & (runs.c.id < oldest) & ~lives & runs.c.id.not_in(rounds)
    connection.execute(sa.delete(runs).where(old))


def _parse_run(row: sa.RowMapping) -> RunRow:
    examples = json.loads(row["examples"] or "{}")
    return RunRow(**{**row, "counters": Counter(json.loads(row["counters"])), "examples": examples})
