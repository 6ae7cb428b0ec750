"""Registers a run: its entry in the run log, its round, and its share beside other processes.

With every run a round of visits begins in which each host has its turn by itself (engine.crawl.opening); but
who goes on with a run that was stopped, or joins one that is at work, takes part in its round.
"""

import math
from collections.abc import Mapping
from typing import Protocol

import sqlalchemy as sa

from engine.errors import EngineError
from engine.frontier import HostShare, has_calls
from engine.responses import KeptResponses
from engine.store import (
    CRAWL,
    CRAWLING,
    FEEDS,
    LEASE_SECONDS,
    Journal,
    Round,
    RunRow,
    end_run,
    load_last_run,
    load_living_runs,
    load_run,
    load_stopped_runs,
    record_heartbeat,
    resume_run,
    save_round,
    start_run,
)

HEARTBEAT_SECONDS = LEASE_SECONDS / 6  # between signs of life, also while nothing happens
# A run that was stopped so long ago is not gone on with: what it has asked is due again, after what it left.
STALE_SECONDS = 12 * 3_600.0  # half of the time between two nights


class RunLocking(Protocol):
    """Tells which runs in the run log live: engine.folder.lock.RunLocks."""

    def lock(self, run: int) -> None:
        """Takes the run's lock. Raises EngineError while another process keeps all crawls out."""

    def is_locked(self, run: int) -> bool:
        """Tells whether a living process does this run."""


class NoLocks:
    """Locks for a folder that no other process uses."""

    def lock(self, run: int) -> None:
        """Succeeds always."""

    def is_locked(self, run: int) -> bool:
        """Returns False always."""
        return False


class Run:
    """The run of this process. `sites` is a digest of what it crawls; times are seconds since 1970."""

    def __init__(self, sites: str, locks: RunLocking, kind: str = CRAWL) -> None:
        self.id, self.kind = 0, kind
        self.share = HostShare()
        self.round = Round(0, 0.0)
        self.is_after_kill = False  # nobody has written what hosts it asked last
        self.others_busy = False  # another run may yet call for our hosts
        self.journal = Journal()
        self.responses: KeptResponses | None = None  # where they are kept
        self._sites = sites
        self._locks = locks
        self._heartbeat_at = 0.0
        self._lease_lapsed = False
        self.overslept = False  # by the last look, others may have taken our hosts
        self._idle = False  # as the others were told

    @property
    def number(self) -> int:
        """How many runs there are, this one among them."""
        return len(self.share.runs)

    @property
    def is_alone(self) -> bool:
        """Whether the last look found no other run, and all hosts were this one's until now."""
        return not self.share.others and not self._lease_lapsed

    def begin(self, connection: sa.Connection, now: float) -> Mapping[str, float]:
        """Continues a run that was stopped, or starts one; returns what that has counted.

        Raises EngineError while somebody crawls other sites into the same folder: the share
        of a run is also the share of its sites; and while it is vacuumed.
        """
        stopped = [
            run
            for kind in CRAWLING
            for run in load_stopped_runs(connection, kind)
            if not self._locks.is_locked(run.id)
        ]
        self.is_after_kill = any(run.ended_at is None for run in stopped)
        ours = (run for run in stopped if run.kind == self.kind)
        going_on = next((run for run in ours if now - run.last_seen < STALE_SECONDS), None)
        self.id = going_on.id if going_on else 0
        if any(run.id != self.id and run.sites != self._sites for run in self._load_living(connection, now)):
            raise EngineError(
                "another crawl with other sites is using this data folder; wait for it, stop it, "
                "or start this one with the same sites: then the two share the work"
            )
        for run in stopped:
            if run.ended_at is None and run is not going_on:  # killed: its hosts are free
                end_run(connection, run.id, run.beat_at, "shutdown")
        self._join_round(connection, going_on, now)
        self._locks.lock(self.id)
        self._heartbeat_at = now
        self.refresh_share(connection, now)
        return going_on.counters if going_on else {}

    def _join_round(self, connection: sa.Connection, going_on: RunRow | None, now: float) -> None:
        """Joins the round of a run that continues, or is at work; else begins one.

        Who reads feeds begins none: it takes part in the last crawl's.
        """
        if going_on:
            resume_run(connection, self.id, now, self._sites)
        else:
            self.id = start_run(connection, self.kind, now, self._sites)
        beside = going_on or next(
            (run for run in self._load_living(connection, now) if run.id != self.id),
            load_last_run(connection, CRAWL) if self.kind == FEEDS else None,
        )
        number = (beside.round or beside.id) if beside else self.id
        save_round(connection, self.id, number)
        # In a round of our own nothing was visited so far, whatever the clock has shown before.
        since = load_run(connection, number).started_at if beside else math.inf
        self.round = Round(number, since)

    def refresh_share(self, connection: sa.Connection, now: float, *, called: bool = False) -> bool:
        """Finds the living runs; tells whether hosts have to be distributed again.

        `called`: a moment before, some host was called for. Who has heard that since may stand there as idle.
        """
        living = self._load_living(connection, now)
        before, self.overslept, self._lease_lapsed = self.share, self._lease_lapsed, False
        others = [run for run in living if run.id != self.id]
        # A call that nobody has heard yet may end as ours: who is called for may be about to leave.
        self.others_busy = bool(others) and (
            called or any(not run.idle for run in others) or has_calls(connection)
        )
        self.share = HostShare(self.id, tuple(sorted({self.id, *(run.id for run in living)})))
        return self.overslept or self.share != before

    def look_for_calls(self, connection: sa.Connection) -> None:
        """Notes that another run is called for a host, which it may call us for in turn."""
        self.others_busy = self.others_busy or (bool(self.share.others) and has_calls(connection))

    def is_heartbeat_due(self, now: float, *, idle: bool) -> bool:
        """Tells whether it is time for a heartbeat."""
        return idle != self._idle or now - self._heartbeat_at > HEARTBEAT_SECONDS

    def heartbeat(
        self, connection: sa.Connection, now: float, counts: Mapping[str, float], *, idle: bool = False
    ) -> None:
        """Writes a heartbeat with the current counts."""
        # Others may have taken our hosts when we gave no sign of life for so long.
        self._lease_lapsed = self._lease_lapsed or now - self._heartbeat_at > LEASE_SECONDS
        record_heartbeat(connection, self.id, now, counts, idle=idle)
        self._heartbeat_at, self._idle = now, idle

    def flush_responses(self) -> None:
        """Waits until the responses of the visits that are to be committed are written."""
        if self.responses:
            self.responses.flush()

    def end(self, connection: sa.Connection, now: float, reason: str) -> None:
        """Logs how the run ended."""
        end_run(connection, self.id, now, reason)

    def _load_living(self, connection: sa.Connection, now: float) -> list[RunRow]:
        alive = load_living_runs(connection, now)
        return [run for run in alive if run.id == self.id or self._locks.is_locked(run.id)]
