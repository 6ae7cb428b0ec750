"""The crawl itself: hands out claims, takes back visits, commits them.

Scrapy's scheduler, spider and pipelines are coats over this class; `commit` loses no page to a kill.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import sqlalchemy as sa

from engine import robots
from engine.crawl.canonical_choice import Standing
from engine.crawl.discovery import Discovery
from engine.crawl.host_health import Watch
from engine.crawl.leads import Leads
from engine.crawl.limits import Limits
from engine.crawl.opening import moved_sites, roots, visit_again
from engine.crawl.owner import Owners, heard
from engine.crawl.patience import Patience
from engine.crawl.peers import LOOK_SECONDS, Company
from engine.crawl.pending import BATCH_SECONDS, Pending
from engine.crawl.quarantine import Quarantine
from engine.crawl.quota import HostBytes
from engine.crawl.response_policy import is_away, last_try, next_hop
from engine.crawl.run import Alone, Run, Seating
from engine.crawl.soft_404 import SoftPages
from engine.crawl.twins import Twins
from engine.crawl.unanswered import Unanswered
from engine.crawl.walk import Effect, Walk
from engine.errors import EngineError
from engine.folder import explain_failure
from engine.frontier import Caps, Frontier, Sites, Suspects, Throttle
from engine.model import Claim, Fetch, Purpose, Visit
from engine.monitor import Counters, Progress
from engine.store import Store, drop_expired, load_forced, write_transaction


class Crawl:
    """The state of one crawl. `clock` gives seconds since 1970, `draw` a random number from 0 to 1."""

    def __init__(
        self,
        store: Store,
        sites: Sites,
        limits: Limits = Limits(),
        clock: Callable[[], float] = time.time,
        draw: Callable[[], float] = random.random,
        policy: robots.Policy = robots.Policy(),
        seats: Seating = Alone(),
    ) -> None:
        self.store, self.clock = store, clock
        self._limits, self._policy = limits, policy
        self._pending, self._patience = Pending(), Patience()
        self._open, self._retired = 0, False  # claims that have not come back; nothing more is asked
        self.to_index = 0  # once nothing is fetched any more: what the index has left to do
        self.broken: EngineError | None = None  # ours: the crawl ends, and says this
        self.counters = Counters(Counter())
        self.unanswered = Unanswered(sites.seeds)
        self._throttle = Throttle(limits.quiet, limits.bytes_per_second)
        self._bytes = HostBytes(store.engine, lambda host: self.discovery.is_own(host), limits.host_bytes)
        suspects = Suspects(self.counters.counts)
        self.discovery = Discovery(sites, limits.depth, suspects, exact_seen=limits.exact_seen)
        self.frontier = Frontier(
            store.engine,
            lambda host: self.discovery.sites.pace(host),
            draw,
            Caps(suspects, limits.queries, limits.host_pages, limits.domain, self.discovery.is_own),
            self.discovery.inlinks,
            limits.host_pages_per_day,
        )
        self.watch = Watch(self.frontier, suspects, lambda: self.discovery.sites)
        owners = self.owners = Owners(self.frontier, self.counters.counts)
        standing = self.standing = Standing(store, self.discovery, self.frontier, self.owners, self._pending)
        quarantine, of_sites = Quarantine(store.engine), lambda: self.discovery.sites
        self.soft = SoftPages(store.engine, self.frontier, suspects, of_sites, self.standing.first)
        self.run = Run(sites.digest, seats)
        self._company = Company(self.run, self.discovery, self.frontier, self.owners)
        self.twins = Twins(self.discovery, self.frontier, self.owners)
        self._leads = Leads(self.discovery, self.frontier, self.owners)
        self.walk = Walk(
            owners.permitted, quarantine.weighed, standing.preferred, self.soft.weighed, standing.first
        )
        self._commits: tuple[Effect, ...] = (
            lambda connection, visits, _: store.save(connection, visits),
            self.twins.heed,
            lambda connection, visits, _: standing.heed(connection, visits),
            lambda connection, visits, now: self._leads.queue(connection, visits, now, whole=True),
            lambda connection, visits, _: owners.look_again(connection),
            lambda connection, visits, now: self.watch.saw(connection, visits, self.run.id, now),
            lambda connection, visits, _: quarantine.saw(connection, visits),
            lambda connection, visits, _: self.frontier.keep_rests(connection),
            lambda connection, visits, now: self.run.beat(connection, now, self._counts(now)),
        )

    def open(self) -> None:
        """Begin a round of visits, or go on where the last run was stopped.

        Raises EngineError while another process crawls other sites into the same data folder.
        """
        now = self.clock()
        with write_transaction(self.store.engine) as connection:
            sites = moved_sites(connection, self.discovery.sites)
            sites = self.discovery.sites = replace(sites, forced=load_forced(connection))
            self.owners.heed_removals(connection)
            drop_expired(connection, now)
            self.counters.counts.update(self.run.begin(connection, now))
            self._company.share_out(connection, now)
            self.frontier.add(connection, self.owners.admitted(roots(connection, sites)), now)
        due = self.run.round._replace(rested=self._limits.rested)
        for connection in visit_again(self.store.engine, sites, self.run.share, due, now):
            self.run.beat(connection, self.clock(), self._counts(now))
        with write_transaction(self.store.engine) as connection:
            self._company.share_out(connection, now)

    def claim(self) -> Claim | None:
        """The next URL to be sent at once; None when there is none now (see `wait` and `finished`)."""
        if self.owners.recheck.due(now := self.clock()):
            with self._writing() as connection:
                self.owners.recheck.go_on(connection, now)
        while not self._over():
            if self._company.due(now := self.clock()):
                self._look(now)
            claim = None if self._throttle.wait(now) else self.frontier.claim(now)
            if claim is None:
                # What is pending may hold the next URLs; while others are under way they bring some.
                if self._open or not self.commit():
                    return None
                continue
            if self.owners.turned_away(claim, now):
                continue
            self._open += 1
            spared = self.twins.spared(Fetch(claim, 0, at=now)) or self._bytes.refused(claim, now)
            if not (refused := spared or self.owners.refused(claim, self.discovery.sites, now)):
                return claim
            self.frontier.skip(claim)
            self.finish(refused)
        self.commit()
        return None

    def answered(self, fetch: Fetch) -> None:
        """The exchange is over; its host may be asked again after its pause, or the one that it asks for."""
        now = self.clock()
        self._count(fetch, now)
        rest = robots.retry_after(dict(fetch.headers), now) if fetch.status in (429, 503) else 0.0
        self.frontier.done(fetch.claim, now, down=is_away(fetch), rest=rest, address=fetch.address)

    def lead(self, piece: Visit) -> None:
        """Take in a piece of a long sitemap; its visit itself is committed with the last one."""
        with self._writing() as connection:
            kept = self.owners.kept(connection, [self.twins.placed(piece)])
            self._leads.queue(connection, kept, self.clock())
        self.counters.piece(piece)

    def finish(self, visit: Visit) -> None:
        """Take a visit to the next commit."""
        self._open -= 1
        if visit.fetch.claim.kind is Purpose.PROBE:
            self.commit()  # what it tells of may be among that
            with self._writing() as connection:
                self.soft.heard(connection, visit)
            return
        visit = self.discovery.placed(last_try(self.twins.placed(visit)))
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
            kept = self.standing.alone(connection, kept) if self.run.share.others else kept
            for effect in self._commits:
                effect(connection, kept, now)
        if self.broken:
            return False
        again = {visit.fetch.claim.url_id for visit in kept if visit.again}
        self.frontier.committed((visit.fetch.claim for visit in visits), again)
        self.run.journal.note_saved(visit.fetch.claim.url_id for visit in visits)
        return True

    def wait(self) -> float | None:
        """Seconds until the next claim is worth a try; None when only answers can bring one."""
        if (self._pending or self.owners.recheck.pending) and not self.broken:
            return BATCH_SECONDS
        if self._over():
            return None
        wait = self.frontier.wait(now := self.clock())
        if self.run.others_busy:  # their pages may link to our hosts
            return min(LOOK_SECONDS, LOOK_SECONDS if wait is None else wait)
        return None if wait is None else max(wait, self._throttle.wait(now))

    def finished(self) -> bool:
        """True when no claim is under way, and none will come without a long wait."""
        if not self._idle():
            return False
        if self._over() or not self.run.share.others:
            return True
        self._look(self.clock())
        return self._idle() and not self.run.others_busy

    def retire(self) -> None:
        """Nothing more is asked: the last commit, and others may have our hosts; the index takes its time."""
        if self._retired:
            return
        reason = "finished" if self._idle() else ""  # while the index takes its time, it may be killed
        self._retired = True
        self.commit()
        now = self.clock()
        with self._writing() as connection:
            self._company.share_out(connection, now)  # counts what waits anew, without what was removed
            self.run.beat(connection, now, self._counts(now), idle=True)
            self.run.end(connection, now, reason)
            self.frontier.leave(connection, now)

    def close(self, reason: str) -> None:
        """The run's end in the log."""
        self.retire()
        with self._writing() as connection:
            self._company.end(connection, self.clock(), reason)

    def progress(self) -> Progress:
        """How far the crawl is."""
        return self.counters.progress(self.clock(), self.frontier.waiting, self.to_index)

    def robots_answered(self, fetch: Fetch) -> Claim | None:
        """Take a host's answer to GET /robots.txt; the next hop when it was redirected (requirement 110)."""
        now, host = self.clock(), fetch.claim.host
        self._count(fetch, now)
        if hop := next_hop(fetch):
            if not self.owners.removed(hop.url):
                return hop
            fetch = replace(fetch, status=0, error="it is at a URL that was removed")
        self._open -= 1
        state = heard(
            fetch, now, self.frontier.lines.robots(host), self._policy, self.discovery.sites.aliases
        )
        with self._writing() as connection:
            self.owners.said(connection, host, state, now)
        if state.verdict is robots.Verdict.DEFER:
            self.counters.counts[f"robots.txt {state.heard}"] += 1
            self.frontier.deferred(fetch.claim)
        else:
            self.frontier.done(fetch.claim, now, address=fetch.address)
        return None

    @contextmanager
    def _writing(self) -> Iterator[sa.Connection]:
        """One transaction; when it cannot be written the crawl is broken: it ends, and says this."""
        try:
            with write_transaction(self.store.engine) as connection:
                yield connection
            self.broken = self.broken or self._limits.lack()
        except sa.exc.DBAPIError as error:
            self.broken = explain_failure(error, writing=True)

    def _look(self, now: float) -> None:
        """Take up what others have written meanwhile."""
        if self.run.beat_due(now, idle=self._idle()):
            with self._writing() as connection:
                self.run.beat(connection, now, self._counts(now), idle=self._idle())
        with self.store.engine.connect() as connection:
            news = self._company.see(connection, now)
        if news:
            with self._writing() as connection:
                self._company.take_up(connection, now)

    def _idle(self) -> bool:
        """Whether nothing is under way and nothing of ours can be asked without a long wait."""
        if not self.broken and (self._open or self._pending or self.owners.recheck.pending):
            return False
        if self._over() or self.frontier.waiting + len(self.frontier.probes) <= 0:
            return True
        now = self.clock()
        return self._patience.ends(now, self.frontier.wait(now), alone=self.frontier.only_parked())

    def _count(self, fetch: Fetch, now: float) -> None:
        """What an exchange brought, and how long nobody is asked for that (requirement 271)."""
        self.counters.exchange(fetch)
        self._bytes.received(fetch)
        self.unanswered.heard(fetch)
        self._throttle.received(fetch.received, now)

    def _over(self) -> bool:
        """Whether nothing may be asked any more: the run has, or will have, as many pages as it may."""
        full = self._limits.pages is not None and self.counters.pages + self._open >= self._limits.pages
        return full or self._retired or bool(self.broken)

    def _counts(self, now: float) -> dict[str, float]:
        """The counters as the run log keeps them."""
        waits = {"queued": self.frontier.waiting, "left alone": self.frontier.lines.left_alone()}
        return {**self.counters.counts, **waits, "per_second": round(self.counters.rate(now), 2)}
