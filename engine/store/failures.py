"""Lists the URLs whose last visits failed, one at a time: there may be millions."""

from collections.abc import Iterator
from typing import NamedTuple

import sqlalchemy as sa

from engine.database import urls
from engine.model import Purpose, State
from engine.store.revisit import is_due

ROWS_AT_ONCE = 500  # in memory

_BROKEN = (urls.c.kind == Purpose.PAGE) & (
    urls.c.state.in_((State.FAILED, State.GONE)) | ((urls.c.state == State.QUEUED) & (urls.c.fails > 0))
)
_COLUMNS = ("id", "url", "state", "reason", "status", "fails", "visited_at", "missing_since", "due_at")


class FailedUrl(NamedTuple):
    """A URL that brought nothing; times are seconds since 1970, None for what did not happen."""

    id: int
    url: str
    state: State
    reason: str
    status: int | None  # of the last answer, 0 when none came
    fails: int  # visits in a row without a usable answer, in the last crawl that tried
    visited_at: float | None
    missing_since: float | None  # its first 404 in a row
    due_at: float | None  # not to be visited before
    is_due: bool  # to be visited by the next crawl


def load_failed_urls(connection: sa.Connection, now: float, after: int = 0) -> Iterator[FailedUrl]:
    """Loads the URLs that failed, or are missing, in the order in which they were found, after one's id."""
    query = sa.select(*(urls.c[name] for name in _COLUMNS), is_due(now).label("is_due"))
    query = (
        query.where(_BROKEN, urls.c.id > after).order_by(urls.c.id).execution_options(yield_per=ROWS_AT_ONCE)
    )
    for row in connection.execute(query).mappings():
        yield FailedUrl(**{**row, "state": State(row["state"]), "is_due": bool(row["is_due"])})
