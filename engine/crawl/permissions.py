"""Applies robots.txt and the operator's removals (`scrapy remove`) to requests, pages and sitemaps."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import sqlalchemy as sa

from engine.config import Config
from engine.crawl.discovery import SITEMAP_DEPTH
from engine.crawl.recheck import RobotsRecheck, drop_slice, refusal
from engine.crawl.response_policy import apply_directives
from engine.database import hosts, urls, write_transaction
from engine.frontier import Frontier, NewUrl, Sites
from engine.model import LISTS, Claim, Fetch, Purpose, State, Visit
from engine.robots import AGENT, Policy, RobotsResponse, RobotsState, Verdict, interpret_response
from engine.store import (
    REMOVED,
    Blocklist,
    Store,
    find_host_to_recheck,
    load_blocklist,
    load_robots,
    purge_urls,
    request_recheck,
    save_robots,
    take_refreshed_robots,
)
from engine.url import Aliases, canonicalize, host_of

MAX_SITEMAPS = 1_000  # named by one robots.txt; sitemaps.org has no number, its indexes once had this one
DEFAULT_SITEMAP = "/sitemap.xml"  # looked for where robots.txt names none
REMOVED_HOST_SECONDS = 60.0  # until a host that was removed is looked at again: the removal may be undone


class Permissions:
    """Decides by robots.txt and the blocklist what may be requested, kept and queued."""

    def __init__(self, frontier: Frontier, counts: Counter[str]) -> None:
        self._frontier = frontier
        self._counts = counts
        self._blocklist = Blocklist()
        self.recheck = RobotsRecheck()

    def refusal(self, host: str, url: str) -> State | None:
        """Returns the state of a URL that may not be sent or kept now, None when it may."""
        rules = self._frontier.host_queues.robots(host)
        return State.DISALLOWED if rules is None else refusal(rules, url)

    def forbids(self, url: str) -> bool:
        """Tells whether it is known that a URL may not be fetched, or not be found."""
        rules = self._frontier.host_queues.robots(host_of(url))
        return self.is_removed(url) or (rules is not None and refusal(rules, url) is not None)

    def apply_directives(self, visit: Visit) -> Visit:
        """Reduces a visit to what META robots, X-Robots-Tag and robots.txt permit to be kept."""
        rules = self._frontier.host_queues.robots(visit.fetch.claim.host)
        return apply_directives(visit, indexable=rules is None or rules.indexable(AGENT))

    def update_robots(
        self, connection: sa.Connection, host: str, state: RobotsState, now: float, *, has_pages: bool = True
    ) -> None:
        """Applies a host's new answer, and queues its sitemaps if it `has_pages` that are crawled."""
        before = self._frontier.host_queues.robots(host)
        self._frontier.host_queues.set_robots(host, state)
        enforce_robots(connection, host, before, state)
        self.recheck.pending = True
        if not has_pages or state.verdict not in (Verdict.OBEY, Verdict.ALLOW_ALL):
            return
        maps = [
            NewUrl(url, SITEMAP_DEPTH, kind=Purpose.SITEMAP) for url in self._resolve_sitemaps(host, state)
        ]
        if self._frontier.add(connection, maps, now):
            self._frontier.reload(host)

    def load_refreshed_robots(self, connection: sa.Connection) -> None:
        """Applies answers that `scrapy robots --refresh` has read meanwhile."""
        for host, state in take_refreshed_robots(connection):
            self._frontier.host_queues.set_robots(host, state)
            self.recheck.pending = True

    def reload_blocklist(self, connection: sa.Connection) -> None:
        """Applies what `scrapy remove` has blocked or freed meanwhile."""
        self._blocklist = load_blocklist(connection, self._blocklist)

    def is_removed(self, url: str) -> bool:
        """Tells whether the operator has removed a URL."""
        return self._blocklist.refuses(url)

    def defers_removed_host(self, claim: Claim, now: float) -> bool:
        """Defers a host that was removed completely: not even robots.txt is fetched. Tells whether it did."""
        if claim.kind is not Purpose.ROBOTS or not self._blocklist.refuses_host(claim.host):
            return False
        shut = RobotsState(Verdict.DISALLOW_ALL, b"", now, now + REMOVED_HOST_SECONDS)
        self._frontier.host_queues.set_robots(claim.host, shut)
        self._frontier.defer(claim)
        return True

    def without_removed(self, found: Iterable[NewUrl]) -> list[NewUrl]:
        """Drops removed URLs from those that were found."""
        kept = []
        for one in found:
            if self.is_removed(one.url):
                self._counts[f"links skipped: {REMOVED}"] += 1
            else:
                kept.append(one)
        return kept

    def purge_removed(self, connection: sa.Connection, visits: Sequence[Visit]) -> list[Visit]:
        """Drops visits whose URLs were removed while they were under way."""
        removed = [one.fetch.claim.url_id for one in visits if self.is_removed(one.fetch.claim.url)]
        if not removed:
            return list(visits)
        purge_urls(connection, urls.c.id.in_(removed))
        return [one for one in visits if one.fetch.claim.url_id not in removed]

    def refuse(self, claim: Claim, sites: Sites, now: float) -> Visit | None:
        """Returns the visit of a URL that must not be sent after all, by the rules of now."""
        if claim.kind is Purpose.ROBOTS:
            return None
        fetch = Fetch(claim, 0, at=now)
        if self.is_removed(claim.url):
            return Visit(fetch, State.SKIPPED, reason=REMOVED)
        is_list = claim.kind in LISTS
        if rule := (
            sites.refuse_list(claim.url, claim.kind, claim.referrer) if is_list else sites.refusal(claim.url)
        ):
            return Visit(fetch, State.SKIPPED, reason=rule)
        if self.refusal(claim.host, claim.url) is State.DISALLOWED:
            return Visit(fetch, State.DISALLOWED, reason="robots.txt")
        return None

    def _resolve_sitemaps(self, host: str, state: RobotsState) -> list[str]:
        """Resolves a host's sitemaps, relative ones too; only those on the host itself (C36)."""
        urls = []
        for written in state.sitemaps[:MAX_SITEMAPS] or (DEFAULT_SITEMAP,):
            try:
                url = canonicalize(written, f"{host}/robots.txt")
            except ValueError:
                url = ""
            if url and host_of(url) == host:
                urls.append(url)
            else:
                self._counts["sitemaps skipped: other host"] += 1
        return list(dict.fromkeys(urls))


