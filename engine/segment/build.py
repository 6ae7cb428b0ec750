"""Runs of sorted terms with their postings -> the file of a segment, in one pass and little memory."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.segment.dictionary import DictionaryFile
from engine.segment.layout import FIRST_KEY, Layout
from engine.segment.packed import BLOCK
from engine.segment.packer import Packer
from engine.segment.sections import SectionsFile

_PIECE = 1 << 20  # bytes copied at a time


class Run(NamedTuple):
    """Some terms, ascending and after those of the run before, with all that is known of them."""

    terms: Sequence[bytes]  # with their groups, as Layout.key() makes them
    counts: NDArray[np.int64]  # how many postings each has
    documents: NDArray[np.int64]  # of each posting, ascending within a term
    rows: NDArray[np.int64]  # of each posting its row in the table
    gaps: NDArray[np.int64]  # positions: within a posting and a text each less the one before, less 1


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
        """The next ones."""
        self._file.write(self._packer.add(numbers))

    def write(self, file: SectionsFile, name: str) -> None:
        """All of them, as three arrays."""
        self._file.write(self._packer.finish())
        self._file.seek(0)
        file.stream(name, "<u8", iter(lambda: self._file.read(_PIECE), b""))
        file.add(f"{name}.starts", self._packer.starts())
        file.add(f"{name}.heads", self._packer.heads())


def build(
    path: Path,
    layout: Layout,
    rows: NDArray[np.uint16],
    runs: Iterable[Run],
    lengths: Mapping[str, NDArray[np.int64]],
    records: Iterable[bytes],
) -> None:
    """Write a segment; `rows` is the table (rows, texts), `lengths` has an array for each text.

    Nothing is left when it fails. Raises OSError.
    """
    with SectionsFile(path) as file:
        table = Spool(BytesIO())
        table.add(rows.T.ravel())  # column by column, as most are nearly empty
        table.write(file, "rows")
        about = _postings(file, path.parent, layout, rows, runs)
        for name, values in lengths.items():
            file.add(f"lengths.{name}", values.astype(np.min_scalar_type(int(values.max(initial=0)))))
        about |= {"rows": len(rows), "documents": _records(file, records)}
        file.finish({**about, "layout": layout.as_json()})


def _postings(
    file: SectionsFile, folder: Path, layout: Layout, rows: NDArray[np.uint16], runs: Iterable[Run]
) -> dict[str, int]:
    """Dictionary, postings and positions; how many there are of each."""
    occurrences = rows[:, list(layout.placed_columns)].sum(axis=1, dtype=np.int64)
    terms, first, before = DictionaryFile(), [np.empty(0, np.uint64)], 0
    with ExitStack() as stack:
        documents, postings, positions = spools = tuple(
            Spool(stack.enter_context(TemporaryFile(dir=folder))) for _ in range(3)
        )
        for run in runs:
            terms.add(run.terms, run.counts)
            gaps = occurrences[run.rows]
            gaps[_keyed(run) :] = 0
            starts = np.cumsum(gaps) - gaps + before
            first.append(starts[-postings.size % BLOCK :: BLOCK].astype(np.uint64))
            before += int(gaps.sum())
            documents.add(_steps(run))
            postings.add(run.rows)
            positions.add(run.gaps)
        about = {"terms": terms.size, "postings": postings.size, "positions": positions.size}
        terms.write(file)
        file.add("positions.first", np.concatenate(first))
        for name, spool in zip(("documents", "postings", "positions"), spools, strict=True):
            spool.write(file, name)
    return about


def _keyed(run: Run) -> int:
    """How many postings come before those of the first key: terms of texts are the first group."""
    return int(run.counts[: bisect_left(run.terms, FIRST_KEY)].sum())


def _steps(run: Run) -> NDArray[np.int64]:
    """From document to document within a term, less 1; the first of a term as it is."""
    steps = np.diff(run.documents, prepend=-1) - 1
    firsts = (np.cumsum(run.counts) - run.counts)[run.counts > 0]
    steps[firsts] = run.documents[firsts]
    return steps


def _records(file: SectionsFile, records: Iterable[bytes]) -> int:
    """Stored fields, one document after the other; how many there are."""
    starts = [0]

    def pieces() -> Iterator[bytes]:
        for record in records:
            starts.append(starts[-1] + len(record))
            yield record

    file.stream("stored", "|u1", pieces())
    file.add("stored.starts", np.array(starts, np.uint64))
    return len(starts) - 1
