"""Reads one commit: segments side by side, their documents numbered through.

A document's number runs over all segments, deleted documents included. Segments never change, so what
was learned of one is kept while commits come and go; only deletions, votes and bases are a commit's own.
"""

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.errors import DamagedError
from engine.index.reader.cache import IndexCache
from engine.index.reader.leaf_arrays import LeafArrays
from engine.index.reader.posting_lists import Documents, Scores
from engine.index.reader.scored_documents import BODY, EXACT, OWN
from engine.index.schema import OWN_FIELDS, TEXT_FIELDS
from engine.index.stored_pages import StoredPage, unpack_page
from engine.segment import ArraySegment, Segment, Totals, folder
from engine.url import authority_of

CHECKED_AT_ONCE = 1 << 28  # bytes of a segment that are checked before it answers: an eighth of a second
FIELD = "body"  # titles and anchor texts are short: what stands there stands together


Stamp = tuple[int, ...] | None
"""What of a file changes whenever somebody writes to it; None where it is missing."""


class Column(NamedTuple):
    """For each document of a segment which of the names is its own, 0 (which is '') where it has none.

    Names ascend. 1 byte a document where they are fewer than 256, 2 or 4 where more, and some 100 for a name.
    """

    numbers: NDArray[Any]
    names: Sequence[str]


class Leaf(Segment):
    """A segment with what scoring asks of it again and again."""

    is_checked = False  # whether all of it is known to be what was written

    def check(self) -> None:
        """Checks the checksums of all bytes, half a second for a gigabyte. Raises DamagedError."""
        super().check()
        self.drop_pages()
        self.is_checked = True

    @cached_property
    def marks(self) -> NDArray[np.uint32]:
        """For each row the marks of a posting that has it."""
        own = (self.rows[:, : len(OWN_FIELDS)] > 0).any(axis=1)
        body = self.rows[:, TEXT_FIELDS.index(FIELD)] > 0
        return (OWN | EXACT) * own.astype(np.uint32) | BODY * body.astype(np.uint32)

    @cached_property
    def arrays(self) -> LeafArrays:
        """What compiled loops read of it."""
        has = self.rows > 0
        firsts = np.zeros(len(has) + 1, np.int32)
        np.cumsum(has.sum(axis=1), out=firsts[1:])
        columns = np.nonzero(has)[1].astype(np.uint8)
        packed = *self._documents.arrays, *self._rows.arrays
        parts = self.part_starts, self.part_ends
        return LeafArrays(*packed, self.rows, self.marks, firsts, columns, self.all_lengths, *parts)

    @cached_property
    def _columns(self) -> dict[str, Column]:
        return {}

    def column(self, key: str) -> Column:
        """Reads a key of which each document has one term at most, once, when it is first asked for."""
        if key not in self._columns:
            terms = self.numbers_with_prefix(key, "")
            names = [
                "",
                *(term[1:].decode() for term in islice(self.dictionary.terms(terms.start), len(terms))),
            ]
            numbers = np.zeros(self.size, np.min_scalar_type(len(terms)))
            postings, counts = self.postings_of_terms(terms)
            numbers[postings.documents] = np.repeat(np.arange(1, len(names)), counts)
            self._columns[key] = Column(numbers, names)
        return self._columns[key]


class Member(NamedTuple):
    """A segment in a snapshot; its documents are numbered from `base`."""

    leaf: Leaf
    name: str  # of the segment: it tells what was cached of it
    key: Hashable  # of its file as it is now
    base: int
    alive: NDArray[np.bool_] | None  # None: all
    deleted: Documents

    def to_snapshot(self, local: Documents) -> Documents:
        """Converts documents to the snapshot's numbers, without deleted ones."""
        left = local if self.alive is None else local[self.alive[local]]
        return left + np.int32(self.base) if self.base else left


