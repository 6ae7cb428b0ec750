"""Reads [limits] of crawl.toml: how far a crawl goes, and how much load it puts on sites and networks."""

from dataclasses import dataclass

from engine.config.hours import DAY, Hours
from engine.config.reading_limits import PAGE_SECONDS
from engine.config.table import Table
from engine.errors import EngineError
from engine.url import DYNAMIC

MAX_DEPTH = 500  # links from a seed; who is followed page by page for longer follows a calendar
MAX_QUERIES = 200  # known URLs of one path that differ in their queries: calendars; C34; requirement 42
MAX_HOST_PAGES = 100_000  # known URLs of one host; ten times the largest manual we know; requirement 45
MAX_DOMAIN_HOSTS = 2_000  # hosts of one registrable domain; the largest universities have some 1,500
MAX_DOMAIN_PAGES = 2_000_000  # known URLs of one domain, its hosts together; twenty hosts that are full
MAX_DOMAIN_QUEUED = 500_000  # URLs of one domain that wait; at one a second they take six days
MAX_RATE = 1_000  # requests a second, all hosts together; twice what a crawl reads on two cores
MAX_HOST_RATE = 2  # requests a second to one host of others; `brisk` sends one
MEGABYTE = 1_000_000
MAX_HOST_BYTES = 10_000 * MEGABYTE  # of one host's pages; 100,000 of the usual 60 kB are 6,000
FREE_BYTES = 1_000 * MEGABYTE  # for logs, updates, and an index that catches up
SEEN_URLS = ("compact", "exact")


@dataclass(frozen=True, slots=True)
class LimitsConfig:
    """The limits of a crawl; None = no limit. Checked as they are read."""

    max_depth: int = MAX_DEPTH
    queries_per_path: int = MAX_QUERIES
    host_pages: int = MAX_HOST_PAGES
    domain_hosts: int = MAX_DOMAIN_HOSTS
    domain_pages: int = MAX_DOMAIN_PAGES
    domain_queued: int = MAX_DOMAIN_QUEUED
    host_pages_per_day: int | None = None  # requirement 44
    exclude_dynamic: str = DYNAMIC[0]  # C34
    requests_per_second: int = MAX_RATE  # requirement 280
    host_requests_per_second: int = MAX_HOST_RATE  # of hosts that are not the operator's own
    bytes_per_second: int | None = None  # received, as they come: packed; requirement 271
    quiet_hours: tuple[Hours, ...] = ()  # in which nothing is asked
    exact_seen: bool = False
    page_cpu_seconds: int = PAGE_SECONDS  # of processor time, to read one page
    host_bytes: int = MAX_HOST_BYTES
    free_bytes: int = FREE_BYTES  # of the disk that stay free: engine.folder.free_space


def read_limits(table: Table) -> LimitsConfig:
    """Reads the table [limits]. Raises EngineError for a value that cannot be a limit."""
    reach = (
        "max_depth",
        "queries_per_path",
        "host_pages",
        "host_pages_per_day",
        "exclude_dynamic",
        "seen_urls",
    )
    table.check_keys(
        *reach,
        *("domain_hosts", "domain_pages", "domain_queued"),
        "requests_per_second",
        "host_requests_per_second",
        "bytes_per_second",
        "quiet_hours",
        "page_cpu_seconds",
        "host_megabytes",
        "free_megabytes",
    )
    return LimitsConfig(
        max_depth=table.number("max_depth", MAX_DEPTH, 1),
        queries_per_path=table.number("queries_per_path", MAX_QUERIES, 1),
        host_pages=table.number("host_pages", MAX_HOST_PAGES, 1),
        domain_hosts=table.number("domain_hosts", MAX_DOMAIN_HOSTS, 1),
        domain_pages=table.number("domain_pages", MAX_DOMAIN_PAGES, 1),
        domain_queued=table.number("domain_queued", MAX_DOMAIN_QUEUED, 1),
        host_pages_per_day=table.number("host_pages_per_day", 0) or None,
        exclude_dynamic=table.choice("exclude_dynamic", DYNAMIC),
        requests_per_second=table.number("requests_per_second", MAX_RATE, 1),
        host_requests_per_second=table.number("host_requests_per_second", MAX_HOST_RATE, 1),
        bytes_per_second=table.number("bytes_per_second", 0) or None,
        quiet_hours=_read_quiet_hours(table),
        exact_seen=table.choice("seen_urls", SEEN_URLS) == "exact",
        page_cpu_seconds=table.number("page_cpu_seconds", PAGE_SECONDS, 1),
        host_bytes=table.number("host_megabytes", MAX_HOST_BYTES // MEGABYTE, 1) * MEGABYTE,
        free_bytes=table.number("free_megabytes", FREE_BYTES // MEGABYTE) * MEGABYTE,
    )


def _read_quiet_hours(table: Table) -> tuple[Hours, ...]:
    quiet = table.parsed("quiet_hours", Hours.parse, "22:00-06:30")
    if all(any(hours.contains(minute) for hours in quiet) for minute in range(DAY)):
        raise EngineError(f"{table.where('quiet_hours')}: no minute of the day is left; write shorter hours")
    return quiet
