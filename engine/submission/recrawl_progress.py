"""Tells how far a recrawl has come: which of its URLs wait, were fetched, and are in the index."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from engine.database import changes, pages, urls
from engine.model import State
from engine.report import MEANING
from engine.store import Target, match_target
from engine.submission.recrawl_ledger import RecrawlKind, RecrawlRequest
from engine.url import host_of

_INDEXED = (State.STORED, State.ALIAS)  # of an alias, the URL that represents it is


class RecrawlState(StrEnum):
    """How far a request has come."""

    QUEUED = "queued"
    FETCHED = "fetched"  # all were, and the index follows
    INDEXED = "indexed"
    FAILED = "failed"  # all were fetched, and none brought a page


@dataclass(frozen=True, slots=True)
class RecrawlProgress:
    """The URLs of a request by how far they have come; `reason`: why none brought a page."""

    queued: int = 0
    fetched: int = 0  # and not in the index yet
    indexed: int = 0
    failed: int = 0  # fetched, and brought no page
    reason: str = ""

    @property
    def state(self) -> RecrawlState:
        """Returns the state of the whole: that of its slowest part."""
        if self.queued:
            return RecrawlState.QUEUED
        if self.fetched:
            return RecrawlState.FETCHED
        return RecrawlState.FAILED if self.failed and not self.indexed else RecrawlState.INDEXED


def measure_recrawl(
    connection: sa.Connection, request: RecrawlRequest, target: Target, caught_up: int
) -> RecrawlProgress:
    """Measures a request; the index has all changes up to `caught_up`.

    Pages of a sitemap are all that the sitemaps of its host list: which of them lists one is not kept.
    """
    if request.kind is RecrawlKind.PAGE:
        return _count(
            connection, match_target(target) & (urls.c.found_at <= request.at), request.at, caught_up
        )
    of_map = _count(connection, match_target(target), request.at, caught_up)
    if of_map.queued or of_map.failed:
        return of_map
    inside = urls.c.url.between(f"{host_of(target.text)}/", f"{host_of(target.text)}0")  # 0 follows /
    return _count(connection, inside & urls.c.listed, request.at, caught_up)


def _count(
    connection: sa.Connection, condition: sa.ColumnElement[bool], since: float, caught_up: int
) -> RecrawlProgress:
    """Counts URLs by how far they have come since a time."""
    visited = sa.func.coalesce(urls.c.visited_at, 0.0) >= since
    waits = (urls.c.state == State.QUEUED) & (~visited | (urls.c.fails > 0))
    # Queued again by a later round, what it was before is to be seen by its page alone.
    again = (urls.c.state == State.QUEUED) & sa.exists().where(pages.c.url_id == urls.c.id)
    follows = sa.func.coalesce(changes.c.seq, 0) > caught_up
    part = sa.case(
        (waits, "queued"),
        (follows, "fetched"),
        (urls.c.state.in_(_INDEXED) | again, "indexed"),
        else_="failed",
    )
    states = sa.func.min(urls.c.state), sa.func.min(urls.c.reason)
    query = sa.select(part, sa.func.count(), *states).outerjoin(changes, changes.c.url == urls.c.url)
    rows = connection.execute(query.where(condition).group_by(part)).all()
    numbers: dict[str, Any] = {row[0]: row[1] for row in rows}
    reasons = [
        f"{MEANING[State(row[2])]}{f' ({row[3]})' if row[3] else ''}" for row in rows if row[0] == "failed"
    ]
    return RecrawlProgress(**numbers, reason="".join(reasons))
