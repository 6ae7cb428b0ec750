"""Caches a value for one second."""

import time
from collections.abc import Callable
from typing import Generic, TypeVar

LOOK_SECONDS = 1.0

T = TypeVar("T")


class TtlCache(Generic[T]):
    """What `look` saw, at most LOOK_SECONDS ago; safe for several threads, of which two may look at once."""

    def __init__(self, look: Callable[[], T], clock: Callable[[], float] = time.monotonic) -> None:
        self._look, self._clock = look, clock
        self._seen: tuple[float, T] | None = None

    def __call__(self) -> T:
        """Returns the cached value; errors are raised and not cached."""
        now = self._clock()
        if self._seen is None or now - self._seen[0] >= LOOK_SECONDS:
            self._seen = now, self._look()
        return self._seen[1]
