"""The index follows the crawl database: it reads what changed since the number that it carries."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Protocol

from engine.index import generations
from engine.index.generations import Generation
from engine.index.writer import Writer, create
from engine.page import Change

BATCH_DOCUMENTS = 200  # to a commit; a commit costs some 20 ms
BATCH_CHARACTERS = 4_000_000  # of text to a commit; bounds its memory and how long it takes
COMMIT_SECONDS = 2.0  # between commits while pages come slowly; a new page is found well within 30 s


class Source(Protocol):
    """The crawl database, as the index sees it."""

    def changes(self, after: int, limit: int) -> Sequence[Change]:
        """What changed after a sequence number, oldest first; a URL stands at its last change only."""

    def last_change(self) -> int:
        """The newest sequence number, 0 when there is none."""


class Follower:
    """Brings whichever generation is current up to the crawl database, batch by batch."""

    def __init__(self, source: Source, data_dir: Path) -> None:
        self._source = source
        self._data_dir = data_dir

    def step(self, learning: bool = False) -> int:
        """Index one batch and commit it; how many documents were done, 0 when there is nothing to do.

        A batch that changes do not fill takes up documents whose anchor texts changed, or their
        host's template. That is learned now and then; at once, when no change is left, if `learning`.
        """
        with generations.locked(self._data_dir, "write"):
            generation = generations.current(self._data_dir)
            if (
                generation is None
                or not generation.is_readable  # of an older Lycosa: nobody could search it any more
                or generation.caught_up > self._source.last_change()  # of another crawl database
            ):
                generation = _first(self._data_dir)
            return advance(self._source, generation, learning)

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


def follow(
    source: Source, data_dir: Path, stop: Callable[[], bool], sleep: Callable[[float], object]
) -> None:
    """Keep the index up to date until stop() is true, then catch up in full; `sleep` takes seconds."""
    follower = Follower(source, data_dir)
    while not stop():
        if not follower.step() or follower.waiting() < BATCH_DOCUMENTS // 2:
            sleep(COMMIT_SECONDS)
    follower.catch_up()


def advance(source: Source, generation: Generation, learning: bool) -> int:
    """One batch into one generation; how many documents were done. `learning`: see Follower.step()."""
    changes = batch(source, generation.caught_up)
    with closing(Writer(generation)) as writer:
        writer.link(changes)
        if learning and not changes:
            writer.templates.learn()
        stale = writer.stale(BATCH_DOCUMENTS - len(changes))
        documents = {change.url: change for change in (*stale, *changes)}
        if documents:
            writer.write(list(documents.values()))
    if changes:
        generation.mark(changes[-1].seq)
    return len(documents)


def batches(source: Source, after: int, last: int) -> Iterator[list[Change]]:
    """The changes from one sequence number to another, a batch at a time."""
    while changes := [change for change in batch(source, after) if change.seq <= last]:
        yield changes
        after = changes[-1].seq


def batch(source: Source, after: int) -> list[Change]:
    """The next changes, at least one if there are any, and not much more text than one commit should hold."""
    changes, characters = [], 0
    for change in source.changes(after, BATCH_DOCUMENTS):
        changes.append(change)
        characters += _characters(change)
        if characters >= BATCH_CHARACTERS:
            break
    return changes


def _characters(change: Change) -> int:
    if not change.page:
        return 0
    return len(change.page.rest) + sum(len(section.text) for section in change.page.sections)


def _first(data_dir: Path) -> Generation:
    """The first generation, published empty so that searchers find it from the first batch on."""
    drafted = generations.draft(data_dir, "first")
    create(drafted)
    return generations.publish(data_dir, drafted)
