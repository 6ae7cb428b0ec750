"""Reads a segment as arrays, and numbers its documents in a snapshot."""

from collections.abc import Hashable, Sequence
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.reader.leaf_arrays import LeafArrays
from engine.index.reader.posting_lists import Documents
from engine.index.reader.scored_documents import BODY, EXACT, OWN
from engine.index.schema import OWN_FIELDS, TEXT_FIELDS
from engine.segment import Segment

FIELD = "body"  # titles and anchor texts are short: what stands there stands together


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
