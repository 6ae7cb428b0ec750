"""Defines a crawl's progress: one frozen value for the terminal, the log and the search page."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """A crawl at one moment; rates in pages per second over its last half minute."""

    running: bool
    pages: int
    queued: int
    errors: int
    per_second: float
    to_index: int = 0  # changes that the index has yet to take in, once nothing is fetched any more

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the known queue is empty at this rate; None while nothing can be said."""
        return self.queued / self.per_second if self.per_second > 0 else None
