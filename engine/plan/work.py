"""Estimates a crawl's duration and space: arithmetic over what is known so far.

What is queued is certain, so it is a lower bound. What is still to be found is
an estimate: that each queued URL brings as many new ones as the last visits
did. They bring fewer and fewer, so that is too much; what the new ones bring
in turn is left out, which is too little. (Measured on Rust's documentation, some
2,900 URLs as far as anyone knows: 3,640 after 200 visits, 2,930 after 500.)
"""

import heapq
import math
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from engine.frontier import (
    LEAST_PAUSE,
    MAX_LENGTH,
    MAX_RULES_BYTES,
    NEVER,
    PACES,
    SEEN_BYTES,
    CrawlRate,
    Pace,
    Sites,
    compute_rate,
    queue_length,
)
from engine.plan.known import MIN_SAMPLE, PlanInput, ratio
from engine.plan.space import DiskEstimate, UrlSetSize, estimate_disk, estimate_url_set
from engine.store import HostCounts, UrlCounts

SLOWEST = 200  # hosts that are kept; of the others only how many visits, in how many seconds: 16 bytes each
MOST_VISITS = 0.9  # of all; who is still at work then is the tail
MUCH_SLOWER = 2.0  # times longer than planned: worth a word (requirement 272)

HOST_BYTES = 2_500  # the line of a host in memory, without its URLs; tracemalloc
ROBOTS_BYTES = 8_000  # a usual robots.txt, parsed; tracemalloc
CLAIM_BYTES = 450  # a URL in the line of its host; tracemalloc
PROCESS_BYTES = 150_000_000  # before any URL is known; README, Speed
PROCESSES = 4  # the crawl, two readers, the index's follower


class HostPlan(NamedTuple):
    """What is left to do at one host; seconds from now on."""

    host: str
    pages: int  # stored
    queued: int
    to_find: int
    body: float  # bytes of a page
    pause: float  # seconds from start to start, in the mean
    seconds_queued: float  # until what is queued is visited
    seconds: float  # until what is still to be found is, too


@dataclass(frozen=True, slots=True)
class SkippedUrls:
    """URLs that wait at hosts for which the next crawl does not stay, and how many hosts these are."""

    hosts: int = 0
    urls: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """The answer; hosts are the slowest first, SLOWEST at most."""

    based_on: PlanInput
    hosts: tuple[HostPlan, ...]
    busy_hosts: int  # hosts with something to do
    queued: int
    to_find: int
    seconds_queued: float
    seconds: float
    seconds_most: float  # until MOST_VISITS of the visits are made
    tail: int  # hosts that are at work for longer than that
    not_ours: SkippedUrls  # hosts that no site of crawl.toml admits
    suspended: SkippedUrls  # hosts whose robots.txt excludes us for now
    bytes_to_fetch: float
    disk: DiskEstimate
    memory: float  # bytes, all processes
    memory_hosts: float  # of these, what the hosts and their lines take
    url_set: UrlSetSize

    @property
    def seconds_at_recent_rate(self) -> float | None:
        """Seconds for what is queued at the rate of the last visits, None before there were some."""
        rate = self.based_on.recent_visits.per_second
        return self.queued / rate if rate else None

    @property
    def is_much_slower(self) -> bool:
        """Whether the last visits came much more slowly than planned (requirement 272)."""
        return (self.seconds_at_recent_rate or 0.0) > MUCH_SLOWER * self.seconds_queued


def make_plan(
    known: PlanInput, hosts: Iterable[HostCounts], sites: Sites | None, now: float, host_pages: int
) -> Plan:
    """Plans the remaining crawl, by host and in total; `sites` None: all hosts count, at a stranger's pace.

    `now` is in seconds since 1970: some hosts receive visits at certain hours only. `host_pages`: known
    URLs of a host at most.
    """
    work = _PlanBuilder(known, now, host_pages)
    for one in hosts:
        if one.counts.queued:
            admitted = sites is None or sites.admits(one.host)
            work.add(one, (sites.pace(one.host) if sites else PACES["polite"]) if admitted else None)
    return work.build()


