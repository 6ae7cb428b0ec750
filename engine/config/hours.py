"""Parses hours of the day as an operator writes them, in local time."""

import re
from typing import NamedTuple

DAY = 24 * 60  # minutes
_HOURS = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])-([01][0-9]|2[0-3]):([0-5][0-9])")


class Hours(NamedTuple):
    """Part of every day, in minutes of the local day; an end before the start lies beyond midnight."""

    start: int
    end: int

    @classmethod
    def parse(cls, text: str) -> "Hours":
        """Parses `22:00-06:30`. Raises ValueError for anything else."""
        match = _HOURS.fullmatch(text)
        if not match:
            raise ValueError("no hours")
        hour, minute, last_hour, last_minute = map(int, match.groups())
        hours = cls(hour * 60 + minute, last_hour * 60 + last_minute)
        if hours.start == hours.end:
            raise ValueError("hours that end when they begin")
        return hours

    def contains(self, minute: int) -> bool:
        """Tells whether this minute of the day lies inside."""
        if self.start < self.end:
            return self.start <= minute < self.end
        return minute >= self.start or minute < self.end
