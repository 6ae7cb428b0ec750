"""Resolves a host's address before its first request, robots.txt included.

A thousand names on one machine would else be asked for a thousand robots.txt at once.
"""

from collections import deque
from collections.abc import Callable, Iterator

from engine.frontier.host_queue import HostQueue

MAX_LOOKUPS = 32  # hosts that are looked up; three times the threads that ask for names
LOOK_SECONDS = 0.05  # between looks for answers

Lookup = Callable[[str], str | None]
"""The address of a host: None while it is being looked up, '' where nobody knows."""


def no_lookup(_: str) -> str:
    """Looks nothing up: an address is known once it has answered."""
    return ""


class AddressLookups:
    """The queues of hosts that wait for their address, first come, first served."""

    def __init__(self, look_up: Lookup) -> None:
        self._look_up = look_up
        self._waiting: deque[HostQueue] = deque()
        self._looking: list[HostQueue] = []

    def __bool__(self) -> bool:
        """Tells whether some host waits."""
        return bool(self._waiting or self._looking)

    def must_wait(self, queue: HostQueue) -> bool:
        """Tells whether a queue has to wait for its address; it is found later."""
        if queue.looked_up or not queue.pace.pause:
            return False
        if not self and self._resolve(queue):
            return False
        self._waiting.append(queue)
        return True

    def take_resolved(self) -> Iterator[HostQueue]:
        """Removes and returns the queues whose addresses are known now."""
        while self._waiting and len(self._looking) < MAX_LOOKUPS:
            self._looking.append(self._waiting.popleft())
        looking, self._looking = self._looking, []
        for queue in looking:
            if self._resolve(queue):
                yield queue
            else:
                self._looking.append(queue)

    def _resolve(self, queue: HostQueue) -> bool:
        address = self._look_up(queue.host)
        queue.looked_up = address is not None
        queue.address = queue.address or address or ""
        return queue.looked_up
