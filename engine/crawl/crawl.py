"""The crawl itself: which claim is next, and what is done with the answer.

Scrapy's scheduler, spider and pipelines are coats over this class; the
architecture's promise that a kill loses no stored page is kept in `commit`.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import sqlalchemy as sa

from engine import robots
from engine.crawl.discovery import MOVED, Discovery
from engine.crawl.opening import moved_sites, visit_again
from engine.crawl.owner import Owners
from engine.crawl.pending import BATCH_SECONDS, Pending
from engine.errors import EngineError
from engine.frontier.caps import MAX_HOST_PAGES, MAX_QUERIES, Caps
from engine.frontier.found import Found
from engine.frontier.queue import Frontier
from engine.frontier.sites import Sites
from engine.judge import is_away, next_hop
from engine.monitor.counters import Counters
from engine.monitor.progress import Progress
from engine.page import Claim, Fetch, Kind, State, Visit
from engine.robots import Answer, Policy, Verdict
from engine.store.pages import Store
from engine.store.removals import REMOVED, expire
from engine.store.revisit import heed
from engine.store.runs import beat, end_run, last_run, resume_run, start_run
from engine.store.wanted import forced

LOOK_SECONDS = 0.25  # between looks for what was removed meanwhile, so that it is not sent any more
PATIENCE = 6.0  # seconds that a crawl waits when all hosts left are down: one more try each
MAX_DEPTH = 500  # links from a seed; who is followed page by page for longer follows a calendar
MAX_TRIES = 3  # visits in a row without an answer before a URL counts as failed


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a run stops; `pages` None = nowhere. The others are ends for spaces that have none."""

    pages: int | None = None
    depth: int = MAX_DEPTH
    queries: int = MAX_QUERIES  # known URLs of one path
    host_pages: int = MAX_HOST_PAGES  # known URLs of one host
    rested: bool = False  # a finished crawl, run again, visits only what had its rest


