"""Keeps the frontier: which known URL is fetched next, and when its host allows it."""

from engine.frontier.caps import Caps
from engine.frontier.crawl_rate import LEAST_PAUSE, NEVER, CrawlRate, compute_rate
from engine.frontier.domains import DEFAULT_LIMITS, DomainLimits
from engine.frontier.host_queue import MAX_LENGTH, HostQueue, queue_length
from engine.frontier.host_record import FOREIGN, GIVEN_UP, MAX_ERRORS, NEW_TEXT, WINDOW
from engine.frontier.host_rows import StoredUrl, insert_unasked, load_stored_urls
from engine.frontier.host_share import HostShare
from engine.frontier.leases import call_for, count_queued, has_calls
from engine.frontier.new_url import NewUrl
from engine.frontier.paused_hosts import (
    FolderPauses,
    PausedHosts,
    load_paused,
    open_pauses,
    pause_host,
    pause_named_host,
    release_host,
    release_named_host,
    replace_paused,
    select_paused,
)
from engine.frontier.politeness import PACES, SUSPEND_AFTER, Pace
from engine.frontier.queue import Frontier
from engine.frontier.ready_queue import Lookup, no_lookup
from engine.frontier.robots_cache import MAX_RULES_BYTES
from engine.frontier.seen_urls import SEEN_BYTES, SeenUrls
from engine.frontier.sites import Sites, build_sites
from engine.frontier.suspects import Suspects
from engine.frontier.throttle import QuietHours, Throttle, TokenBucket

__all__ = [
    "DEFAULT_LIMITS",
    "FOREIGN",
    "GIVEN_UP",
    "LEAST_PAUSE",
    "MAX_ERRORS",
    "MAX_LENGTH",
    "MAX_RULES_BYTES",
    "NEVER",
    "NEW_TEXT",
    "PACES",
    "SEEN_BYTES",
    "SUSPEND_AFTER",
    "WINDOW",
    "Caps",
    "CrawlRate",
    "DomainLimits",
    "FolderPauses",
    "Frontier",
    "HostQueue",
    "HostShare",
    "Lookup",
    "NewUrl",
    "Pace",
    "PausedHosts",
    "QuietHours",
    "SeenUrls",
    "Sites",
    "StoredUrl",
    "Suspects",
    "Throttle",
    "TokenBucket",
    "build_sites",
    "call_for",
    "compute_rate",
    "count_queued",
    "has_calls",
    "insert_unasked",
    "load_paused",
    "load_stored_urls",
    "no_lookup",
    "open_pauses",
    "pause_host",
    "pause_named_host",
    "queue_length",
    "release_host",
    "release_named_host",
    "replace_paused",
    "select_paused",
]
