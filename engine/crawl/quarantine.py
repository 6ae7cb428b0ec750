"""Keeps pages with secrets out of the crawl database until the operator releases them (requirement 284)."""

from collections.abc import Iterable
from dataclasses import replace

import sqlalchemy as sa

from engine.database import connect_to_read
from engine.model import State, Visit
from engine.store import format_quarantine_reason, load_released_kinds, quarantine_pages


class Quarantine:
    """Asks the database about pages with secrets only: there are few."""

    def __init__(self, database: sa.Engine) -> None:
        self._database = database

    def check(self, visit: Visit) -> Visit:
        """Skips the visit of a page with secrets, so that no word is kept. Its links are followed."""
        secrets = visit.reading.secrets if visit.reading else ()
        if not secrets or visit.state is not State.STORED:
            return visit
        with connect_to_read(self._database) as connection:
            if load_released_kinds(connection, visit.fetch.claim.url).issuperset(one.kind for one in secrets):
                return visit
        return replace(visit, state=State.SKIPPED, reason=format_quarantine_reason(secrets))

    def record_visits(self, connection: sa.Connection, visits: Iterable[Visit]) -> None:
        """Records visits that were just stored."""
        quarantine_pages(connection, visits)
