"""Rechecks stored pages against changed robots.txt rules, slice by slice, while the crawl goes on.

A slice is a transaction of its own. How far they came is in the crawl database, so that the next run goes on
where one was killed, and nothing stays in the index that its owner has forbidden.
"""

import time
from collections.abc import Callable
from dataclasses import replace

import sqlalchemy as sa

from engine.database import hosts
from engine.model import State
from engine.packing import unpack_robots
from engine.robots import AGENT, RobotsState, Verdict
from engine.store import drop_forbidden, find_host_to_recheck

SLICE_SECONDS = 0.02  # of one transaction; answers wait no longer for the next look
PAUSE_SECONDS = 0.05  # between slices, by the crawl's clock: most of the time is left to fetching


def refusal(rules: RobotsState, url: str) -> State | None:
    """Returns the state that these rules give a URL, None when it may be fetched and found."""
    if not rules.allowed(AGENT, url):
        return State.DISALLOWED
    return None if rules.indexable(AGENT) else State.NOINDEX


def drop_slice(
    connection: sa.Connection,
    host_id: int,
    rules: RobotsState,
    clock: Callable[[], float] = time.monotonic,
) -> int:
    """Rechecks one slice of a host's pages; returns how many left."""
    end = clock() + SLICE_SECONDS
    return drop_forbidden(connection, host_id, lambda url: refusal(rules, url), lambda: clock() >= end)


class RobotsRecheck:
    """Rechecks the pages of hosts in one run; `pending` while there may be more slices."""

    def __init__(self) -> None:
        self.pending = True  # the run before may have been killed
        self._ready_at = 0.0
        self._unknown: set[int] = set()  # hosts of which nothing is known but that they give no answer now
        self._rules: tuple[bytes, RobotsState] | None = None  # of the host that is judged

    def is_due(self, now: float) -> bool:
        """Tells whether it is time for a slice."""
        return self.pending and now >= self._ready_at

    def run_slice(self, connection: sa.Connection, now: float) -> None:
        """Rechecks one slice."""
        self._ready_at = now + PAUSE_SECONDS
        found = find_host_to_recheck(connection, hosts.c.id.not_in(self._unknown))
        if found is None:
            self.pending, self._rules = False, None
        elif rules := self._unpack_rules(found[1]):
            drop_slice(connection, found[0], rules)
        else:
            self._unknown.add(found[0])

    def _unpack_rules(self, packed: bytes) -> RobotsState | None:
        """Unpacks the host's last usable robots.txt; None where that is not known any more."""
        if not self._rules or self._rules[0] != packed:
            state = unpack_robots(packed)
            if state.verdict is Verdict.DEFER:
                state = replace(state, verdict=Verdict.OBEY)
            self._rules = packed, state
        state = self._rules[1]
        return state if state.body or state.verdict is not Verdict.OBEY else None
