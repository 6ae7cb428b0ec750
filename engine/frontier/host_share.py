"""Divides hosts among the processes that crawl from one database (requirement 26)."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HostShare:
    """The share of one run among the living: of `runs` (their numbers, in order) it is `run`.

    Every host belongs to one of them by its number, so nobody has to ask whose it is. That two runs
    which see different neighbours never ask the same host is the lease's matter, in the database.
    """

    run: int = 0
    runs: Sequence[int] = (0,)

    @property
    def rank(self) -> int:
        """The run's position among the runs, from 0."""
        return self.runs.index(self.run)

    @property
    def others(self) -> tuple[int, ...]:
        """The runs whose leases hold."""
        return tuple(run for run in self.runs if run != self.run)

    def includes(self, host_id: int) -> bool:
        """Tells whether a host belongs to the share."""
        return self.runs[host_id % len(self.runs)] == self.run
