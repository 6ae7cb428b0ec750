"""One crawl, without Scrapy: claims go out, visits come back, some fifty of them to a commit.

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
from engine.errors import EngineError
from engine.frontier.queue import Found, Frontier
from engine.frontier.seen import Seen
from engine.frontier.sites import Sites
from engine.judge import REDIRECTS, is_away
from engine.monitor.counters import Counters
from engine.monitor.progress import Progress
from engine.page import Claim, Fetch, Kind, State, Visit
from engine.robots import AGENT, MAX_CRAWL_DELAY, MAX_REDIRECTS, Answer, Verdict
from engine.store.pages import Store
from engine.store.runs import beat, end_run, last_run, resume_run, start_run
from engine.store.tables import hosts, urls
from engine.url import canonicalize

BATCH = 50  # visits to a commit: a commit costs as much as storing a page
BATCH_SECONDS = 0.25  # a slow crawl commits at least this often
PATIENCE = 6.0  # seconds that a crawl waits when all hosts left are down: one more try each
MAX_TRIES = 3  # visits in a row without an answer before a URL counts as failed


@dataclass(frozen=True, slots=True)
class Limits:
    """Where the operator wants a run to stop; None = nowhere."""

    pages: int | None = None
    depth: int | None = None


class Crawl:
    """The state of one crawl. `clock` gives seconds since 1970, `draw` a random number from 0 to 1."""

    def __init__(
        self,
        store: Store,
        sites: Sites,
        limits: Limits = Limits(),
        clock: Callable[[], float] = time.time,
        draw: Callable[[], float] = random.random,
    ) -> None:
        self.store = store
        self.sites = sites
        self.clock = clock
        self._limits = limits
        self._seen = Seen()
        self._pending: list[Visit] = []
        self._fingerprints: dict[bytes, str] = {}  # of the pending visits
        self._pending_since = 0.0
        self._open = 0  # claims that have not come back
        self._run = 0
        self._queued = 0
        self.broken: EngineError | None = None  # ours: the crawl ends, and says this
        self.frontier = Frontier(store.engine, lambda host: self.sites.pace(host), draw)
        self.counters = Counters(Counter())

    def open(self) -> None:
        """Go on where the last run stopped; when it came to its end, visit everything again."""
        now = self.clock()
        with self.store.engine.begin() as connection:
            self._follow_moved_seeds(connection)
            seeds = [Found(seed) for seed in self.sites.seeds if not self.sites.refusal(seed)]
            before = last_run(connection, "crawl")
            if before and before.resumable:
                self._run = before.id
                self.counters = Counters(Counter(before.counters))
                resume_run(connection, self._run)
            else:
                self._run = start_run(connection, "crawl", now)
            self.frontier.add(connection, seeds, now)
        self._queued = self.frontier.load(self.sites.admits)
        if not self._queued:
            with self.store.engine.begin() as connection:
                self._requeue(connection)
            self._queued = self.frontier.load(self.sites.admits)

    def claim(self) -> Claim | None:
        """The next URL to be sent at once; None when there is none now (see `wait` and `finished`)."""
        while not (self._full() or self.broken):
            claim = self.frontier.claim(self.clock())
            if claim is None:
                # What is pending may hold the next URLs; while others are under way they bring some.
                if self._open or not self.commit():
                    return None
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

    def representative(self, fingerprint: bytes, url: str) -> str:
        """The URL of a page we have with the same text, '' without one."""
        pending = self._fingerprints.get(fingerprint, "")
        return pending if pending != url and pending else self.store.representative(fingerprint, url)

    def finish(self, visit: Visit) -> None:
        """Take a visit to the next commit."""
        if visit.again and visit.fetch.claim.fails + 1 >= MAX_TRIES:
            visit = replace(visit, again=False)
        if visit.reason == "redirect" and self.sites.refusal(visit.target):
            visit = self._redirected_away(visit)
        self._open -= 1
        self._pending.append(visit)
        self._pending_since = self._pending_since or self.clock()
        if visit.reading and visit.reading.fingerprint and visit.state is State.STORED:
            self._fingerprints[visit.reading.fingerprint] = visit.fetch.claim.url
        self.counters.visit(visit)
        if len(self._pending) >= BATCH or self.clock() - self._pending_since >= BATCH_SECONDS:
            self.commit()

    def commit(self) -> bool:
        """Write what is pending in one transaction; False when nothing was."""
        visits, now = self._pending, self.clock()
        if not visits or self.broken:
            return False
        self._pending, self._fingerprints, self._pending_since = [], {}, 0.0
        with self._writing() as connection:
            self.store.save(connection, visits)
            new = self.frontier.add(connection, list(self._discovered(visits)), now)
            beat(connection, self._run, now, self._counts(now))
        if self.broken:
            return False
        self._queued += new - sum(not visit.again for visit in visits)
        self.frontier.committed(visit.fetch.claim for visit in visits)
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
        return self._queued <= 0 or wait is None or (wait > PATIENCE and self.frontier.only_parked())

    def close(self, reason: str) -> None:
        """The last commit, and the run's end in the log."""
        self.commit()
        now = self.clock()
        with self._writing() as connection:
            beat(connection, self._run, now, self._counts(now))
            end_run(connection, self._run, now, reason)

    def progress(self) -> Progress:
        """How far the crawl is."""
        counts = self.counters.counts
        rate = self.counters.rate(self.clock())
        return Progress(True, counts["stored"] + counts["unchanged"], self._queued, counts["errors"], rate)

    def robots_answered(self, fetch: Fetch) -> Claim | None:
        """Take a host's answer to GET /robots.txt; the next hop when it was redirected (requirement 110)."""
        if hop := _next_hop(fetch):
            return hop
        self._open -= 1
        now, host = self.clock(), fetch.claim.host
        answer = Answer(fetch.status or None, dict(fetch.headers), fetch.body)
        state = robots.judge(answer, now, self.frontier.robots(host))
        with self._writing() as connection:
            self.frontier.keep_robots(connection, host, state)
        if state.verdict is Verdict.DEFER:
            why = fetch.error or f"http {fetch.status}"
            self.counters.counts[f"robots.txt deferred: {why}"] += 1
            self.frontier.park(fetch.claim, state.expires_at)
        elif (state.crawl_delay(AGENT) or 0.0) > MAX_CRAWL_DELAY:
            self.counters.counts["robots.txt asks for too long a delay"] += 1
            self.frontier.park(fetch.claim, state.expires_at)
        else:
            self.frontier.done(fetch.claim, now)
        return None

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """One transaction; when it cannot be written the crawl is broken: it ends, and says this."""
        try:
            with self.store.engine.begin() as connection:
                yield connection
        except sa.exc.DBAPIError as error:
            self.broken = EngineError(
                f"cannot write the crawl database: {error.orig}; mend that (is the disk full?) and run "
                "the same command again: it goes on with what was stored"
            )

    def _refused(self, claim: Claim) -> Visit | None:
        """The visit of a URL that must not be sent after all; rules count as they are now."""
        if claim.kind is Kind.ROBOTS:
            return None
        fetch = Fetch(claim, 0, at=self.clock())
        if rule := self.sites.refusal(claim.url):
            return Visit(fetch, State.SKIPPED, reason=rule)
        rules = self.frontier.robots(claim.host)
        if rules is None or not rules.allowed(AGENT, claim.url):
            return Visit(fetch, State.DISALLOWED, reason="robots.txt")
        return None

    def _discovered(self, visits: list[Visit]) -> Iterator[Found]:
        """URLs that these visits lead to, as far as they are in scope and not known for sure."""
        for visit in visits:
            claim = visit.fetch.claim
            if visit.target and visit.reason == "redirect":
                yield Found(visit.target, claim.depth, claim.url_id, claim.hops + 1)
            if not visit.reading or visit.state is State.ALIAS:
                continue
            if self._limits.depth is not None and claim.depth >= self._limits.depth:
                continue
            for url in visit.reading.outlinks:
                if url not in self._seen:
                    self._seen.add(url)
                    if rule := self.sites.refusal(url):
                        self.counters.counts[f"links left: {rule}"] += 1
                    else:
                        yield Found(url, claim.depth + 1, claim.url_id)

    def _redirected_away(self, visit: Visit) -> Visit:
        """A redirect out of scope: followed only from a seed, whose site then moves along."""
        if visit.fetch.claim.depth == 0 and visit.reason == "redirect":
            moved = self.sites.joined_by(visit.fetch.claim.url, visit.target)
            if not moved.refusal(visit.target):
                self.sites = moved
                return visit
        return replace(visit, state=State.SKIPPED, reason="redirect out of scope", target="")

    def _follow_moved_seeds(self, connection: sa.Connection) -> None:
        """What an earlier run learned about seeds that moved still holds."""
        query = sa.select(urls.c.url, urls.c.alias_of).where(
            urls.c.depth == 0, urls.c.state == State.ALIAS, urls.c.reason == "redirect"
        )
        for seed, target in connection.execute(query):
            if self.sites.refusal(target):
                self.sites = self.sites.joined_by(seed, target)

    def _requeue(self, connection: sa.Connection) -> None:
        """Everything known in scope is due again."""
        rows = connection.execute(sa.select(hosts.c.id, hosts.c.host))
        ids = [number for number, host in rows if self.sites.admits(host)]
        due = sa.update(urls).values(state=State.QUEUED, fails=0, hops=0)
        for number in ids:
            connection.execute(due.where(urls.c.host_id == number))

    def _full(self) -> bool:
        """True when the run has, or is about to have, as many pages as it may."""
        counts = self.counters.counts
        limit = self._limits.pages
        return limit is not None and counts["stored"] + counts["unchanged"] + self._open >= limit

    def _counts(self, now: float) -> dict[str, float]:
        """The counters as the run log keeps them."""
        rate = round(self.counters.rate(now), 2)
        return {**self.counters.counts, "queued": self._queued, "per_second": rate}


def _next_hop(fetch: Fetch) -> Claim | None:
    """Where a redirected robots.txt is to be had; None when that is no http(s) URL or too far away."""
    if fetch.status not in REDIRECTS or fetch.claim.hops >= MAX_REDIRECTS:
        return None
    try:
        target = canonicalize(fetch.header("location"), fetch.claim.url)
    except ValueError:
        return None
    return replace(fetch.claim, url=target, hops=fetch.claim.hops + 1, etag="", last_modified="")
