"""Slows down, then suspends, hosts that bring only copies and errors.

A host of others is given up at once when three of its pages have ended their readers.
"""

import logging
from collections import Counter
from collections.abc import Callable, Sequence

import sqlalchemy as sa

from engine.crawl.response_policy import is_overloaded
from engine.frontier import (
    FOREIGN,
    GIVEN_UP,
    MAX_ERRORS,
    NEW_TEXT,
    WINDOW,
    Frontier,
    HostQueue,
    Sites,
    Suspects,
)
from engine.model import COPIES, LETHAL, Purpose, State, Visit, rule_of
from engine.store import count_pages_and_useless, save_machines
from engine.url import registrable_domain

MAX_LETHAL = 3  # pages of a host that end their readers; each may take 2 s of a core, and a start of 1 s

logger = logging.getLogger("lycosa")


class HostHealth:
    """Scores hosts by their visits (requirements 41, 86)."""

    def __init__(self, frontier: Frontier, suspects: Suspects, sites: Callable[[], Sites]) -> None:
        self._frontier = frontier
        self._suspects = suspects
        self._sites = sites
        self._lethal: Counter[str] = Counter()  # pages that ended their readers, by host

    def record_visits(self, connection: sa.Connection, visits: Sequence[Visit], run: int, now: float) -> None:
        """Records visits that this run has just stored.

        The queue of a host handles missing answers itself.
        """
        own = self._sites().own_hosts
        for visit in visits:
            claim = visit.fetch.claim
            if visit.state is State.SKIPPED:
                self._suspects.add_example(rule_of(visit.reason), claim.url)
            queue = self._frontier.host_queues.get(claim.host)
            if queue and claim.kind is Purpose.PAGE and visit.fetch.status:
                queue.record.own = claim.host in own
                self._record(connection, queue, visit)
                if visit.reason == LETHAL:
                    self._record_lethal(queue, claim.url)
        save_machines(connection, visits)
        self._suspects.save(connection, run, now, self._count_known)

    def _record_lethal(self, queue: HostQueue, url: str) -> None:
        """Records a page that ended its reader; gives a host up at its third, but for the operator's own."""
        self._suspects.add_sighting("readers", url)
        self._lethal[queue.host] += 1
        if self._lethal[queue.host] != MAX_LETHAL or queue.abandoned:
            return
        why = f"{MAX_LETHAL} of its pages took too long to read or too much memory, for example {url}"
        if queue.host in self._sites().own_hosts:
            logger.error("%s is your own, so its crawl continues, but it needs fixing: %s", queue.host, why)
        else:
            queue.give_up(why)
            self._suspects.counts["hosts skipped: their pages stop the readers"] += 1

    def _count_known(self, host: str) -> int:
        """Counts a host's URLs in the database, 0 when they were not counted in this run."""
        queue = self._frontier.host_queues.get(host)
        return (queue.known_urls or 0) if queue else 0

    def _record(self, connection: sa.Connection, queue: HostQueue, visit: Visit) -> None:
        record, url = queue.record, visit.fetch.claim.url
        failing, steps = record.failing, record.steps
        wrong, distress = visit.state in (State.FAILED, State.GONE), is_overloaded(visit.fetch)
        # A stale link leads nowhere: however many there are on the operator's host, it is no trap.
        stale = record.own and wrong and visit.fetch.status in range(400, 500)
        record.add(error=distress if record.own else wrong, weight=0 if stale else _score(visit))
        if record.steps > steps == 0:
            record.cap_score(*count_pages_and_useless(connection, queue.id))
        if record.failing > failing:
            self._suspects.add_sighting("errors", url)
            logger.warning(
                "%s is asked more slowly: more than %d of its last %d answers were errors, for example %s",
                *(queue.host, MAX_ERRORS, WINDOW, url),
            )
        if record.score >= GIVEN_UP and not queue.abandoned:
            self._suspects.add_sighting("duplicates", url)
            queue.give_up(f"{GIVEN_UP} new URLs too many brought copies or errors, for example {url}")
        elif record.steps > steps and not record.own:
            logger.warning(
                "%s is asked more slowly: new URLs bring copies or errors, for example %s", queue.host, url
            )


def _score(visit: Visit) -> int:
    """Returns what a visit adds to its host's score (engine.frontier.host_record)."""
    if not visit.fetch.claim.new or visit.again:
        return 0
    if visit.reason in COPIES and registrable_domain(visit.target) != registrable_domain(
        visit.fetch.claim.url
    ):
        return int(visit.fetch.claim.url_id % FOREIGN == 0)
    if visit.state in (State.FAILED, State.GONE) or visit.reason in COPIES:
        return 1
    fresh = visit.state is State.STORED and visit.reading and visit.reading.fingerprint
    return -NEW_TEXT if fresh else 0
