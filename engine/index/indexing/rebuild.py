"""Builds a new generation beside the current one, from the crawl database alone (no network)."""

import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Protocol

from engine import generations
from engine.audience import OPEN_TO_ALL, AudienceRules
from engine.errors import EngineError
from engine.generations import Generation, IndexLocation
from engine.index.indexing.batches import (
    WRITTEN_DOCUMENTS,
    advance,
    follows,
    group_batches,
    read_batches,
    sample_batches,
    update_ahead,
)
from engine.index.indexing.opening import create_index, open_writer
from engine.ranking import Ranking
from engine.store import ChangeSource
from engine.text.tokens import TermNumbering

# Objects more than there were; after 700, which is usual, it takes a tenth of a rebuild.
COLLECTED_AFTER = 20_000


class RebuildRefused(EngineError):  # noqa: N818 - says what is so
    """The new index did not pass its gates; it is kept aside, and the old one stays."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons


class Gates(Protocol):
    """The checks of a new generation; each returns a sentence for every gate that refuses it."""

    def check_answers(self, old: Generation | None, new: Generation) -> Sequence[str]:
        """Checks what it answers; asked first, as it takes seconds, in which the follower goes on."""

    def check_contents(self, old: Generation | None, new: Generation) -> Sequence[str]:
        """Checks its contents; called last, when it is complete and no process writes the index."""


class NoGates:
    """No gates."""

    def check_answers(self, old: Generation | None, new: Generation) -> Sequence[str]:
        """Refuses nothing."""
        return ()

    check_contents = check_answers


def rebuild_index(
    source: ChangeSource,
    location: IndexLocation,
    progress: Callable[[int, int], None] = lambda done, total: None,
    gates: Gates = NoGates(),
    overridden: Callable[[Sequence[str]], object] | None = None,
    ranking: Ranking = Ranking(),
    audiences: AudienceRules = OPEN_TO_ALL,
) -> Generation:
    """Rebuilds: pages -> link graph -> documents -> gates -> publish; the old generation is searched until
    then.

    `progress` is told documents done and to do. A second rebuild waits for the first; the
    follower goes on meanwhile. Raises Refused, with a reason for each gate, when the new index does
    not pass; it is then kept aside. With `overridden`, which is told the reasons, it is published all
    the same: the one that was refused before, caught up, where there is one. `ranking` counts votes,
    and `audiences` say which pages are hidden.
    """
    with generations.lock(location, "rebuild"):
        draft = _find_refused(source, location, audiences) if overridden else None
        if draft:
            return _pass_gates(source, location, draft, gates, overridden, ranking, audiences)
        generations.forget_refused(location)
        with generations.temporary_draft(location, "rebuild") as draft:
            create_index(draft, source.identity(), audiences)
            _fill(source, draft, progress, ranking, audiences)
            return _pass_gates(source, location, draft, gates, overridden, ranking, audiences)


def _pass_gates(
    source: ChangeSource,
    location: IndexLocation,
    draft: Generation,
    gates: Gates,
    overridden: Callable[[Sequence[str]], object] | None,
    ranking: Ranking,
    audiences: AudienceRules,
) -> Generation:
    """Passes a complete draft through its gates and publishes it. Raises Refused."""
    _catch_up(source, draft, ranking, audiences)
    reasons = [*gates.check_answers(generations.undamaged_generation(location), draft)]
    with generations.lock(location, "write"):
        _catch_up(source, draft, ranking, audiences)  # once more, for what came while this waited
        reasons += [
            *_check_page_count(draft),
            *gates.check_contents(generations.undamaged_generation(location), draft),
        ]
        if reasons and overridden is None:
            generations.refuse(location, draft, reasons)
            raise RebuildRefused(reasons)
        published = generations.publish(location, draft)
    if reasons and overridden:
        overridden(reasons)
    return published


def _find_refused(
    source: ChangeSource, location: IndexLocation, audiences: AudienceRules
) -> Generation | None:
    """Finds the draft to publish by force, unless another Lycosa made it, its crawl database is gone, or
    other pages are to be hidden.
    """
    kept = generations.refused_generation(location)
    is_usable = kept and kept.is_readable and follows(source, kept) and kept.audiences == audiences.digest
    return kept if is_usable else None


def _fill(
    source: ChangeSource,
    draft: Generation,
    progress: Callable[[int, int], None],
    ranking: Ranking,
    audiences: AudienceRules,
) -> None:
    """Indexes every page once, with the words of all its inlinks, apart from its host's template.

    What changes meanwhile is left for later.
    """
    last = source.last_change()
    with _rare_garbage_collection(), closing(open_writer(draft, ranking, audiences=audiences)) as writer:
        update_ahead(writer, source, 0, last)
        writer.measure(sample_batches(source, last))
        writer.graph.mark_all_fresh()
        done, total = 0, writer.graph.count_pages()
        for changes in group_batches(read_batches(source, 0, last), WRITTEN_DOCUMENTS):
            writer.fill(changes)
            done += sum(change.packed is not None for change in changes)
            progress(done, total)
        writer.merge()
        writer.mark_committed(last)


@contextmanager
def _rare_garbage_collection() -> Iterator[None]:
    """Has Python look for garbage in circles less often: pages and links leave none, and are
    looked through.
    """
    before = gc.get_threshold()
    gc.set_threshold(COLLECTED_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _catch_up(source: ChangeSource, draft: Generation, ranking: Ranking, audiences: AudienceRules) -> None:
    numbering = TermNumbering()
    while advance(source, draft, True, numbering, ranking, audiences):
        pass


def _check_page_count(draft: Generation) -> Sequence[str]:
    """Checks before every publish that the index holds each page that it was told of."""
    with closing(open_writer(draft)) as writer:
        indexed, stored = writer.count_documents(), writer.graph.count_pages()
    return [] if indexed == stored else [f"the new index holds {indexed:,} of {stored:,} pages"]
