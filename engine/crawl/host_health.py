"""Slows and gives up hosts that bring nothing but copies and errors.

So is, without being slowed first, a stranger's host of which three pages have ended their readers.
"""

import logging
from collections import Counter
from collections.abc import Callable, Sequence

import sqlalchemy as sa

from engine.crawl.response_policy import in_distress
from engine.frontier import FOREIGN, FRESH, GIVEN_UP, MAX_ERRORS, WINDOW, Frontier, HostLine, Sites, Suspects
from engine.model import COPIES, LETHAL, Purpose, State, Visit
from engine.store import count_pages_and_useless, save_machines
from engine.url import registrable_domain

MAX_LETHAL = 3  # pages of a host that end their readers; each may take 2 s of a core, and a start of 1 s

logger = logging.getLogger("lycosa")


class Watch:
    """Enters visits in the records of their hosts (requirements 41, 86)."""

    def __init__(self, frontier: Frontier, suspects: Suspects, sites: Callable[[], Sites]) -> None:
        self._frontier = frontier
        self._suspects = suspects
        self._sites = sites
        self._lethal: Counter[str] = Counter()  # pages that ended their readers, by host

    def saw(self, connection: sa.Connection, visits: Sequence[Visit], run: int, now: float) -> None:
        """These visits were just stored, in this run. Of a host that does not answer its line takes care."""
        own = self._sites().own_hosts
        for visit in visits:
            claim = visit.fetch.claim
            if visit.state is State.SKIPPED:
                self._suspects.skipped(visit.reason, claim.url)
            line = self._frontier.lines.get(claim.host)
            if line and claim.kind is Purpose.PAGE and visit.fetch.status:
                line.record.own = claim.host in own
                self._enter(connection, line, visit)
                if visit.reason == LETHAL:
                    self._survive(line, claim.url)
        save_machines(connection, visits)
        self._suspects.write(connection, run, now, self._known)

    def _survive(self, line: HostLine, url: str) -> None:
        """A page has ended its reader: of a stranger's host the third is the last; the operator's is his."""
        self._suspects.note("readers", url)
        self._lethal[line.host] += 1
        if self._lethal[line.host] != MAX_LETHAL or line.given_up:
            return
        why = f"{MAX_LETHAL} of its pages took too long to read or too much memory, as {url}"
        if line.host in self._sites().own_hosts:
            logger.error("%s is your own and is crawled on, but mend it: %s", line.host, why)
        else:
            line.give_up(why)
            self._suspects.counts["hosts left: pages that end their readers"] += 1

    def _known(self, host: str) -> int:
        """How many URLs of a host the database has, 0 when they were not counted in this run."""
        line = self._frontier.lines.get(host)
        return (line.known or 0) if line else 0

    def _enter(self, connection: sa.Connection, line: HostLine, visit: Visit) -> None:
        record, url = line.record, visit.fetch.claim.url
        failing, steps = record.failing, record.steps
        wrong, distress = visit.state in (State.FAILED, State.GONE), in_distress(visit.fetch)
        # A stale link leads nowhere: however many there are on the operator's host, it is no trap.
        stale = record.own and wrong and visit.fetch.status in range(400, 500)
        record.add(error=distress if record.own else wrong, weight=0 if stale else _weight(visit))
        if record.steps > steps == 0:
            record.hold_against(*count_pages_and_useless(connection, line.id))
        if record.failing > failing:
            self._suspects.note("errors", url)
            logger.warning(
                "%s is asked more slowly: more than %d of its last %d answers were errors, as for %s",
                *(line.host, MAX_ERRORS, WINDOW, url),
            )
        if record.score >= GIVEN_UP and not line.given_up:
            self._suspects.note("duplicates", url)
            line.give_up(f"{GIVEN_UP} new URLs too many brought copies or errors, as {url}")
        elif record.steps > steps and not record.own:
            logger.warning("%s is asked more slowly: new URLs bring copies or errors, as %s", line.host, url)


def _weight(visit: Visit) -> int:
    """What a visit adds to its host's score (engine.frontier.host_record)."""
    if not visit.fetch.claim.new or visit.again:
        return 0
    if visit.reason in COPIES and registrable_domain(visit.target) != registrable_domain(
        visit.fetch.claim.url
    ):
        return int(visit.fetch.claim.url_id % FOREIGN == 0)
    if visit.state in (State.FAILED, State.GONE) or visit.reason in COPIES:
        return 1
    fresh = visit.state is State.STORED and visit.reading and visit.reading.fingerprint
    return -FRESH if fresh else 0
