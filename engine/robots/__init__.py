"""What a site's owner permits: robots.txt, META robots, X-Robots-Tag. No network."""

from engine.robots.answer import (
    MAX_CRAWL_DELAY,
    MAX_REDIRECTS,
    Answer,
    RobotsState,
    Verdict,
    judge,
    lifetime,
    pause,
    retry_after,
    verdict,
)
from engine.robots.lines import MAX_ROBOTS_BYTES
from engine.robots.meta import Directives, directives
from engine.robots.rules import Reason, RobotsTxt

AGENT = "Lycosa"  # our product token (RFC 9309, 2.2.1)

__all__ = [
    "AGENT",
    "MAX_CRAWL_DELAY",
    "MAX_REDIRECTS",
    "MAX_ROBOTS_BYTES",
    "Answer",
    "Directives",
    "Reason",
    "RobotsState",
    "RobotsTxt",
    "Verdict",
    "directives",
    "judge",
    "lifetime",
    "pause",
    "retry_after",
    "verdict",
]
