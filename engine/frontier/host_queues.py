"""Holds the queues of all hosts that a run has met."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import sqlalchemy as sa

from engine.frontier import leases
from engine.frontier.host_queue import HostQueue
from engine.frontier.host_rows import StoredHost, insert_rows, load_rows
from engine.frontier.host_share import HostShare, place_by_address
from engine.frontier.politeness import Pace
from engine.frontier.robots_cache import RobotsCache
from engine.packing import unpack_robots
from engine.robots import RobotsState


class HostQueues(dict[str, HostQueue]):
    """The queues by host. Times are seconds since 1970."""

    def __init__(self, pace_of: Callable[[str], Pace], robots_cache: RobotsCache) -> None:
        super().__init__()
        self._pace_of = pace_of
        self._robots_cache = robots_cache
        self._rested: set[str] = set()  # hosts whose rests the database does not know yet
        self._placed: dict[int, int] = {}  # buckets that it does not know, by the hosts' ids

    def ensure(self, number: int, host: str) -> HostQueue:
        """Returns the queue of a host, a new one where there is none."""
        if host not in self:
            self[host] = HostQueue(number, host, self._pace_of(host), self._robots_cache)
        return self[host]

    def load(self, connection: sa.Connection, hosts: Iterable[str]) -> list[str]:
        """Makes queues for hosts that have none; returns those that the database does not know."""
        unmet = [host for host in hosts if host not in self]
        rows = load_rows(connection, unmet)
        self._add_rows(rows)
        return [host for host in unmet if host not in rows]

    def insert(self, connection: sa.Connection, hosts: Sequence[str]) -> None:
        """Inserts hosts into the database, and makes their queues."""
        self._add_rows(insert_rows(connection, hosts))
        for host in hosts:
            self[host].known_urls = 0

    def lease(self, connection: sa.Connection, share: HostShare, hosts: Iterable[str]) -> None:
        """Leases those of the hosts with queues that are of the share and free."""
        others = [queue for host in hosts if (queue := self.get(host)) and not queue.leased]
        wanted = [queue.id for queue in others if share.includes(queue.bucket)]
        for known in leases.take(connection, share, wanted):
            self.add_leased(known)

    def open(self, connection: sa.Connection, share: HostShare, host: str) -> HostQueue:
        """Returns the queue of a host of which no URL need be known; leased if it is free and ours."""
        self.insert(connection, self.load(connection, [host]))
        self.lease(connection, share, [host])
        return self[host]

    def count_urls(self, connection: sa.Connection, hosts: Iterable[str], known: Mapping[str, int]) -> None:
        """Counts the known URLs of those of the hosts with queues where they were not counted yet.

        `known` has the counts of some.
        """
        queues = [queue for host in hosts if (queue := self.get(host)) and queue.known_urls is None]
        counts = leases.count_urls(connection, [queue.id for queue in queues if queue.host not in known])
        for queue in queues:
            queue.known_urls = known[queue.host] if queue.host in known else counts[queue.id]

    def add_leased(self, known: leases.LeasedHost) -> HostQueue:
        """Adds the queue of a host just leased, with what the run before has learned of it."""
        queue = self.ensure(known.id, known.host)
        queue.leased = queue.just_leased = True
        queue.place = known.place
        queue.ready_at = max(queue.ready_at, known.ready_at or 0.0)
        queue.rest_until = max(queue.rest_until, known.rest_until or 0.0)
        if known.robots:
            queue.apply_robots(unpack_robots(known.robots))
        return queue

    def record_response(self, queue: HostQueue, now: float, *, down: bool, rest: float, draw: float) -> None:
        """Ends a request and sets when the next may be; a rest is saved soon."""
        before = queue.rest_until
        queue.record_response(now, down=down, rest=rest, draw=draw)
        if down or queue.rest_until != before:
            self._rested.add(queue.host)

    def save_rests(self, connection: sa.Connection, share: HostShare) -> None:
        """Saves rests learned since the last time, so that a killed run forgets none."""
        if self._rested:
            leases.save_rests(connection, share, [self[host] for host in self._rested])
            self._rested.clear()

    def place(self, queue: HostQueue) -> None:
        """Puts a host, whose address is known now, into the bucket of the machine that answers there."""
        queue.place = self._placed[queue.id] = place_by_address(queue.address)

    def save_places(self, connection: sa.Connection) -> bool:
        """Saves the buckets of hosts that were placed since the last time; tells whether there were some."""
        placed, self._placed = self._placed, {}
        leases.save_places(connection, placed)
        return bool(placed)

    def robots(self, host: str) -> RobotsState | None:
        """Returns the host's last answer to GET /robots.txt, None before the first."""
        queue = self.get(host)
        return queue.robots if queue else None

    def set_robots(self, host: str, state: RobotsState) -> None:
        """Applies a robots.txt from now on, to URLs that are queued already as well (requirement 121)."""
        if queue := self.get(host):
            queue.apply_robots(state)

    def find_resting(self, hosts: Iterable[str], now: float) -> list[HostQueue]:
        """Finds those of the hosts with queues that may not be asked yet."""
        some = (queue for host in hosts if (queue := self.get(host)))
        return [queue for queue in some if max(queue.ready_at, queue.rest_until) > now]

    def release_all(self) -> set[int]:
        """Drops what waits and the leases of all; returns the ids of those that we alone asked."""
        ours = {queue.id for queue in self.values() if queue.leased and not queue.just_leased}
        for queue in self.values():
            queue.release()
        return ours

    def count_suspended(self) -> int:
        """Counts the hosts that no crawl need wait for."""
        return sum(queue.is_suspended for queue in self.values() if queue.leased)

    def find_unfinished(self) -> list[int]:
        """Finds the ids of the other hosts where URLs wait."""
        return [queue.id for queue in self.values() if queue.waiting and not queue.is_suspended]

    def _add_rows(self, rows: Mapping[str, StoredHost]) -> None:
        for host, row in rows.items():
            self.ensure(row.id, host).place = row.place
