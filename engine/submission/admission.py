"""Admits a submitted URL: checked, canonicalised, dropped if known, queued or kept.

Nothing is sent to its host at once. An operator's URL is in scope or refused. A stranger's may also wait for
the operator; it never leads to the network that Lycosa runs in, nor to more work than is bounded.
"""

import time

import sqlalchemy as sa

from engine.audience import read_audience_rules
from engine.config import Config
from engine.errors import EngineError
from engine.middleware import PrivateHosts
from engine.roots import Submitter, save_submitted
from engine.store import (
    REMOVED,
    SubmissionState,
    count_waiting,
    force_visit,
    is_full,
    load_state,
    queue_url,
    save_submission,
    submissions,
)
from engine.submission.submission import FULL, KNOWN, QUEUED, REFUSED, WAITING, Submission
from engine.submission.targets import robots_denial, rule_against, sites_written
from engine.url import MAX_URL_LENGTH, host_name, is_local, parse_typed_url, port_of

OUTSIDE = ("scope", "include")  # the rules about which the operator is asked
DECIDED = "operator"  # the rule of what the operator has refused
INCOMPLETE = "incomplete"  # the rule that a word is no address, though "https://word" would be one
PRIVATE = "private"  # the rule that keeps strangers out of the operator's network


class Admission:
    """Where submitted URLs are taken in, in the caller's transaction."""

    def __init__(self, connection: sa.Connection, config: Config, *, by_force: bool = False) -> None:
        self._connection = connection
        self._config = config
        self._sites = sites_written(connection, config)
        self._audiences = read_audience_rules(config)
        self._by_force = by_force
        own = self._sites.own_hosts if self._sites else ()
        self._private = PrivateHosts.build(own, config.allow_private)

    def submit(self, typed: str) -> Submission:
        """Queues a URL of the operator unless it is known or excluded; `force` queues it anyway."""
        try:
            url = parse_typed_url(typed, self._config.aliases)
        except EngineError as error:
            return Submission(REFUSED, typed, str(error))
        now, rule = time.time(), self._rule(url)
        if denied := robots_denial(self._connection, url, now):
            return Submission(REFUSED, url, denied)
        if rule == REMOVED or (rule and not self._by_force):
            return Submission(REFUSED, url, rule)
        state = load_state(self._connection, url)
        if self._by_force:
            save_submitted(self._connection, url, Submitter.OPERATOR)
            force_visit(self._connection, url, now)
            return Submission(QUEUED, url, f"despite rule: {rule or state}" if rule or state else "")
        return Submission(KNOWN, url, state) if state else self._queue(url, now, Submitter.OPERATOR)

    def submit_as_stranger(self, typed: str) -> Submission:
        """Decides about a stranger's URL: queue, keep for the operator, or refuse (requirements 7, 8, 9)."""
        if len(typed) > MAX_URL_LENGTH:
            return Submission(REFUSED, typed[:MAX_URL_LENGTH], "length")
        try:
            url = parse_typed_url(typed, self._config.aliases)
        except EngineError as error:
            return Submission(REFUSED, typed, str(error.__cause__))
        now, rule = time.time(), self._rule(url)
        state = load_state(self._connection, url)
        if _is_incomplete(typed, url) and self._is_private(url):
            return Submission(REFUSED, typed, INCOMPLETE)
        if self._audiences.require(url):  # whether it is known is its readers' business
            return Submission(REFUSED, url, PRIVATE)
        if rule == REMOVED or self._is_private(url):
            return Submission(REFUSED, url, rule if rule == REMOVED else PRIVATE)
        if state:
            return Submission(KNOWN, url, state)
        if rule in OUTSIDE or not (rule or self._sites):
            return self._keep(url, now)
        if why := rule or robots_denial(self._connection, url, now):
            return Submission(REFUSED, url, why)
        return Submission(FULL, url) if is_full(self._connection) else self._queue(url, now)

    def accept(self, url: str) -> Submission:
        """Queues what the operator has accepted: for one visit if it is still out of scope."""
        now, rule = time.time(), self._rule(url)
        if rule == REMOVED:
            return Submission(REFUSED, url, rule)
        if not rule:
            return self._queue(url, now)
        save_submitted(self._connection, url, Submitter.READER)
        force_visit(self._connection, url, now)
        return Submission(QUEUED, url, f"despite rule: {rule}")

    def _rule(self, url: str) -> str:
        return rule_against(self._connection, self._config, self._sites, url)

    def _queue(self, url: str, now: float, submitter: Submitter = Submitter.READER) -> Submission:
        save_submitted(self._connection, url, submitter)
        queue_url(self._connection, url, now)
        save_submission(self._connection, url, SubmissionState.QUEUED, now)
        return Submission(QUEUED, url)

    def _keep(self, url: str, now: float) -> Submission:
        """Keeps a URL out of scope for the operator's decision, once."""
        before = submissions.load_submission(self._connection, url)
        if before and before.outcome is SubmissionState.REFUSED:
            return Submission(REFUSED, url, DECIDED)
        if not before and count_waiting(self._connection) >= submissions.MAX_WAITING:
            return Submission(FULL, url)
        if not before:
            save_submission(self._connection, url, SubmissionState.WAITING, now)
        return Submission(WAITING, url)

    def _is_private(self, url: str) -> bool:
        """Tells whether a name alone shows that it is private; others are checked once resolved."""
        host = host_name(url)
        return is_local(host) and not self._private.allows(host, port_of(url))


def _is_incomplete(typed: str, url: str) -> bool:
    """Tells whether a word was typed, or a scheme in the place of a host: `https//www.example.org/`."""
    host = host_name(url)
    return host in ("http", "https") or ("://" not in typed and "." not in host and ":" not in host)
