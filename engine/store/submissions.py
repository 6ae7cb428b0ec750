"""Stores submissions: URLs that people submitted, until they were visited (requirements 6 to 9).

What is in scope is queued at once, what is not waits for the operator. Those that brought a page are part of
the root set: a crawl that starts afresh visits them, too.
"""

from enum import StrEnum
from typing import Any, NamedTuple

import sqlalchemy as sa

from engine.database import submissions, upsert, urls
from engine.model import State
from engine.store.blocklist import Target
from engine.store.removals import match_target
from engine.store.wanted import force_visit, queue_url

MAX_WAITING = 10_000  # URLs that the operator has to decide about; some 2 MB, and more than anybody reads
MAX_QUEUED = 1_000  # that wait for their first visit at once: 83 minutes of one host, asked every 5 seconds
MAX_DECIDED = 100_000  # that were visited or decided about; some 20 MB. The oldest are forgotten
_BROUGHT = (State.STORED, State.ALIAS)


class SubmissionState(StrEnum):
    """The state of a submission, as stored in the database."""

    WAITING = ""  # for the operator
    QUEUED = "queued"  # for its first visit
    ROOT = "root"  # it brought a page
    ACCEPTED = "accepted"  # by the operator, whatever the scope
    REFUSED = "refused"  # by the operator


class SubmittedUrl(NamedTuple):
    """One submission; `at` is when it was made or decided, in seconds since 1970."""

    url: str
    at: float
    outcome: SubmissionState


def save_submission(connection: sa.Connection, url: str, outcome: SubmissionState, now: float) -> None:
    """Saves the state of a submitted canonical URL."""
    row = {"url": url, "at": now, "outcome": outcome}
    connection.execute(upsert(submissions, "url", row, row))


def load_submission(connection: sa.Connection, url: str) -> SubmittedUrl | None:
    """Loads what is known of a canonical URL as a submission."""
    row = connection.execute(sa.select(submissions).where(submissions.c.url == url)).first()
    return _parse_submission(row) if row else None


def load_waiting(connection: sa.Connection) -> list[SubmittedUrl]:
    """Loads submissions that wait for the operator, oldest first; MAX_WAITING at most."""
    query = sa.select(submissions).where(_WAITING).order_by(submissions.c.id)
    return [_parse_submission(row) for row in connection.execute(query)]


def count_waiting(connection: sa.Connection) -> int:
    """Counts the submissions that wait for the operator."""
    return _count(connection, SubmissionState.WAITING)


def decide_submissions(
    connection: sa.Connection, target: Target, outcome: SubmissionState, now: float
) -> list[str]:
    """Decides what waits of a target; returns the URLs, [] when none waits."""
    these = sa.update(submissions).where(_WAITING, match_target(target, submissions.c.url))
    rows = connection.execute(these.values(outcome=outcome, at=now).returning(submissions.c.url))
    decided = sorted(rows.scalars())
    _forget_oldest(connection)
    return decided


def is_full(connection: sa.Connection) -> bool:
    """Tells whether so many URLs wait for their first visit that no stranger may add another."""
    if _count(connection, SubmissionState.QUEUED) >= MAX_QUEUED:
        sweep_visited(connection)
    return _count(connection, SubmissionState.QUEUED) >= MAX_QUEUED


def sweep_visited(connection: sa.Connection) -> None:
    """Moves visited submissions that brought a page into the root set, and deletes the others."""
    queued = submissions.c.outcome == SubmissionState.QUEUED
    brought = sa.exists().where(urls.c.url == submissions.c.url, urls.c.state.in_(_BROUGHT))
    waits = sa.exists().where(urls.c.url == submissions.c.url, urls.c.state == State.QUEUED)
    connection.execute(sa.update(submissions).where(queued, brought).values(outcome=SubmissionState.ROOT))
    connection.execute(sa.delete(submissions).where(queued, ~waits))
    _forget_oldest(connection)


def queue_root_set(connection: sa.Connection, now: float) -> None:
    """Queues the root set for a fresh crawl (requirement 6)."""
    kept = (SubmissionState.QUEUED, SubmissionState.ROOT, SubmissionState.ACCEPTED)
    query = sa.select(submissions).where(submissions.c.outcome.in_(kept)).order_by(submissions.c.id)
    for root in map(_parse_submission, connection.execute(query).all()):
        (force_visit if root.outcome is SubmissionState.ACCEPTED else queue_url)(connection, root.url, now)


_WAITING = submissions.c.outcome == SubmissionState.WAITING


def _forget_oldest(connection: sa.Connection) -> None:
    """Forgets the decisions beyond MAX_DECIDED; their URLs may be submitted again, and their pages stay."""
    decided = submissions.c.outcome.in_(
        (SubmissionState.ROOT, SubmissionState.ACCEPTED, SubmissionState.REFUSED)
    )
    newest = (
        sa.select(submissions.c.id).where(decided).order_by(submissions.c.at.desc(), submissions.c.id.desc())
    )
    connection.execute(sa.delete(submissions).where(submissions.c.id.in_(newest.offset(MAX_DECIDED))))


def _count(connection: sa.Connection, outcome: SubmissionState) -> int:
    query = sa.select(sa.func.count()).where(submissions.c.outcome == outcome)
    return int(connection.execute(query).scalar_one())


def _parse_submission(row: sa.Row[Any]) -> SubmittedUrl:
    return SubmittedUrl(row.url, row.at, SubmissionState(row.outcome))
