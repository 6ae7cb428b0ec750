"""Counts requests of several processes: each writes numbers of its own, whoever is asked adds them up."""

import mmap
from bisect import bisect_left
from collections.abc import Iterator
from struct import Struct

from search_ui.server.metrics import BOUNDS, RequestMetrics

NAME_BYTES = 64  # a status and a route, cut off
MAX_RECORDS = (
    512  # of a worker: some thirty routes with a few statuses each; of more, requests are not counted
)
_BUCKETS = len(BOUNDS) + 1
_RECORD = Struct(f"<{NAME_BYTES}s{_BUCKETS}Qd")  # a route and status, its durations, their sum in seconds
_NUMBERS = Struct(f"<{_BUCKETS}Qd")


class MetricsMemory:
    """The numbers of so many workers, in memory that they share. A worker's are kept for the next one."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._memory = mmap.mmap(-1, workers * MAX_RECORDS * _RECORD.size)

    def find_place(self, worker: int, route: str, status: int) -> int | None:
        """Finds the numbers of a route and status, or the place for them; None where there is no more."""
        name = f"{status} {route}".encode()[:NAME_BYTES].ljust(NAME_BYTES, b"\0")
        for place in self._places(worker):
            found = self._memory[place : place + NAME_BYTES]
            if found == name:
                return place + NAME_BYTES
            if not any(found):
                self._memory[place : place + NAME_BYTES] = name
                return place + NAME_BYTES
        return None

    def add(self, place: int, bucket: int, seconds: float) -> None:
        """Counts a request. A worker alone writes its numbers, so nothing is locked."""
        numbers = [*_NUMBERS.unpack_from(self._memory, place)]
        numbers[bucket] += 1
        numbers[-1] += seconds
        _NUMBERS.pack_into(self._memory, place, *numbers)

    def total(self) -> RequestMetrics:
        """Adds up the numbers of all workers, also of those that have ended."""
        total = RequestMetrics()
        for worker in range(self._workers):
            for place in self._places(worker):
                name, *buckets, seconds = _RECORD.unpack_from(self._memory, place)
                if not any(name):
                    break
                status, _, route = name.rstrip(b"\0").decode(errors="replace").partition(" ")
                total.add_many(route, int(status), buckets, seconds)
        return total

    def _places(self, worker: int) -> Iterator[int]:
        first = worker * MAX_RECORDS * _RECORD.size
        yield from range(first, first + MAX_RECORDS * _RECORD.size, _RECORD.size)


class SharedRequestMetrics(RequestMetrics):
    """Counts the requests of one worker, and tells those of all."""

    def __init__(self, memory: MetricsMemory, worker: int) -> None:
        super().__init__()
        self._memory, self._worker = memory, worker
        self._of: dict[tuple[str, int], int | None] = {}

    def add(self, route: str, status: int, seconds: float) -> None:
        """Counts one response."""
        if (route, status) not in self._of:
            self._of[route, status] = self._memory.find_place(self._worker, route, status)
        place = self._of[route, status]
        if place is not None:
            self._memory.add(place, bisect_left(BOUNDS, seconds), seconds)

    def format_lines(self) -> Iterator[str]:
        """Formats the counts of all workers as Prometheus reads them."""
        return self._memory.total().format_lines()