def interpret_robots(
    fetch: Fetch, now: float, before: RobotsState | None, policy: Policy, aliases: Aliases
) -> RobotsState:
    """Returns the new state of a host's robots.txt; `before` is the old one, None on the first visit."""
    answer = RobotsResponse(fetch.status or None, dict(fetch.headers), fetch.body, fetch.error)
    state = interpret_response(answer, now, before, policy)
    return replace(state, ignore_case=aliases.ignores_case(fetch.claim.host))


def enforce_robots(
    connection: sa.Connection,
    host: str,
    before: RobotsState | None,
    state: RobotsState,
    *,
    refreshed: bool = False,
) -> int:
    """Saves a host's answer, drops the pages that new rules forbid, and returns their number.

    Of a host with many pages only the first are judged at once, the others slice by slice: RobotsRecheck.
    `refreshed`: it was not the crawl that asked.
    """
    host_id = save_robots(connection, host, state, refreshed=refreshed)
    if before is None or state.verdict is Verdict.DEFER:  # nothing was fetched yet, or nothing is known now
        return 0
    if (before.verdict, before.body) == (state.verdict, state.body):
        return 0
    request_recheck(connection, host_id)
    return drop_slice(connection, host_id, state)


def save_refreshed_robots(store: Store, fetch: Fetch, config: Config) -> tuple[RobotsState, int]:
    """Saves the answer for a running crawl; returns what is known now, and how many pages it removed."""
    host = fetch.claim.host
    before = load_robots(store.engine, host)
    state = interpret_robots(fetch, time.time(), before, config.robots, config.aliases)
    with write_transaction(store.engine) as connection:
        left = enforce_robots(connection, host, before, state, refreshed=True)
    while state.verdict is not Verdict.DEFER:
        with write_transaction(store.engine) as connection:
            found = find_host_to_recheck(connection, hosts.c.host == host)
            if found is None:
                break
            left += drop_slice(connection, found[0], state)
    return state, left
