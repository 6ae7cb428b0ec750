"""Reads a sitemap or a feed: the URLs it names and what it says of them (requirements 230-249; C26-C28).
No network.

Where an entry may point is the scope (requirements 244, 245; C27): a map speaks for its directory, or for
its whole host where robots.txt names it. That an index names no further index is for the caller to hold:
what a child map lists in `sitemaps` is not to be followed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from engine.robots.sitemap_dates import parse_sitemap_date
from engine.robots.sitemap_items import LOST, SitemapItem, read_items
from engine.robots.sitemap_source import MAX_SITEMAP_BYTES, decode_sitemap
from engine.url import canonicalize, host_of

__all__ = [
    "FREQUENCIES",
    "MAX_CHILDREN",
    "MAX_ENTRIES",
    "MAX_SITEMAP_BYTES",
    "MAX_WARNINGS",
    "Entry",
    "Sitemap",
    "read_sitemap",
]

MAX_ENTRIES = 50_000  # of one file; sitemaps.org; requirement 242
MAX_CHILDREN = 50_000  # child maps of one index; sitemaps.org; requirement 247, C26
MAX_LOC = 2048  # characters; a loc has fewer: requirement 236
MAX_LETTERS = 16_000_000  # of the locs of one file; 50,000 of 320, where those of people have 100 at most
MAX_WARNINGS = 100  # more tell an owner nothing new
MAX_DROPPED = MAX_WARNINGS - 10  # warnings of single entries; some room is left for what concerns the file
DEFAULT_PRIORITY = 0.5  # requirement 240
LONGEST_TTL = 525_600  # minutes, a year; what is longer is no rhythm

# Seconds between two visits, None for no further one; months and years as long as most are (requirement 239).
FREQUENCIES: Mapping[str, float | None] = {
    "always": 0.0,
    "hourly": 3600.0,
    "daily": 86_400.0,
    "weekly": 7 * 86_400.0,
    "monthly": 30 * 86_400.0,
    "yearly": 365 * 86_400.0,
    "never": None,
}

# What the URLs of a map begin with, by the map's own canonical URL.
SCOPES: Mapping[str, Callable[[str], str]] = {
    "path": lambda url: url.partition("?")[0].rpartition("/")[0] + "/",
    "host": lambda url: host_of(url) + "/",
    "any": lambda _: "http",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """A page or a child map: its canonical URL, and its owner's hints."""

    loc: str
    lastmod: datetime | None = None  # UTC
    changefreq: str = ""  # one of FREQUENCIES, "" when it is not said
    priority: float = DEFAULT_PRIORITY  # 0 to 1, among the pages of one host
    published: datetime | None = None  # UTC, of an item of a feed


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The readable part of a sitemap; each warning says what was odd, and where if that is known."""

    entries: tuple[Entry, ...] = ()
    sitemaps: tuple[Entry, ...] = ()  # child maps of an index
    warnings: tuple[str, ...] = ()
    every: float | None = None  # seconds between its own changes, as a feed says


def read_sitemap(body: bytes, url: str, *, scope: str = "path") -> Sitemap:
    """Reads what the sitemap at `url` names within its scope: `path` (its directory), `host` or `any`.

    Any octets give a Sitemap. Raises ValueError for another scope, and for a `url` that is no http(s) URL.
    """
    if scope not in SCOPES:
        raise ValueError(f"no scope {scope!r}: one of {', '.join(SCOPES)}")
    within = SCOPES[scope](canonicalize(url))
    warnings: list[str] = []
    found: dict[bool, list[Entry]] = {False: [], True: []}
    dropped: list[str] = []
    about: dict[str, str] = {}
    letters = 0
    for number, item in enumerate(read_items(decode_sitemap(body, warnings), warnings, about)):
        if number == (MAX_CHILDREN if item.child else MAX_ENTRIES):
            warnings.append(f"line {item.line}: more than {number} entries, the rest is not read")
            break
        try:
            entry = _parse_entry(item, within)
            letters += len(entry.loc)
            if letters > MAX_LETTERS:
                warnings.append(f"line {item.line}: more than {MAX_LETTERS} letters, the rest is not read")
                break
            found[item.child].append(entry)
        except ValueError as error:
            dropped.append(f"line {item.line}: {error}")
    if not any((*found.values(), warnings, dropped)):
        warnings.append("no URL in it")
    said = (*warnings, *_summarize_dropped(dropped))
    return Sitemap(tuple(found[False]), tuple(found[True]), said, _parse_rhythm(about))


def _parse_rhythm(about: Mapping[str, str]) -> float | None:
    """Parses how often a feed changes: RSS 2.0's ttl in minutes, or its updates in a period."""
    minutes = about.get("ttl", "")
    if minutes.isascii() and minutes.isdigit():
        return 60.0 * min(int(minutes[:9]), LONGEST_TTL)
    times = about.get("frequency", "1")
    seconds = FREQUENCIES.get(about.get("period", "").lower())
    return seconds / max(int(times[:9]), 1) if seconds and times.isascii() and times.isdigit() else None


def _summarize_dropped(dropped: list[str]) -> list[str]:
    more = len(dropped) - MAX_DROPPED
    return dropped if more <= 0 else [*dropped[:MAX_DROPPED], f"{more} more entries dropped"]


def _parse_entry(item: SitemapItem, within: str) -> Entry:
    """Parses an entry. Raises ValueError, which says why the entry is dropped."""
    written = item.fields
    changed, appeared = written.get("lastmod", ""), written.get("published", "")
    frequency = written.get("changefreq", "").lower()
    return Entry(
        _parse_loc(written.get("loc", ""), within),
        parse_sitemap_date(changed or appeared),
        frequency if frequency in FREQUENCIES else "",
        _parse_priority(written.get("priority", "")),
        parse_sitemap_date(appeared),
    )


def _parse_loc(written: str, within: str) -> str:
    shown = repr(written[:100])
    if not written:
        raise ValueError("no loc")
    if len(written) >= MAX_LOC:
        raise ValueError(f"a loc of {MAX_LOC} characters or more: {shown}")
    if LOST in written:
        raise ValueError(f"a character or entity of the loc is lost: {shown}")
    try:
        url = canonicalize(written)
    except ValueError:
        raise ValueError(f"no absolute http(s) URL: {shown}") from None
    if not url.startswith(within):
        raise ValueError(f"not below {within}: {shown}")
    return url


def _parse_priority(written: str) -> float:
    try:
        priority = float(written)
    except ValueError:
        return DEFAULT_PRIORITY
    return priority if 0 <= priority <= 1 else DEFAULT_PRIORITY  # neither for nan
