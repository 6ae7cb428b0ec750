"""Follows the crawl database: indexes what changed since the sequence number that the index carries."""

import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial
from typing import TypeVar

from engine import generations
from engine.audience import OPEN_TO_ALL, AudienceRules, read_audience_rules
from engine.config import Config
from engine.errors import DamagedError
from engine.folder import INDEX_PART, FreeSpace, RoomWatch
from engine.generations import Generation, IndexLocation
from engine.index.indexing.batches import BATCH_DOCUMENTS, advance, follows, update_ahead
from engine.index.indexing.check import find_unusable
from engine.index.indexing.opening import create_index, open_writer
from engine.index.indexing.rebuild import rebuild_index
from engine.opensearch import UnavailableError
from engine.ranking import Ranking, read_ranking
from engine.store import ChangeSource
from engine.text.tokens import TermNumbering

logger = logging.getLogger("lycosa")
T = TypeVar("T")
AHEAD_CHANGES = 1_000  # that wait at least, and
AHEAD_SHARE = 10  # at least the tenth part of the documents, before links and templates go ahead of documents
LOOK_SECONDS = 2.0  # between looks while nothing comes
END_SECONDS = 60.0  # for which a cluster is waited for at the end of a crawl
COMMIT_SECONDS = 10.0  # between commits while pages come slowly; a new page is found well within 30 s


class Follower:
    """Updates the current generation from the crawl database, batch by batch."""

    def __init__(
        self,
        source: ChangeSource,
        location: IndexLocation,
        ranking: Ranking = Ranking(),
        room: FreeSpace | None = None,
        audiences: AudienceRules = OPEN_TO_ALL,
    ) -> None:
        """`room` is the disk space that must stay free; None: no limit. `audiences` hide pages."""
        self._audiences = audiences
        self._source = source
        self._location = location
        self._ranking = ranking
        self._room = room
        self._watch = RoomWatch(room, "the index", INDEX_PART) if room else None
        self._numbering = TermNumbering()
        self._checked: Generation | None = None
        self._linked: tuple[Generation | None, int] = None, 0  # of which generation, up to which change

    def step(self, learning: bool = False) -> int:
        """Indexes one batch and commits it; returns how many documents were done, 0 when there is nothing to
        do.

        The last batch, where changes do not fill it, takes up documents whose anchor texts changed, or their
        host's template. That is learned now and then; at once, when no change is left, if `learning`.
        An index that is damaged, or another Lycosa's, is made afresh first. Raises EngineError without room.
        """
        if self._room and self.count_waiting():
            self._room.require(part=INDEX_PART)
        try:
            self._check()
            return self._advance(learning) if self._check_source() else 0
        except DamagedError as error:
            damage: Exception = error
        except sqlite3.DatabaseError as error:
            if type(error) is not sqlite3.DatabaseError:  # the disk is full, somebody has it locked
                raise
            damage = error
        self._rebuild(str(damage))
        return self._advance(learning)

    def _check_source(self) -> bool:
        """Rebuilds an index of another crawl database, or of a later state of this one, which went back.

        One that is empty, as before a restore, is not followed: False. The index goes on being searched.
        """
        generation = generations.current_generation(self._location)
        if generation is None or follows(self._source, generation):
            return True
        if not self._source.last_change():
            return False
        self._rebuild(
            f"the index in {generation.where} is of another crawl database, or of a later state of it"
        )
        return True

    def count_waiting(self) -> int:
        """Counts the changes that are left to follow, at most."""
        return generations.count_behind(self._location, self._source.last_change())

    def lacks_room(self) -> bool:
        """Tells whether there is something to index and no room for it."""
        return bool(self._watch and self.count_waiting() and self._watch.look())

    def catch_up(self) -> int:
        """Indexes all there is to do now, every host's template learned; returns how many documents were
        done.
        """
        total = 0
        while done := self.step(learning=True):
            total += done
        return total

    def _check(self) -> None:
        """Checks once that what there is can be followed. Raises DamagedError."""
        with generations.lock(self._location, "write"):
            generation = generations.current_generation(self._location)
            if generation is None or generation == self._checked:
                return
            is_readable = generation.is_readable
            for damage in find_unusable(generation) if is_readable else ():
                raise damage
        if not is_readable:  # searched by nobody now
            self._rebuild("the index was made by another Lycosa")
        elif generation.audiences != self._audiences.digest:  # nor is this
            self._rebuild("other pages are to be hidden than in the index")
        self._checked = generation

    def _rebuild(self, reason: str) -> None:
        logger.warning("%s: it is rebuilt now from the crawl database", reason.partition(":")[0])
        self._checked = rebuild_index(
            self._source, self._location, ranking=self._ranking, audiences=self._audiences
        )

    def _advance(self, learning: bool) -> int:
        with generations.lock(self._location, "write"):
            generation = generations.current_generation(self._location)
            if generation is None:
                generation = self._checked = _publish_first(self._source, self._location, self._audiences)
            elif not generation.source:  # of an older Lycosa
                generation.note_source(self._source.identity())
            linked = self._look_ahead(generation)
            return advance(
                self._source, generation, learning, self._numbering, self._ranking, self._audiences, linked
            )

    def _look_ahead(self, generation: Generation) -> int:
        """Updates links and templates by all changes that wait, if many do; returns the last such change.

        Each time costs a look at the URLs of all pages, so with many pages many more have to wait.
        """
        of, linked = self._linked
        before, last = generation.caught_up, self._source.last_change()
        linked = max(linked, before) if of == generation else before
        if last - linked >= AHEAD_CHANGES:
            with closing(open_writer(generation, self._ranking, audiences=self._audiences)) as writer:
                if last - linked >= writer.count_documents() // AHEAD_SHARE:
                    update_ahead(writer, self._source, linked, last)
                    writer.update_votes()
                    linked = last
        self._linked = generation, linked
        return linked


