"""Merges two names of one site (with and without www, http and https) once they prove to be one.

Nothing is taken for granted of names. The pages say it: three that have the same text under the same
path, or are redirected there for good, and none that differs (requirements 29-32, 266).
"""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import sqlalchemy as sa

from engine.crawl.discovery import Discovery
from engine.crawl.permissions import Permissions
from engine.frontier import Frontier, NewUrl
from engine.model import COPIES, COPY, Fetch, Purpose, State, Visit
from engine.robots import RobotsState, Verdict
from engine.store import (
    TWIN,
    TwinAliases,
    TwinMove,
    count_twin_aliases,
    drop_sitemaps,
    filter_known,
    hosts_differ,
    load_movable_urls,
    move_to_twins,
    save_twin,
    select_robots,
    separate_twins,
)
from engine.url import are_twins, host_of

MIN_PAGES = 3  # pages that say so: one may be an empty page or a notice that stands everywhere

logger = logging.getLogger("lycosa")


def choose_host(one: str, other: str, of_one: TwinAliases, of_other: TwinAliases) -> str:
    """Chooses which of two twins represents both, '' while the evidence is too little.

    Redirects decide; where there are none, https does, else the one that more pages stand under already.
    """
    if of_one.redirects and of_other.redirects:
        return ""
    if of_one.permanent_redirects >= MIN_PAGES:
        return other
    if of_other.permanent_redirects >= MIN_PAGES:
        return one
    if of_one.copies + of_other.copies < MIN_PAGES:
        return ""
    if of_one.redirects or of_other.redirects:
        return other if of_one.redirects else one
    safe = [host for host in (one, other) if host.startswith("https:")]
    if len(safe) == 1:
        return safe[0]
    return other if of_one.copies > of_other.copies else one


