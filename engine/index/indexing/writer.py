"""Writes changes into a generation in a folder: documents as segments."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice

import numpy as np

from engine.audience import OPEN_TO_ALL, AudienceRules, Required
from engine.errors import EngineError
from engine.generations import FolderGeneration
from engine.index.documents import (
    BATCH_BYTES,
    IndexWriter,
    SignalTerms,
    make_change,
    no_signals,
    write_batch,
)
from engine.index.schema import whoosh_schema
from engine.linkgraph import (
    IndexPosition,
    VotePivots,
    create_graph,
    open_clusters,
    open_link_graph,
    open_templates,
    save_index_position,
)
from engine.ranking import VOTE_PIVOTS
from engine.segment import LARGE_FACTOR, Draft, folder
from engine.store import Change
from engine.text.tokens import TermNumbering

VOTES_AT_ONCE = 1_000  # documents whose inlinks are counted in one question


def create_index(generation: FolderGeneration) -> None:
    """Creates the empty index of a new generation."""
    folder.create(generation.path, whoosh_schema())
    create_graph(generation.links)


class Writer(IndexWriter):
    """A folder, open for writing."""

    def __init__(
        self,
        generation: FolderGeneration,
        numbering: TermNumbering | None = None,
        pivots: VotePivots = VOTE_PIVOTS,
        audiences: AudienceRules = OPEN_TO_ALL,
        signals: SignalTerms = no_signals,
    ) -> None:
        links = generation.links
        opened = open_link_graph(links), open_templates(links, audiences.group), open_clusters(links)
        super().__init__(*opened, numbering or TermNumbering(), pivots, audiences, signals)
        self._generation, self._path = generation, generation.path

    def list_stale(self, limit: int) -> list[Change]:
        """Lists documents to index again because the words of their inlinks or a template
        changed, as stored.
        """
        urls = self.graph.stale_urls(limit)
        if not urls:
            return []
        draft = Draft(self._path, whoosh_schema())
        found, size, gone = list[Change](), 0, list[str]()
        for url in urls:
            fields = draft.find_stored("url", url)
            if fields is None:
                gone.append(url)
                continue
            found.append(make_change(fields))
            size += found[-1].size
            if size >= BATCH_BYTES:
                break
        self.graph.mark_fresh(gone)
        return found

    def write(self, changes: Sequence[Change], stale: Sequence[Change] = ()) -> None:
        """Replaces, adds and deletes the documents of these changes, and of what is stale, in one commit."""
        draft = Draft(self._path, whoosh_schema())
        draft.delete("url", [change.url for change in (*stale, *changes)])
        self._add(draft, changes, stale)
        draft.merge_crowded()
        self._commit(draft, (*stale, *changes))

    def fill(self, changes: Sequence[Change]) -> None:
        """Adds documents, none of which is there yet, in one commit to an index that nobody searches."""
        draft = Draft(self._path, whoosh_schema())
        self._add(draft, changes)
        draft.merge_crowded(LARGE_FACTOR, LARGE_FACTOR)
        self._commit(draft, changes)

    def update_votes(self) -> bool:
        """Gives every document the votes that its inlinks cast now; returns whether any changed. Postings
        stay.
        """
        draft = Draft(self._path, whoosh_schema())
        self._set_votes(draft)
        changed = any(part.changed for part in draft.parts)
        if changed:
            draft.commit()
        return changed

    def merge(self) -> None:
        """Merges all segments of the same readers into one, without what was deleted, with the votes of now;
        nothing else is left.
        """
        draft = Draft(self._path, whoosh_schema())
        self._set_votes(draft)
        for parts in draft.group_by_readers():
            if len(parts) > 1 or any(part.documents < part.segment.size for part in parts):
                draft.merge(parts)
        draft.commit()
        Draft(self._path, whoosh_schema()).commit()  # nobody reads the commit before: its files go

    def expunge(self) -> None:
        """Rewrites segments that have deleted documents, without those; what was is left nowhere."""
        draft = Draft(self._path, whoosh_schema())
        for part in [part for part in draft.parts if part.documents < part.segment.size]:
            draft.merge([part])
        draft.commit()
        Draft(self._path, whoosh_schema()).commit()  # the files of the commit before go

    def mark_committed(self, change: int) -> None:
        """Marks that all up to this change is committed, in the link graph first."""
        save_index_position(self._generation.links, IndexPosition(folder.latest_commit(self._path), change))
        if change > self._generation.caught_up or not self._generation.has_changes:
            self._generation.mark(change)

    def count_documents(self) -> int:
        """Counts the documents that the committed index holds."""
        return Draft(self._path, whoosh_schema()).documents

    def _add(self, draft: Draft, changes: Sequence[Change], stale: Sequence[Change] = ()) -> None:
        for required, some in self._split_by_readers(changes, stale):
            for batch, votes in self.build(*some):
                write = partial(write_batch, batch=batch, numbering=self.numbering)
                draft.add(len(batch.documents), write, votes, required)

    def _split_by_readers(
        self, changes: Sequence[Change], stale: Sequence[Change]
    ) -> Iterator[tuple[Required, tuple[Sequence[Change], Sequence[Change]]]]:
        """Splits changes, and what is stale, by who may see the pages.

        Raises EngineError where the generation was made by other rules: it hides other pages.
        """
        if self.audiences.digest != self._generation.audiences:
            raise EngineError(f"the index in {self._generation.where} hides other pages: run scrapy rebuild")
        groups: dict[Required, tuple[list[Change], list[Change]]] = {}
        for at, some in enumerate((changes, stale)):
            for change in some:
                groups.setdefault(self.audiences.require(change.url), ([], []))[at].append(change)
        yield from groups.items()

    def _commit(self, draft: Draft, changes: Sequence[Change]) -> None:
        draft.commit()
        self.graph.mark_fresh([change.url for change in changes])

    def _set_votes(self, draft: Draft) -> None:
        for part in draft.parts:
            votes = np.zeros(part.segment.size, np.float32)
            keys = part.arrays.numbers_with_prefix("url", "")
            for start in range(keys.start, keys.stop, VOTES_AT_ONCE):
                some = range(start, min(start + VOTES_AT_ONCE, keys.stop))
                urls = [term[1:].decode() for term in islice(part.arrays.dictionary.terms(start), len(some))]
                votes[part.arrays.postings_of_terms(some)[0].documents] = self.count_votes(urls)
            draft.set_votes(part, votes * part.alive)
