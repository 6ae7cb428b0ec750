"""The run log: when crawls and rebuilds ran, how they ended, what they counted."""

import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

import sqlalchemy as sa

from engine.store.tables import runs

RESUMED = ("", "shutdown")  # how a run ends that the next one of its kind goes on with


@dataclass(frozen=True, slots=True)
class RunRow:
    """One run, 'crawl' or 'rebuild'; times are seconds since 1970, `ended_at` None while it lives."""

    id: int
    kind: str
    started_at: float
    beat_at: float
    ended_at: float | None
    reason: str
    counters: Mapping[str, float]

    @property
    def resumable(self) -> bool:
        """True for a run that was killed or stopped by hand."""
        return self.reason in RESUMED


def last_run(connection: sa.Connection, kind: str) -> RunRow | None:
    """The newest run of a kind, None before the first."""
    query = sa.select(runs).where(runs.c.kind == kind).order_by(runs.c.id.desc()).limit(1)
    row = connection.execute(query).mappings().first()
    return RunRow(**{**row, "counters": Counter(json.loads(row["counters"]))}) if row else None


def start_run(connection: sa.Connection, kind: str, now: float) -> int:
    """Log that a run begins; its number."""
    row = {"kind": kind, "started_at": now, "beat_at": now}
    return int(connection.execute(sa.insert(runs).returning(runs.c.id), row).scalar_one())


def resume_run(connection: sa.Connection, run_id: int) -> None:
    """Log that a run which was stopped goes on."""
    connection.execute(sa.update(runs).where(runs.c.id == run_id), {"ended_at": None, "reason": ""})


def beat(connection: sa.Connection, run_id: int, now: float, counters: Mapping[str, float]) -> None:
    """A sign of life, with what was counted so far."""
    connection.execute(
        sa.update(runs).where(runs.c.id == run_id), {"beat_at": now, "counters": json.dumps(counters)}
    )


def end_run(connection: sa.Connection, run_id: int, now: float, reason: str) -> None:
    """Log how a run ended."""
    connection.execute(sa.update(runs).where(runs.c.id == run_id), {"ended_at": now, "reason": reason})


@contextmanager
def logged(engine: sa.Engine, kind: str) -> Iterator[None]:
    """Log a run around a piece of work; its reason is 'finished', or 'failed' after an exception."""
    with engine.begin() as connection:
        run_id = start_run(connection, kind, time.time())
    reason = "failed"
    try:
        yield
        reason = "finished"
    finally:
        with engine.begin() as connection:
            end_run(connection, run_id, time.time(), reason)
