"""Describes a URL on its way into the frontier, and inserts it there."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from engine.database import BulkStatement, Given, urls
from engine.model import Purpose, State
from engine.url import host_of

USUAL_PRIORITY = 0.5  # of a URL of which no sitemap says anything (requirement 240)


class NewUrl(NamedTuple):
    """A URL to be queued: where it was found, how deep, after how many redirects.

    Of a host's URLs the lowest depth goes first, among these the highest priority (0 to 1).
    """

    url: str
    depth: int = 0
    parent_id: int | None = None
    hops: int = 0
    kind: Purpose = Purpose.PAGE
    priority: float = USUAL_PRIORITY
    turn: int = 0  # the round of the page that led to it; 0: of the one that is

    def queued(self, host_id: int, number: int, now: float) -> Mapping[str, Any]:
        """Makes the row of a queued URL, of this round where no page of an earlier one led to it."""
        row = self._asdict() | {"turn": self.turn or number}
        return row | {"host_id": host_id, "state": State.QUEUED, "found_at": now}


def group_new(found: Iterable[NewUrl], known: Collection[str]) -> Mapping[str, Sequence[NewUrl]]:
    """Groups URLs by host, without those that are known; a host of which none is new has none."""
    by_host: dict[str, dict[str, NewUrl]] = {}  # a link may stand on several pages of a commit
    for one in found:
        new = by_host.setdefault(host_of(one.url), {})
        if one.url not in known:
            new.setdefault(one.url, one)
    return {host: [*new.values()] for host, new in by_host.items()}


_QUEUED = ("url", "host_id", "state", "depth", "hops", "parent_id", "found_at", "kind", "priority", "turn")


def _insert_new(row: Given) -> sa.Insert:
    queued = sa.select(*(row[name] for name in _QUEUED)).where(sa.true())
    return insert(urls).from_select(_QUEUED, queued).on_conflict_do_nothing()


INSERT_URLS = BulkStatement(_insert_new, {name: urls.c[name] for name in _QUEUED})
"""Inserts rows as NewUrl.queued() makes them."""
