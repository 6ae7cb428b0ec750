"""Parses what a site's owner permits: robots.txt, META robots, X-Robots-Tag, sitemaps. No network."""

from engine.robots.answer import (
    AUTH_STATUS,
    MAX_CRAWL_DELAY,
    MAX_REDIRECTS,
    OUTAGE_AFTER,
    OUTAGE_DAYS,
    Policy,
    RobotsResponse,
    RobotsState,
    Verdict,
    compute_lifetime,
    interpret_response,
    parse_retry_after,
    precompile_rules,
    retry_pause,
    verdict_for_status,
)
from engine.robots.lines import MAX_ROBOTS_BYTES
from engine.robots.meta import HEADERS as ROBOTS_HEADERS
from engine.robots.meta import Directives, directives
from engine.robots.profiles import PROFILES
from engine.robots.rules import LineWarning, Reason, RobotsTxt
from engine.robots.sitemap import FREQUENCIES, MAX_SITEMAP_BYTES, Entry, Sitemap, read_sitemap
from engine.robots.sitemap_dates import parse_sitemap_date
from engine.robots.sites import RobotRules
from engine.robots.timing import DAY, RequestRate, Window

AGENT = "Lycosa"  # our product token (RFC 9309, 2.2.1)

__all__ = [
    "AGENT",
    "AUTH_STATUS",
    "DAY",
    "FREQUENCIES",
    "MAX_CRAWL_DELAY",
    "MAX_REDIRECTS",
    "MAX_ROBOTS_BYTES",
    "MAX_SITEMAP_BYTES",
    "OUTAGE_AFTER",
    "OUTAGE_DAYS",
    "PROFILES",
    "ROBOTS_HEADERS",
    "Directives",
    "Entry",
    "LineWarning",
    "Policy",
    "Reason",
    "RequestRate",
    "RobotRules",
    "RobotsResponse",
    "RobotsState",
    "RobotsTxt",
    "Sitemap",
    "Verdict",
    "Window",
    "compute_lifetime",
    "directives",
    "interpret_response",
    "parse_retry_after",
    "parse_sitemap_date",
    "precompile_rules",
    "read_sitemap",
    "retry_pause",
    "verdict_for_status",
]
