"""Limits the bytes stored of one host, over all runs."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import sqlalchemy as sa

from engine.config import MAX_HOST_BYTES
from engine.database import connect_to_read, hosts, list_table, pages, urls
from engine.model import Claim, Fetch, Purpose, State, Visit

FULL = "host bytes"  # the name of the rule

_HOSTS = list_table("wanted", hosts.c.host.type)
# Each host by itself: joining the two, a server soon reads all URLs from end to end.
_BYTES = (
    sa.select(sa.func.sum(urls.c.bytes))
    .where(hosts.c.host == _HOSTS.c.value, hosts.c.id == urls.c.host_id, urls.c.kind == Purpose.PAGE)
    .correlate(_HOSTS)
    .scalar_subquery()
)
_KEPT = sa.select(_HOSTS.c.value.label("host"), _BYTES.label("bytes"))
_STORED = sa.select(pages.c.url_id).where(pages.c.url_id == sa.bindparam("of"))


@dataclass(slots=True)
class HostByteQuota:
    """Counts the bytes kept of a host, from the database: a restart forgets nothing, known pages may change.

    `is_own`: whether a host is the operator's, who knows how much he has. `next_hosts`: those whose turn
    comes next, which are counted with one that was not yet. Memory: a number for each host.
    """

    engine: sa.Engine
    is_own: Callable[[str], bool]
    next_hosts: Callable[[], Iterable[str]]
    max_bytes: int = MAX_HOST_BYTES
    _kept: dict[str, int] = field(default_factory=dict)

    def refuse(self, claim: Claim, now: float) -> Visit | None:
        """Returns the visit of a page that is not requested, as its host has sent enough."""
        if claim.kind is not Purpose.PAGE or self.is_own(claim.host):
            return None
        if claim.host not in self._kept:
            self._count(claim.host)
        if self._kept[claim.host] < self.max_bytes or self._is_stored(claim):
            return None
        return Visit(Fetch(claim, 0, at=now), State.SKIPPED, reason=FULL)

    def add(self, fetch: Fetch) -> None:
        """Counts the bytes of a page."""
        claim = fetch.claim
        if claim.new and claim.kind is Purpose.PAGE and claim.host in self._kept:
            self._kept[claim.host] += len(fetch.body)

    def _count(self, host: str) -> None:
        unknown = [name for name in self.next_hosts() if name not in self._kept]
        with connect_to_read(self.engine) as connection:
            rows = connection.execute(_KEPT, {"wanted": [host, *unknown]})
            self._kept |= {row.host: row.bytes or 0 for row in rows}

    def _is_stored(self, claim: Claim) -> bool:
        with connect_to_read(self.engine) as connection:
            return connection.execute(_STORED, {"of": claim.url_id}).first() is not None
