"""Caps endless domains: hosts of one registrable domain, and their URLs.

Whoever answers for every name below his domain has as many hosts as he likes, each with bounds of its own.
An address, and a name without a public suffix, is a domain of its own (engine.url.registrable_domain).
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa

from engine.config import MAX_DOMAIN_HOSTS, MAX_DOMAIN_PAGES, MAX_DOMAIN_QUEUED
from engine.database import hosts, urls
from engine.frontier.new_url import NewUrl
from engine.frontier.suspects import DOMAIN, Suspects
from engine.url import registrable_domain

HOSTS, PAGES, QUEUED = DOMAIN  # the names of the rules
_HOSTS_OF = sa.select(sa.func.count()).where(hosts.c.domain == sa.bindparam("domain"))
_PAGES_OF = (
    sa.select(sa.func.count())
    .select_from(urls.join(hosts, hosts.c.id == urls.c.host_id))
    .where(hosts.c.domain == sa.bindparam("domain"))
)
_COUNTS = sa.select(_HOSTS_OF.scalar_subquery(), _PAGES_OF.scalar_subquery())


@dataclass(frozen=True, slots=True)
class DomainLimits:
    """The most that is queued of one registrable domain."""

    hosts: int = MAX_DOMAIN_HOSTS
    pages: int = MAX_DOMAIN_PAGES  # known URLs
    queued: int = MAX_DOMAIN_QUEUED  # URLs that wait at a time


DEFAULT_LIMITS = DomainLimits()


@dataclass(slots=True)
class _Domain:
    hosts: int
    pages: int


@dataclass(slots=True)
class DomainCaps:
    """Tells `suspects` what it refuses; in memory are three numbers for each domain, some 400 bytes.

    `is_own`: whether a host is the operator's, who knows how many he has.
    """

    suspects: Suspects
    limits: DomainLimits
    is_own: Callable[[str], bool]
    _known: dict[str, _Domain] = field(default_factory=dict)
    _waiting: Counter[str] = field(default_factory=Counter)

    def admits(self, connection: sa.Connection, host: str, found: Sequence[NewUrl]) -> bool:
        """Tells whether these URLs may be queued, although no URL of their host was in this run."""
        domain = domain_of(host)
        of_domain = self._load_counts(connection, domain)
        if of_domain.hosts < self.limits.hosts or any(one.depth == 0 for one in found) or self.is_own(host):
            return True
        if connection.execute(sa.select(hosts.c.id).where(hosts.c.host == host)).first():
            return True
        for one in found:
            self.suspects.count_refused("links", HOSTS, one.url)
        return False

    def add_host(self, host: str) -> None:
        """Counts a host that is new to the database."""
        if of_domain := self._known.get(domain_of(host)):
            of_domain.hosts += 1

    def admit(self, connection: sa.Connection, host: str, new: Sequence[NewUrl]) -> Sequence[NewUrl]:
        """Selects those of a host's new URLs that may be queued."""
        domain = domain_of(host)
        pages = self.limits.pages - self._load_counts(connection, domain).pages
        room = min(pages, self.limits.queued - self._waiting[domain])
        if len(new) <= room or self.is_own(host):
            return new
        named, others = [one for one in new if one.depth == 0], [one for one in new if one.depth]
        for one in others[max(room, 0) :]:
            self.suspects.count_refused("links", PAGES if pages <= room else QUEUED, one.url)
        return [*named, *others[: max(room, 0)]]

    def add_urls(self, host: str, new: int) -> None:
        """Counts URLs of a host that are new to the database."""
        if of_domain := self._known.get(domain_of(host)):
            of_domain.pages += new

    def add_waiting(self, host: str, more: int) -> None:
        """Adds to the number of a host's queued URLs; `more` may be negative."""
        self._waiting[domain_of(host)] += more

    def reset(self) -> None:
        """Forgets all counts, as other runs may have added URLs."""
        self._waiting.clear()
        self._known.clear()

    def _load_counts(self, connection: sa.Connection, domain: str) -> _Domain:
        if domain not in self._known:
            self._known[domain] = _Domain(*connection.execute(_COUNTS, {"domain": domain}).one())
        return self._known[domain]


def domain_of(host: str) -> str:
    """Returns the registrable domain of a host (scheme://name[:port])."""
    return registrable_domain(f"{host}/")
