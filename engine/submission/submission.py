"""Takes in a submitted URL: checked, canonicalised, dropped if known, queued or kept.

Nothing is sent to its host at once. An operator's URL is in scope or refused. A stranger's may also wait for
the operator; it never leads to the network that Lycosa runs in, nor to more work than is bounded.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import NamedTuple

import sqlalchemy as sa

from engine.config import Config
from engine.errors import EngineError, Unreadable
from engine.explain import MEANING
from engine.middleware import PrivateHosts
from engine.model import State
from engine.robots import AGENT, Verdict
from engine.store import (
    REMOVED,
    CrawlDatabase,
    SubmissionState,
    count_waiting,
    force_visit,
    is_full,
    load_last_visit,
    load_robots,
    load_state,
    queue_url,
    save_submission,
    submissions,
    write_transaction,
)
from engine.submission.targets import address, rule_against, sites_written
from engine.url import MAX_URL_LENGTH, host_name, host_of, is_local, port_of

QUEUED, KNOWN, WAITING, REFUSED, FULL = "queued", "known", "waiting", "refused", "full"
OUTSIDE = ("scope", "include")  # the rules about which the operator is asked
PRIVATE = "private"  # the rule that keeps strangers out of the operator's network
DECIDED = "operator"  # and the one of what the operator has refused
BUSY_SECONDS = 5.0  # a stranger waits for the crawl's commit; the longest takes a second


class Submission(NamedTuple):
    """What became of one submitted URL."""

    outcome: str  # QUEUED, KNOWN, WAITING, REFUSED, FULL
    url: str
    why: str = ""  # the state of one that is known, the rule that refuses


class Desk:
    """Where submitted URLs are taken in, in the caller's transaction."""

    def __init__(self, connection: sa.Connection, config: Config, *, by_force: bool = False) -> None:
        self._connection = connection
        self._config = config
        self._sites = sites_written(connection, config)
        self._by_force = by_force
        own = self._sites.own_hosts if self._sites else ()
        self._private = PrivateHosts.of(own, config.allow_private)

    def submitted(self, typed: str) -> Submission:
        """Queue the operator's URL if it may be and is not known; by force whatever we know of it."""
        try:
            url = address(typed, self._config.aliases)
        except EngineError as error:
            return Submission(REFUSED, typed, str(error))
        now, rule = time.time(), self._rule(url)
        if denied := self._denied(url, now):
            return Submission(REFUSED, url, denied)
        if rule == REMOVED or (rule and not self._by_force):
            return Submission(REFUSED, url, rule)
        state = load_state(self._connection, url)
        if self._by_force:
            force_visit(self._connection, url, now)
            return Submission(QUEUED, url, f"in spite of: {rule or state}" if rule or state else "")
        return Submission(KNOWN, url, state) if state else self._queued(url, now)

    def offered(self, typed: str) -> Submission:
        """Take in a stranger's URL (requirements 7, 8, 9)."""
        if len(typed) > MAX_URL_LENGTH:
            return Submission(REFUSED, typed[:MAX_URL_LENGTH], "length")
        try:
            url = address(typed, self._config.aliases)
        except EngineError as error:
            return Submission(REFUSED, typed, str(error.__cause__))
        now, rule = time.time(), self._rule(url)
        state = load_state(self._connection, url)
        if rule == REMOVED or self._is_private(url):
            return Submission(REFUSED, url, rule if rule == REMOVED else PRIVATE)
        if state:
            return Submission(KNOWN, url, state)
        if rule in OUTSIDE or not (rule or self._sites):
            return self._kept(url, now)
        if why := rule or self._denied(url, now):
            return Submission(REFUSED, url, why)
        return Submission(FULL, url) if is_full(self._connection) else self._queued(url, now)

    def accepted(self, url: str) -> Submission:
        """Queue what the operator has accepted: for one visit if the scope still leaves it out."""
        now, rule = time.time(), self._rule(url)
        if rule == REMOVED:
            return Submission(REFUSED, url, rule)
        if not rule:
            return self._queued(url, now)
        force_visit(self._connection, url, now)
        return Submission(QUEUED, url, f"in spite of: {rule}")

    def _rule(self, url: str) -> str:
        return rule_against(self._connection, self._config, self._sites, url)

    def _queued(self, url: str, now: float) -> Submission:
        queue_url(self._connection, url, now)
        save_submission(self._connection, url, SubmissionState.QUEUED, now)
        return Submission(QUEUED, url)

    def _kept(self, url: str, now: float) -> Submission:
        """Out of scope, as far as we know: the operator decides, once."""
        before = submissions.load_submission(self._connection, url)
        if before and before.outcome is SubmissionState.REFUSED:
            return Submission(REFUSED, url, DECIDED)
        if not before and count_waiting(self._connection) >= submissions.MAX_WAITING:
            return Submission(FULL, url)
        if not before:
            save_submission(self._connection, url, SubmissionState.WAITING, now)
        return Submission(WAITING, url)

    def _is_private(self, url: str) -> bool:
        """Whether a name already says that it is of the operator's own network; others show it when asked."""
        host = host_name(url)
        return is_local(host) and not self._private.allows(host, port_of(url))

    def _denied(self, url: str, now: float) -> str:
        """The owner's word against it, '' as far as we know; the crawl looks again before it sends."""
        robots = load_robots(self._connection.engine, host_of(url))
        if robots is None or not robots.fresh(now) or robots.verdict is Verdict.DEFER:
            return ""
        return "" if robots.allowed(AGENT, url) else robots.reason(AGENT, url)


