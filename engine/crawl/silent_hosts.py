"""Counts seed hosts that never answered: with half of them silent, the run has failed."""

from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

import sqlalchemy as sa

from engine.crawl.response_policy import PAGE_ERRORS
from engine.database import hosts, pages, urls
from engine.model import Fetch
from engine.robots import Verdict
from engine.store import REMOVED, select_robots
from engine.url import host_of


class WaitingHost(NamedTuple):
    """A host that gave no answer in an earlier run, and whose next try has not come."""

    host: str
    why: str
    until: float  # seconds since 1970
    has_answered: bool  # ever


class SilentHosts:
    """Counts by every exchange; a host whose turn had not come is not silent."""

    def __init__(self, seeds: Iterable[str]) -> None:
        self._silent: dict[str, str] = {}  # host -> why, as it was heard last
        self._unheard = set(map(host_of, seeds))  # of whom nothing was heard so far
        self._hosts = len(self._unheard)

    def record(self, fetch: Fetch) -> None:
        """Records one exchange; part of an answer counts as one."""
        host = fetch.claim.host
        if host not in self._unheard:
            return
        if fetch.status or fetch.received or fetch.error in PAGE_ERRORS:
            self._unheard.discard(host)
            self._silent.pop(host, None)
        else:
            self._silent[host] = fetch.error

    @property
    def reasons(self) -> dict[str, str]:
        """The hosts that were asked and never answered, with the reason."""
        return self._silent

    @property
    def not_asked(self) -> list[str]:
        """The hosts that were not asked so far."""
        return sorted(self._unheard - self._silent.keys())

    def are_too_many(self, waiting: Collection[WaitingHost]) -> bool:
        """Tells whether half of the seeds' hosts were silent, or wait and have never answered."""
        number = len(self._silent) + sum(not one.has_answered for one in waiting)
        return number > 0 and 2 * number >= self._hosts


def find_waiting_hosts(connection: sa.Connection, names: Iterable[str]) -> Iterator[WaitingHost]:
    """Finds those of the seeds' hosts that wait since not even their robots.txt was answered."""
    for name in names:
        robots = select_robots(connection, name)
        if robots and robots.verdict is Verdict.DEFER and robots.status is None:
            of_host = sa.select(urls.c.id).join(hosts).where(hosts.c.host == name).limit(1)
            seeds = of_host.where(urls.c.depth == 0, urls.c.reason != REMOVED)
            answers = of_host.outerjoin(pages).where((urls.c.status > 0) | pages.c.url_id.is_not(None))
            if connection.execute(seeds).first():
                has_answered = bool(robots.body or connection.execute(answers).first())
                yield WaitingHost(name, robots.error, robots.expires_at, has_answered)
