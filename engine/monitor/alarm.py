"""Raises an alarm now and then while something stays wrong, not at every request that meets it."""

import logging
import time
from collections.abc import Callable, Hashable
from threading import Lock

AGAIN_SECONDS = 3_600.0  # between two sentences about the same
MAX_KNOWN = 1_000  # things that something was said about; with more, all may be said again


class Alarm:
    """Says a sentence about a thing, at most once in AGAIN_SECONDS; safe for several threads."""

    def __init__(self, say: Callable[[str], object], clock: Callable[[], float] = time.monotonic) -> None:
        self._say, self._clock = say, clock
        self._lock = Lock()
        self._said: dict[Hashable, float] = {}

    def relay(self, say: Callable[[str], object]) -> None:
        """Has sentences said elsewhere: by the one of several processes that says them for all."""
        self._say = say

    def __call__(self, sentence: str, about: Hashable = None) -> None:
        """Logs a sentence once an hour; `about` is its subject, None: the sentence itself."""
        about, now = about or sentence, self._clock()
        with self._lock:
            if now - self._said.get(about, -AGAIN_SECONDS) < AGAIN_SECONDS:
                return
            if len(self._said) >= MAX_KNOWN:
                self._said.clear()
            self._said[about] = now
        self._say(sentence)


ALARM = Alarm(logging.getLogger("lycosa").error)
"""The operator's log, for all that runs in this process."""
