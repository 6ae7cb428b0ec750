"""Parses what a site's owner permits: robots.txt, META robots, X-Robots-Tag, sitemaps. No network."""

from engine.robots.answer import (
    AUTH_STATUS,
    MAX_CRAWL_DELAY,
    MAX_REDIRECTS,
    OUTAGE_AFTER,
    OUTAGE_DAYS,
    Answer,
    Policy,
    RobotsState,
    Verdict,
    judge,
    lifetime,
    pause,
    read_ahead,
    retry_after,
    verdict,
)
from engine.robots.lines import MAX_ROBOTS_BYTES
from engine.robots.meta import Directives, directives
from engine.robots.profiles import PROFILES
from engine.robots.rules import Reason, Remark, RobotsTxt
from engine.robots.sitemap import FREQUENCIES, MAX_SITEMAP_BYTES, Entry, Sitemap, read_sitemap
from engine.robots.sitemap_dates import instant
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
    "Answer",
    "Directives",
    "Entry",
    "Policy",
    "Reason",
    "Remark",
    "RequestRate",
    "RobotRules",
    "RobotsState",
    "RobotsTxt",
    "Sitemap",
    "Verdict",
    "Window",
    "directives",
    "instant",
    "judge",
    "lifetime",
    "pause",
    "read_ahead",
    "read_sitemap",
    "retry_after",
    "verdict",
]
