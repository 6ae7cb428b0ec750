"""Keeps the rules of many sites for one robot, each as long as it is fresh (requirements 195, 196)."""

import math
import time
from collections.abc import Callable

from engine.robots.rules import RobotsTxt
from engine.url import canonicalize, host_of

MAX_SITES = 1_000  # whose rules are kept; a file has some kilobytes, and 500 KiB at most

_UNKNOWN = (RobotsTxt.parse(b""), -math.inf)  # a file that was never fresh


class RobotRules:
    """One robot's view of robots.txt files. A site is scheme, host and port (C19), http or https (C20)."""

    def __init__(self, agent: str, clock: Callable[[], float] = time.time) -> None:
        self.agent = agent
        self._clock = clock  # seconds since 1970, UTC
        self._sites: dict[str, tuple[RobotsTxt, float]] = {}

    def parse(self, url: str, body: bytes, fresh_until: float) -> None:
        """Keeps the rules of this URL's site until that time, in seconds since 1970, UTC.

        What is no http(s) URL has no site: nothing is kept. When there are too many sites, the one that
        was parsed longest ago is forgotten.
        """
        try:
            site = host_of(canonicalize(url))
        except ValueError:
            return
        self._sites.pop(site, None)
        self._sites[site] = RobotsTxt.parse(body), fresh_until
        if len(self._sites) > MAX_SITES:
            del self._sites[next(iter(self._sites))]

    def allowed(self, url: str) -> bool | None:
        """Tells whether the robot may fetch this URL; None when its robots.txt must be fetched first."""
        try:
            url = canonicalize(url)
        except ValueError:
            return None
        rules, fresh_until = self._sites.get(host_of(url), _UNKNOWN)
        return rules.allowed(self.agent, url) if self._clock() < fresh_until else None
