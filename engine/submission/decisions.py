"""Takes the operator's decisions about URLs: submissions, pages in quarantine, pages to visit again."""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing

import sqlalchemy as sa

from engine.config import Config, require_contact
from engine.database import open_database, write_transaction
from engine.errors import EngineError
from engine.store import (
    QuarantinedPage,
    Store,
    SubmissionState,
    decide_submissions,
    queue_recrawl,
    release_page,
)
from engine.submission.admission import Admission
from engine.submission.submission import Submission
from engine.submission.targets import settled_target
from engine.url import parse_typed_url


def accept_submissions(connection: sa.Connection, config: Config, typed: Sequence[str]) -> list[Submission]:
    """Queues what waits of these targets. Raises EngineError for one of which nothing waits."""
    require_contact(config, "the owner")
    admission = Admission(connection, config)
    return [admission.accept(url) for url in _decide(connection, config, typed, SubmissionState.ACCEPTED)]


def refuse_submissions(connection: sa.Connection, config: Config, typed: Sequence[str]) -> list[Submission]:
    """Refuses what waits of these targets for good. Raises EngineError for one of which nothing waits."""
    urls = _decide(connection, config, typed, SubmissionState.REFUSED)
    return [Submission("not visited", url) for url in urls]


def _decide(
    connection: sa.Connection, config: Config, typed: Sequence[str], outcome: SubmissionState
) -> Iterator[str]:
    """Decides what waits of these targets. Raises EngineError for one of which nothing waits."""
    for one in typed:
        urls = decide_submissions(connection, settled_target(one, config.aliases), outcome, time.time())
        if not urls:
            raise EngineError(f"{one!r}: no submission of it waits; 'scrapy submit --list' lists what does")
        yield from urls


def release_from_quarantine(config: Config, typed: str) -> QuarantinedPage:
    """Releases a page. Raises EngineError for a URL that is not in quarantine."""
    url = parse_typed_url(typed, config.aliases)
    with closing(Store(config.database)) as store, write_transaction(store.engine) as connection:
        return release_page(connection, url, time.time())


def recrawl_known(config: Config, typed: str) -> int:
    """Queues the known URLs of a target; returns how many. Raises EngineError for what is not known."""
    target = settled_target(typed, config.aliases)
    database = open_database(config.database)
    with write_transaction(database) as connection:
        number = queue_recrawl(connection, target)
    database.dispose()
    if not number:
        raise EngineError(
            f"no crawl has found {typed!r}, or it was removed; 'scrapy submit URL' queues a new URL"
        )
    return number