def make_follower(source: ChangeSource, config: Config) -> Follower:
    """Makes the follower of the index that the operator configured. Raises EngineError for a
    wrong [ranking], and wrong audiences.
    """
    room = FreeSpace(config.data_dir, config.limits.free_bytes) if config.index == config.data_dir else None
    ranking, audiences = read_ranking(config.ranking), read_audience_rules(config)
    return Follower(source, config.index, ranking, room, audiences)


def follow(follower: Follower, stop: Callable[[], bool], sleep: Callable[[float], object]) -> None:
    """Follows changes until stop() is true, then catches up in full; `sleep` takes seconds.

    Without room on the disk, and while a cluster cannot be written to, it waits. What comes first is found at
    once. After a commit all that searchers remember of answers has to be found anew, so what follows waits a
    little. Raises UnavailableError where a cluster is still away after END_SECONDS at the end: the next crawl
    indexes the rest.
    """
    told = set[str]()
    while not stop():
        seconds = LOOK_SECONDS if (found := _try(partial(_step, follower), told)) is None else found
        if seconds:
            sleep(seconds)
    until = time.monotonic() + END_SECONDS  # a try may take half a minute by itself
    while time.monotonic() < until:
        if _try(follower.catch_up, told) is not None:
            return
        time.sleep(LOOK_SECONDS)
    follower.catch_up()


def _try(work: Callable[[], T], told: set[str]) -> T | None:
    """Returns what some work returns, None where a cluster is away, of which it tells once: of each kind, as
    no two refusals are alike that count what a node has done so far.
    """
    try:
        return work()
    except UnavailableError as error:
        if error.kind not in told:
            logger.warning("the index waits: %s", error)
        told.add(error.kind)
        return None


def _step(follower: Follower) -> float:
    """Indexes one batch, if there is one; returns how long to wait until the next, in seconds."""
    if follower.lacks_room() or not follower.step():
        return LOOK_SECONDS
    return COMMIT_SECONDS if follower.count_waiting() < BATCH_DOCUMENTS // 2 else 0.0


def _publish_first(source: ChangeSource, location: IndexLocation, audiences: AudienceRules) -> Generation:
    """Publishes the first generation, empty, so that searchers find it from the first batch on."""
    drafted = generations.create_draft(location, "first")
    create_index(drafted, source.identity(), audiences)
    return generations.publish(location, drafted)
