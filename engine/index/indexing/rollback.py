"""Returns to the generation before the current one, without what was removed meanwhile."""

from collections.abc import Callable
from contextlib import ExitStack, closing

from engine import generations
from engine.config import Config
from engine.errors import EngineError
from engine.generations import UNREADABLE, Generation, IndexLocation
from engine.index.documents import IndexWriter
from engine.index.indexing.batches import follows, read_batches
from engine.index.indexing.follow import make_follower
from engine.index.indexing.opening import open_writer
from engine.store import ChangeSource, Store


def roll_back(source: ChangeSource, location: IndexLocation) -> Generation:
    """Makes the generation before the current one current; the follower brings it up to date afterwards.

    What has left the crawl database since is taken out of it before anybody searches it: a removal
    stays a removal (requirement 285). A rebuild is waited for. Raises EngineError when there is
    none before, or when it follows another crawl database or cannot be opened.
    """
    with generations.lock(location, "rebuild"), generations.lock(location, "write"):
        current = generations.current_generation(location)
        if current and current.before:
            withdraw(source, current.before)
        return generations.go_back(location)


def withdraw(source: ChangeSource, generation: Generation) -> None:
    """Deletes the documents that have left since; its mark stays, so that the follower sees every change.

    Raises EngineError when it follows another crawl database or cannot be opened.
    """
    last = source.last_change()
    if not follows(source, generation):
        raise EngineError(
            "the index before the current one belongs to another crawl database; "
            "'scrapy rebuild' makes one of this"
        )
    if not generation.is_readable:
        raise EngineError(
            "the index before the current one was made by another version of Lycosa: it cannot be searched"
        )
    with closing(_try_to_open(generation)) as writer:
        for changes in read_batches(source, generation.caught_up, last):
            if leaving := [change for change in changes if change.page is None]:
                writer.write(leaving)


def _try_to_open(generation: Generation) -> IndexWriter:
    """Opens the generation for writing. Raises EngineError when it cannot be read."""
    try:
        with ExitStack() as stack:
            writer = stack.enter_context(closing(open_writer(generation)))
            writer.count_documents()
            stack.pop_all()
            return writer
    except UNREADABLE as error:
        raise EngineError(
            f"the index before the current one cannot be opened: {error}; 'scrapy rebuild' makes a new one"
        ) from error


def return_to_older(store: Store, config: Config, show: Callable[[str], object]) -> Generation:
    """Makes the index before the current one current, and brings it up to date; the caller has the lock.

    Raises EngineError without an older one that can be used.
    """
    follower = make_follower(store, config)
    generation = roll_back(store, config.index)
    while follower.step(learning=True):
        show(f"{follower.count_waiting():,} changes to go")
    return generation
