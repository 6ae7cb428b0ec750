"""Sets the limits of one run: pages, depth, hosts, bytes, quiet hours."""

from dataclasses import dataclass

from engine.config import MAX_DEPTH, MAX_HOST_BYTES, MAX_HOST_PAGES, MAX_QUERIES, Hours
from engine.folder import FreeSpace
from engine.frontier import DEFAULT_LIMITS, DomainLimits


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one run; None = no limit. Depth, queries and pages of a host end what is endless."""

    pages: int | None = None  # of this run
    depth: int = MAX_DEPTH
    queries: int = MAX_QUERIES  # known URLs of one path
    host_pages: int = MAX_HOST_PAGES  # known URLs of one host
    domain: DomainLimits = DEFAULT_LIMITS
    host_pages_per_day: int | None = None  # asked of one host
    bytes_per_second: int | None = None  # received
    quiet_hours: tuple[Hours, ...] = ()  # in which nothing is asked
    exact_seen: bool = False  # the database is asked about every link
    host_bytes: int = MAX_HOST_BYTES  # of pages that are kept of one host
    disk_space: FreeSpace | None = None  # below which the crawl waits
    due_only: bool = False  # a finished crawl, run again, visits only what had its rest
    feeds_only: bool = False  # no round of visits begins: only feeds that are due, and what is new in them
