"""Prepares the next commit of a folder: new segments, deletions, votes, merges."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.fields import Schema

from engine.segment import folder
from engine.segment.codec import ArraySegment
from engine.segment.merge import MergeSource, merge
from engine.segment.segment import Segment

FACTOR = 8  # segments of a size that become one; a document is written log8(documents) times
FIRST_FACTOR = 4  # of the smallest size: each costs a search as much as a large one, and merging them little
LARGE_FACTOR = 64  # the same where nobody searches meanwhile, and little is looked for in so many segments
SMALLEST = 256  # documents: what is smaller counts as of one size
SPARSE = 0.5  # part of a segment's documents below which the rest of them move


class SegmentDraft:
    """A segment of the commit to be: its arrays, and what changes of it."""

    def __init__(self, path: Path, segment: ArraySegment) -> None:
        self._path, self.segment = path, segment
        self.changed: set[str] = set()

    @cached_property
    def arrays(self) -> Segment:
        """Opened when they are asked for."""
        return self.segment.open(self._path)

    @cached_property
    def alive(self) -> NDArray[np.bool_]:
        """For each document whether it is not deleted."""
        return ~self.segment.read_deletions(self._path)

    @cached_property
    def votes(self) -> NDArray[np.float32]:
        """For each document the votes of its inlinks."""
        return self.segment.read_votes(self._path)

    @property
    def documents(self) -> int:
        """How many are not deleted."""
        return int(self.alive.sum()) if "deleted" in self.changed else self.segment.doc_count()

    def find(self, field: str, term: str) -> int:
        """Finds the first document that has a key, -1 where there is none."""
        number = self.arrays.number(field, term)
        if number < 0:
            return -1
        documents = self.arrays.postings(*self.arrays.dictionary.postings(number)).documents
        left = documents[self.alive[documents]]
        return int(left[0]) if len(left) else -1

    def write_changes(self, number: int) -> ArraySegment:
        """Writes what changed, and returns the segment as the commit with this number has it."""
        if not self.changed:
            return self.segment
        kept = copy(self.segment)
        kept.marks = self.segment.marks
        if "deleted" in self.changed:
            kept.deleted, kept.gone = number, int((~self.alive).sum())
            bits = np.packbits(~self.alive)
            folder.write_array_file(self._path, kept.file("deleted"), "deleted", bits)
        if "votes" in self.changed:
            kept.votes = number
            folder.write_array_file(self._path, kept.file("votes"), "votes", self.votes)
        return kept


class Draft:
    """Nothing of it is seen before commit(). One at a time in a folder; the caller holds a lock for that."""

    def __init__(self, path: Path, schema: Schema) -> None:
        self._path, self._schema = path, schema
        self._before = folder.read_contents(path)
        self.parts = [SegmentDraft(path, segment) for segment in self._before.segments]

    @property
    def documents(self) -> int:
        """How many there will be."""
        return sum(part.documents for part in self.parts)

    def find_stored(self, field: str, term: str) -> dict[str, Any] | None:
        """Finds the stored fields of the document with this key."""
        for part in self.parts:
            if (document := part.find(field, term)) >= 0:
                return part.arrays.stored(document)
        return None

    def delete(self, field: str, terms: Iterable[str]) -> None:
        """Deletes the documents with these keys."""
        for term in sorted(terms):  # neighbours in the dictionary are in one block
            for part in self.parts:
                if (document := part.find(field, term)) >= 0:
                    part.alive[document] = False
                    part.changed.add("deleted")

    def add(
        self,
        size: int,
        write: Callable[[Path], None],
        votes: NDArray[np.float32],
        audiences: frozenset[str] = frozenset(),
    ) -> None:
        """Adds a segment of so many documents, that `write` makes where it is told. Raises OSError.

        Who may see them is in all of the audiences.
        """
        segment = ArraySegment(folder.NAME, size)
        segment.audiences = audiences
        write(self._path / segment.files[0])
        part = SegmentDraft(self._path, segment)
        self.parts.append(part)
        self.set_votes(part, votes)

    def set_votes(self, part: SegmentDraft, votes: NDArray[np.float32]) -> None:
        """Sets the votes of a part's documents, 0 for one that is deleted."""
        if not np.array_equal(part.votes, votes):
            part.votes = votes
            part.changed.add("votes")

    def merge_crowded(self, factor: int = FACTOR, first: int = FIRST_FACTOR) -> None:
        """Merges what has grown many or sparse, until nothing has: `first` of the smallest size, `factor` of
        another. Raises OSError, DamagedError.
        """
        while chosen := next(self._select_crowded(factor, first), None):
            self.merge(chosen)

    def merge(self, parts: Sequence[SegmentDraft]) -> None:
        """Merges these, which have the same readers, into one, without their deleted documents."""
        [audiences] = {part.segment.audiences for part in parts}
        size = sum(part.documents for part in parts)
        votes = np.concatenate([part.votes[part.alive] for part in parts])
        sources = [MergeSource(part.arrays, part.alive) for part in parts]
        self.parts = [part for part in self.parts if part not in parts]
        if size:
            self.add(size, lambda path: merge(path, sources), votes, audiences)

    def group_by_readers(self) -> list[list[SegmentDraft]]:
        """Groups the parts by who may see their documents, in their order: no others are ever merged."""
        groups: dict[frozenset[str], list[SegmentDraft]] = {}
        for part in self.parts:
            groups.setdefault(part.segment.audiences, []).append(part)
        return list(groups.values())

    def commit(self) -> folder.Contents:
        """Commits the draft, which makes it seen. Raises OSError."""
        number = self._before.number + 1
        return folder.commit(self._path, self._schema, [part.write_changes(number) for part in self.parts])

    def _select_crowded(self, factor: int, first: int) -> Iterator[list[SegmentDraft]]:
        """Selects parts to be merged: one that has lost half of its documents, or several of one size."""
        for part in self.parts:
            if part.documents < SPARSE * part.segment.size:
                yield [part]
        size = partial(_tier, factor=factor)
        for readers in self.group_by_readers():
            for of_size, parts in groupby(sorted(readers, key=size), size):
                if len(several := list(parts)) >= (factor if of_size else first):
                    yield several


def _tier(part: SegmentDraft, factor: int) -> int:
    """Returns the tier of a part: how often `factor` parts of the smallest size became one for it to be so
    large.
    """
    return int(np.log(max(part.documents / SMALLEST, 1)) / np.log(factor))
