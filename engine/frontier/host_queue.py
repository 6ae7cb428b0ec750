"""Holds the queue of one host: its next URLs, its robots.txt, and when it may be asked again."""

import logging
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

from engine.frontier.host_record import HostRecord
from engine.frontier.host_share import BUCKETS
from engine.frontier.politeness import MAX_PAUSE, SUSPEND_AFTER, SUSPEND_SECONDS, Pace, compute_pause
from engine.frontier.robots_cache import RobotsCache
from engine.model import Claim, Origin, Purpose
from engine.robots import AGENT, MAX_CRAWL_DELAY, RobotsState, Verdict

MAX_LENGTH = 64  # URLs of a host in memory
MIN_LENGTH = 4  # however many hosts there are: above 25,000 it costs 2.5 kB a host
MAX_IN_MEMORY = 100_000  # URLs in memory of all hosts together; one takes about 600 bytes
MAX_ROBOTS_AGE = 3_600.0  # seconds; an older robots.txt is asked for again before the first request of a run
SLOW_SECONDS = 3_600.0  # until a host that asks for too long a delay is looked at again

logger = logging.getLogger("lycosa")


@dataclass(slots=True)
class HostQueue:
    """The queue in which a host's URLs wait. Times are seconds since 1970."""

    id: int
    host: str
    pace: Pace
    robots_cache: RobotsCache
    robots_until: float | None = None  # its robots.txt is fresh until then, None before the first answer
    robots_aged_at: float = 0.0  # when it is too old to begin with
    place: int | None = None  # its bucket by its address; None: that is not known yet
    leased: bool = False  # this run alone may ask it
    just_leased: bool = False  # and has not asked it since
    held_at: float = 0.0  # when its first turn had come, 0.0 once the pause since then is known to be over
    waiting: int = 0  # URLs of it that are queued, those under way included
    known_urls: int | None = None  # URLs of it in the database, None before they were counted
    urls: deque[Claim] = field(default_factory=deque)
    in_flight: int = 0
    is_probed: bool = False  # until that answer is read, nothing more is asked: it may concern all pages
    address: str = ""  # the IP address that answered last, or that its name leads to
    looked_up: bool = False  # its name was, before its first request
    asked_at: float = 0.0  # start of the last request, 0.0 before the first of this run
    answered_at: float = 0.0  # end of the last request that it answered, 0.0 before the first of this run
    failed_at: float = -1.0
    fails: int = 0  # of the host; each doubles the pause, each answer halves it again
    pause_reason: str = ""  # why no crawl need stay for it: down, no readable robots.txt, too long a delay
    record: HostRecord = field(default_factory=HostRecord)
    abandoned: bool = False  # nothing more is asked of it in this run
    ready_at: float = 0.0
    rest_until: float = 0.0  # it asked not to be asked before
    is_scheduled: bool = False  # has its place in the heap
    claimed: set[int] = field(default_factory=set)  # in memory or under way, not yet committed

    @property
    def robots(self) -> RobotsState | None:
        """The last answer to GET /robots.txt, None before the first."""
        return None if self.robots_until is None else self.robots_cache.get(self.host)

    @property
    def bucket(self) -> int:
        """The bucket by which runs share the hosts."""
        return self.id % BUCKETS if self.place is None else self.place

    @property
    def has_room(self) -> bool:
        """Tells whether one more request may be under way; a slowed host gets one, a probed one none."""
        at_once = 1 if self.record.doublings else self.pace.max_requests
        return self.in_flight < at_once and not (self.abandoned or self.is_probed)

    @property
    def is_short(self) -> bool:
        """Tells whether it has no URLs in memory, but some in the database that are not under way."""
        return self.leased and not self.urls and self.waiting > len(self.claimed)

    @property
    def is_suspended(self) -> bool:
        """Tells whether no crawl need wait for this host."""
        return self.abandoned or bool(self.pause_reason)

    def apply_robots(self, state: RobotsState) -> None:
        """Applies a robots.txt; one that could not be fetched is not fetched again before its time."""
        self.robots_cache.put(self.host, state)
        self.robots_until = state.expires_at
        self.robots_aged_at = state.fetched_at + MAX_ROBOTS_AGE
        if state.verdict is Verdict.DEFER:
            self.robots_aged_at = state.expires_at
            self.suspend(f"its robots.txt {state.outcome}", state.expires_at)

    def is_robots_due(self, now: float) -> bool:
        """Tells whether robots.txt has to be fetched before anything else."""
        if self.robots_until is None or now >= self.robots_until:
            return True
        return not self.asked_at and now >= self.robots_aged_at

    def seconds_closed(self, now: float) -> float:
        """Returns the seconds for which the owner receives no visits, or asks for too long a pause."""
        robots = self.robots if self.pace.owner_timing else None
        if robots is None:
            return 0.0
        if seconds := robots.seconds_to_opening(AGENT, now):
            logger.info(
                "%s receives no visits for the next %.1f hours (Visit-time)", self.host, seconds / 3600
            )
            return seconds
        delay = robots.crawl_delay(AGENT, now) or 0.0
        if delay <= MAX_CRAWL_DELAY:
            return 0.0
        self.suspend(f"its robots.txt asks for {delay:,.0f} s between two visits", now + SLOW_SECONDS)
        return SLOW_SECONDS

    def record_response(self, now: float, *, down: bool, rest: float, draw: float) -> None:
        """Ends a request and sets the time of the next. `rest`: seconds that the host asks to wait."""
        self.in_flight -= 1
        if not down:
            self.fails, self.pause_reason, self.rest_until = max(self.fails - 1, 0), "", 0.0
            self.answered_at = now
        elif self.failed_at <= self.asked_at:
            # Requests that were under way when the host went down count once.
            self.fails, self.failed_at = self.fails + 1, now
        robots = self.robots
        delay = robots.crawl_delay(AGENT, now) if robots else None
        doublings = self.fails + self.record.doublings
        seconds = compute_pause(self.pace, now - self.asked_at, delay, doublings, draw)
        if self.fails >= SUSPEND_AFTER:
            seconds = SUSPEND_SECONDS
            self.suspend("it is down", self.asked_at + seconds)
        # The host may have seen the request as late as it answered: it had to wait for its connection, or
        # for this process. So the pause itself begins with the answer, twice the time it took before that.
        least = compute_pause(self.pace, 0.0, delay, self.fails, draw)
        self.ready_at = max(self.asked_at + seconds, now + least)
        if rest:
            self.rest_until = now + rest
        self.is_resting(now)

    def is_resting(self, now: float) -> bool:
        """Tells whether the host's Retry-After is not over, also one of an earlier run."""
        seconds = self.rest_until - now
        if seconds <= 0:
            return False
        self.ready_at = max(self.ready_at, self.rest_until)
        if seconds > MAX_PAUSE:  # with one Retry-After of a day a host would keep every crawl for as long
            self.suspend(f"it asks to wait {seconds:,.0f} s", self.ready_at)
        return True

    def hold(self, now: float) -> None:
        """Waits for a whole pause, as another run may have asked just now.

        What robots.txt says of it is looked up when that is over: thousands of hosts are leased at a time.
        """
        self.held_at = now
        self.ready_at = max(self.ready_at, now + compute_pause(self.pace, 0.0, None, 0, 0.0))

    def is_held(self, now: float) -> bool:
        """Tells whether the pause that began with `hold` is longer, by robots.txt."""
        if not self.held_at:
            return False
        robots = self.robots
        delay = robots.crawl_delay(AGENT, now) if robots else None
        self.ready_at = max(self.ready_at, self.held_at + compute_pause(self.pace, 0.0, delay, 0, 0.0))
        self.held_at = 0.0
        return self.ready_at > now

    def suspend(self, why: str, until: float) -> None:
        """Suspends the host for a while; its URLs stay queued."""
        if why != self.pause_reason:
            logger.warning("%s is suspended: %s", self.host, why)
        self.pause_reason, self.ready_at = why, until

    def give_up(self, why: str) -> None:
        """Gives the host up for this run; its URLs stay queued."""
        if not self.abandoned:
            logger.warning("%s is suspended until the next crawl: %s", self.host, why)
        self.abandoned = True

    def give_back(self, claim: Claim, why: str) -> None:
        """Gives a claim back, of which nothing was learned but that the host is to be given up."""
        self.in_flight -= 1
        self.claimed.discard(claim.url_id)
        self.give_up(why)

    def take(self, claims: Sequence[Claim]) -> None:
        """Takes claims into memory, behind those that are there."""
        self.urls.extend(claims)
        self.claimed.update(claim.url_id for claim in claims)

    def release(self) -> None:
        """Drops what waits, and the lease."""
        self.leased, self.waiting = False, 0
        self.clear()

    def clear(self) -> None:
        """Drops the URLs in memory, to load them again from the database in their new order."""
        self.claimed.difference_update(claim.url_id for claim in self.urls)
        self.urls.clear()

    def robots_claim(self) -> Claim:
        """Makes the claim of the host's robots.txt; a 304 may confirm the copy we have (requirement 122)."""
        robots = self.robots
        etag, modified = (robots.etag, robots.last_modified) if robots else ("", "")
        url = f"{self.host}/robots.txt"
        kind, origin = Purpose.ROBOTS, Origin.CRAWL
        return Claim(0, url, self.host, etag=etag, last_modified=modified, kind=kind, origin=origin)


def queue_length(hosts: int) -> int:
    """Computes how many URLs of each host wait in memory, with so many hosts."""
    return min(MAX_LENGTH, max(MIN_LENGTH, MAX_IN_MEMORY // max(hosts, 1)))
