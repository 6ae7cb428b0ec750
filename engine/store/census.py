"""Counts what the crawl database holds (requirement 17)."""

from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from engine.database import pages, urls
from engine.model import Purpose, State


@dataclass(frozen=True, slots=True)
class Census:
    """What the database holds; `bytes` are those of the last visit to each URL."""

    pages: int
    queued: int
    hosts: int
    errors: int
    bytes: int
    languages: dict[str, int]
    media_types: dict[str, int]
    flagged: dict[str, int]  # pages that have nothing to say (requirement 85)


def take_census(connection: sa.Connection) -> Census:
    """Counts everything; reads the tables, so takes a moment on large ones."""
    states = _count_by_value(connection, urls.c.state, urls.c.kind == Purpose.PAGE)
    total = sa.select(sa.func.coalesce(sa.func.sum(urls.c.bytes), 0))
    languages = _count_by_value(connection, pages.c.language)
    return Census(
        pages=sum(languages.values()),
        queued=states.get(State.QUEUED, 0),
        hosts=connection.execute(sa.select(sa.func.count(urls.c.host_id.distinct()))).scalar_one(),
        errors=states.get(State.FAILED, 0) + states.get(State.GONE, 0),
        bytes=connection.execute(total).scalar_one(),
        languages=languages,
        media_types=_count_by_value(connection, pages.c.media_type),
        flagged=_count_by_value(connection, pages.c.flag, pages.c.flag.is_not(None)),
    )


def _count_by_value(
    connection: sa.Connection, column: sa.Column[Any], *only: sa.ColumnElement[bool]
) -> dict[str, int]:
    rows = connection.execute(sa.select(column, sa.func.count()).where(*only).group_by(column))
    return {str(value): count for value, count in rows}
