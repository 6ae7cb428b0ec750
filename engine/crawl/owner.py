"""What a host's owner says in robots.txt, put to use: what may be sent, what leaves, which sitemaps count."""

from collections import Counter

import sqlalchemy as sa

from engine.crawl.discovery import SITEMAP_DEPTH
from engine.frontier.found import Found
from engine.frontier.queue import Frontier
from engine.page import Kind, State
from engine.robots import AGENT, RobotsState, Verdict
from engine.store.hosts import keep_robots, robots_taken_up
from engine.store.removals import forbid
from engine.url import canonicalize, host_of

MAX_SITEMAPS = 1_000  # named by one robots.txt; sitemaps.org has no number, its indexes once had this one
USUAL_SITEMAP = "/sitemap.xml"  # looked for where robots.txt names none


class Owners:
    """The owners of the hosts in the frontier."""

    def __init__(self, frontier: Frontier, counts: Counter[str]) -> None:
        self._frontier = frontier
        self._counts = counts

    def refusal(self, host: str, url: str) -> State | None:
        """The state of a URL that may not be sent or kept now, None when it may."""
        rules = self._frontier.robots(host)
        return State.DISALLOWED if rules is None else refusal(rules, url)

    def forbids(self, url: str) -> bool:
        """Whether it is known that a URL may not be fetched, or not be found."""
        rules = self._frontier.robots(host_of(url))
        return rules is not None and refusal(rules, url) is not None

    def indexable(self, host: str) -> bool:
        """Whether what is on this host may be found."""
        rules = self._frontier.robots(host)
        return rules is None or rules.indexable(AGENT)

    def said(self, connection: sa.Connection, host: str, state: RobotsState, now: float) -> int:
        """Take in a host's new answer; how many more URLs wait: its sitemaps."""
        before = self._frontier.robots(host)
        self._frontier.keep_robots(host, state)
        obey(connection, host, before, state)
        if state.verdict not in (Verdict.OBEY, Verdict.ALLOW_ALL):
            return 0
        maps = [Found(url, SITEMAP_DEPTH, kind=Kind.SITEMAP) for url in self._sitemaps(host, state)]
        new = self._frontier.add(connection, maps, now)
        if new:
            self._frontier.reorder(host)
        return new

    def look_again(self, connection: sa.Connection) -> None:
        """Take up what `scrapy robots --refresh` has read meanwhile."""
        for host, state in robots_taken_up(connection):
            self._frontier.keep_robots(host, state)

    def _sitemaps(self, host: str, state: RobotsState) -> list[str]:
        """The sitemaps of a host, on itself; relative ones are resolved (C36)."""
        urls = []
        for written in state.sitemaps[:MAX_SITEMAPS] or (USUAL_SITEMAP,):
            try:
                url = canonicalize(written, f"{host}/robots.txt")
            except ValueError:
                url = ""
            if url and host_of(url) == host:
                urls.append(url)
            else:
                self._counts["sitemaps left: other host"] += 1
        return list(dict.fromkeys(urls))


def refusal(rules: RobotsState, url: str) -> State | None:
    """The state that these rules give a URL, None when it may be fetched and found."""
    if not rules.allowed(AGENT, url):
        return State.DISALLOWED
    return None if rules.indexable(AGENT) else State.NOINDEX


def obey(
    connection: sa.Connection,
    host: str,
    before: RobotsState | None,
    state: RobotsState,
    *,
    refreshed: bool = False,
) -> int:
    """Keep a host's answer; what new rules forbid leaves the index at once. How many pages that were.

    `refreshed`: it was not the crawl that asked.
    """
    host_id = keep_robots(connection, host, state, refreshed=refreshed)
    if before is None or state.verdict is Verdict.DEFER:  # nothing was fetched yet, or nothing is known now
        return 0
    if (before.verdict, before.body) == (state.verdict, state.body):
        return 0
    return forbid(connection, host_id, lambda url: refusal(state, url))
