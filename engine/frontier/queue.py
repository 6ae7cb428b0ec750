"""Queues URLs in the crawl database: breadth first, fair between hosts, polite to each.

In the database stands every URL; in memory only one queue a host, with the next few URLs of it. So the cost
of a claim does not grow with the crawl, and who is killed has lost nothing: what was claimed is still queued.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from engine.database import connect_to_read
from engine.frontier import leases
from engine.frontier.caps import Caps
from engine.frontier.daily_quota import DailyQuota
from engine.frontier.host_leases import HostLeases
from engine.frontier.host_queue import HostQueue, queue_length
from engine.frontier.host_queues import HostQueues
from engine.frontier.host_share import HostShare
from engine.frontier.new_url import INSERT_URLS, NewUrl, group_new
from engine.frontier.order import fill_queues
from engine.frontier.paused_hosts import PAUSE_SECONDS, PausedHosts
from engine.frontier.politeness import MachineDelays, Pace, SlowStart
from engine.frontier.ready_queue import AddressLookups, Lookup, ReadyQueue
from engine.frontier.robots_cache import RobotsCache
from engine.model import Claim, Purpose
from engine.store import filter_known


class Frontier:
    """Adds URLs, gives out claims, and takes them back when done. Times are seconds since 1970."""

    def __init__(
        self,
        engine: sa.Engine,
        pace_of: Callable[[str], Pace],
        draw: Callable[[], float],
        caps: Caps,
        inlinks: Callable[[str], int],
        per_day: int | None = None,
    ) -> None:
        self._engine = engine
        self._inlinks = inlinks
        self._caps = caps
        self._quota = DailyQuota(engine, per_day)
        self._draw = draw
        self._ready = ReadyQueue()
        self.next_hosts = self._ready.next_hosts
        self.host_queues = HostQueues(pace_of, RobotsCache(engine, self.next_hosts))
        self._machine_delays = MachineDelays()
        self.slow_start = SlowStart()
        self.paused = PausedHosts()
        self.is_wary = False  # of hosts that are new to it: others may have asked them just now
        self.host_leases = HostLeases(self.host_queues)
        self.waiting = 0  # URLs that are queued, those under way included
        self.round = 0  # to which URLs belong that nobody has queued by hand
        self.probes: dict[str, Claim] = {}  # to be asked before a host's next page

    def redistribute(
        self, connection: sa.Connection, share: HostShare, admits: Callable[[str], bool], now: float
    ) -> None:
        """Leases the hosts of a share, and lists anew those with queued URLs that the crawl admits."""
        self.host_leases.begin(connection, share)
        self.is_wary = self.is_wary or not share.is_whole
        self._quota.reset()
        self._caps.domains.reset()
        self.waiting = 0
        self.probes.clear()  # who asks the host from now on will ask
        kept = self.host_queues.release_all() - leases.take_share(connection, share)
        for known in leases.load_leased(connection, share):
            if admits(known.host):
                queue = self.host_queues.add_leased(known)
                queue.just_leased = known.id not in kept
                self.add_waiting(known.host, known.queued)
                self._schedule(queue)
        self.host_leases.look(connection, share)
        self.hand_over(connection, admits, now)

    def change_share(self, connection: sa.Connection, share: HostShare, held: Collection[int]) -> None:
        """Follows a change of the share: what stays ours goes on. `held`: ids of hosts that are leased."""
        self.host_leases.begin(connection, share)
        self.is_wary = self.is_wary or not share.is_whole
        self._quota.reset()
        self._caps.domains.forget_known()
        for queue in self.host_leases.find_lost(held):
            self._release(queue)

    def hand_over(self, connection: sa.Connection, admits: Callable[[str], bool], now: float) -> None:
        """Releases some hosts that are others' now, and adds some that are ours."""
        for queue in self.host_leases.find_leaving(connection):
            self._release(queue)
        self._add_leased(self.host_leases.hand_over(connection, now), admits)

    def answer_calls(
        self, connection: sa.Connection, calls: Sequence[str], admits: Callable[[str], bool]
    ) -> None:
        """Adds what other runs have queued of our hosts."""
        self._add_leased(leases.answer_calls(connection, self.host_leases.share, calls), admits)

    def _add_leased(self, hosts: Iterable[leases.LeasedHost], admits: Callable[[str], bool]) -> None:
        for known in hosts:
            if admits(known.host):
                queue = self.host_queues.get(known.host)
                if queue is None or not queue.leased:
                    queue = self.host_queues.add_leased(known)
                self.add_waiting(known.host, known.queued - queue.waiting)
                self._schedule(queue)

    def add(self, connection: sa.Connection, found: Sequence[NewUrl], now: float) -> int:
        """Queues URLs that are not known yet, and gives their hosts a turn; returns how many were new."""
        rows, calls = list[Mapping[str, Any]](), list[int]()
        by_host = group_new(found, filter_known(connection, [one.url for one in found]))
        self._ensure_queues(connection, by_host)
        for host, new in by_host.items():
            if queue := self.host_queues.get(host):
                admitted = self._admit(queue, new)
                rows += [one.queued(queue.id, self.round, now) for one in admitted]
                calls += [queue.id] if admitted and not queue.leased else []
            else:
                self._caps.domains.count_refused(new)
        INSERT_URLS.execute(connection, rows)
        leases.call_for(connection, calls)
        return len(rows)

    def _ensure_queues(self, connection: sa.Connection, found: Mapping[str, Sequence[NewUrl]]) -> None:
        """Makes queues for the hosts of new URLs, but for those of full domains, and leases what is ours.

        All hosts share each statement: one alone would cost a server as many as all.
        """
        domains = self._caps.domains
        known = self._caps.load_counts(connection, found)
        unknown = self.host_queues.load(connection, found)
        self.host_queues.insert(connection, [host for host in unknown if domains.add_host(host, found[host])])
        self.host_queues.lease(connection, self.host_leases.share, found)
        self.host_queues.count_urls(connection, found, known)

    def _admit(self, queue: HostQueue, new: Sequence[NewUrl]) -> Sequence[NewUrl]:
        """Selects those of a host's new URLs that may be queued, and counts them."""
        known = queue.known_urls or 0
        admitted = self._caps.admit(queue.host, known, new)
        queue.known_urls = known + len(admitted)
        self._caps.domains.add_urls(queue.host, len(admitted))
        if queue.leased:
            self.add_waiting(queue.host, len(admitted))
            self._schedule(queue)
        return admitted

    def record_requeued(self, connection: sa.Connection, host: str, more: int) -> None:
        """Adds known URLs queued again (or fewer) to a host's count; the run that leases it hears of it."""
        self.host_queues.load(connection, [host])
        self.host_queues.lease(connection, self.host_leases.share, [host])
        queue = self.host_queues[host]
        if queue.leased:
            self.add_waiting(host, more)
            self._schedule(queue)
        elif more:
            leases.call_for(connection, [queue.id])

    def _schedule(self, queue: HostQueue) -> None:
        if not queue.is_scheduled and queue.has_room:
            self._ready.put(queue, queue.ready_at)

    def claim(self, now: float) -> Claim | None:
        """Returns the next URL that may be asked now: a host's robots.txt first, then its pages."""
        while queue := self._ready.take(now):
            if not self._may_start(queue, now):
                continue  # `finish` schedules it again, or it is another run's
            # Another answer, or its robots.txt, has asked for it.
            if queue.is_resting(now) or queue.ready_at > now or queue.is_held(now):
                self._ready.put(queue, queue.ready_at)
            elif self.paused.is_paused(queue.host, now):
                queue.suspend("the operator paused it", now + PAUSE_SECONDS)
                self._ready.put(queue, queue.ready_at)
            elif not queue.is_robots_due(now) and (closed := queue.seconds_closed(now)):
                self._ready.put(queue, now + closed)
            elif (floor := self._machine_delays.ready_at(queue.address)) > now:
                self._ready.put(queue, floor)
            elif rest := self._quota.seconds_to_wait(queue, now):
                queue.suspend("it reached host_pages_per_day", now + rest)
                self._ready.put(queue, queue.ready_at)
            elif claim := self._take(queue, now):
                self._start(queue, claim, now)
                return claim
        return None

    def seconds_to_next(self, now: float) -> float | None:
        """Returns the seconds until a host may be asked; None when no URL waits for its host's turn."""
        return self._ready.seconds_to_next(now)

    def is_only_suspended(self) -> bool:
        """Tells whether the hosts that still wait are all down or without a readable robots.txt."""
        return not self.host_queues.find_unfinished() and all(
            self.host_queues[host].is_suspended for host in self.probes
        )

    def set_lookup(self, lookup: Lookup) -> None:
        """Sets the address lookup, which each host needs before its first request."""
        self._ready.addresses = AddressLookups(lookup)

    def finish(
        self, claim: Claim, now: float, *, down: bool = False, rest: float = 0.0, address: str = ""
    ) -> None:
        """Ends a claim's exchange: the host may be asked again after its pause.

        `down`: no answer, or one that sends us away; `rest`: seconds it asked for; `address`: who answered.
        """
        queue = self.host_queues[claim.host]
        queue.address = address or queue.address
        self._machine_delays.record_contact(queue.address, queue.pace, now)
        self.host_queues.record_response(queue, now, down=down, rest=rest, draw=self._draw())
        self._schedule(queue)

    def add_probe(self, probe: Claim) -> None:
        """Adds a probe, which is fetched from a host before its next page."""
        self.probes[probe.host] = probe
        self._schedule(self.host_queues[probe.host])

    def end_probe(self, host: str) -> None:
        """Lets the host be asked again, now that the answer to its probe is read."""
        self.host_queues[host].is_probed = False
        self._schedule(self.host_queues[host])

    def defer(self, claim: Claim) -> None:
        """Defers a host whose robots.txt cannot be had: its URLs wait until it is time to ask again."""
        queue = self.host_queues[claim.host]
        queue.in_flight -= 1
        if not queue.is_scheduled:
            self._ready.put(queue, queue.ready_at)

    def skip(self, claim: Claim) -> None:
        """Skips a claim that needs no request after all: the host's turn is not used up."""
        self.host_queues[claim.host].ready_at = 0.0
        self.defer(claim)

    def commit(self, claims: Iterable[Claim], again: Collection[int]) -> None:
        """Forgets URLs whose outcome is in the database; `again`: the ids of those that are queued still."""
        for claim in claims:
            queue = self.host_queues[claim.host]
            self.add_waiting(claim.host, (claim.url_id in again) - 1)
            queue.claimed.discard(claim.url_id)
            self._schedule(queue)  # for a URL that is to be tried again

    def add_waiting(self, host: str, more: int) -> None:
        """Adds to the number of a host's queued URLs; those of other runs' hosts do not count here."""
        queue = self.host_queues[host]
        if queue.leased:
            queue.waiting += more
            self.waiting += more
            self._caps.domains.add_waiting(host, more)

    def reload(self, host: str) -> tuple[int, set[int]]:
        """Reloads a host's queue from the database; returns its id, and the ids of URLs under way."""
        queue = self.host_queues[host]
        queue.clear()
        return queue.id, queue.claimed

    def _may_start(self, queue: HostQueue, now: float) -> bool:
        """Tells whether one more request may be under way to a host, now that its address is known.

        One whose machine another run asks is given away: that run hears of it soon.
        """
        if queue.place is None and queue.address and queue.pace.pause:
            self.host_queues.place(queue)
        if queue.just_leased and self.is_wary:
            queue.hold(now)
            self._machine_delays.record_contact(queue.address, queue.pace, now)
        queue.just_leased = False
        if queue.leased and not self.host_leases.share.includes(queue.bucket):
            self._release(queue)
            self.host_leases.give_away(queue)
        return queue.leased and queue.has_room and queue.in_flight < self.slow_start.max_requests(now)

    def _release(self, queue: HostQueue) -> None:
        """Asks nothing more of a host: it is another run's."""
        self.add_waiting(queue.host, -queue.waiting)
        self.probes.pop(queue.host, None)  # who asks it from now on will ask
        queue.release()

    def _take(self, queue: HostQueue, now: float) -> Claim | None:
        if not queue.urls and queue.host not in self.probes and not self._refill(queue):
            return None
        if queue.is_robots_due(now):
            return None if queue.in_flight else queue.robots_claim()
        return self.probes.pop(queue.host, None) or queue.urls.popleft()

    def _start(self, queue: HostQueue, claim: Claim, now: float) -> None:
        queue.in_flight += 1
        queue.is_probed = claim.kind is Purpose.PROBE
        queue.asked_at = now
        if claim.kind is Purpose.PAGE:
            self._quota.count_request(queue)
        self._machine_delays.record_contact(queue.address, queue.pace, now)
        if claim.kind is not Purpose.ROBOTS and queue.has_room:
            self._ready.put(queue, now + queue.pace.pause)

    def _refill(self, queue: HostQueue) -> bool:
        short = [queue, *(other for other in self._ready.next_due() if other.is_short)]
        with connect_to_read(self._engine) as connection:
            fill_queues(connection, short, self._inlinks, queue_length(len(self.host_queues)))
        return bool(queue.urls)
