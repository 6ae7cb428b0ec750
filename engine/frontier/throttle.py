"""Pauses all requests in the operator's quiet hours, beyond the permitted bytes a second, or without room."""

import logging
import time
from collections.abc import Sequence

from engine.config import Hours
from engine.folder import FreeSpace, RoomWatch

SAVED_SECONDS = 1.0  # of an unused bandwidth, that may be made up for
MINUTE = 60  # seconds
LONGEST = 50 * 60  # minutes; when the clocks change, a day may lose the only minute that was not quiet

logger = logging.getLogger("lycosa")


class TokenBucket:
    """A rate of so much a second, of which `saved` seconds can be saved up (GCRA; ITU-T I.371).

    Two numbers; times are seconds on any clock that does not go back.
    """

    __slots__ = ("_due", "_per_second", "_saved")

    def __init__(self, per_second: float, saved: float) -> None:
        self._per_second = per_second
        self._saved = saved
        self._due = 0.0  # when all that was spent is paid for

    def seconds_to_wait(self, now: float) -> float:
        """Returns the seconds until something may be spent, 0.0 when it may be now."""
        return max(0.0, self._due - self._saved - now)

    def spend(self, amount: float, now: float) -> None:
        """Spends an amount even beyond the limit; the excess has to be waited for."""
        self._due = max(self._due, now) + amount / self._per_second


class QuietHours:
    """Hours of every day by this machine's clock, in summer time and in winter time."""

    def __init__(self, hours: Sequence[Hours]) -> None:
        self._hours = hours
        self._said = 0.0  # until when the log says that it is quiet

    def seconds_left(self, now: float) -> float:
        """Returns the seconds until it is not quiet, 0.0 when it is not now."""
        if not self._hours or not self._quiet(now):
            return 0.0
        # Minute by minute: what the clock shows in some hours is not what it shows now and some hours.
        whole = now - time.localtime(now).tm_sec - now % 1
        ends = (whole + MINUTE * minute for minute in range(1, LONGEST))
        return next(end for end in ends if not self._quiet(end)) - now

    def log(self, now: float, seconds: float) -> None:
        """Logs that quiet hours last for so many seconds more, once for each time of quiet."""
        if now >= self._said:
            self._said = now + seconds
            until = time.strftime("%H:%M", time.localtime(self._said))
            logger.info("no requests until %s: quiet_hours of crawl.toml", until)

    def _quiet(self, at: float) -> bool:
        shown = time.localtime(at)
        return any(hours.contains(shown.tm_hour * 60 + shown.tm_min) for hours in self._hours)


class Throttle:
    """Delays requests for these reasons. `bytes_per_second` None: any bandwidth; `disk` None: any disk."""

    def __init__(
        self,
        quiet: Sequence[Hours] = (),
        bytes_per_second: int | None = None,
        disk: FreeSpace | None = None,
    ) -> None:
        self._room = RoomWatch(disk, "the crawl") if disk else None
        self._quiet = QuietHours(quiet)
        self._bandwidth = TokenBucket(bytes_per_second, SAVED_SECONDS) if bytes_per_second else None

    def seconds_to_wait(self, now: float) -> float:
        """Returns the seconds until any host may be asked, 0.0 when that is now.

        Requests under way come on top.
        """
        if closed := self._quiet.seconds_left(now):
            self._quiet.log(now, closed)
        full = self._room.seconds_to_wait(now) if self._room else 0.0
        return max(closed, full, self._bandwidth.seconds_to_wait(now) if self._bandwidth else 0.0)

    def spend(self, size: int, now: float) -> None:
        """Counts bytes that came."""
        if self._bandwidth:
            self._bandwidth.spend(size, now)
