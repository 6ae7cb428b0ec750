"""Opens one segment: terms, postings, positions, lengths and stored fields as arrays."""

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.segment import stored
from engine.segment.dictionary import Dictionary
from engine.segment.layout import parse_layout
from engine.segment.loops import find_all_positions, unpack_documents, unpack_positions
from engine.segment.packed import PackedIntegers
from engine.segment.places import PositionArrays
from engine.segment.sections import Mark, Sections

Places = NDArray[np.int64]
Bits = tuple[NDArray[np.uint64], NDArray[np.uint16], NDArray[np.uint64]]  # Packed.arrays
_AT_ONCE = 1 << 20  # postings counted at a time
_LAST = b"\xff"  # behind every octet of UTF-8


class Postings(NamedTuple):
    """The documents that hold a term, ascending, for each the row of `Segment.rows` with its amounts.

    `start` is the place of the first among all postings of the segment.
    """

    start: int
    documents: NDArray[np.int32]
    rows: NDArray[np.int64]


class Totals(NamedTuple):
    """How long the texts of one field are together, and how many documents have some."""

    length: int
    having: int


class Segment:
    """A file as engine.segment.build writes it, or the octets of one; safe for threads, as nothing of it
    ever changes.
    """

    def __init__(self, source: Path | bytes, mark: Mark | None = None) -> None:
        self._sections = Sections(source, mark)
        about = self._sections.about
        self.size: int = about["documents"]
        self.layout = parse_layout(about["layout"])
        self.dictionary = Dictionary(self._sections)
        self._documents = self._open_packed("documents", about["postings"])
        self._rows = self._open_packed("postings", about["postings"])
        self._gaps = self._open_packed("positions", about["positions"])
        self.postings_count: int = about["postings"]

    def check(self) -> None:
        """Verifies the checksums of all bytes. Raises DamagedError."""
        self._sections.check()

    @property
    def nbytes(self) -> int:
        """How large the file is."""
        return self._sections.size

    def drop_pages(self) -> None:
        """Gives the memory of what was read back to the kernel."""
        self._sections.drop_pages()

    def number(self, field: str, term: str) -> int:
        """Finds the number of a term of the field's group in the dictionary, -1 where there is none."""
        return self.dictionary.find(self.layout.key(field, term))

    def numbers_with_prefix(self, field: str, prefix: str) -> range:
        """Finds the numbers of the terms of the field's group that begin so."""
        key = self.layout.key(field, prefix)
        return range(self.dictionary.find_at_least(key), self.dictionary.find_at_least(key + _LAST))

    def postings(self, start: int, end: int) -> Postings:
        """Decodes the postings of a term, from where the dictionary says that they begin to where
        they end.
        """
        documents = np.empty(end - start, np.int32)
        unpack_documents(*self._documents.arrays, start, documents)
        return Postings(start, documents, self._rows.between(start, end))

    def postings_of_terms(self, terms: range) -> tuple[Postings, NDArray[np.int64]]:
        """Decodes those of several terms that follow each other, and tells how many each term has."""
        if not terms:
            return Postings(0, np.empty(0, np.int32), np.empty(0, np.int64)), np.empty(0, np.int64)
        counts = self.dictionary.counts(terms.start, terms.stop)
        start, _ = self.dictionary.postings(terms.start)
        end = start + int(counts.sum())
        steps = np.cumsum(self._documents.between(start, end) + 1)
        firsts = np.cumsum(counts) - counts
        before = np.concatenate(([0], steps))[firsts]  # every term counts from its own beginning
        documents = steps - np.repeat(before, counts) - 1
        return Postings(start, documents.astype(np.int32), self._rows.between(start, end)), counts

    def steps(self, start: int, end: int) -> NDArray[np.int64]:
        """Decodes the document gaps of the postings start, start + 1 ... end - 1 as they are stored.

        Within a term each is less the one before, less 1.
        """
        return self._documents.between(start, end)

    def rows_between(self, start: int, end: int) -> NDArray[np.int64]:
        """Decodes the rows of these postings."""
        return self._rows.between(start, end)

    def rows_at(self, places: Places) -> NDArray[np.int64]:
        """Decodes the rows of the postings at these places."""
        return self._rows.at(places)

    def positions(self, column: int, places: Places, rows: NDArray[np.int64]) -> tuple[Places, Places]:
        """Decodes the positions, in a text (its column), of the terms of some postings.

        `places` are those of the postings, `rows` theirs. For each position the index in `places`,
        ascending, and the position.
        """
        at = self.layout.placed_columns.index(column)
        first, end = self._befores[rows, at], self._befores[rows, at + 1]
        amounts = (end - first).astype(np.int64)
        found = np.empty(int(amounts.sum()), np.int64)
        unpack_positions(*self._gaps.arrays, self._find_first_gaps(places) + first, np.cumsum(amounts), found)
        return np.repeat(np.arange(len(amounts)), amounts), found

    def gaps(self, start: int, end: int) -> NDArray[np.int64]:
        """Decodes all position gaps of the postings start, start + 1 ... end - 1 as they are stored."""
        if start == end:
            return np.empty(0, np.int64)
        ends = np.array([start, end - 1])
        first, last = self._find_first_gaps(ends).tolist()
        return self._gaps.between(first, last + int(self._befores[self._rows.at(ends[1:]), -1][0]))

    def row_counts(self) -> NDArray[np.int64]:
        """Counts for each row how many postings have it."""
        found = np.zeros(len(self.rows), np.int64)
        for start in range(0, self.postings_count, _AT_ONCE):
            rows = self._rows.between(start, min(start + _AT_ONCE, self.postings_count))
            found += np.bincount(rows, minlength=len(found))
            self.drop_pages()
        return found

    def lengths(self, field: str) -> NDArray[np.uint16]:
        """Returns for each document how many positions the text has."""
        found: NDArray[np.uint16] = self.all_lengths[self.layout.texts.index(field)]
        return found

    @cached_property
    def all_lengths(self) -> NDArray[np.uint16]:
        """The same of all texts: (texts, documents)."""
        texts = len(self.layout.texts)
        found: NDArray[np.uint16] = self._sections.array("lengths").reshape(texts, -1)
        return found

    @cached_property
    def part_ends(self) -> NDArray[np.uint16]:
        """Where the parts of one of its texts end, document after document: positions, ascending."""
        return self._sections.array("parts")

    @cached_property
    def part_starts(self) -> NDArray[np.uint64]:
        """For each document, and behind the last, where its part_ends begin."""
        return self._sections.array("parts.starts")

    @property
    def totals(self) -> list[Totals]:
        """Those of each text."""
        return [Totals(*of) for of in self._sections.about["totals"]]

    def stored(self, document: int) -> dict[str, Any]:
        """Unpacks the stored fields of a document."""
        return stored.unpack_fields(self.record(document))

    def record(self, document: int) -> bytes:
        """Returns the same as it is stored."""
        start, end = self._records[document : document + 2].tolist()
        return self._stored[start:end].tobytes()

    def terms(self) -> Iterator[bytes]:
        """Yields all terms with their groups, ascending."""
        return self.dictionary.terms()

    @cached_property
    def rows(self) -> NDArray[np.uint16]:
        """The table of amounts: (rows, texts)."""
        texts, size = len(self.layout.texts), self._sections.about["rows"]
        columns = self._open_packed("rows", size * texts).between(0, size * texts)
        return np.ascontiguousarray(columns.reshape(texts, size).T, np.uint16)

    @cached_property
    def position_arrays(self) -> PositionArrays:
        """The arrays that tell where terms stand."""
        packed = *self._gaps.arrays, *self._rows.arrays
        return PositionArrays(*packed, self._first_gaps, self._befores)

    @property
    def row_arrays(self) -> tuple[*Bits, NDArray[np.uint64], NDArray[np.int32]]:
        """The arrays that tell where the positions of a posting begin."""
        return *self._rows.arrays, self._first_gaps, self._befores

    @cached_property
    def _befores(self) -> NDArray[np.int32]:
        """For each row how many positions its postings have before each placed text, and in all: (rows,
        placed texts + 1). Keys have none, and no rows of their own.
        """
        found = np.zeros((len(self.rows), len(self.layout.placed_columns) + 1), np.int32)
        np.cumsum(self.rows[:, list(self.layout.placed_columns)], axis=1, out=found[:, 1:])
        return found

    @cached_property
    def _stored(self) -> NDArray[np.uint8]:
        return self._sections.array("stored")

    @cached_property
    def _records(self) -> NDArray[np.uint64]:
        return self._sections.array("stored.starts")

    @cached_property
    def _first_gaps(self) -> NDArray[np.uint64]:
        return self._sections.array("positions.first")

    def _find_first_gaps(self, places: Places) -> Places:
        """Finds where the positions of these postings begin."""
        found = np.empty(len(places), np.int64)
        find_all_positions(*self.row_arrays, np.ascontiguousarray(places), found)
        return found

    def _open_packed(self, name: str, size: int) -> PackedIntegers:
        starts, heads = (self._sections.array(f"{name}.{part}") for part in ("starts", "heads"))
        return PackedIntegers(starts, heads, self._sections.array(name), size)