class Reader:
    """A snapshot of the index: it stays as it was opened, whatever is committed meanwhile.

    Damaged segments are left out; `damaged` says which. Opening raises OSError, DamagedError or Whoosh's
    EmptyIndexError when files go meanwhile, or when nothing can be read.
    """

    def __init__(self, path: Path, cache: IndexCache) -> None:
        contents = folder.read_contents(path)
        self.commit = contents.number
        self.cache = cache
        self.members: list[Member] = []
        self.damaged: list[DamagedError] = []
        self.size = self.documents = 0
        votes = [np.empty(0, np.float32)]
        self._stamps = {
            path / file: _read_stamp(path / file) for one in contents.segments for file in one.files
        }
        for segment in contents.segments:
            try:
                member = _open_member(path, segment, self.size, cache, self._stamps[path / segment.files[0]])
                votes.append(segment.read_votes(path))
            except (DamagedError, FileNotFoundError) as error:
                if folder.latest_commit(path) != contents.number:  # swept after a commit that came meanwhile
                    raise
                self.damaged.append(_to_damage(error))
                continue
            self.members.append(member)
            self.size += segment.size
            self.documents += segment.doc_count()
        self._votes = np.concatenate(votes)
        self.edges = np.array([*(one.base for one in self.members), self.size], np.int32)  # of the segments

    @property
    def is_changed(self) -> bool:
        """Tells whether its files were modified, which never should happen."""
        return any(_read_stamp(path) != stamp for path, stamp in self._stamps.items())

    @property
    def is_checked(self) -> bool:
        """Tells whether all its files were verified."""
        return all(member.leaf.is_checked for member in self.members)

    def check(self) -> None:
        """Verifies the checksums of every segment. Raises DamagedError."""
        for member in self.members:
            try:
                member.leaf.check()
            except DamagedError as error:
                self.cache.damaged[member.key] = error
                raise

    def split_by_segment(self, documents: Documents) -> Iterator[tuple[int, Member, slice, Documents]]:
        """Splits documents (ascending) by segment: its number, which it has, and their numbers there."""
        if len(self.members) == 1:
            yield 0, self.members[0], slice(0, len(documents)), documents
            return
        ends = documents.searchsorted(self.edges).tolist()
        for at, (member, start, end) in enumerate(zip(self.members, ends, ends[1:], strict=False)):
            if start < end:
                yield at, member, slice(start, end), documents[start:end] - np.int32(member.base)

    def votes(self, documents: Documents) -> Scores:
        """Looks up the votes of the inlinks of each of the documents."""
        return self._votes[documents]

    def votes_in(self, member: Member) -> Scores:
        """Returns the votes of the inlinks of all documents of a segment, deleted ones included."""
        return self._votes[member.base : member.base + member.leaf.size]

    def documents_with_term(self, field: str, term: str) -> Documents:
        """Finds the documents that hold the term in a text or as a key."""
        found = [np.empty(0, np.int32)]
        for member in self.members:
            leaf = member.leaf
            if (number := leaf.number(field, term)) >= 0:
                postings = leaf.postings(*leaf.dictionary.postings(number))
                there = leaf.rows[postings.rows, leaf.layout.column_of(field)] > 0
                found.append(member.to_snapshot(postings.documents[there]))
        return np.concatenate(found)

    def page(self, document: int) -> StoredPage:
        """Unpacks the document's page as a hit shows it."""
        return self.cache.pages.get(
            self.stable_key(document), lambda: unpack_page(self._stored_fields(document))
        )

    def stable_key(self, document: int) -> tuple[str, int]:
        """Returns a key of the document that every snapshot that has it shares: its segment, its place."""
        member = self._member(document)
        return member.name, document - member.base

    def urls(self, documents: Sequence[int]) -> list[str]:
        """Looks up the documents' URLs, in the order given."""
        return [self._stored_fields(document)["url"] for document in documents]

    def number_hosts(self, documents: Documents) -> NDArray[np.int64]:
        """Numbers the hosts of documents (ascending), from 0, the same for http and https."""
        numbers, found = dict[str, int](), np.empty(len(documents), np.int64)
        for _, member, where, local in self.split_by_segment(documents):
            column = member.leaf.column("host")
            hosts, at = np.unique(column.numbers[local], return_inverse=True)
            authorities = [authority_of(f"{column.names[host]}/") for host in hosts.tolist()]
            here = [numbers.setdefault(authority, len(numbers)) for authority in authorities]
            found[where] = np.array(here, np.int64)[at]
        return found

    def documents_with_text(self, field: str) -> Documents:
        """Finds the documents that have something in a text."""
        column = TEXT_FIELDS.index(field)
        every = [np.flatnonzero(one.leaf.all_lengths[column]).astype(np.int32) for one in self.members]
        found = [one.to_snapshot(local) for one, local in zip(self.members, every, strict=True)]
        return np.concatenate((np.empty(0, np.int32), *found))

    @cached_property
    def languages(self) -> frozenset[str]:
        """Collects the languages of the documents, and of some that were deleted."""
        return self._list_terms("language")

    @cached_property
    def hosts(self) -> frozenset[str]:
        """Collects the hosts of the documents, and of some that were deleted."""
        return self._list_terms("host")

    def _list_terms(self, key: str) -> frozenset[str]:
        return frozenset(
            member.leaf.dictionary.term(number)[1:].decode()
            for member in self.members
            for number in member.leaf.numbers_with_prefix(key, "")
        )

    @cached_property
    def averages(self) -> dict[str, float]:
        """How long a text is where there is one, to two digits: so that a commit rarely changes a norm."""
        return {name: _average([self._totals(one)[at] for one in self.members]) for at, name in _COLUMNS}

    def _totals(self, member: Member) -> list[Totals]:
        """Adds up the lengths of a segment's texts, without deleted documents."""
        every = member.leaf.totals
        if member.alive is None:
            return every
        gone = member.leaf.all_lengths[:, ~member.alive]
        return [
            Totals(of.length - int(lengths.sum(dtype=np.int64)), of.having - int(np.count_nonzero(lengths)))
            for of, lengths in zip(every, gone, strict=True)
        ]

    def _member(self, document: int) -> Member:
        return next(member for member in reversed(self.members) if member.base <= document)

    def _stored_fields(self, document: int) -> dict[str, Any]:
        member = self._member(document)
        return member.leaf.stored(document - member.base)


_COLUMNS = tuple(enumerate(TEXT_FIELDS))


def _open_member(path: Path, segment: ArraySegment, base: int, cache: IndexCache, stamp: Stamp) -> Member:
    name = segment.segment_id()
    key = (name, stamp)
    if key in cache.damaged:
        raise cache.damaged[key]
    leaf = cache.leaves.get(key)
    if leaf is None:
        leaf = Leaf(*segment.locate(path, "arrays"))
        if leaf.nbytes <= CHECKED_AT_ONCE:
            leaf.check()
        cache.leaves[key] = leaf
    alive = ~segment.read_deletions(path) if segment.gone else None
    deleted = np.flatnonzero([] if alive is None else ~alive).astype(np.int32)
    return Member(leaf, name, key, base, alive, deleted)


def _read_stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def _to_damage(error: DamagedError | FileNotFoundError) -> DamagedError:
    return error if isinstance(error, DamagedError) else DamagedError(Path(error.filename))


def _average(totals: list[Totals]) -> float:
    having = sum(of.having for of in totals)
    return float(f"{sum(of.length for of in totals) / having:.1e}") if having else 1.0
