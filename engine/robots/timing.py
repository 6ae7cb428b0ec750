"""Parses hours and rates that an owner asks for; no clock (requirements 186-188, 191; C37).

Times are seconds since 1970, UTC; hours of a robots.txt are UTC too.
"""

import re
from collections.abc import Iterable, Sequence
from math import floor
from typing import NamedTuple

DAY = 86_400  # seconds
UNITS = {"s": 1, "m": 60, "h": 3_600}  # seconds; Conner 1996: the second is the default

_TIME = r"([01]?[0-9]|2[0-3]):?([0-5][0-9])"
_WINDOW = re.compile(rf"{_TIME}(?:[ \t]*+-[ \t]*+|[ \t]++){_TIME}")
_NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,9})?"  # no owner counts further
_RATE = re.compile(rf"([0-9]{{1,9}})[ \t]*+/[ \t]*+({_NUMBER})(?:[ \t]*+([smhSMH]))?(?:[ \t]++(.*))?")
_DELAY = re.compile(rf"{_NUMBER}|\.[0-9]{{1,9}}")


class Window(NamedTuple):
    """Part of every day, in minutes of the UTC day; it ends with the last second of its end minute."""

    start: int
    end: int  # before the start: over midnight

    @classmethod
    def parse(cls, text: str) -> "Window | None":
        """Parses `0600-0845`, None for what is no window."""
        match = _WINDOW.fullmatch(text)
        if not match:
            return None
        hour, minute, last_hour, last_minute = map(int, match.groups())
        return cls(hour * 60 + minute, last_hour * 60 + last_minute)

    def contains(self, now: float) -> bool:
        """Tells whether this moment lies inside."""
        minute = _second_of_day(now) // 60
        if self.start <= self.end:
            return self.start <= minute <= self.end
        return minute >= self.start or minute <= self.end

    def seconds_to_opening(self, now: float) -> float:
        """Returns the seconds until the window is open, 0.0 when it is now; less than a day."""
        return 0.0 if self.contains(now) else float((self.start * 60 - _second_of_day(now)) % DAY)


class RequestRate(NamedTuple):
    """A rate of so many requests in so many seconds, inside the window or, without one, always."""

    requests: int
    seconds: float
    window: Window | None = None

    @classmethod
    def parse(cls, text: str) -> "RequestRate | None":
        """Parses `5/1m 0200-2259`, None for what is no rate and for zeros."""
        match = _RATE.fullmatch(text)
        if not match:
            return None
        requests, number, unit, hours = match.groups()
        rate = cls(int(requests), float(number) * UNITS[(unit or "s").lower()], Window.parse(hours or ""))
        unreadable = hours and not rate.window
        return None if unreadable or not rate.requests or not rate.seconds else rate

    @property
    def pause(self) -> float:
        """The seconds between two requests."""
        return self.seconds / self.requests

    def applies(self, now: float) -> bool:
        """Tells whether the rate counts at this moment."""
        return self.window is None or self.window.contains(now)


def read_delay(text: str) -> float | None:
    """Reads the seconds of a Crawl-delay, None for what is none; a unit behind them is ignored."""
    match = _DELAY.match(text)
    return float(match[0]) if match else None


def longest_pause(rates: Iterable[RequestRate], now: float) -> float | None:
    """Returns the longest pause, in seconds, among the rates that count now, None when none does (187)."""
    return max((rate.pause for rate in rates if rate.applies(now)), default=None)


def seconds_to_opening(windows: Sequence[Window], now: float) -> float:
    """Returns the seconds until a visit is welcome, 0.0 when it is now or always (requirement 188)."""
    return min((window.seconds_to_opening(now) for window in windows), default=0.0)


def _second_of_day(now: float) -> int:
    return floor(now) % DAY
