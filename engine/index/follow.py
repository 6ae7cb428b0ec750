"""The index follows the crawl database: it reads what changed since the number that it carries."""

from collections.abc import Callable
from pathlib import Path

from engine.config import Config
from engine.index import generations
from engine.index.batches import BATCH_DOCUMENTS, Source, advance
from engine.index.generations import Generation
from engine.index.rebuild import rebuild
from engine.index.scoring import HALVES, ranking_of
from engine.index.writer import create
from engine.store.links import Halves
from engine.text.numbering import Numbering

LOOK_SECONDS = 2.0  # between looks while nothing comes
COMMIT_SECONDS = 10.0  # between commits while pages come slowly; a new page is found well within 30 s


class Follower:
    """Brings whichever generation is current up to the crawl database, batch by batch."""

    def __init__(self, source: Source, data_dir: Path, halves: Halves = HALVES) -> None:
        self._source = source
        self._data_dir = data_dir
        self._halves = halves
        self._numbering = Numbering()

    def step(self, learning: bool = False) -> int:
        """Index one batch and commit it; how many documents were done, 0 when there is nothing to do.

        A batch that changes do not fill takes up documents whose anchor texts changed, or their
        host's template. That is learned now and then; at once, when no change is left, if `learning`.
        """
        generation = generations.current(self._data_dir)
        if generation and not generation.is_readable:  # an older Lycosa's: it is searched by nobody now
            rebuild(self._source, self._data_dir, halves=self._halves)
        with generations.locked(self._data_dir, "write"):
            generation = generations.current(self._data_dir)
            if generation is None or generation.caught_up > self._source.last_change():
                # The second: an index of another crawl database, which was deleted.
                generation = _first(self._data_dir)
            return advance(self._source, generation, learning, self._numbering, self._halves)

    def waiting(self) -> int:
        """How many changes are left to follow, at most."""
        generation = generations.current(self._data_dir)
        return self._source.last_change() - (generation.caught_up if generation else 0)

    def catch_up(self) -> int:
        """Index all there is to do now, every host's template learned; how many documents were done."""
        total = 0
        while done := self.step(learning=True):
            total += done
        return total


def following(source: Source, config: Config) -> Follower:
    """Of the index that the operator configured, with his votes. Raises EngineError for a wrong [ranking]."""
    return Follower(source, config.data_dir, ranking_of(config.ranking).halves)


def follow(follower: Follower, stop: Callable[[], bool], sleep: Callable[[float], object]) -> None:
    """Keep the index up to date until stop() is true, then catch up in full; `sleep` takes seconds.

    What comes first is found at once. After a commit all that searchers remember of answers has to be found
    anew, so what follows waits a little.
    """
    while not stop():
        if not follower.step():
            sleep(LOOK_SECONDS)
        elif follower.waiting() < BATCH_DOCUMENTS // 2:
            sleep(COMMIT_SECONDS)
    follower.catch_up()


def _first(data_dir: Path) -> Generation:
    """The first generation, published empty so that searchers find it from the first batch on."""
    drafted = generations.draft(data_dir, "first")
    create(drafted)
    return generations.publish(data_dir, drafted)
