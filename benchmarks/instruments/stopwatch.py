"""Measures CPU time, station by station."""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager


class Stopwatch:
    """CPU seconds of this process by station; what runs inside another station counts once."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._open = [""]
        self._since = time.process_time()

    @contextmanager
    def __call__(self, station: str) -> Iterator[None]:
        """Count what runs inside for this station, and for no other."""
        self._lap()
        self._open.append(station)
        try:
            yield
        finally:
            self._lap()
            self._open.pop()

    def _lap(self) -> None:
        now = time.process_time()
        self.seconds[self._open[-1]] += now - self._since  # type: ignore[assignment]  # a Counter may hold floats
        self._since = now
