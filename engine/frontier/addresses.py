"""Resolves a host's address before anything is asked of it, robots.txt included.

A thousand names on one machine would else be asked for a thousand robots.txt at once.
"""

from collections import deque
from collections.abc import Callable, Iterator

from engine.frontier.host_queue import HostLine

AT_ONCE = 32  # hosts that are looked up; three times the threads that ask for names
LOOK_SECONDS = 0.05  # between looks for answers

LookUp = Callable[[str], str | None]
"""The address of a host: None while it is being looked up, '' where nobody knows."""


def nobody_knows(_: str) -> str:
    """Look nothing up: an address is known once it has answered."""
    return ""


class Addresses:
    """The lines of hosts that wait for their address, first come, first served."""

    def __init__(self, look_up: LookUp) -> None:
        self._look_up = look_up
        self._waiting: deque[HostLine] = deque()
        self._looking: list[HostLine] = []

    def __bool__(self) -> bool:
        """Whether some host waits."""
        return bool(self._waiting or self._looking)

    def wanted(self, line: HostLine) -> bool:
        """Whether a line has to wait for its address; it is found later."""
        if line.looked_up or not line.pace.pause:
            return False
        if not self and self._looked(line):
            return False
        self._waiting.append(line)
        return True

    def found(self) -> Iterator[HostLine]:
        """Lines that waited and need to no more."""
        while self._waiting and len(self._looking) < AT_ONCE:
            self._looking.append(self._waiting.popleft())
        looking, self._looking = self._looking, []
        for line in looking:
            if self._looked(line):
                yield line
            else:
                self._looking.append(line)

    def _looked(self, line: HostLine) -> bool:
        address = self._look_up(line.host)
        line.looked_up = address is not None
        line.address = line.address or address or ""
        return line.looked_up
