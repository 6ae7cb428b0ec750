"""Decides how long a crawl waits for paused hosts once no other has anything to ask."""

SECONDS = 6.0  # from then on: one more try of each that has failed once


class Patience:
    """Begins anew whenever another host has something to ask."""

    def __init__(self) -> None:
        self._since: float | None = None

    def ends(self, now: float, wait: float | None, *, alone: bool) -> bool:
        """Whether nothing comes within it; `wait`: seconds until the next host may be asked, None for never.

        `alone`: all hosts that wait are left alone.
        """
        if wait is None:
            return True
        if not alone:
            self._since = None
            return False
        if self._since is None:
            self._since = now
        return now + wait > self._since + SECONDS