class Stage(StrEnum):
    """How far a URL has come."""

    UNKNOWN = "unknown"
    WAITING = "waiting"  # for the operator
    QUEUED = "queued"
    REFUSED = "refused"
    VISITED = "visited"
    INDEXED = "indexed"


class Fate(NamedTuple):
    """What has become of a URL, for the person who submitted it."""

    url: str  # canonical
    stage: Stage
    why: str = ""
    at: float | None = None  # seconds since 1970


class Intake:
    """Where strangers ask and submit, from several threads at once.

    `indexed` says whether the index has a canonical URL.
    """

    def __init__(self, config: Config, indexed: Callable[[str], bool]) -> None:
        self._config = config
        self._indexed = indexed
        self._database = CrawlDatabase(config.data_dir, BUSY_SECONDS)
        with suppress(Unreadable), self._database.open_engine():
            pass  # made now, where it is not there

    def offer(self, typed: str) -> Submission:
        """Take in what a stranger typed. Raises Unreadable, and Busy while others write for BUSY_SECONDS."""
        with self._database.open_engine() as database, write_transaction(database) as connection:
            return Desk(connection, self._config).offered(typed)

    def fate(self, typed: str) -> Fate:
        """What has become of a URL. Raises EngineError for what is none, Unreadable."""
        url = address(typed, self._config.aliases)
        with self._database.open_engine() as database, database.connect() as connection:
            visit = load_last_visit(connection, url)
            kept = submissions.load_submission(connection, url)
        if visit:
            stage = Stage.INDEXED if self._indexed(url) else _STAGES.get(visit.state, Stage.VISITED)
            why = "" if stage in (Stage.INDEXED, Stage.QUEUED) else MEANING[visit.state]
            return Fate(url, stage, why, visit.at)
        if kept and kept.outcome is SubmissionState.REFUSED:
            return Fate(url, Stage.REFUSED, DECIDED, kept.at)
        return Fate(url, Stage.WAITING, "", kept.at) if kept else Fate(url, Stage.UNKNOWN)

    def close(self) -> None:
        """Give the database back."""
        self._database.close()


_STAGES = {
    State.QUEUED: Stage.QUEUED,
    State.SKIPPED: Stage.REFUSED,
    State.DISALLOWED: Stage.REFUSED,
}
