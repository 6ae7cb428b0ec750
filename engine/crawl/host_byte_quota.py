"""Limits the bytes stored of one host, over all runs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from engine.config import MAX_HOST_BYTES
from engine.database import connect_to_read, hosts, pages, urls
from engine.model import Claim, Fetch, Purpose, State, Visit

FULL = "host bytes"  # the name of the rule

_KEPT = (
    sa.select(sa.func.sum(urls.c.bytes))
    .select_from(urls.join(hosts, hosts.c.id == urls.c.host_id))
    .where(hosts.c.host == sa.bindparam("host"), urls.c.kind == Purpose.PAGE)
)
_STORED = sa.select(pages.c.url_id).where(pages.c.url_id == sa.bindparam("of"))


@dataclass(slots=True)
class HostByteQuota:
    """Counts the bytes kept of a host, from the database: a restart forgets nothing, known pages may change.

    `is_own`: whether a host is the operator's, who knows how much he has. Memory: a number for each host.
    """

    engine: sa.Engine
    is_own: Callable[[str], bool]
    max_bytes: int = MAX_HOST_BYTES
    _kept: dict[str, int] = field(default_factory=dict)

    def refuse(self, claim: Claim, now: float) -> Visit | None:
        """Returns the visit of a page that is not requested, as its host has sent enough."""
        if claim.kind is not Purpose.PAGE or self.is_own(claim.host):
            return None
        if claim.host not in self._kept:
            self._kept[claim.host] = self._query(_KEPT, {"host": claim.host}) or 0
        if self._kept[claim.host] < self.max_bytes or self._query(_STORED, {"of": claim.url_id}):
            return None
        return Visit(Fetch(claim, 0, at=now), State.SKIPPED, reason=FULL)

    def add(self, fetch: Fetch) -> None:
        """Counts the bytes of a page."""
        claim = fetch.claim
        if claim.new and claim.kind is Purpose.PAGE and claim.host in self._kept:
            self._kept[claim.host] += len(fetch.body)

    def _query(self, query: sa.Select[Any], values: dict[str, object]) -> int | None:
        with connect_to_read(self.engine) as connection:
            found: int | None = connection.execute(query, values).scalar()
            return found