class Crawl:
    """The state of one crawl. `clock` gives seconds since 1970, `draw` a random number from 0 to 1."""

    def __init__(
        self,
        store: Store,
        sites: Sites,
        limits: Limits = Limits(),
        clock: Callable[[], float] = time.time,
        draw: Callable[[], float] = random.random,
        policy: Policy = Policy(),
    ) -> None:
        self.store = store
        self.clock = clock
        self._limits = limits
        self._policy = policy
        self._pending = Pending()
        self._open = 0  # claims that have not come back
        self._run = 0
        self._looked = 0.0  # for removals
        self.to_index = 0  # once nothing is fetched any more: what the index has left to do
        self.broken: EngineError | None = None  # ours: the crawl ends, and says this
        self.counters = Counters(Counter())
        self.discovery = Discovery(sites, limits.depth, self.counters.counts)
        caps = Caps(self.counters.counts, limits.queries, limits.host_pages)
        self.frontier = Frontier(store.engine, lambda host: self.discovery.sites.pace(host), draw, caps)
        self.owners = Owners(self.frontier, self.counters.counts)

    def open(self) -> None:
        """Go on where the last run stopped; when it came to its end, visit everything again."""
        now = self.clock()
        with self.store.engine.begin() as connection:
            sites = moved_sites(connection, self.discovery.sites)
            sites = self.discovery.sites = replace(sites, forced=forced(connection))
            self.owners.heed_removals(connection)
            seeds = [Found(seed) for seed in sites.seeds if not sites.refusal(seed)]
            expire(connection, now)
            before = last_run(connection, "crawl")
            if before and before.resumable:
                self._run = before.id
                self.counters.counts.update(before.counters)
                resume_run(connection, self._run)
            else:
                self._run = start_run(connection, "crawl", now)
            self.frontier.add(connection, self.owners.admitted(seeds), now)
        self.frontier.load(sites.admits)
        if not self.frontier.waiting:
            with self.store.engine.begin() as connection:
                visit_again(connection, sites, now, rested=self._limits.rested)
            self.frontier.load(sites.admits)

    def claim(self) -> Claim | None:
        """The next URL to be sent at once; None when there is none now (see `wait` and `finished`)."""
        while not (self._full() or self.broken):
            now = self.clock()
            self._look(now)
            claim = self.frontier.claim(now)
            if claim is None:
                # What is pending may hold the next URLs; while others are under way they bring some.
                if self._open or not self.commit():
                    return None
                continue
            if self.owners.turned_away(claim, now):
                continue
            self._open += 1
            if not (refused := self._refused(claim)):
                return claim
            self.frontier.skip(claim)
            self.finish(refused)
        self.commit()
        return None

    def answered(self, fetch: Fetch) -> None:
        """The exchange is over; its host may be asked again after its pause, or the one that it asks for."""
        now = self.clock()
        rest = robots.retry_after(dict(fetch.headers), now) if fetch.status in (429, 503) else 0.0
        self.frontier.done(fetch.claim, now, down=is_away(fetch), rest=rest)

    def preferred(self, visit: Visit) -> Visit:
        """The visit, an alias when its owner prefers another URL that may stand for it (requirement 226)."""
        url = visit.reading.canonical if visit.reading and visit.state is State.STORED else ""
        url = self.discovery.sites.aliases.settled(url) if url else ""
        if (
            url in ("", visit.fetch.claim.url)
            or self.discovery.sites.refusal(url)
            or self.owners.forbids(url)
        ):
            return visit
        if self._pending.state(url) not in (None, State.STORED) or not self.store.stands(url):
            return visit
        return replace(visit, state=State.ALIAS, reason="canonical", target=url, reading=None)

    def representative(self, fingerprint: bytes, url: str) -> str:
        """The URL of a page we have with the same text, '' without one."""
        return self._pending.same(fingerprint, url) or self.store.representative(fingerprint, url)

    def finish(self, visit: Visit) -> None:
        """Take a visit to the next commit."""
        if visit.again and visit.fetch.claim.fails + 1 >= MAX_TRIES:
            visit = replace(visit, again=False)
        if visit.reason in MOVED:
            visit = self.discovery.placed(visit)
        self._open -= 1
        self._pending.add(visit, self.clock())
        self.counters.visit(visit)
        if self._pending.full(self.clock()):
            self.commit()

    def commit(self) -> bool:
        """Write what is pending in one transaction; False when nothing was."""
        if not self._pending or self.broken:
            return False
        visits, now = self._pending.take(), self.clock()
        with self._writing() as connection:
            self.owners.heed_removals(connection)
            kept = self.owners.kept(connection, visits)
            self.store.save(connection, kept)
            self.frontier.add(connection, self.owners.admitted(self.discovery.found(kept)), now)
            for visit in kept:
                self._heed(connection, visit, now)
            self.owners.look_again(connection)
            beat(connection, self._run, now, self._counts(now))
        if self.broken:
            return False
        again = {visit.fetch.claim.url_id for visit in kept if visit.again}
        self.frontier.committed((visit.fetch.claim for visit in visits), again)
        return True

    def wait(self) -> float | None:
        """Seconds until the next claim is worth a try; None when only answers can bring one."""
        if self._pending and not self.broken:
            return BATCH_SECONDS
        return None if self._full() or self.broken else self.frontier.wait(self.clock())

    def finished(self) -> bool:
        """True when no claim is under way and none will come without a long wait."""
        if self._open or (self._pending and not self.broken):
            return False
        wait = self.wait()
        return self.frontier.waiting <= 0 or wait is None or (wait > PATIENCE and self.frontier.only_parked())

    def close(self, reason: str) -> None:
        """The last commit, and the run's end in the log."""
        self.commit()
        now = self.clock()
        if not self.broken:
            self.frontier.load(self.discovery.sites.admits)  # without what was removed
        with self._writing() as connection:
            beat(connection, self._run, now, self._counts(now))
            end_run(connection, self._run, now, reason)

    def progress(self) -> Progress:
        """How far the crawl is."""
        counts = self.counters.counts
        rate = self.counters.rate(self.clock())
        pages = counts["stored"] + counts["unchanged"]
        return Progress(True, pages, self.frontier.waiting, counts["errors"], rate, self.to_index)

    def robots_answered(self, fetch: Fetch) -> Claim | None:
        """Take a host's answer to GET /robots.txt; the next hop when it was redirected (requirement 110)."""
        if hop := next_hop(fetch):
            if not self.owners.removed(hop.url):
                return hop
            fetch = replace(fetch, status=0, error="it is at a URL that was removed")
        self._open -= 1
        now, host = self.clock(), fetch.claim.host
        answer = Answer(fetch.status or None, dict(fetch.headers), fetch.body, fetch.error)
        state = robots.judge(answer, now, self.frontier.robots(host), self._policy)
        state = replace(state, ignore_case=self.discovery.sites.aliases.ignores_case(host))
        with self._writing() as connection:
            self.owners.said(connection, host, state, now)
        if state.verdict is Verdict.DEFER:
            self.counters.counts[f"robots.txt {state.heard}"] += 1
            self.frontier.deferred(fetch.claim)
        else:
            self.frontier.done(fetch.claim, now)
        return None

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """One transaction; when it cannot be written the crawl is broken: it ends, and says this."""
        try:
            with self.store.engine.begin() as connection:
                # Nobody else writes from here on: what is not removed now is not before it is stored.
                connection.exec_driver_sql("BEGIN IMMEDIATE")
                yield connection
        except sa.exc.DBAPIError as error:
            self.broken = EngineError(
                f"cannot write the crawl database: {error.orig}; mend that (is the disk full?) and run "
                "the same command again: it goes on with what was stored"
            )

    def _look(self, now: float) -> None:
        """Take up what was removed meanwhile."""
        if now - self._looked >= LOOK_SECONDS:
            self._looked = now
            with self.store.engine.connect() as connection:
                self.owners.heed_removals(connection)

    def _refused(self, claim: Claim) -> Visit | None:
        """The visit of a URL that must not be sent after all; rules count as they are now."""
        if claim.kind is Kind.ROBOTS:
            return None
        fetch = Fetch(claim, 0, at=self.clock())
        if self.owners.removed(claim.url):
            return Visit(fetch, State.SKIPPED, reason=REMOVED)
        if claim.kind is Kind.PAGE and (rule := self.discovery.sites.refusal(claim.url)):
            return Visit(fetch, State.SKIPPED, reason=rule)
        if self.owners.refusal(claim.host, claim.url) is State.DISALLOWED:
            return Visit(fetch, State.DISALLOWED, reason="robots.txt")
        return None

    def _heed(self, connection: sa.Connection, visit: Visit, now: float) -> None:
        """What a sitemap says of URLs that we know: more of them wait now, or fewer."""
        if not visit.sitemap:
            return
        host = visit.fetch.claim.host
        host_id, under_way = self.frontier.reorder(host)
        settled = self.discovery.sites.aliases.settled
        entries = (replace(entry, loc=settled(entry.loc)) for entry in visit.sitemap.entries)
        said = (*visit.sitemap.sitemaps, *entries)
        self.frontier.count(host, heed(connection, host_id, said, under_way, now))

    def _full(self) -> bool:
        """True when the run has, or is about to have, as many pages as it may."""
        counts = self.counters.counts
        limit = self._limits.pages
        return limit is not None and counts["stored"] + counts["unchanged"] + self._open >= limit

    def _counts(self, now: float) -> dict[str, float]:
        """The counters as the run log keeps them."""
        return {
            **self.counters.counts,
            "queued": self.frontier.waiting,
            "per_second": round(self.counters.rate(now), 2),
            "left alone": self.frontier.left_alone(),
        }
