"""Bounds how fast workers that die are replaced."""

FIRST_DELAY = 0.1  # seconds until a worker that died is replaced, doubled each time
LAST_DELAY = 30.0  # seconds, the longest
STEADY_SECONDS = 60.0  # a worker that lived so long did not die of its start


class BackOff:
    """The delay before the next start, by how long those lived that died in a row."""

    def __init__(self) -> None:
        self._delay = FIRST_DELAY

    def count_death(self, lived: float) -> float:
        """Counts a death after so many seconds of life; returns in how many seconds to start another."""
        delay = FIRST_DELAY if lived >= STEADY_SECONDS else self._delay
        self._delay = min(LAST_DELAY, 2 * delay)
        return delay
