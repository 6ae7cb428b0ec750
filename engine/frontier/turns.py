"""Picks the next host: of those with URLs due, the one that may be asked first."""

import heapq
import itertools

from engine.frontier.addresses import LOOK_SECONDS, Addresses, nobody_knows
from engine.frontier.host_queue import HostLine


class AddressTurns:
    """The lines of hosts in the order of their turns. Times are seconds since 1970."""

    def __init__(self) -> None:
        self.addresses = Addresses(nobody_knows)
        self._heap: list[tuple[float, int, HostLine]] = []
        self._number = itertools.count()  # first come, first served among hosts that are ready

    def put(self, line: HostLine, ready_at: float) -> None:
        """List a host that is ours; it has one place at a time."""
        if line.leased:
            line.listed = True
            heapq.heappush(self._heap, (ready_at, next(self._number), line))

    def take(self, now: float) -> HostLine | None:
        """The next host whose turn has come; it has no place any more."""
        for found in self.addresses.found():
            self.put(found, found.ready_at)
        while self._heap and self._heap[0][0] <= now:
            line = heapq.heappop(self._heap)[2]
            line.listed = self.addresses.wanted(line)  # then it has its place there
            if not line.listed:
                return line
        return None

    def wait(self, now: float) -> float | None:
        """Seconds until a host may be asked; None when there is none."""
        wait = max(0.0, self._heap[0][0] - now) if self._heap else None
        return min(LOOK_SECONDS, LOOK_SECONDS if wait is None else wait) if self.addresses else wait
