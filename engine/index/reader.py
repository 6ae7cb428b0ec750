"""Whoosh's postings as NumPy arrays: the one place that knows how the index is stored.

A document's number runs over all segments, deleted documents included. Whoosh's readers share
file positions, so everything that touches them holds one lock; arrays are free to all threads.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from functools import cached_property
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from whoosh.reading import IndexReader, TermNotFound

from engine.index.schema import length_of, shown_of
from engine.page import Page

MAX_CACHED = 20_000_000  # postings, 8 bytes each: 160 MB hold the common terms of a million pages


class Postings(NamedTuple):
    """The documents that hold something, ascending, and how much of it each holds."""

    documents: NDArray[np.int32]
    amounts: NDArray[np.float32]


class Cache:
    """Postings by segment, field and term, least recently used out first; outlives a Reader."""

    def __init__(self, capacity: int = MAX_CACHED) -> None:
        self.lock = Lock()
        self._capacity = capacity
        self._held: OrderedDict[tuple[object, ...], Postings] = OrderedDict()
        self._size = 0

    def get(self, key: tuple[object, ...], read: Callable[[], Postings]) -> Postings:
        """What is under the key, else what read() gives; the caller holds the lock."""
        found = self._held.get(key)
        if found is None:
            found = self._held[key] = read()
            self._size += 1 + len(found.documents)
        self._held.move_to_end(key)
        while self._size > self._capacity and len(self._held) > 1:
            _, dropped = self._held.popitem(last=False)
            self._size -= 1 + len(dropped.documents)
        return found


class Reader:
    """A snapshot of the index: it stays as it was opened, whatever is committed meanwhile."""

    def __init__(self, reader: IndexReader, cache: Cache) -> None:
        self._reader = reader
        self._leaves: list[tuple[Any, int]] = [
            (leaf, base) for leaf, base in reader.leaf_readers() if leaf.doc_count_all()
        ]
        self._cache = cache
        self.size: int = reader.doc_count_all()
        self.documents: int = reader.doc_count()

    def close(self) -> None:
        """Give the files back."""
        with self._cache.lock:
            self._reader.close()

    def postings(self, field: str, term: str) -> Postings:
        """The documents that hold the term in the field, and how often; without deleted ones."""
        with self._cache.lock:
            return _joined([(self._leaf_postings(leaf, field, term), base) for leaf, base in self._leaves])

    def holding(self, field: str, terms: Set[str]) -> NDArray[np.int32]:
        """The documents that hold any of the terms in the field."""
        found = [self.postings(field, term).documents for term in terms]
        return found[0] if len(found) == 1 else np.unique(np.concatenate(found))

    def forms(self, documents: Sequence[int]) -> list[bytes]:
        """The documents' forms, packed, in the order given; b'' for one of an older Lycosa."""
        with self._cache.lock:
            return [self._forms[at][number] for at, number in map(self._place, documents)]

    def lengths(self, field: str) -> Postings:
        """The documents that have the field, and of how many terms; without deleted ones."""
        with self._cache.lock:
            documents, lengths = _joined(
                [(self._leaf_lengths(leaf, field), base) for leaf, base in self._leaves]
            )
        alive = ~np.isin(documents, self._deleted)
        return Postings(documents[alive], lengths[alive])

    def positions(self, field: str, term: str, documents: Sequence[int]) -> dict[int, list[int]]:
        """Where in the field the term stands, for those of the documents (ascending) that hold it."""
        found: dict[int, list[int]] = {}
        with self._cache.lock:
            for leaf, base in self._leaves:
                end = base + leaf.doc_count_all()
                wanted = [document - base for document in documents if base <= document < end]
                found.update((base + number, places) for number, places in _places(leaf, field, term, wanted))
        return found

    def urls(self, documents: Sequence[int]) -> list[str]:
        """The documents' URLs, in the order given."""
        with self._cache.lock:
            columns = [leaf.column_reader("url") for leaf, _ in self._leaves]
            return [columns[at][number] for at, number in map(self._place, documents)]

    def page(self, document: int) -> tuple[Page, float]:
        """The document's page as a hit shows it, without its links, and when it was fetched."""
        at, number = self._place(document)
        with self._cache.lock:  # unpacking included: a decompressor serves one thread at a time
            stored = self._leaves[at][0].stored_fields(number)
            return shown_of(stored), stored["fetched_at"]

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages of the documents."""
        return self._lexicon("language")

    @cached_property
    def hosts(self) -> frozenset[str]:
        """The hosts of the documents, and of some that were deleted."""
        return self._lexicon("host")

    def _lexicon(self, field: str) -> frozenset[str]:
        with self._cache.lock:
            return frozenset(term.decode() for leaf, _ in self._leaves for term in leaf.lexicon(field))

    @cached_property
    def _forms(self) -> list[Any]:
        return [
            leaf.column_reader("forms") if leaf.has_column("forms") else defaultdict(bytes)
            for leaf, _ in self._leaves
        ]

    @cached_property
    def _deleted(self) -> NDArray[np.int32]:
        deleted = [base + number for leaf, base in self._leaves for number in leaf.segment().deleted_docs()]
        return np.array(deleted, np.int32)

    def _place(self, document: int) -> tuple[int, int]:
        """The segment that holds a document, and its number there."""
        at = max(at for at, (_, base) in enumerate(self._leaves) if base <= document)
        return at, document - self._leaves[at][1]

    def _leaf_postings(self, leaf: Any, field: str, term: str) -> Postings:
        """A segment never changes but by deletions, so their number tells its states apart."""
        segment = leaf.segment()
        key = (segment.segment_id(), segment.deleted_count(), field, term)
        return self._cache.get(key, lambda: _read_postings(leaf, field, term))

    def _leaf_lengths(self, leaf: Any, field: str) -> Postings:
        key = (leaf.segment().segment_id(), field)
        return self._cache.get(key, lambda: _read_lengths(leaf, field))


def _read_postings(leaf: Any, field: str, term: str) -> Postings:
    documents, amounts = [], []
    try:
        matcher = leaf.postings(field, term)
    except TermNotFound:
        return _EMPTY
    while matcher.is_active():
        documents.append(matcher.id())
        amounts.append(matcher.weight())
        matcher.next()
    return Postings(np.array(documents, np.int32), np.array(amounts, np.float32))


def _read_lengths(leaf: Any, field: str) -> Postings:
    lengths = np.array(leaf.column_reader(length_of(field), translate=False).load(), np.float32)
    documents = np.flatnonzero(lengths).astype(np.int32)
    return Postings(documents, lengths[documents])


def _places(leaf: Any, field: str, term: str, wanted: list[int]) -> Iterator[tuple[int, list[int]]]:
    try:
        matcher = leaf.postings(field, term)
    except TermNotFound:
        return
    for number in wanted:
        if not matcher.is_active():
            return
        matcher.skip_to(number)
        if matcher.is_active() and matcher.id() == number:
            yield number, matcher.value_as("positions")


def _joined(parts: Sequence[tuple[Postings, int]]) -> Postings:
    """Segments' postings as one, each numbered from its base."""
    if len(parts) == 1:
        return parts[0][0]
    documents = [_EMPTY.documents, *(part.documents + np.int32(base) for part, base in parts)]
    amounts = [_EMPTY.amounts, *(part.amounts for part, _ in parts)]
    return Postings(np.concatenate(documents), np.concatenate(amounts))


_EMPTY = Postings(np.array([], np.int32), np.array([], np.float32))
