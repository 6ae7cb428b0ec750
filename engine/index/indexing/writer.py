"""Writes changes into one generation: link graph and templates first, then documents."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.generations import Generation
from engine.index.indexing import batch
from engine.index.indexing.document import Document, make_document
from engine.index.indexing.portions import split_portions
from engine.index.indexing.template import PageBlocks, find_repeated, number_blocks
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
from engine.packing import PackedPage
from engine.ranking import VOTE_PIVOTS
from engine.segment import LARGE_FACTOR, Draft, folder
from engine.store import Change
from engine.text.tokens import TermNumbering
from engine.url import host_of

VOTES_AT_ONCE = 1_000  # documents whose inlinks are counted in one question
BATCH_BYTES = 4_000_000  # of text and links to a commit; bounds its memory and how long it takes
MAX_TEMPLATES = 256  # remembered during a commit; each has some hundred blocks, 2,600 at most: 40 MB


def create_index(generation: Generation) -> None:
    """Creates the empty index of a new generation."""
    folder.create(generation.path, whoosh_schema())
    create_graph(generation.links)


class Writer:
    """One generation, open for writing; the caller holds the lock that makes it the only one.

    Documents are replaced by URL, so writing the same changes again does no harm.
    """

    def __init__(
        self, generation: Generation, numbering: TermNumbering | None = None, pivots: VotePivots = VOTE_PIVOTS
    ) -> None:
        self.graph = open_link_graph(generation.links)
        self.templates = open_templates(generation.links)
        self._clusters = open_clusters(generation.links)
        self._path, self._links = generation.path, generation.links
        self._numbering = numbering or TermNumbering()
        self._pivots = pivots

    def close(self) -> None:
        """Closes the files."""
        self.templates.close()
        self.graph.close()
        self._clusters.close()

    def update_links(self, changes: Sequence[Change]) -> None:
        """Updates the link graph and the clusters by these changes."""
        self.graph.replace((change.url, change.links) for change in changes)
        self.graph.set_machines([(change.url, change.machine) for change in changes])
        self.graph.set_aliases([(change.url, change.represented_by) for change in changes])
        self._clusters.update([(change.url, change.copy_of) for change in changes])

    def learn_templates(self, batches: Iterable[Sequence[Change]]) -> None:
        """Learns every host's template from the pages of its sample, before any document is written.

        `batches` are all changes that were linked.
        """
        sampled = self.templates.sample_filter()
        for changes in batches:
            some = [change for change in changes if change.packed and sampled(change.url)]
            self.templates.replace((url, found.different) for url, found in _number_blocks(some).items())
        self.templates.learn()

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
            found.append(_to_change(fields))
            size += found[-1].size
            if size >= BATCH_BYTES:
                break
        self.graph.mark_fresh(gone)
        return found

    def write(self, changes: Sequence[Change], stale: Sequence[Change] = ()) -> None:
        """Replaces, adds and deletes the documents of these changes, and of what is stale, in one commit.

        Templates are brought up to the changes before: of a page that is stale they know what it says.
        """
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
        """Merges all segments into one, without what was deleted, with the votes of now; nothing else is
        left.
        """
        draft = Draft(self._path, whoosh_schema())
        self._set_votes(draft)
        if len(draft.parts) > 1 or any(part.documents < part.segment.size for part in draft.parts):
            draft.merge(draft.parts)
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
        """Marks that all up to this change is committed: before the generation is marked."""
        save_index_position(self._links, IndexPosition(folder.latest_commit(self._path), change))

    def count_documents(self) -> int:
        """Counts the documents that the committed index holds."""
        return Draft(self._path, whoosh_schema()).documents

    def _add(self, draft: Draft, changes: Sequence[Change], stale: Sequence[Change] = ()) -> None:
        found = _number_blocks(changes)
        self.templates.replace(
            (change.url, found[change.url].different if change.packed else None) for change in changes
        )
        documents = self._make_documents([*stale, *changes], found | _number_blocks(stale))
        for some in split_portions(documents, self._numbering):
            votes = self._count_votes([document.keys["url"][0] for document in some.documents])
            write = partial(batch.write_batch, batch=some, numbering=self._numbering)
            draft.add(len(some.documents), write, votes)

    def _commit(self, draft: Draft, changes: Sequence[Change]) -> None:
        draft.commit()
        self.graph.mark_fresh([change.url for change in changes])

    def _make_documents(self, changes: Sequence[Change], found: Mapping[str, PageBlocks]) -> list[Document]:
        urls = [change.url for change in changes]
        anchors, targets = self.graph.anchors(urls), self.graph.target_numbers(urls)
        template = lru_cache(MAX_TEMPLATES)(self.templates.template_blocks)
        return [
            make_document(
                change,
                anchors.get(change.url, ()),
                find_repeated(change.page, found[change.url], template(host_of(change.url))),
                targets.get(change.url, ()),
            )
            for change in changes
            if change.page
        ]

    def _set_votes(self, draft: Draft) -> None:
        for part in draft.parts:
            votes = np.zeros(part.segment.size, np.float32)
            keys = part.arrays.numbers_with_prefix("url", "")
            for start in range(keys.start, keys.stop, VOTES_AT_ONCE):
                some = range(start, min(start + VOTES_AT_ONCE, keys.stop))
                urls = [term[1:].decode() for term in islice(part.arrays.dictionary.terms(start), len(some))]
                votes[part.arrays.postings_of_terms(some)[0].documents] = self._count_votes(urls)
            draft.set_votes(part, votes * part.alive)

    def _count_votes(self, urls: Sequence[str]) -> NDArray[np.float32]:
        """Counts the votes of the inlinks of each URL."""
        inlinks = self.graph.inlinks(urls, self._pivots)
        return np.array([inlinks[url].votes if url in inlinks else 0 for url in urls], np.float32)


def _number_blocks(changes: Sequence[Change]) -> dict[str, PageBlocks]:
    """Numbers the blocks of those of the pages that are there, by URL."""
    return {change.url: number_blocks(change.page) for change in changes if change.page}


def _to_change(stored: dict[str, Any]) -> Change:
    packed = PackedPage(stored["content"], stored["language"], stored["media_type"])
    return Change(0, stored["url"], packed, stored["fetched_at"])
