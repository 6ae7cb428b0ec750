"""The queues of all hosts that a run has met."""

from collections.abc import Callable

import sqlalchemy as sa

from engine.frontier import leases
from engine.frontier.host_queue import HostLine
from engine.frontier.host_share import HostShare
from engine.frontier.politeness import Pace
from engine.frontier.robots_cache import Rulebook
from engine.packing import unpack_robots
from engine.robots import RobotsState


class HostLines(dict[str, HostLine]):
    """Times are seconds since 1970."""

    def __init__(self, pace_of: Callable[[str], Pace], rulebook: Rulebook) -> None:
        super().__init__()
        self._pace_of = pace_of
        self._rulebook = rulebook
        self._rested: set[str] = set()  # hosts whose rests the database does not know yet

    def made(self, number: int, host: str) -> HostLine:
        """The line of a host, begun where there is none."""
        if host not in self:
            self[host] = HostLine(number, host, self._pace_of(host), self._rulebook)
        return self[host]

    def hold(self, known: leases.Leased) -> HostLine:
        """The line of a host that is ours now, with what the run before has learned of it."""
        line = self.made(known.id, known.host)
        line.leased = True
        line.ready_at = max(line.ready_at, known.ready_at or 0.0)
        line.rest_until = max(line.rest_until, known.rest_until or 0.0)
        if known.robots:
            line.go_by(unpack_robots(known.robots))
        return line

    def answered(self, line: HostLine, now: float, *, down: bool, rest: float, draw: float) -> None:
        """A request is over: when the next may be; a rest is to be written down soon."""
        before = line.rest_until
        line.answered(now, down=down, rest=rest, draw=draw)
        if down or line.rest_until != before:
            self._rested.add(line.host)

    def keep_rests(self, connection: sa.Connection, share: HostShare) -> None:
        """Write down what was learned of rests since the last time: who is killed has forgotten none."""
        if self._rested:
            leases.keep_rests(connection, share, [self[host] for host in self._rested])
            self._rested.clear()

    def robots(self, host: str) -> RobotsState | None:
        """The host's last answer to GET /robots.txt, None before the first."""
        line = self.get(host)
        return line.robots if line else None

    def keep_robots(self, host: str, state: RobotsState) -> None:
        """Go by this robots.txt from now on; URLs that are queued already included (requirement 121)."""
        if line := self.get(host):
            line.go_by(state)

    def busy(self) -> list[HostLine]:
        """Those of other runs' hosts where something of ours is under way."""
        return [line for line in self.values() if not line.leased and (line.in_flight or line.taken)]

    def resting(self, now: float) -> list[HostLine]:
        """Those that may not be asked yet."""
        return [line for line in self.values() if max(line.ready_at, line.rest_until) > now]

    def left_alone(self) -> int:
        """How many hosts no crawl need stay for."""
        return sum(line.left_alone for line in self.values() if line.leased)

    def unfinished(self) -> list[int]:
        """The ids of the other hosts where URLs wait."""
        return [line.id for line in self.values() if line.waiting and not line.left_alone]
