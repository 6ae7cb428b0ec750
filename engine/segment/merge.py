"""Segments -> one segment without their deleted documents, some thousand terms at a time.

Documents keep their order. What is in memory is bounded by AT_ONCE, or by the one term that most
documents hold: 100 bytes for each posting and 60 for each position.
"""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.segment.build import Run, build
from engine.segment.layout import FIRST_KEY
from engine.segment.segment import Segment

AT_ONCE = 500_000  # postings


class Source(NamedTuple):
    """A segment to be merged; `alive` says of each document whether it stays."""

    segment: Segment
    alive: NDArray[np.bool_]


class _Input(NamedTuple):
    """A segment, and what its documents and rows are in the new one."""

    segment: Segment
    documents: NDArray[np.int64]  # -1 for one that goes
    rows: NDArray[np.int64]


class _Part(NamedTuple):
    """What one segment has of a run, in the numbers of the new segment."""

    counts: NDArray[np.int64]  # for each term of the run how many postings stay
    documents: NDArray[np.int64]
    rows: NDArray[np.int64]
    amounts: NDArray[np.int64]  # positions of each posting
    gaps: NDArray[np.int64]


def merge(path: Path, sources: Sequence[Source]) -> None:
    """Write them as one segment; they are of one layout. Raises DamagedError, OSError, and leaves nothing."""
    for source in sources:
        source.segment.check()
    segments = [source.segment for source in sources]
    rows, of_segments = _table(segments)
    inputs = list(map(_Input, segments, _renumbered([source.alive for source in sources]), of_segments))
    layout = segments[0].layout
    lengths = {
        name: np.concatenate(
            [source.segment.lengths(name)[source.alive].astype(np.int64) for source in sources]
        )
        for name in layout.texts
    }
    records = (
        source.segment.record(document)
        for source in sources
        for document in np.flatnonzero(source.alive).tolist()
    )
    build(path, layout, rows, _runs(inputs, rows), lengths, records)


def _renumbered(alive: Sequence[NDArray[np.bool_]]) -> list[NDArray[np.int64]]:
    """The new number of each document, -1 for one that goes."""
    base, found = 0, []
    for stays in alive:
        found.append(np.where(stays, np.cumsum(stays) - 1 + base, -1))
        base += int(stays.sum())
    return found


