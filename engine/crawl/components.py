"""Builds the parts of a crawl and connects them."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.crawl.canonical_choice import CanonicalChoice
from engine.crawl.discovery import Discovery
from engine.crawl.host_byte_quota import HostByteQuota
from engine.crawl.host_health import HostHealth
from engine.crawl.limits import Limits
from engine.crawl.link_queue import LinkQueue
from engine.crawl.page_changes import PageChanges
from engine.crawl.pending import PendingVisits
from engine.crawl.permissions import Permissions
from engine.crawl.quarantine import Quarantine
from engine.crawl.run import Run
from engine.crawl.soft_404 import Soft404Detector
from engine.crawl.twins import TwinHosts
from engine.crawl.walk import Commit, Walk
from engine.frontier import Caps, Frontier, Sites, Suspects
from engine.history import Recorder
from engine.store import Store


@dataclass(frozen=True, slots=True)
class Components:
    """The parts that decide about visits, and those that write them."""

    discovery: Discovery
    frontier: Frontier
    permissions: Permissions
    pending: PendingVisits
    canonical_choice: CanonicalChoice
    quarantine: Quarantine
    soft_404: Soft404Detector
    byte_quota: HostByteQuota
    host_health: HostHealth
    twin_hosts: TwinHosts
    link_queue: LinkQueue
    recorder: Recorder

    def build_walk(self) -> Walk:
        """Lists the decisions about a visit in their order."""
        return Walk(
            self.permissions.apply_directives,
            self.quarantine.check,
            # Behind what own code makes of a page (engine.plugins): that is fingerprinted anew.
            lambda visit: self.canonical_choice.apply_canonical(self.canonical_choice.keep_apart(visit)),
            self.soft_404.check,
            self.canonical_choice.apply_duplicate,
        )


def build_components(
    store: Store,
    sites: Sites,
    limits: Limits,
    clock: Callable[[], float],
    draw: Callable[[], float],
    counts: Counter[str],
) -> Components:
    """Builds the parts of one crawl; they count into `counts`."""
    recorder = Recorder(clock)
    suspects = Suspects(counts, recorder.add_skip)
    discovery = Discovery(sites, limits.depth, suspects, exact_seen=limits.exact_seen)
    frontier = Frontier(
        store.engine,
        lambda host: discovery.sites.pace(host),
        draw,
        Caps(suspects, limits.queries, limits.host_pages, limits.domain, discovery.is_own),
        discovery.count_inlinks,
        limits.host_pages_per_day,
    )
    permissions, pending = Permissions(frontier, counts), PendingVisits()
    choice = CanonicalChoice(store, discovery, frontier, permissions, pending)
    return Components(
        discovery=discovery,
        frontier=frontier,
        permissions=permissions,
        pending=pending,
        canonical_choice=choice,
        quarantine=Quarantine(store.engine),
        soft_404=Soft404Detector(
            store.engine, frontier, suspects, lambda: discovery.sites, choice.apply_duplicate
        ),
        byte_quota=HostByteQuota(store.engine, discovery.is_own, frontier.next_hosts, limits.host_bytes),
        host_health=HostHealth(frontier, suspects, lambda: discovery.sites),
        twin_hosts=TwinHosts(discovery, frontier, permissions),
        link_queue=LinkQueue(discovery, frontier, permissions),
        recorder=recorder,
    )


def build_commit(
    store: Store, parts: Components, run: Run, counters: Callable[[float], Mapping[str, float]]
) -> Commit:
    """Lists what a commit does; `counters` are those that the run log keeps at a time."""
    changes = PageChanges(parts.recorder)
    return Commit(
        visit_steps=(
            changes.look,
            lambda connection, visits, _: store.save(connection, visits, parts.discovery.sites.trusts_404),
            changes.record,
            parts.twin_hosts.record_visits,
            lambda connection, visits, _: parts.canonical_choice.requeue_copies_of_departed(
                connection, visits
            ),
            lambda connection, visits, now: parts.link_queue.enqueue(connection, visits, now, whole=True),
            lambda connection, visits, now: parts.host_health.record_visits(connection, visits, run.id, now),
            lambda connection, visits, _: parts.quarantine.record_visits(connection, visits),
        ),
        upkeep_steps=(
            lambda connection, _: parts.permissions.load_refreshed_robots(connection),
            lambda connection, _: parts.frontier.host_leases.save_rests(connection),
            parts.link_queue.requeue_feeds,
            lambda connection, now: run.heartbeat(connection, now, counters(now)),
        ),
    )
