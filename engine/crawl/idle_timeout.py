"""Decides how long a crawl waits for suspended hosts once no other host has queued URLs."""

TIMEOUT_SECONDS = 6.0  # from then on: one more try of each that has failed once


class IdleTimeout:
    """A timeout that restarts whenever another host has queued URLs."""

    def __init__(self) -> None:
        self._since: float | None = None

    def is_over(self, now: float, wait: float | None, *, only_suspended: bool) -> bool:
        """Tells whether nothing comes in time; `wait`: seconds to the next host, None for never.

        `only_suspended`: all hosts with queued URLs are suspended.
        """
        if wait is None:
            return True
        if not only_suspended:
            self._since = None
            return False
        if self._since is None:
            self._since = now
        return now + wait > self._since + TIMEOUT_SECONDS
