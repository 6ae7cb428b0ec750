"""Picks the next host: of those with URLs due, the one that may be asked first."""

import heapq
import itertools

from engine.frontier.address_lookups import LOOK_SECONDS, AddressLookups, no_lookup
from engine.frontier.host_queue import HostQueue

# Hosts of which is read what the one before them lacks: a question costs a server 0.2 ms, whatever it is for.
# Of twice as many a claim would save 0.01 ms more, and the one that reads would wait for twice 2,000 URLs.
NEXT = 7


class ReadyQueue:
    """The queues of hosts in the order of their turns. Times are seconds since 1970."""

    def __init__(self) -> None:
        self.addresses = AddressLookups(no_lookup)
        self._heap: list[tuple[float, int, HostQueue]] = []
        self._now = float("-inf")  # of the last look
        self._number = itertools.count()  # first come, first served among hosts that are ready

    def put(self, queue: HostQueue, ready_at: float) -> None:
        """Adds a host that is ours; it has one place at a time."""
        if queue.leased:
            queue.is_scheduled = True
            heapq.heappush(self._heap, (ready_at, next(self._number), queue))

    def take(self, now: float) -> HostQueue | None:
        """Removes and returns the next host whose turn has come."""
        self._now = now
        for found in self.addresses.take_resolved():
            self.put(found, found.ready_at)
        while self._heap and self._heap[0][0] <= now:
            queue = heapq.heappop(self._heap)[2]
            queue.is_scheduled = self.addresses.must_wait(queue)  # then it has its place there
            if not queue.is_scheduled:
                return queue
        return None

    def next_due(self) -> list[HostQueue]:
        """Finds the first few hosts whose turn has come; they keep it."""
        due = list[tuple[float, int, HostQueue]]()
        while len(due) < NEXT and self._heap and self._heap[0][0] <= self._now:
            due.append(heapq.heappop(self._heap))
        for place in due:
            heapq.heappush(self._heap, place)
        return [queue for _, _, queue in due]

    def next_hosts(self) -> list[str]:
        """Finds the names of the same."""
        return [queue.host for queue in self.next_due()]

    def seconds_to_next(self, now: float) -> float | None:
        """Returns the seconds until a host may be asked; None when there is none."""
        wait = max(0.0, self._heap[0][0] - now) if self._heap else None
        return min(LOOK_SECONDS, LOOK_SECONDS if wait is None else wait) if self.addresses else wait
