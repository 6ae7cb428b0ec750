"""The queues of all hosts that a run has met."""

from collections.abc import Callable

import sqlalchemy as sa

from engine.frontier import leases
from engine.frontier.host_queue import HostQueue
from engine.frontier.host_share import HostShare
from engine.frontier.politeness import Pace
from engine.frontier.robots_cache import RobotsCache
from engine.packing import unpack_robots
from engine.robots import RobotsState


class HostQueues(dict[str, HostQueue]):
    """Times are seconds since 1970."""

    def __init__(self, pace_of: Callable[[str], Pace], robots_cache: RobotsCache) -> None:
        super().__init__()
        self._pace_of = pace_of
        self._robots_cache = robots_cache
        self._rested: set[str] = set()  # hosts whose rests the database does not know yet

    def ensure(self, number: int, host: str) -> HostQueue:
        """The queue of a host, begun where there is none."""
        if host not in self:
            self[host] = HostQueue(number, host, self._pace_of(host), self._robots_cache)
        return self[host]

    def add_leased(self, known: leases.LeasedHost) -> HostQueue:
        """The queue of a host that is ours now, with what the run before has learned of it."""
        queue = self.ensure(known.id, known.host)
        queue.leased = True
        queue.ready_at = max(queue.ready_at, known.ready_at or 0.0)
        queue.rest_until = max(queue.rest_until, known.rest_until or 0.0)
        if known.robots:
            queue.apply_robots(unpack_robots(known.robots))
        return queue

    def record_response(self, queue: HostQueue, now: float, *, down: bool, rest: float, draw: float) -> None:
        """A request is over: when the next may be; a rest is to be written down soon."""
        before = queue.rest_until
        queue.record_response(now, down=down, rest=rest, draw=draw)
        if down or queue.rest_until != before:
            self._rested.add(queue.host)

    def save_rests(self, connection: sa.Connection, share: HostShare) -> None:
        """Write down what was learned of rests since the last time: who is killed has forgotten none."""
        if self._rested:
            leases.save_rests(connection, share, [self[host] for host in self._rested])
            self._rested.clear()

    def robots(self, host: str) -> RobotsState | None:
        """The host's last answer to GET /robots.txt, None before the first."""
        queue = self.get(host)
        return queue.robots if queue else None

    def set_robots(self, host: str, state: RobotsState) -> None:
        """Go by this robots.txt from now on; URLs that are queued already included (requirement 121)."""
        if queue := self.get(host):
            queue.apply_robots(state)

    def find_busy(self) -> list[HostQueue]:
        """Those of other runs' hosts where something of ours is under way."""
        return [queue for queue in self.values() if not queue.leased and (queue.in_flight or queue.claimed)]

    def find_resting(self, now: float) -> list[HostQueue]:
        """Those that may not be asked yet."""
        return [queue for queue in self.values() if max(queue.ready_at, queue.rest_until) > now]

    def count_left_alone(self) -> int:
        """How many hosts no crawl need stay for."""
        return sum(queue.is_left_alone for queue in self.values() if queue.leased)

    def find_unfinished(self) -> list[int]:
        """The ids of the other hosts where URLs wait."""
        return [queue.id for queue in self.values() if queue.waiting and not queue.is_left_alone]
