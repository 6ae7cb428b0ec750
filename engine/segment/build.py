"""Builds a segment's file from runs of sorted terms, in one pass and little memory."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from io import BytesIO
from itertools import repeat
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels import I32, I64, U64, Number, compiled, mutable, readonly
from engine.segment.dictionary import DictionaryFile
from engine.segment.layout import Layout
from engine.segment.packed import BLOCK
from engine.segment.packer import Packer
from engine.segment.sections import SectionsFile, SectionsWriter
from engine.segment.terms import Terms

MAX_LENGTH = (1 << 16) - 1  # positions of a text; one that has more counts as so long


class PostingsRun(NamedTuple):
    """The next postings, term after term, and the terms, ascending, whose last ones are here."""

    terms: Terms  # with their groups, as Layout.key() makes them
    counts: NDArray[np.int64]  # how many postings each has
    of_texts: int  # postings that are of terms of texts; those of keys come after them
    steps: NDArray[np.int32]  # of each posting the document: within a term less the one before, less 1
    rows: NDArray[np.int32]  # of each posting its row in the table
    gaps: NDArray[np.int32]  # positions: within a posting and a text each less the one before, less 1


class Spools(NamedTuple):
    """What waits aside until all of it is there: of postings their documents, rows and positions."""

    terms: IO[bytes]
    documents: "Spool"
    postings: "Spool"
    positions: "Spool"

    @classmethod
    def open(cls, make: Callable[[], IO[bytes]]) -> "Spools":
        """Opens them; each is a file of its own, which `make` makes."""
        return cls(make(), *(Spool(make()) for _ in range(3)))


class SegmentContents(NamedTuple):
    """What build_segment() writes."""

    layout: Layout
    rows: NDArray[np.uint16]
    runs: Iterable[PostingsRun]
    lengths: Mapping[str, NDArray[np.int64]]
    part_ends: Iterable[NDArray[np.uint16]]
    records: Iterable[bytes]


class Spool:
    """Packed numbers on their way into a file, aside until all are there."""

    def __init__(self, aside: IO[bytes]) -> None:
        self._packer = Packer()
        self._file = aside

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return self._packer.size

    def add(self, numbers: NDArray[np.integer]) -> None:
        """Adds the next numbers."""
        self._file.write(self._packer.add(numbers))

    def write(self, file: SectionsWriter, name: str) -> None:
        """Writes all of them, as three arrays."""
        self._file.write(self._packer.finish())
        file.copy(name, "<u8", self._file)
        file.add(f"{name}.starts", self._packer.starts())
        file.add(f"{name}.heads", self._packer.heads())


def build_segment(
    path: Path,
    layout: Layout,
    rows: NDArray[np.uint16],
    runs: Iterable[PostingsRun],
    lengths: Mapping[str, NDArray[np.int64]],
    part_ends: Iterable[NDArray[np.uint16]],
    records: Iterable[bytes],
) -> None:
    """Writes a segment; `rows` is the table (rows, texts), `lengths` has an array for each text, `part_ends`
    one for each document.

    Nothing is left when it fails. Raises OSError.
    """
    with SectionsFile(path) as file, ExitStack() as stack:
        spools = Spools.open(lambda: stack.enter_context(TemporaryFile(dir=path.parent)))
        _write_segment(file, spools, SegmentContents(layout, rows, runs, lengths, part_ends, records))


def pack_segment(
    layout: Layout,
    rows: NDArray[np.uint16],
    run: PostingsRun,
    lengths: Mapping[str, NDArray[np.int64]],
    part_ends: Iterable[NDArray[np.uint16]],
) -> bytes:
    """Makes the octets of a segment that has no records, as Segment opens them."""
    octets, records = BytesIO(), repeat(b"", len(lengths[layout.texts[0]]))
    spools = Spools.open(BytesIO)
    contents = SegmentContents(layout, rows, [run], lengths, part_ends, records)
    _write_segment(SectionsWriter(octets), spools, contents)
    return octets.getvalue()


def _write_segment(file: SectionsWriter, spools: Spools, contents: SegmentContents) -> None:
    layout, rows, runs, lengths, part_ends, records = contents
    table = Spool(BytesIO())
    table.add(rows.T.ravel())  # column by column, as most are nearly empty
    table.write(file, "rows")
    about = _write_postings(file, spools, layout, rows, runs)
    totals = {"totals": _write_lengths(file, [lengths[name] for name in layout.texts])}
    _write_pieces(file, "parts", "<u2", (ends.astype("<u2").tobytes() for ends in part_ends), 2)
    about |= {"rows": len(rows), "documents": _write_pieces(file, "stored", "|u1", records, 1)}
    file.finish({**about, **totals, "layout": layout.as_json()})


def _write_postings(
    file: SectionsWriter,
    spools: Spools,
    layout: Layout,
    rows: NDArray[np.uint16],
    runs: Iterable[PostingsRun],
) -> dict[str, int]:
    """Writes dictionary, postings and positions; returns how many there are of each."""
    occurrences = rows[:, list(layout.placed_columns)].sum(axis=1, dtype=np.int64)
    terms, first, before = DictionaryFile(spools.terms), [np.empty(0, np.uint64)], 0
    _, documents, postings, positions = spools
    for run in runs:
        terms.add(run.terms, run.counts)
        starts = np.empty(len(range(-postings.size % BLOCK, len(run.rows), BLOCK)), np.uint64)
        before = _find_block_starts(run.rows, occurrences, run.of_texts, postings.size, before, starts)
        first.append(starts)
        documents.add(run.steps)
        postings.add(run.rows)
        positions.add(run.gaps)
    about = {"terms": terms.size, "postings": postings.size, "positions": positions.size}
    terms.write(file)
    file.add("positions.first", np.concatenate(first))
    documents.write(file, "documents")
    postings.write(file, "postings")
    positions.write(file, "positions")
    return about


@compiled(I64(readonly(I32), readonly(I64), I64, I64, I64, mutable(U64)))
def _find_block_starts(
    rows: NDArray[np.int32],
    occurrences: NDArray[np.int64],
    of_texts: Number,
    size: Number,
    before: Number,
    starts: NDArray[np.uint64],
) -> Number:
    """Fills in where the positions of the blocks of postings begin; returns where those of the next run do.

    `size` postings were before, and so many positions.
    """
    block = 0
    for at in range(len(rows)):
        if (size + at) % BLOCK == 0:
            starts[block] = before
            block += 1
        if at < of_texts:
            before += occurrences[rows[at]]
    return before


def _write_lengths(file: SectionsWriter, lengths: Sequence[NDArray[np.int64]]) -> list[tuple[int, int]]:
    """Writes the lengths of each text; returns how long it is in all documents together, and how many have
    some.
    """
    table = np.empty((len(lengths), len(lengths[0])), "<u2")
    for of_text, values in zip(table, lengths, strict=True):
        np.minimum(values, MAX_LENGTH, out=of_text, casting="unsafe")
    file.add("lengths", table)
    return [(int(of_text.sum(dtype=np.int64)), int(np.count_nonzero(of_text))) for of_text in table]


def _write_pieces(file: SectionsWriter, name: str, kind: str, pieces: Iterable[bytes], size: int) -> int:
    """Writes what each document has of a NumPy type of `size` bytes, one after the other; returns how many
    documents there are.
    """
    starts = array("Q", [0])

    def counted() -> Iterator[bytes]:
        for piece in pieces:
            starts.append(starts[-1] + len(piece) // size)
            yield piece

    file.stream(name, kind, counted())
    file.add(f"{name}.starts", np.array(starts))
    return len(starts) - 1
