"""Caches hosts' robots.txt rules within a bound of memory."""

from collections import OrderedDict
from collections.abc import Callable, Iterable

import sqlalchemy as sa

from engine.database import connect_to_read
from engine.robots import RobotsState
from engine.store import select_robots_of

# Bytes, by the estimate below: 3,000 hosts with files of 40 lines, or 4 with the longest of short lines.
MAX_RULES_BYTES = 64 * 1024 * 1024
BASE_BYTES = 4_000  # of any answer with a body, once its rules were asked
LINE_BYTES = 400  # of one more line; measured on files of 5 to 12,000 rules: 320 to 480


class RobotsCache:
    """A cache of robots.txt rules by host; the least recently used are evicted and loaded again.

    An answer without a body says little and is never let go: not every one of them is in the database.
    `next_hosts`: those whose turn comes next; their rules are loaded with those of one that is missing.
    """

    def __init__(self, engine: sa.Engine, next_hosts: Callable[[], Iterable[str]] = tuple) -> None:
        self._engine = engine
        self._next_hosts = next_hosts
        self._short: dict[str, RobotsState] = {}
        self._long: OrderedDict[str, RobotsState] = OrderedDict()
        self._bytes = 0

    def put(self, host: str, state: RobotsState) -> None:
        """Caches a host's robots.txt; one with a body is, or is about to be, stored."""
        self._short.pop(host, None)
        if old := self._long.pop(host, None):
            self._bytes -= _estimate_size(old)
        if not state.body:
            self._short[host] = state
            return
        self._long[host] = state
        self._bytes += _estimate_size(state)
        while self._bytes > MAX_RULES_BYTES and len(self._long) > 1:
            self._bytes -= _estimate_size(self._long.popitem(last=False)[1])

    def get(self, host: str) -> RobotsState | None:
        """Returns a host's last robots.txt, None if it was never fetched."""
        if short := self._short.get(host):
            return short
        if host in self._long:
            self._long.move_to_end(host)
            return self._long[host]
        unknown = [name for name in self._next_hosts() if name not in self._long and name not in self._short]
        with connect_to_read(self._engine) as connection:
            loaded = select_robots_of(connection, [host, *unknown])
        for name, state in loaded.items():
            self.put(name, state)
        return loaded.get(host)


def _estimate_size(state: RobotsState) -> int:
    """Estimates the bytes that a state takes in memory with its rules read."""
    lines = state.body.count(b"\n") + state.body.count(b"\r")
    return BASE_BYTES + 2 * len(state.body) + LINE_BYTES * lines
