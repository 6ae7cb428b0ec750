"""Runs all gates of a rebuild: may the new generation replace the current one?"""

import logging
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from typing import TypeVar

import sqlalchemy as sa

from engine.config import RebuildLimits
from engine.gates import rules
from engine.gates.answers import AnswerTest, compare_answers
from engine.gates.census import count_by_host, count_old_documents
from engine.generations import UNREADABLE, Generation
from engine.index.reader import IndexCache
from engine.index.searching import OpenIndex
from engine.search import open_snapshot, retry_open

logger = logging.getLogger("lycosa")
T = TypeVar("T")


class RebuildGates:
    """The checks that `scrapy rebuild` makes before it publishes (engine.index.indexing.rebuild.Gates).

    An old generation that cannot be read refuses nothing: a rebuild is what mends it.
    """

    def __init__(
        self, database: sa.Engine, limits: RebuildLimits, asking: AnswerTest, clock: Callable[[], float]
    ) -> None:
        self._database = database
        self._limits = limits
        self._asking = asking
        self._clock = clock

    def check_answers(self, old: Generation | None, new: Generation) -> list[str]:
        """Checks that judged queries are answered as well as before, and queries as fast."""
        if old is None:
            return []
        with self._open(new) as drafted:
            # Before the old one is read: what fails here is no fault of it.
            now = self._asking.mean_ndcg(drafted)
            ask = partial(compare_answers, self._asking, new=drafted, quality_of_new=now, clock=self._clock)
            trials = self._ask_old(old, ask)
        if trials is None:
            return []
        judged = rules.check_ndcg(*trials, self._limits.max_ndcg_loss)
        return [*filter(None, (judged, rules.check_latency(*trials, self._limits.max_slowdown_percent)))]

    def check_contents(self, old: Generation | None, new: Generation) -> list[str]:
        """Checks that no documents are missing, in total and by host."""
        with self._open(new) as drafted:
            now = drafted.count_by_host()
        known = self._ask_old(old, lambda snapshot: count_old_documents(snapshot, now)) if old else None
        with self._database.connect() as connection:
            hosts = count_by_host(connection, known or {}, now, new.caught_up)
        documents = rules.check_documents(hosts, self._limits.max_lost_percent)
        return [*filter(None, (documents, rules.check_hosts(hosts, self._limits.max_host_lost_percent)))]

    @contextmanager
    def _open(self, generation: Generation) -> Iterator[OpenIndex]:
        """Opens a generation, which its follower may be writing."""
        snapshot = retry_open(
            lambda: open_snapshot(generation, IndexCache(), self._asking.ranking), generation.where
        )
        with closing(snapshot):
            yield snapshot

    def _ask_old(self, generation: Generation, ask: Callable[[OpenIndex], T]) -> T | None:
        """Calls a function that reads the old generation; None when it cannot be read."""
        if not generation.is_readable:
            logger.warning(
                "the old index was made by another version of Lycosa, so the new one is not compared with it"
            )
            return None
        try:
            with self._open(generation) as snapshot:
                _require_whole(snapshot)
                return ask(snapshot)
        except UNREADABLE as error:
            logger.warning("the old index cannot be read (%s), so the new one is not compared with it", error)
            return None


def _require_whole(opened: OpenIndex) -> None:
    """Raises DamagedError for one that is damaged: it would answer anything."""
    for damage in opened.damaged:
        raise damage
    opened.check_files()