@dataclass(slots=True)
class _PlanBuilder:
    """Adds up the hosts; bounded memory but for 16 bytes a host."""

    known: PlanInput
    now: float
    host_pages: int
    queued: int = 0
    fresh: int = 0  # of the queued: never visited
    to_find: int = 0
    body_bytes: float = 0.0
    claims: int = 0  # queued URLs that may be in memory
    seconds_queued: float = 0.0
    not_ours: SkippedUrls = SkippedUrls()
    suspended: SkippedUrls = SkippedUrls()
    slowest: list[tuple[float, HostPlan]] = field(default_factory=list)
    seconds: "array[float]" = field(default_factory=lambda: array("d"))
    visits: "array[int]" = field(default_factory=lambda: array("q"))

    def add(self, one: HostCounts, pace: Pace | None) -> None:
        """Adds a host; without a pace it belongs to no site."""
        going = compute_rate(pace, one.robots) if pace else NEVER
        if pace is None:
            self.not_ours = _add_host(self.not_ours, one.counts.queued)
        elif going.pause == math.inf:
            self.suspended = _add_host(self.suspended, one.counts.queued)
        else:
            self._count(self._host(one, going), one.counts)

    def _host(self, one: HostCounts, going: CrawlRate) -> HostPlan:
        counts = one.counts
        own = counts.recent >= MIN_SAMPLE
        growth = counts.found / counts.recent if own else self.known.new_urls_per_visit
        room = max(self.host_pages - counts.known, 0)
        to_find = min(round((counts.queued - counts.revisits) * growth), room)
        return HostPlan(
            host=one.host,
            pages=counts.pages,
            queued=counts.queued,
            to_find=to_find,
            body=ratio(counts.bytes, counts.pages, self.known.bytes_per_page),
            pause=going.pause,
            seconds_queued=going.seconds(counts.queued, self.now),
            seconds=going.seconds(counts.queued + to_find, self.now),
        )

    def _count(self, one: HostPlan, counts: UrlCounts) -> None:
        fresh = one.queued - counts.revisits
        self.queued += one.queued
        self.fresh += fresh
        self.to_find += one.to_find
        self.body_bytes += (fresh + one.to_find) * self.known.page_share * one.body
        self.claims += min(one.queued, MAX_LENGTH)
        self.seconds_queued = max(self.seconds_queued, one.seconds_queued)
        self.seconds.append(one.seconds)
        self.visits.append(one.queued + one.to_find)
        keep = heapq.heappush if len(self.slowest) < SLOWEST else heapq.heappushpop
        keep(self.slowest, (one.seconds, one))

    def build(self) -> Plan:
        """Builds the plan."""
        known = self.known
        longest = max(self.seconds, default=0.0)
        most = _seconds_to_most(self.seconds, self.visits)
        memory = _memory(len(self.seconds), self.claims)
        urls = known.assumptions.urls or known.total.known + self.to_find
        pages = max(self.fresh + urls - known.total.known, 0) * known.page_share
        return Plan(
            based_on=known,
            hosts=tuple(sorted((one for _, one in self.slowest), key=lambda one: (-one.seconds, one.host))),
            busy_hosts=len(self.seconds),
            queued=self.queued,
            to_find=self.to_find,
            seconds_queued=max(self.seconds_queued, self.queued * LEAST_PAUSE),
            seconds=max(longest, sum(self.visits) * LEAST_PAUSE),
            seconds_most=max(most, MOST_VISITS * sum(self.visits) * LEAST_PAUSE),
            tail=sum(seconds > most for seconds in self.seconds),
            not_ours=self.not_ours,
            suspended=self.suspended,
            bytes_to_fetch=self.body_bytes,
            disk=estimate_disk(known, urls, pages),
            memory=PROCESSES * PROCESS_BYTES + SEEN_BYTES + memory,
            memory_hosts=memory,
            url_set=estimate_url_set(urls, known.url_length),
        )


def _memory(hosts: int, claims: int) -> float:
    """Computes the bytes of hosts in memory: their rules and next URLs, up to the caches' limits."""
    rules = min(hosts * ROBOTS_BYTES, MAX_RULES_BYTES)
    return hosts * HOST_BYTES + rules + min(claims, hosts * queue_length(hosts)) * CLAIM_BYTES


def _seconds_to_most(seconds: "array[float]", visits: "array[int]") -> float:
    """Seconds until MOST_VISITS of all visits are made, each host going on evenly until its own end."""
    if not seconds:
        return 0.0
    ends, made = np.array(seconds), np.array(visits, float)
    order = np.argsort(ends)
    ends, made = ends[order], made[order]
    rates = made / ends
    over = np.cumsum(made)  # by hosts that have come to their end
    slower = np.cumsum(rates[::-1])[::-1] - rates  # visits a second of those that have not
    wanted = MOST_VISITS * over[-1]
    first = int(np.searchsorted(over + slower * ends, wanted))
    before, rate = (over[first - 1], slower[first - 1]) if first else (0.0, rates.sum())
    return float((wanted - before) / rate)


def _add_host(left: SkippedUrls, urls: int) -> SkippedUrls:
    return SkippedUrls(left.hosts + 1, left.urls + urls)
