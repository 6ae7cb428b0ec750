"""Reads changes of the crawl database in batches, and writes them into one generation."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing

from engine.audience import OPEN_TO_ALL, AudienceRules
from engine.generations import Generation
from engine.index.documents import BATCH_BYTES, IndexWriter
from engine.index.indexing.opening import open_writer
from engine.ranking import Ranking
from engine.store import Change, ChangeSource
from engine.text.tokens import TermNumbering

BATCH_DOCUMENTS = 200  # to a commit; a commit costs some 20 ms
WEIGHED_EVERY = 1_000  # changes at least; votes of all documents cost some microseconds each
LINKED_DOCUMENTS = 2_000  # whose links are added up at once where many wait, as one of them then costs less
WRITTEN_DOCUMENTS = 500  # that are one segment of a rebuild: fewer of them are merged
# On so many pages a rebuild measures how long texts are, two digits of which are used. A few are very long,
# so it takes many to tell; of neighbours, which are alike, it takes few.
SAMPLES, SAMPLED = 400, 50  # batches, and documents of each
TOGETHER_BYTES = 8_000_000  # of text and links of such documents


def follows(source: ChangeSource, generation: Generation) -> bool:
    """Tells whether an index is of this crawl database, and of no later state of it. Raises DamagedError.

    Numbers of another database, or of a state that is lost, name other changes.
    """
    is_same = generation.source in ("", source.identity())
    return is_same and generation.caught_up <= source.last_change()


def advance(
    source: ChangeSource,
    generation: Generation,
    learning: bool,
    numbering: TermNumbering,
    ranking: Ranking,
    audiences: AudienceRules = OPEN_TO_ALL,
    linked: int = 0,
) -> int:
    """Indexes one batch into one generation; returns how many documents were done. `learning`: see
    Follower.step(). `linked`: last change that update_ahead() went up to. Raises DamagedError where an older
    table of contents was put back.
    """
    with closing(open_writer(generation, ranking, numbering, audiences)) as writer:
        before = generation.caught_up
        changes = next_batch(source, before)
        last = changes[-1].seq if changes else before
        is_last = not changes or (last >= source.last_change() and not learning)
        writer.update_links([change for change in changes if change.seq > linked])
        if learning and not changes:
            writer.templates.learn()
        stale = _list_stale(writer, changes) if is_last else []
        documents = len(changes) + len(stale)
        if documents:
            writer.write(changes, stale)
        has_grown = last > linked and _has_grown(before, last, writer.count_documents())
        if has_grown or (learning and not documents):
            writer.update_votes()
        if documents:
            writer.mark_committed(last)
    return documents


def update_ahead(writer: IndexWriter, source: ChangeSource, after: int, last: int) -> None:
    """Updates links and templates by all changes from one sequence number to another, of which no document is
    written yet.

    So each is written once, with the words of all its inlinks, apart from its host's template: one that is
    written before these are known is written again.
    """
    for changes in group_batches(read_batches(source, after, last), LINKED_DOCUMENTS):
        writer.update_links(changes)
    writer.learn_templates(read_batches(source, after, last))


def _list_stale(writer: IndexWriter, changes: Sequence[Change]) -> list[Change]:
    """Lists what is stale and fits into a batch beside these changes, which are indexed anyway."""
    changed = {change.url for change in changes}
    return [one for one in writer.list_stale(BATCH_DOCUMENTS - len(changes)) if one.url not in changed]


def _has_grown(before: int, last: int, documents: int) -> bool:
    """Tells whether a tenth of the documents changed since this was so last; then their votes have, too."""
    several = max(documents // 10, WEIGHED_EVERY)
    return before // several != last // several


def read_batches(source: ChangeSource, after: int, last: int) -> Iterator[list[Change]]:
    """Yields the changes from one sequence number to another, a batch at a time."""
    while changes := [change for change in next_batch(source, after) if change.seq <= last]:
        yield changes
        after = changes[-1].seq


def sample_batches(source: ChangeSource, last: int) -> Iterator[list[Change]]:
    """Yields SAMPLES batches that are spread over the changes up to a sequence number."""
    after = 0
    for number in range(SAMPLES):
        changes = next_batch(source, max(after, last * number // SAMPLES), SAMPLED)
        yield [change for change in changes if change.seq <= last]
        after = changes[-1].seq if changes else last


def group_batches(batches: Iterable[Sequence[Change]], documents: int) -> Iterator[list[Change]]:
    """Groups batches until they have so many documents, or as much text as memory is kept for."""
    several: list[Change] = []
    size = 0
    for changes in batches:
        several += changes
        size += sum(change.size for change in changes)
        if len(several) >= documents or size >= TOGETHER_BYTES:
            yield several
            several, size = [], 0
    if several:
        yield several


def next_batch(source: ChangeSource, after: int, limit: int | None = None) -> list[Change]:
    """Reads the next changes, at least one if there are any, and not much more than one commit
    should hold.
    """
    changes, size = [], 0
    for change in source.changes(after, limit or BATCH_DOCUMENTS):
        changes.append(change)
        size += change.size
        if size >= BATCH_BYTES:
            break
    return changes