class TwinHosts:
    """The twins among the hosts of a crawl; in memory are counts of equal pages, 200 bytes a pair."""

    def __init__(self, discovery: Discovery, frontier: Frontier, permissions: Permissions) -> None:
        self._discovery = discovery
        self._frontier = frontier
        self._permissions = permissions
        self._evidence: Counter[tuple[str, str]] = Counter()

    def divert(self, fetch: Fetch) -> Visit | None:
        """Returns the visit of a URL whose twin host is crawled instead, unsent; None for any other."""
        claim, aliases = fetch.claim, self._discovery.aliases
        if claim.kind is Purpose.SITEMAP and aliases.twin_of(claim.url):
            return Visit(fetch, State.SKIPPED, reason=TWIN)
        if claim.kind is Purpose.PAGE and (twin := self._twin(claim.url)):
            return Visit(fetch, State.ALIAS, reason=TWIN, target=twin)
        return None

    def recheck(self, visit: Visit) -> Visit:
        """Returns the visit as far as it still holds: its host may have been given up meanwhile."""
        if spared := self.divert(visit.fetch):
            return spared
        if visit.reason in COPIES and self._discovery.aliases.twin_of(visit.target):
            # What it is a copy of has left meanwhile, so it is to be stored itself.
            return replace(visit, state=State.FAILED, reason=TWIN, target="", again=True)
        return visit

    def record_visits(self, connection: sa.Connection, visits: Sequence[Visit], now: float) -> None:
        """Counts what visits that were just stored say of twins."""
        for visit in visits:
            here, there = visit.fetch.claim.host, _find_twin_host(visit)
            if not there or visit.reason == TWIN:
                continue
            if self._discovery.aliases.twin(there) == here:
                self._separate(connection, there, here)
            elif visit.reason in (COPY, "redirect"):
                pair = min(here, there), max(here, there)
                self._evidence[pair] += 1
                if _is_check_due(self._evidence[pair]) and (stands := self._choose(connection, *pair)):
                    given_up = pair[0] if stands == pair[1] else pair[1]
                    self._merge(connection, given_up, stands, {one.fetch.claim.url_id for one in visits}, now)

    def _choose(self, connection: sa.Connection, one: str, other: str) -> str:
        """Chooses the host that represents both, '' as long as they are two."""
        aliases = self._discovery.aliases
        if any(aliases.twin(host) for host in (one, other)):
            return ""
        stands = choose_host(
            one, other, count_twin_aliases(connection, one, other), count_twin_aliases(connection, other, one)
        )
        if not stands or aliases.knows(other if stands == one else one):
            return ""
        same = _have_same_rules(select_robots(connection, one), select_robots(connection, other))
        return stands if same and not hosts_differ(connection, one, other) else ""

    def _merge(
        self, connection: sa.Connection, host: str, stands: str, committed: set[int], now: float
    ) -> None:
        """Merges a host into its twin, chunk by chunk."""
        logger.info("%s is crawled in place of %s from now on: they have the same pages", stands, host)
        save_twin(connection, host, stands)
        self._set_twins((*self._discovery.aliases.twins, (host, stands)))
        self._frontier.record_requeued(connection, host, 0)
        _, taken = self._frontier.reload(host)
        under_way, last = sorted(taken - committed), 0
        while rows := load_movable_urls(connection, host, last, under_way):
            last = rows[-1].id
            going = {row: twin for row in rows if (twin := self._twin(row.url))}
            found = [NewUrl(twin, row.depth, row.id, priority=row.priority) for row, twin in going.items()]
            self._frontier.add(connection, found, now)
            there = filter_known(connection, list(going.values()))  # a cap may have kept some out
            gone = {row: twin for row, twin in going.items() if twin in there}
            again = move_to_twins(connection, [TwinMove(row.id, row.url, twin) for row, twin in gone.items()])
            self._frontier.record_requeued(connection, stands, again)
            self._frontier.record_requeued(connection, host, -sum(row.waits for row in gone))
        self._frontier.record_requeued(connection, host, -drop_sitemaps(connection, host, under_way))

    def _separate(self, connection: sa.Connection, host: str, stands: str) -> None:
        """Separates twins again where the one that is crawled redirects to the other."""
        logger.info("%s is no longer crawled in place of %s: it redirects there", stands, host)
        self._set_twins(tuple(pair for pair in self._discovery.aliases.twins if pair[0] != host))
        self._frontier.record_requeued(connection, host, separate_twins(connection, host, stands))
        self._frontier.reload(host)

    def _set_twins(self, twins: tuple[tuple[str, str], ...]) -> None:
        sites = self._discovery.sites
        self._discovery.sites = replace(sites, aliases=sites.aliases.with_twins(twins))

    def _twin(self, url: str) -> str:
        """Returns the URL to be visited in place of one whose host was given up, '' when none may be."""
        sites = self._discovery.sites
        twin = sites.aliases.twin_of(url)
        return "" if not twin or sites.refusal(twin) or self._permissions.forbids(twin) else twin


def _find_twin_host(visit: Visit) -> str:
    """Finds the twin host whose same path represents this visit's URL, '' when it is no such visit."""
    here = visit.fetch.claim.host
    if visit.state is not State.ALIAS or not visit.target or visit.fetch.claim.kind is not Purpose.PAGE:
        return ""
    there = host_of(visit.target)
    same = visit.target[len(there) :] == visit.fetch.claim.url[len(here) :]
    return there if same and are_twins(here, there) else ""


def _is_check_due(heard: int) -> bool:
    """Tells whether to compare again: at three pages, six, twelve and so on, as differences may be gone."""
    times, rest = divmod(heard, MIN_PAGES)
    return not rest and times.bit_count() == 1


def _have_same_rules(one: RobotsState | None, other: RobotsState | None) -> bool:
    """Tells whether two robots.txt ask the same: owners who treat two hosts differently mean two."""
    if one is None or other is None or Verdict.DEFER in (one.verdict, other.verdict):
        return False
    return one.verdict is other.verdict and _rule_lines(one) == _rule_lines(other)


def _rule_lines(state: RobotsState) -> list[bytes]:
    """Returns the lines that count, without those that name the host itself."""
    lines = (line.partition(b"#")[0].strip().lower() for line in state.body.splitlines())
    return [line for line in lines if line and not line.startswith((b"sitemap", b"host"))]
