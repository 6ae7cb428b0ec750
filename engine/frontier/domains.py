"""Caps endless domains: hosts of one registrable domain, and their URLs.

Whoever answers for every name below his domain has as many hosts as he likes, each with bounds of its own.
An address, and a name without a public suffix, is a domain of its own (engine.url.registrable_domain).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import sqlalchemy as sa

from engine.config import MAX_DOMAIN_HOSTS, MAX_DOMAIN_PAGES, MAX_DOMAIN_QUEUED
from engine.database import hosts, is_among, urls
from engine.frontier.new_url import NewUrl
from engine.frontier.suspects import DOMAIN, Suspects
from engine.url import registrable_domain

HOSTS, PAGES, QUEUED = DOMAIN  # the names of the rules
_PAGES_OF = sa.select(sa.func.count()).where(urls.c.host_id == hosts.c.id).scalar_subquery()
_COUNTS = sa.select(hosts.c.domain, hosts.c.host, _PAGES_OF.label("pages")).where(
    is_among(hosts.c.domain, "wanted")
)


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

    def load_counts(self, connection: sa.Connection, names: Iterable[str]) -> dict[str, int]:
        """Loads the counts of the domains of these hosts, which all that admits something needs.

        Returns how many URLs are known of each host that was counted for it.
        """
        wanted = [*{domain_of(host) for host in names}.difference(self._known)]
        rows = connection.execute(_COUNTS, {"wanted": wanted}).all() if wanted else ()
        self._known |= {domain: _Domain(0, 0) for domain in wanted}
        for row in rows:
            self._known[row.domain].hosts += 1
            self._known[row.domain].pages += row.pages
        return {row.host: row.pages for row in rows}

    def add_host(self, host: str, found: Sequence[NewUrl]) -> bool:
        """Counts a host that is new to the database, if it may be added for these URLs; tells whether."""
        of_domain = self._known[domain_of(host)]
        has_room = of_domain.hosts < self.limits.hosts
        is_added = has_room or any(one.depth == 0 for one in found) or self.is_own(host)
        of_domain.hosts += is_added
        return is_added

    def count_refused(self, found: Sequence[NewUrl]) -> None:
        """Counts the URLs of a host that was not added."""
        for one in found:
            self.suspects.count_refused("links", HOSTS, one.url)

    def admit(self, host: str, new: Sequence[NewUrl]) -> Sequence[NewUrl]:
        """Selects those of a host's new URLs that may be queued."""
        domain = domain_of(host)
        pages = self.limits.pages - self._known[domain].pages
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
        """Forgets all counts."""
        self._waiting.clear()
        self._known.clear()

    def forget_known(self) -> None:
        """Forgets how much is known, as other runs may have added URLs."""
        self._known.clear()


def domain_of(host: str) -> str:
    """Returns the registrable domain of a host (scheme://name[:port])."""
    return registrable_domain(f"{host}/")
