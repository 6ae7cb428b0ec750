"""Segments -> one segment without their deleted documents, some thousand terms at a time.

Documents keep their order. What is in memory is bounded by AT_ONCE, or by the one term that most
documents hold: 60 bytes for each posting and 30 for each position.
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


class _Part(NamedTuple):
    """What one segment has of a run: postings with their terms, documents and rows of the new segment."""

    keys: NDArray[np.int64]  # place of the term << 32 | document
    rows: NDArray[np.int64]
    amounts: NDArray[np.int64]  # positions of each posting
    gaps: NDArray[np.int64]


def merge(path: Path, sources: Sequence[Source]) -> None:
    """Write them as one segment; they are of one layout. Raises DamagedError, OSError, and leaves nothing."""
    for source in sources:
        source.segment.check()
    layout = sources[0].segment.layout
    rows, of_source = _table([source.segment for source in sources])
    alive = [source.alive for source in sources]
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
    build(path, layout, rows, _runs(sources, _renumbered(alive), of_source, rows), lengths, records)


def _renumbered(alive: Sequence[NDArray[np.bool_]]) -> list[NDArray[np.int64]]:
    """The new number of each document, -1 for one that goes."""
    base, found = 0, []
    for stays in alive:
        found.append(np.where(stays, np.cumsum(stays) - 1 + base, -1))
        base += int(stays.sum())
    return found


def _table(segments: Sequence[Segment]) -> tuple[NDArray[np.uint16], list[NDArray[np.int64]]]:
    """The table of all, commonest rows first, and for each segment the new places of its rows.

    How common a row is follows from its place, as it does of words (Zipf).
    """
    rows, of_row = np.unique(
        np.concatenate([segment.rows for segment in segments]), axis=0, return_inverse=True
    )
    guess = np.concatenate(
        [segment.postings_count / (1 + np.arange(len(segment.rows))) for segment in segments]
    )
    order = np.argsort(-np.bincount(of_row, guess, len(rows)), kind="stable")
    places = np.empty(len(rows), np.int64)
    places[order] = np.arange(len(rows))
    ends = np.cumsum([len(segment.rows) for segment in segments])
    return rows[order], np.split(places[of_row], ends[:-1])


def _runs(
    sources: Sequence[Source],
    renumbered: Sequence[NDArray[np.int64]],
    of_source: Sequence[NDArray[np.int64]],
    rows: NDArray[np.uint16],
) -> Iterator[Run]:
    placed = list(sources[0].segment.layout.placed_columns)
    occurrences = rows[:, placed].sum(axis=1, dtype=np.int64)
    for first, end in pairwise(_bounds([source.segment for source in sources])):
        ranges = [_range(source.segment, first, end) for source in sources]
        texts = [_terms(source.segment, numbers) for source, numbers in zip(sources, ranges, strict=True)]
        terms = sorted(set().union(*texts))
        place_of = {term: place for place, term in enumerate(terms)}
        texts_end = bisect_left(terms, FIRST_KEY)
        parts = []
        for source, numbers, of_segment, new, row in zip(
            sources, ranges, texts, renumbered, of_source, strict=True
        ):
            places = np.fromiter(map(place_of.__getitem__, of_segment), np.int64, len(of_segment))
            parts.append(_part(source.segment, numbers, places, new, row, occurrences, texts_end))
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
    segment: Segment,
    numbers: range,
    places: NDArray[np.int64],
    new: NDArray[np.int64],
    row: NDArray[np.int64],
    occurrences: NDArray[np.int64],
    texts: int,
) -> _Part:
    """What a segment has of terms with these numbers, and now these places; the first so many are `texts`."""
    postings, counts = segment.terms_postings(numbers)
    documents, rows = new[postings.documents], row[postings.rows]
    of_term = np.repeat(places, counts)
    amounts = np.where(of_term < texts, occurrences[rows], 0)
    placed = int(np.searchsorted(of_term, texts))
    gaps = segment.gaps(postings.start, postings.start + placed)
    stays = documents >= 0
    gaps = gaps[np.repeat(stays, amounts)]
    return _Part(((of_term << 32) | documents)[stays], rows[stays], amounts[stays], gaps)


def _run(terms: Sequence[bytes], parts: Sequence[_Part]) -> Run:
    """Parts as one run, in the order of terms and documents; terms that nobody has any more are left out."""
    keys = np.concatenate([part.keys for part in parts])
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    amounts = np.concatenate([part.amounts for part in parts])
    starts = (np.cumsum(amounts) - amounts)[order]
    amounts = amounts[order]
    owners = np.repeat(starts - (np.cumsum(amounts) - amounts), amounts)
    gaps = np.concatenate([part.gaps for part in parts])[owners + np.arange(len(owners))]
    counts = np.bincount(keys >> 32, minlength=len(terms))
    kept = [term for term, count in zip(terms, counts.tolist(), strict=True) if count]
    rows = np.concatenate([part.rows for part in parts])[order]
    return Run(kept, counts[counts > 0], keys & 0xFFFFFFFF, rows, gaps)