def _table(segments: Sequence[Segment]) -> tuple[NDArray[np.uint16], list[NDArray[np.int64]]]:
    """The rows that postings have, the commonest first, and for each segment the new places of its rows."""
    rows = np.concatenate([segment.rows for segment in segments])
    words = np.zeros((len(rows), -(-rows.shape[1] // 4) * 4), np.uint16)  # a row is some whole words
    words[:, : rows.shape[1]] = rows
    order = np.lexsort(words.view(np.uint64).T)
    differs = (rows[order[1:]] != rows[order[:-1]]).any(axis=1)
    kind = np.zeros(len(rows), np.int64)
    kind[order[1:]] = np.cumsum(differs)
    kinds = rows[order[np.concatenate(([True], differs))]] if len(rows) else rows
    often = np.bincount(
        kind, np.concatenate([segment.row_counts() for segment in segments]), minlength=len(kinds)
    )
    commonest = np.argsort(-often, kind="stable")[: np.count_nonzero(often)]
    places = np.zeros(len(kinds), np.int64)
    places[commonest] = np.arange(len(commonest))
    ends = np.cumsum([len(segment.rows) for segment in segments])
    return kinds[commonest], np.split(places[kind], ends[:-1])


def _runs(inputs: Sequence[_Input], rows: NDArray[np.uint16]) -> Iterator[Run]:
    placed = list(inputs[0].segment.layout.placed_columns)
    occurrences = rows[:, placed].sum(axis=1, dtype=np.int64)
    for first, end in pairwise(_bounds([each.segment for each in inputs])):
        ranges = [_range(each.segment, first, end) for each in inputs]
        texts = [_terms(each.segment, numbers) for each, numbers in zip(inputs, ranges, strict=True)]
        terms = sorted(set().union(*texts))
        place_of = {term: place for place, term in enumerate(terms)}
        parts = []
        for each, numbers, of_segment in zip(inputs, ranges, texts, strict=True):
            places = np.fromiter(map(place_of.__getitem__, of_segment), np.int64, len(of_segment))
            parts.append(_part(each, numbers, places, terms, occurrences))
        yield _run(terms, parts)


def _bounds(segments: Sequence[Segment]) -> list[bytes | None]:
    """Terms that part the dictionaries into runs, from None, the beginning, to None, the end.

    Of k segments each gives heads AT_ONCE / 2k postings apart; between one of these terms and the k-th after
    it lie at most 2k such pieces, whichever segments they are of.
    """
    size = max(AT_ONCE // (2 * len(segments)), 1)
    heads = sorted(head for segment in segments for head in segment.dictionary.heads(size))
    return [None, *dict.fromkeys(heads[:: len(segments)]), None]


def _range(segment: Segment, first: bytes | None, end: bytes | None) -> range:
    start = segment.dictionary.at_least(first) if first else 0
    return range(start, segment.dictionary.at_least(end) if end else segment.dictionary.size)


def _terms(segment: Segment, numbers: range) -> list[bytes]:
    return [term for _, term in zip(numbers, segment.dictionary.terms(numbers.start), strict=False)]


def _part(
    given: _Input,
    numbers: range,
    places: NDArray[np.int64],
    terms: Sequence[bytes],
    occurrences: NDArray[np.int64],
) -> _Part:
    """What a segment has of terms with these numbers, which now have these places among `terms`."""
    postings, counts = given.segment.terms_postings(numbers)
    documents, rows = given.documents[postings.documents], given.rows[postings.rows]
    placed = int(counts[: np.searchsorted(places, bisect_left(terms, FIRST_KEY))].sum())
    amounts = occurrences[rows]
    amounts[placed:] = 0
    gaps = given.segment.gaps(postings.start, postings.start + placed)
    stays = documents >= 0
    left = np.bincount(np.repeat(places, counts)[stays], minlength=len(terms))
    return _Part(left, documents[stays], rows[stays], amounts[stays], gaps[np.repeat(stays, amounts)])


def _run(terms: Sequence[bytes], parts: Sequence[_Part]) -> Run:
    """Parts as one run, in the order of terms and documents; terms that nobody has any more are left out."""
    counts = np.stack([part.counts for part in parts])
    order = _order(counts)
    amounts = np.concatenate([part.amounts for part in parts])
    starts = (np.cumsum(amounts) - amounts)[order]
    amounts = amounts[order]
    places = np.repeat(starts - (np.cumsum(amounts) - amounts), amounts)
    places += np.arange(len(places))
    of_terms = counts.sum(axis=0)
    documents = np.concatenate([part.documents for part in parts])[order]
    steps = np.diff(documents, prepend=-1) - 1
    firsts = (np.cumsum(of_terms) - of_terms)[of_terms > 0]
    steps[firsts] = documents[firsts]
    return Run(
        [term for term, count in zip(terms, of_terms.tolist(), strict=True) if count],
        of_terms[of_terms > 0],
        int(of_terms[: bisect_left(terms, FIRST_KEY)].sum()),
        steps.astype(np.int32),
        np.concatenate([part.rows for part in parts])[order].astype(np.int32),
        np.concatenate([part.gaps for part in parts])[places].astype(np.int32),
    )


def _order(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each posting of a run its place among those of the parts: term after term, in each part after part.

    `counts` (parts, terms) says how many there are; documents of a part come after those of the part before.
    """
    ends = np.cumsum(counts.T).reshape(counts.T.shape).T
    order, base = np.empty(int(counts.sum()), np.int64), 0
    for of_part, end in zip(counts, ends, strict=True):
        places = np.repeat(end - np.cumsum(of_part), of_part)
        places += np.arange(len(places))
        order[places] = np.arange(base, base + len(places))
        base += len(places)
    return order
