"""Accepts submissions and status requests of strangers, from several threads at once."""

from collections.abc import Callable
from contextlib import suppress

from engine.audience import read_audience_rules
from engine.config import Config
from engine.database import CrawlDatabase, write_transaction
from engine.errors import Unreadable
from engine.report import MEANING
from engine.store import SubmissionState, load_last_visit, submissions
from engine.submission.admission import DECIDED, Admission
from engine.submission.recrawl_service import RecrawlService
from engine.submission.status import STAGES, Stage, SubmissionStatus
from engine.submission.submission import Submission
from engine.url import parse_typed_url

BUSY_SECONDS = 5.0  # a stranger waits for the crawl's commit; the longest takes a second


class SubmissionService:
    """Where strangers ask and submit, from several threads at once.

    `indexed` says whether the index has a canonical URL. `recrawls`: where programs with a token ask.
    """

    def __init__(self, config: Config, indexed: Callable[[str], bool]) -> None:
        self._config = config
        self._indexed = indexed
        self._audiences = read_audience_rules(config)
        self._database = CrawlDatabase(config.database, BUSY_SECONDS)
        self.is_open = config.submissions  # to strangers
        self.recrawls = RecrawlService(config, self._database)
        with suppress(Unreadable), self._database.open_engine():
            pass  # made now, where it is not there

    def submit(self, typed: str) -> Submission:
        """Submits what a stranger typed. Raises Unreadable, and Busy while others write for BUSY_SECONDS."""
        with self._database.open_engine() as database, write_transaction(database) as connection:
            return Admission(connection, self._config).submit_as_stranger(typed)

    def status(self, typed: str) -> SubmissionStatus:
        """Returns the status of a URL. Raises EngineError for what is no URL, Unreadable."""
        url = parse_typed_url(typed, self._config.aliases)
        if self._audiences.require(url):
            return SubmissionStatus(url, Stage.UNKNOWN)
        with self._database.open_engine() as database, database.connect() as connection:
            visit = load_last_visit(connection, url)
            kept = submissions.load_submission(connection, url)
        if visit:
            stage = Stage.INDEXED if self._indexed(url) else STAGES.get(visit.state, Stage.VISITED)
            why = "" if stage in (Stage.INDEXED, Stage.QUEUED) else MEANING[visit.state]
            return SubmissionStatus(url, stage, why, visit.at)
        if kept and kept.outcome is SubmissionState.REFUSED:
            return SubmissionStatus(url, Stage.REFUSED, DECIDED, kept.at)
        return (
            SubmissionStatus(url, Stage.WAITING, "", kept.at)
            if kept
            else SubmissionStatus(url, Stage.UNKNOWN)
        )

    def close(self) -> None:
        """Closes the database."""
        self._database.close()
