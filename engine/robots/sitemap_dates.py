"""Parses dates of sitemaps and feeds (requirement 237, C28)."""

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_to_datetime

# W3C's profile of ISO 8601 (NOTE-datetime), from the year alone to fractions of a second.
_W3C = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?"
    r"(?:Z|([+-]\d\d):?(\d\d))?)?)?)?",
    re.ASCII | re.IGNORECASE,
)


def parse_sitemap_date(written: str) -> datetime | None:
    """Parses the first moment of a W3C or RFC 822 date, in UTC; None for what is no date.

    What names no zone is UTC (C28).
    """
    match = _W3C.fullmatch(written)
    try:
        when = _parse_w3c(match) if match else parsedate_to_datetime(written)
        return (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _parse_w3c(match: re.Match[str]) -> datetime:
    """Parses a W3C date. Raises ValueError for a day, a time or a zone that there is not."""
    year, month, day, hour, minute, second, fraction, zone_hours, zone_minutes = match.groups(default="")
    sign = -1 if zone_hours.startswith("-") else 1
    offset = timedelta(hours=int(zone_hours or 0), minutes=sign * int(zone_minutes or 0))
    return datetime(
        int(year),
        int(month or 1),
        int(day or 1),
        int(hour or 0),
        int(minute or 0),
        int(second or 0),
        int(fraction[:6].ljust(6, "0")),
        timezone(offset),
    )
