"""Runs a crawl: hands out claims, takes back visits, commits them.

Scrapy's scheduler, spider and pipelines are coats over this class; `commit` loses no page to a kill.
"""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import sqlalchemy as sa

from engine import robots
from engine.crawl.components import build_commit, build_components
from engine.crawl.idle_timeout import IdleTimeout
from engine.crawl.limits import Limits
from engine.crawl.opening import keep_journal, load_moved_sites, load_root_set, requeue_due_pages
from engine.crawl.peers import POLL_SECONDS, Peers
from engine.crawl.pending import BATCH_SECONDS
from engine.crawl.permissions import interpret_robots
from engine.crawl.response_policy import is_unavailable, limit_tries, next_hop
from engine.crawl.run import NoLocks, Run, RunLocking
from engine.crawl.silent_hosts import SilentHosts
from engine.database import BeginWriting, write_alone, write_transaction
from engine.errors import EngineError
from engine.folder import explain_failure
from engine.frontier import Lookup, Sites, Throttle, no_lookup
from engine.model import Claim, Fetch, Origin, Purpose, Visit
from engine.monitor import Counters, Progress
from engine.store import CRAWL, FEEDS, Store, drop_expired, load_forced


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
        locks: RunLocking = NoLocks(),
    ) -> None:
        self.store, self.clock = store, clock
        self._limits, self._policy, self._idle_timeout = limits, policy, IdleTimeout()
        self._open, self._is_retired = 0, False  # claims that have not come back; nothing more is asked
        self.index_backlog: int | None = None  # what the index has to do once nothing is fetched any more
        self.error: EngineError | None = None  # ours: the crawl ends, and says this
        self.counters = Counters(Counter())
        self.silent_hosts = SilentHosts(sites.seeds)
        self._throttle = Throttle(limits.quiet_hours, limits.bytes_per_second, limits.disk_space)
        parts = build_components(store, sites, limits, clock, draw, self.counters.counts)
        self.discovery, self.frontier, self.permissions = parts.discovery, parts.frontier, parts.permissions
        self.canonical_choice, self.soft_404 = parts.canonical_choice, parts.soft_404
        self.host_health, self.twin_hosts, self.recorder = parts.host_health, parts.twin_hosts, parts.recorder
        self._pending, self._link_queue, self._bytes = parts.pending, parts.link_queue, parts.byte_quota
        self.run = Run(sites.digest, locks, FEEDS if limits.feeds_only else CRAWL)
        self._peers = Peers(self.run, self.discovery, self.frontier, self.permissions)
        self.walk = parts.build_walk()
        self._commit = build_commit(store, parts, self.run, self._run_counters)

    def open(self, look_up: Lookup = no_lookup) -> None:
        """Begins a round of visits, or continues where the last run was stopped.

        Raises EngineError while another process crawls other sites into the same data folder.
        """
        now = self.clock()
        self.frontier.set_lookup(look_up)
        with write_transaction(self.store.engine) as connection:
            sites = load_moved_sites(connection, self.discovery.sites)
            sites = self.discovery.sites = replace(sites, forced=load_forced(connection))
            self.permissions.reload_blocklist(connection)
            drop_expired(connection, now)
            self.counters.counts.update(self.run.begin(connection, now))
            self.frontier.is_wary = self.run.is_after_kill
            self._peers.take_share(connection)
            seeds = self.permissions.without_removed(load_root_set(connection, sites))
            self.frontier.add(connection, seeds, now)
            self._link_queue.requeue_feeds(connection, now)
        due = self.run.round._replace(due_only=self._limits.due_only, feeds_only=self._limits.feeds_only)
        for connection in requeue_due_pages(self.store.engine, sites, self.run.share, due, now):
            self.run.heartbeat(connection, self.clock(), self._run_counters(now))
        with write_transaction(self.store.engine) as connection:
            self._peers.redistribute_hosts(connection, now)

    def keep_journal(self, folder: Path) -> None:
        """Opens the journal of this run, by which a kill loses no page."""
        with write_transaction(self.store.engine) as connection:
            keep_journal(connection, self.run, self.frontier, folder, self.clock())

    def claim(self) -> Claim | None:
        """Returns the next URL to send at once, None when there is none now."""
        if self.permissions.recheck.is_due(now := self.clock()):
            with self._transaction() as connection:
                self.permissions.recheck.run_slice(connection, now)
        while not self._is_over():
            if self._peers.is_poll_due(now := self.clock()):
                self._poll_peers(now)
            claim = None if self._throttle.seconds_to_wait(now) else self.frontier.claim(now)
            if claim is None:
                # What is pending may hold the next URLs; while others are under way they soon bring some.
                if (self._open and not self._pending.is_full(now, self.run.number)) or not self.commit():
                    return None
                continue
            if self.permissions.defers_removed_host(claim, now):
                continue
            self._open += 1
            spared = self.twin_hosts.divert(Fetch(claim, 0, at=now)) or self._bytes.refuse(claim, now)
            if not (refused := spared or self.permissions.refuse(claim, self.discovery.sites, now)):
                return claim
            self.frontier.skip(claim)
            self.finish(refused)
        self.commit()
        return None

    def record_response(self, fetch: Fetch) -> None:
        """Ends an exchange; its host may be asked again after its pause or the rest it asks for."""
        now = self.clock()
        self._count_response(fetch, now)
        rest = robots.parse_retry_after(dict(fetch.headers), now) if fetch.status in (429, 503) else 0.0
        self.frontier.finish(fetch.claim, now, down=is_unavailable(fetch), rest=rest, address=fetch.address)

    def give_back(self, claim: Claim, why: str) -> None:
        """Gives a claim back that nothing was learned by, and stops its host for this run."""
        self._open -= 1
        self.frontier.host_queues[claim.host].give_back(claim, why)
        self.run.journal.note_saved([claim.url_id])

    def queue_entries(self, piece: Visit) -> None:
        """Queues a piece of a long sitemap; its visit itself is committed with the last one."""
        with self._transaction() as connection:
            kept = self.permissions.purge_removed(connection, [self.twin_hosts.recheck(piece)])
            self._link_queue.enqueue(connection, kept, self.clock())
        self.counters.add_entries(piece)

    def finish(self, visit: Visit) -> None:
        """Adds a visit to the next commit."""
        self._open -= 1
        if visit.fetch.claim.kind is Purpose.PROBE:
            self.recorder.add_visit(visit)
            self.commit()  # what it tells of may be among that
            with self._transaction() as connection:
                self.soft_404.record_probe(connection, visit)
            self.frontier.end_probe(visit.fetch.claim.host)
            return
        visit = self.discovery.check_redirect(limit_tries(self.twin_hosts.recheck(visit)))
        self._pending.add(visit, self.clock())
        self.counters.add_visit(visit)
        self.recorder.add_visit(visit)
        if self._pending.is_full(self.clock(), self.run.number):
            self.commit()

    def commit(self) -> bool:
        """Writes pending visits in one transaction; returns False without any."""
        if not self._pending or self.error:
            return False
        visits, now = self._pending.take(), self.clock()
        self.run.flush_responses()
        with self._transaction() as connection:
            self.permissions.reload_blocklist(connection)
            kept = self.permissions.purge_removed(connection, visits)
            if self.run.share.others:
                kept = self.canonical_choice.recheck_duplicates(connection, kept)
            self._commit.write(connection, kept, now)
        if self.error:
            return False
        again = {visit.fetch.claim.url_id for visit in kept if visit.again}
        self.frontier.commit((visit.fetch.claim for visit in visits), again)
        self.run.journal.note_saved(visit.fetch.claim.url_id for visit in visits)
        return True

    def seconds_to_next(self) -> float | None:
        """Returns the seconds until the next claim may succeed; None: it depends on responses under way."""
        if (self._pending or self.permissions.recheck.pending) and not self.error:
            return BATCH_SECONDS
        if self._is_over():
            return None
        wait = self.frontier.seconds_to_next(now := self.clock())
        if (
            self.run.others_busy or self.frontier.host_leases.are_moving
        ):  # others' pages may link to our hosts
            return min(POLL_SECONDS, POLL_SECONDS if wait is None else wait)
        return None if wait is None else max(wait, self._throttle.seconds_to_wait(now))

    def is_finished(self) -> bool:
        """Tells whether no claim is under way, and none will come without a long wait."""
        if not self._is_idle():
            return False
        if self._is_over() or not self.run.share.others:
            return True
        self._poll_peers(self.clock())
        return self._is_idle() and not self.run.others_busy

    def retire(self) -> None:
        """Commits for the last time and gives the hosts back; the index still needs time to catch up."""
        if self._is_retired:
            return
        reason = "finished" if self._is_idle() else ""  # while the index takes its time, it may be killed
        self._is_retired = True
        self.commit()
        now = self.clock()
        with self._transaction() as connection:
            # Counts anew what waits, without what was removed.
            self._peers.redistribute_hosts(connection, now)
            self.run.heartbeat(connection, now, self._run_counters(now), idle=True)
            self.run.end(connection, now, reason)
            self.frontier.host_leases.release_all(connection, now)

    def close(self, reason: str) -> None:
        """Logs the run's end."""
        self.retire()
        with self._transaction() as connection:
            self._peers.end_run(connection, self.clock(), reason)

    def progress(self) -> Progress:
        """Returns how far the crawl is."""
        return self.counters.progress(self.clock(), self.frontier.waiting, self.index_backlog)

    def record_robots(self, fetch: Fetch) -> Claim | None:
        """Records a host's robots.txt; returns the next hop of a redirected one (requirement 110)."""
        now, host = self.clock(), fetch.claim.host
        self._count_response(fetch, now)
        self.recorder.add_robots(fetch)
        if hop := next_hop(fetch):
            if not self.permissions.is_removed(hop.url):
                return hop
            fetch = replace(fetch, status=0, error="it is at a URL that was removed")
        is_claimed = fetch.claim.origin is not Origin.RENDERING  # of a host that is crawled
        self._open -= is_claimed
        before = self.frontier.host_queues.robots(host)
        state = interpret_robots(fetch, now, before, self._policy, self.discovery.aliases)
        with self._transaction() as connection:
            self.permissions.update_robots(connection, host, state, now, has_pages=is_claimed)
        if state.verdict is robots.Verdict.DEFER:
            self.counters.counts[f"robots.txt {state.outcome}"] += 1
            self.frontier.defer(fetch.claim)
        else:
            self.frontier.finish(fetch.claim, now, address=fetch.address)
        return None

    @contextmanager
    def _transaction(self, begin: BeginWriting = write_transaction) -> Iterator[sa.Connection]:
        """Begins a transaction; when it cannot be written, the crawl ends and says why.

        Raises EngineError where it cannot even begin.
        """
        has_begun = False
        try:
            with begin(self.store.engine) as connection:
                has_begun = True
                yield connection
        except (sa.exc.DBAPIError, sa.exc.PendingRollbackError) as error:
            self.error = explain_failure(error, writing=True)
            if not has_begun:
                raise self.error from error

    def _poll_peers(self, now: float) -> None:
        """Applies what other processes have written; who takes a host by that is at work at once."""
        if self.run.is_heartbeat_due(now, idle=self._is_idle()):
            with self._transaction(write_alone) as connection:
                self.run.heartbeat(connection, now, self._run_counters(now), idle=self._is_idle())
        if self._peers.poll(self.store.lookup, now):
            with self._transaction() as connection:
                self._peers.apply_changes(connection, now)
                self.run.heartbeat(connection, now, self._run_counters(now), idle=self._is_idle())

    def _is_idle(self) -> bool:
        """Tells whether nothing is under way and no own host can be asked without a long wait."""
        pending = self._open or self._pending or self.permissions.recheck.pending
        if not self.error and (pending or self.frontier.host_leases.are_moving):
            return False
        if self._is_over() or self.frontier.waiting + len(self.frontier.probes) <= 0:
            return True
        now = self.clock()
        return self._idle_timeout.is_over(
            now, self.frontier.seconds_to_next(now), only_suspended=self.frontier.is_only_suspended()
        )

    def _count_response(self, fetch: Fetch, now: float) -> None:
        """Counts what an exchange brought, and the pause for all hosts that follows (requirement 271)."""
        self.counters.add_exchange(fetch)
        self._bytes.add(fetch)
        self.silent_hosts.record(fetch)
        self._throttle.spend(fetch.received, now)

    def _is_over(self) -> bool:
        """Tells whether no more may be asked: the run has, or will have, as many pages as it may."""
        full = self._limits.pages is not None and self.counters.pages + self._open >= self._limits.pages
        return full or self._is_retired or bool(self.error)

    def _run_counters(self, now: float) -> dict[str, float]:
        """Returns the counters as the run log keeps them."""
        suspended = self.frontier.host_queues.count_suspended()
        waits = {"queued": self.frontier.waiting, "hosts suspended": suspended}
        return {**self.counters.counts, **waits, "per_second": round(self.counters.rate(now), 2)}
