"""One run among the crawls on a data folder: its entry in the run log, its neighbours, its share."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from engine.errors import EngineError
from engine.frontier.leases import called_for
from engine.frontier.share import Share
from engine.store.journal import Journal, journal_of
from engine.store.runs import (
    LEASE_SECONDS,
    RunRow,
    beat,
    end_run,
    living_runs,
    mark_opening,
    resume_run,
    start_run,
    stopped_runs,
)

BEAT_SECONDS = LEASE_SECONDS / 6  # between signs of life, also while nothing happens
CRAWL = "crawl"


class Seating(Protocol):
    """Who of those in the run log lives: engine.store.lock.Seats."""

    def take(self, run: int) -> bool:
        """Whether nobody sat there; then we do."""

    def taken(self, run: int) -> bool:
        """Whether a living process does this run."""


class Alone:
    """The seats of a folder that nobody else uses."""

    def take(self, run: int) -> bool:
        """Always."""
        return True

    def taken(self, run: int) -> bool:
        """Never."""
        return False


class Run:
    """The run of this process. `sites` is a digest of what it crawls; times are seconds since 1970."""

    def __init__(self, sites: str, seats: Seating) -> None:
        self.id = 0
        self.share = Share()
        self.opening = False  # what is known is being queued for another visit; a kill does not end that
        self.others_busy = False  # another run may yet call for our hosts
        self.journal = Journal()
        self._sites = sites
        self._seats = seats
        self._beat_at = 0.0
        self._overslept = False
        self._idle = False  # as the others were told

    def begin(self, connection: sa.Connection, now: float) -> Mapping[str, float]:
        """Go on with a run that was stopped, or start one; what that has counted.

        Raises EngineError while somebody crawls other sites into the same folder: the share
        of a run is also the share of its sites.
        """
        stopped = [run for run in stopped_runs(connection, CRAWL) if not self._seats.taken(run.id)]
        self.id = stopped[0].id if stopped else 0
        if any(run.id != self.id and run.sites != self._sites for run in self._living(connection, now)):
            raise EngineError(
                "another crawl with other sites is at work on this data folder; wait for it, stop it, "
                "or start this one with the same sites: then the two share the work"
            )
        for run in stopped[1:]:
            if run.ended_at is None:  # killed: its hosts are free, another process may go on with it
                end_run(connection, run.id, now, "shutdown")
        if stopped:
            resume_run(connection, self.id, now, self._sites)
            self.opening = bool(stopped[0].opening)
        else:
            self.id = start_run(connection, CRAWL, now, self._sites)
        self._seats.take(self.id)
        self._beat_at = now
        self.look(connection, now)
        return stopped[0].counters if stopped else {}

    def keep_journal(self, connection: sa.Connection, folder: Path, now: float) -> None:
        """Note in this folder what is under way; what is left there of runs that were killed is taken up."""
        self.journal = journal_of(connection, folder, self.id, self.share.others, now)

    def open_again(self, connection: sa.Connection) -> None:
        """From here on, until it is `opened`, the run has to queue what is known."""
        self.opening = True
        mark_opening(connection, self.id, opening=True)

    def opened(self, connection: sa.Connection) -> None:
        """All that is known and due is queued."""
        self.opening = False
        mark_opening(connection, self.id, opening=False)

    def look(self, connection: sa.Connection, now: float) -> bool:
        """See who lives; whether our hosts are to be shared out anew."""
        living = self._living(connection, now)
        before, overslept, self._overslept = self.share, self._overslept, False
        others = [run for run in living if run.id != self.id]
        # A call that nobody has heard yet may end as ours: who is called for may be about to leave.
        self.others_busy = bool(others) and (any(not run.idle for run in others) or called_for(connection))
        self.share = Share(self.id, tuple(sorted({self.id, *(run.id for run in living)})))
        return overslept or self.share != before

    def beat_due(self, now: float, *, idle: bool) -> bool:
        """Whether the others should hear from us now."""
        return idle != self._idle or now - self._beat_at > BEAT_SECONDS

    def beat(
        self, connection: sa.Connection, now: float, counts: Mapping[str, float], *, idle: bool = False
    ) -> None:
        """A sign of life, with what was counted so far."""
        # Others may have taken our hosts when we gave no sign of life for so long.
        self._overslept = self._overslept or now - self._beat_at > LEASE_SECONDS
        beat(connection, self.id, now, counts, idle=idle)
        self._beat_at, self._idle = now, idle

    def end(self, connection: sa.Connection, now: float, reason: str) -> None:
        """Log how it ended."""
        end_run(connection, self.id, now, reason)

    def _living(self, connection: sa.Connection, now: float) -> list[RunRow]:
        alive = living_runs(connection, CRAWL, now)
        return [run for run in alive if run.id == self.id or self._seats.taken(run.id)]
