"""Writes the responses of stored pages, and redirects, into WARC files while a crawl runs.

A thread packs and writes them; before the crawl commits what came of them it waits until they are written. So
a kill costs no response of a page that the database has, and tears at most the last record of a file to which
nobody writes again.
"""

import logging
import time
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

import sqlalchemy as sa

from engine.database import write_transaction
from engine.model import Purpose, State, Visit
from engine.monitor import ALARM, count
from engine.responses.folder import create_file, find_files
from engine.store import Journal, forget_validators
from engine.warc import write_info, write_response

logger = logging.getLogger("lycosa")
MAX_FILE = 1_000_000_000  # bytes of a file, as others write them: one is read in a minute
MAX_BODY = 10 << 20  # bytes of a body, as it came; the crawl takes no larger ones
MAX_UNDER_WAY = 64 << 20  # bytes of all bodies that are not yet written; what is more is not kept


class KeptResponses:
    """The files of one run, which end with it. A disk that refuses them ends no crawl: an alarm says so."""

    def __init__(self, data_dir: Path, run: int, journal: Journal, software: str) -> None:
        self._data_dir, self._run, self._software = data_dir, run, software
        self._journal = journal
        journal.allow(MAX_BODY, MAX_UNDER_WAY)
        self._thread = ThreadPoolExecutor(1, "responses")
        self._writing: deque[Future[None]] = deque()
        self._file: BinaryIO | None = None
        self._left_out = 0  # responses that would have been kept

    def keep(self, visit: Visit) -> None:
        """Has the response written that a visit came from, where its owner lets copies be kept."""
        if not may_keep(visit):
            return
        if answer := self._journal.find_response(visit.fetch.claim.url_id):
            claim, address = visit.fetch.claim, visit.fetch.address
            self._writing.append(
                self._thread.submit(
                    lambda: self._write(
                        write_response(
                            claim.url, answer.at, answer.status, answer.headers, answer.body, address
                        )
                    )
                )
            )
        else:
            self._left_out += 1

    def flush(self) -> None:
        """Waits until what was to be kept is written."""
        while self._writing:
            self._writing.popleft().result()

    def close(self) -> None:
        """Writes what is left, closes the file, and tells what is not in any."""
        self.flush()
        if self._left_out:
            lost = count(self._left_out, "response is", "responses are")
            logger.warning("%s not kept, as too many were under way at once", lost)
        self._thread.shutdown()
        if self._file:
            self._file.close()

    def _write(self, record: bytes) -> None:
        try:
            if self._file is None or self._file.tell() + len(record) > MAX_FILE:
                self._begin()
            assert self._file
            self._file.write(record)
        except OSError as error:
            ALARM(f"responses are not kept: {error.strerror}", "responses are not kept")

    def _begin(self) -> None:
        if self._file:
            self._file.close()
        self._file = create_file(self._data_dir, self._run)
        self._file.write(write_info(time.time(), self._software))


def open_kept_responses(
    database: sa.Engine, data_dir: Path, run: int, journal: Journal, software: str
) -> KeptResponses:
    """Opens the files of one run; where there are none yet, pages of earlier runs are asked for in full: an
    answer that nothing has changed (304) is no response to keep.
    """
    if not find_files(data_dir):
        with write_transaction(database) as connection:
            forget_validators(connection)
    return KeptResponses(data_dir, run, journal, software)


def may_keep(visit: Visit) -> bool:
    """Tells whether a response is kept: of a page, or of a URL that another represents, a copy's among them.

    Links to such a URL count for that other, so who has the responses needs these, too. None is kept of pages
    whose owners want no copies (noarchive) or no entry (noindex).
    """
    if visit.fetch.claim.kind is not Purpose.PAGE or visit.unchanged:
        return False
    if visit.state is State.ALIAS and visit.fetch.status in range(300, 400):
        return True
    asks = visit.reading.directives if visit.reading else None
    return visit.state in (State.STORED, State.ALIAS) and asks is not None and asks.archive and asks.index
