"""A fresh generation beside the old one, from the crawl database alone (no network)."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from engine.errors import EngineError
from engine.index import generations
from engine.index.follow import Source, advance, batches
from engine.index.generations import Generation
from engine.index.writer import Writer, create


def rebuild(
    source: Source, data_dir: Path, progress: Callable[[int, int], None] = lambda done, total: None
) -> Generation:
    """Pages -> link graph -> documents -> publish; the old generation is searched until the last step.

    `progress` is told documents done and to do. A second rebuild waits for the first; the
    follower goes on meanwhile. Raises EngineError when the new index does not hold every page.
    """
    with generations.locked(data_dir, "rebuild"):
        draft = generations.draft(data_dir, "rebuild")
        create(draft)
        _fill(source, draft, progress)
        _catch_up(source, draft)
        with generations.locked(data_dir, "write"):
            _catch_up(source, draft)  # once more, for what came while this waited
            _pass_gates(draft)
            return generations.publish(data_dir, draft)


def _fill(source: Source, draft: Generation, progress: Callable[[int, int], None]) -> None:
    """Every page once, with the words of all its inlinks, apart from its host's template.

    What changes meanwhile is left for later.
    """
    last = source.last_change()
    with closing(Writer(draft)) as writer:
        for changes in batches(source, 0, last):
            writer.link(changes)
        writer.templates.learn()
        writer.graph.settle_all()
        done, total = 0, writer.graph.pages()
        for changes in batches(source, 0, last):
            writer.write(changes)
            done += sum(change.page is not None for change in changes)
            progress(done, total)
    draft.mark(last)


def _catch_up(source: Source, draft: Generation) -> None:
    while advance(source, draft, learning=True):
        pass


def _pass_gates(draft: Generation) -> None:
    """Publish no index that lost documents."""
    with closing(Writer(draft)) as writer:
        indexed, stored = writer.documents(), writer.graph.pages()
    if indexed != stored:
        raise EngineError(
            f"the new index holds {indexed} of {stored} pages, so the old one stays: rebuild again"
        )
