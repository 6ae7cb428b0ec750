"""Stores the quarantine: pages with secrets, without their text and the secrets (requirement 284).

What is kept is the URL, the kinds of its secrets and where the first stands. The operator may release a URL:
from then on secrets of these kinds do not keep it out, those of another kind do.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.database import quarantine, upsert_rows, urls
from engine.errors import EngineError
from engine.model import Secret, Visit
from engine.store.blocklist import Extent, Target
from engine.store.wanted import queue_recrawl

REASON = "quarantine: "
"""The reason of a URL that is held begins with this; the kinds of secrets follow."""

_BETWEEN = ", "
# By the last visit: a page may have been mended, or be gone.
_HELD = quarantine.c.released_at.is_(None) & sa.exists().where(
    urls.c.url == quarantine.c.url, urls.c.reason.startswith(REASON)
)


class QuarantinedPage(NamedTuple):
    """A page in quarantine, or one that was; times are seconds since 1970."""

    url: str
    kinds: tuple[str, ...]  # of secrets
    line: int  # of the text in which the first stands, from 1; 0: outside of it
    found_at: float  # by the last visit
    released_at: float | None


def format_quarantine_reason(secrets: Sequence[Secret]) -> str:
    """Formats why a page with these secrets is not kept."""
    return REASON + _format_kinds(secrets)


def quarantine_pages(connection: sa.Connection, visits: Iterable[Visit]) -> None:
    """Notes which of these visits found secrets that keep their pages out."""
    rows = [_quarantine_row(visit) for visit in visits if visit.reading and visit.reason.startswith(REASON)]
    if rows:
        changed = ("kinds", "line", "found_at", "released_at")
        connection.execute(upsert_rows(quarantine, "url", changed), rows)


def load_released_kinds(connection: sa.Connection, url: str) -> frozenset[str]:
    """Loads the kinds of secrets with which a URL may be kept."""
    found = find_quarantined(connection, url)
    return frozenset(found.kinds) if found and found.released_at is not None else frozenset()


def find_quarantined(connection: sa.Connection, url: str) -> QuarantinedPage | None:
    """Finds a URL that is in quarantine or was released from it, None of any other."""
    row = connection.execute(sa.select(quarantine).where(quarantine.c.url == url)).first()
    return _parse_page(row) if row else None


def load_quarantine(connection: sa.Connection) -> list[QuarantinedPage]:
    """Loads the pages in quarantine, by URL."""
    query = sa.select(quarantine).where(_HELD).order_by(quarantine.c.url)
    return [_parse_page(row) for row in connection.execute(query)]


def count_quarantined(connection: sa.Connection) -> int:
    """Counts the pages in quarantine."""
    query = sa.select(sa.func.count()).select_from(quarantine).where(_HELD)
    return int(connection.execute(query).scalar_one())


def release_page(connection: sa.Connection, url: str, now: float) -> QuarantinedPage:
    """Releases a page with the kinds of secrets that are known of it: it is due now.

    Raises EngineError for a URL that is not in quarantine.
    """
    free = sa.update(quarantine).where(quarantine.c.url == url, _HELD)
    row = connection.execute(free.values(released_at=now).returning(*quarantine.c)).first()
    if row is None:
        raise EngineError(f"{url} is not in quarantine; 'scrapy quarantine' lists what is")
    queue_recrawl(connection, Target(Extent.URL, url))
    return _parse_page(row)


def _quarantine_row(visit: Visit) -> dict[str, Any]:
    assert visit.reading
    secrets = visit.reading.secrets
    return {
        "url": visit.fetch.claim.url,
        "kinds": _format_kinds(secrets),
        "line": secrets[0].line,
        "found_at": visit.fetch.at,
        "released_at": None,
    }


def _format_kinds(secrets: Sequence[Secret]) -> str:
    return _BETWEEN.join(sorted({secret.kind for secret in secrets}))


def _parse_page(row: sa.Row[Any]) -> QuarantinedPage:
    return QuarantinedPage(row.url, tuple(row.kinds.split(_BETWEEN)), row.line, row.found_at, row.released_at)
