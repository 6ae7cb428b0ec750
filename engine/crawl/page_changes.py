"""Tells what a commit changes: pages that are new, changed, unchanged or gone."""

from collections.abc import Sequence

import sqlalchemy as sa

from engine.database import pages
from engine.history import Recorder
from engine.model import Purpose, State, Visit

_PAGES = sa.select(pages.c.url_id, pages.c.fingerprint).where(
    pages.c.url_id.in_(sa.bindparam("these", expanding=True))
)


class PageChanges:
    """Compares the pages that a commit has visits to, before and after their visits are saved."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._before: dict[int, bytes] = {}

    def look(self, connection: sa.Connection, visits: Sequence[Visit], now: float) -> None:
        """Loads which of these URLs have a page."""
        known = [visit.fetch.claim.url_id for visit in visits if not visit.fetch.claim.new]
        self._before = _load_pages(connection, known)

    def record(self, connection: sa.Connection, visits: Sequence[Visit], now: float) -> None:
        """Records what became of the pages."""
        absent = [visit.fetch.claim.url_id for visit in visits if not _brings_page(visit)]
        after = _load_pages(connection, [number for number in absent if number in self._before])
        for visit in visits:
            claim, before = visit.fetch.claim, self._before.get(visit.fetch.claim.url_id)
            if claim.kind is not Purpose.PAGE:
                continue
            if visit.unchanged:
                self._recorder.add_change(claim.host, "unchanged")
            elif not _brings_page(visit):
                if before is not None and claim.url_id not in after:
                    self._recorder.add_change(claim.host, "gone")
            elif before is None:
                self._recorder.add_change(claim.host, "new")
            else:
                assert visit.reading
                is_same = visit.reading.fingerprint == before
                self._recorder.add_change(claim.host, "unchanged" if is_same else "changed")


def _brings_page(visit: Visit) -> bool:
    return visit.state is State.STORED and (visit.reading is not None or visit.unchanged)


def _load_pages(connection: sa.Connection, numbers: Sequence[int]) -> dict[int, bytes]:
    """Loads the fingerprints of these pages, by the ids of their URLs."""
    if not numbers:
        return {}
    return {row.url_id: row.fingerprint for row in connection.execute(_PAGES, {"these": numbers})}
