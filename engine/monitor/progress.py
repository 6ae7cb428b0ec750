"""Defines a crawl's progress: one frozen value for the terminal, the log and the search page."""

from dataclasses import dataclass

WINDOW_SECONDS = 30.0  # the rate is that of the last half minute


@dataclass(frozen=True, slots=True)
class Progress:
    """A crawl at one moment; rates in pages per second over its last half minute."""

    running: bool
    pages: int
    queued: int
    errors: int
    per_second: float
    to_index: int | None = None  # changes that the index has yet to take in; None while pages are fetched

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the known queue is empty at this rate; None while nothing can be said.

        A rate of half a minute tells nothing of less than that: the last pages wait for slow hosts.
        """
        seconds = self.queued / self.per_second if self.per_second > 0 else 0.0
        return seconds if seconds >= WINDOW_SECONDS else None
