"""Keeps the leases of a run's hosts, and hands hosts over, so many in a transaction, when its share changes.

In memory a host leaves at once: nothing more is asked of it. Its lease follows as soon as nothing of it is
under way; then the run whose share it is hears a call for it. What is free and of our share now is taken.
"""

from collections.abc import Collection, Sequence

import sqlalchemy as sa

from engine.frontier import leases
from engine.frontier.host_queue import HostQueue
from engine.frontier.host_queues import HostQueues
from engine.frontier.host_share import HostShare


class HostLeases:
    """Goes through the hosts that change hands, in the order of their ids. Times are seconds since 1970."""

    def __init__(self, host_queues: HostQueues) -> None:
        self.share = HostShare()
        self._host_queues = host_queues
        self._after: int | None = None  # the id of the last host that was found; None: all were
        self._found: Sequence[leases.MovingHost] | None = None
        self._leaving: dict[int, str] = {}  # hosts whose leases are to be released, by their ids
        self.has_more_calls = False  # than are answered at once

    @property
    def are_moving(self) -> bool:
        """Tells whether hosts are to change hands yet."""
        return self._after is not None or bool(self._leaving) or self.has_more_calls

    def begin(self, connection: sa.Connection, share: HostShare) -> None:
        """Begins a hand-over, as the share has changed; what was found for it before is kept."""
        if self._host_queues.save_places(connection):  # shares are of the buckets that the database knows
            self._found = None
        self.share, self._after = share, 0
        self._leaving.clear()

    def take_share(self, connection: sa.Connection, share: HostShare) -> None:
        """Leases the free hosts of a share, to be listed once it is known what is due there."""
        self.begin(connection, share)
        leases.take_share(connection, share)

    def give_away(self, queue: HostQueue) -> None:
        """Gives one host away whose machine another run asks."""
        self._leaving[queue.id] = queue.host

    def look(self, connection: sa.Connection, share: HostShare) -> None:
        """Looks for the next hosts that change hands with a share; any connection will do."""
        after = self._after if share == self.share else 0
        if after is not None:
            queues = self._host_queues.values()
            back = [one.id for one in queues if not (one.leased and share.includes(one.bucket))]
            self._found = leases.find_moving(connection, share, after, back)

    def find_leaving(self, connection: sa.Connection) -> list[HostQueue]:
        """Finds queues that are still asked of hosts in the next slice that are not of the share."""
        if self._found is None:
            self.look(connection, self.share)
        queues = (self._host_queues.get(one.host) for one in self._found or () if one.leaves)
        return [queue for queue in queues if queue and queue.leased]

    def hand_over(self, connection: sa.Connection, now: float) -> list[leases.LeasedHost]:
        """Releases and takes what was found, and releases what was busy; returns those with queued URLs."""
        found, self._found = self._found or (), None
        self._after = found[-1].id if len(found) == leases.HOSTS_AT_ONCE else None
        self._leaving.update((one.id, one.host) for one in found if one.leaves)
        free = [number for number, host in self._leaving.items() if not self._is_busy(host)]
        self._host_queues.save_places(connection)
        resting = self._host_queues.find_resting([self._leaving.pop(number) for number in free], now)
        leases.save_rests(connection, self.share, resting)
        leases.release(connection, self.share, free)
        coming = [one.id for one in found if not one.leaves]
        return [known for known in leases.take_waiting(connection, self.share, coming) if known.queued]

    def find_lost(self, held: Collection[int]) -> list[HostQueue]:
        """Finds queues of hosts that are not of the share any more, or not among those that are held."""
        ours = [queue for queue in self._host_queues.values() if queue.leased]
        return [one for one in ours if one.id not in held or not self.share.includes(one.bucket)]

    def load_held(self, connection: sa.Connection) -> Collection[int]:
        """Loads the ids of the hosts that are leased to this run."""
        return leases.load_held(connection, self.share)

    def load_calls(self, connection: sa.Connection) -> Sequence[str]:
        """Loads hosts of ours where another run has queued URLs, as many as are answered at once."""
        calls = leases.load_calls(connection, self.share)
        self.has_more_calls = len(calls) == leases.HOSTS_AT_ONCE
        return calls

    def save_rests(self, connection: sa.Connection) -> None:
        """Saves new waiting times and places of hosts since the last call."""
        self._host_queues.save_places(connection)
        self._host_queues.save_rests(connection, self.share)

    def release_all(self, connection: sa.Connection, now: float) -> None:
        """Releases all hosts; the run that asks them next keeps to their rests."""
        leases.save_rests(connection, self.share, self._host_queues.find_resting(self._host_queues, now))
        leases.release_all(connection, self.share)

    def _is_busy(self, host: str) -> bool:
        """Tells whether a request of ours to a host is under way, or not yet committed."""
        queue = self._host_queues.get(host)
        return queue is not None and bool(queue.in_flight or queue.claimed)
