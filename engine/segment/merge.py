"""Merges segments into one without their deleted documents, some thousand terms at a time.

Documents keep their order. What is in memory is bounded by AT_ONCE, however many documents hold a term:
50 bytes for each posting and 20 for each of its positions; and 12 for each document.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.segment.build import PostingsRun, build_segment
from engine.segment.copying import copy_postings
from engine.segment.layout import FIRST_KEY
from engine.segment.segment import Segment
from engine.segment.terms import Terms, argsort_terms, concatenate_terms, mark_distinct, split_terms

AT_ONCE = 500_000  # postings
_RECORDS = 1_000  # copied before the kernel may have their pages back

Numbers = NDArray[np.int32]


class MergeSource(NamedTuple):
    """A segment to be merged; `alive` says of each document whether it stays."""

    segment: Segment
    alive: NDArray[np.bool_]


class _Input(NamedTuple):
    """A segment, and what its documents and rows are in the new one."""

    segment: Segment
    documents: Numbers  # -1 for one that goes
    rows: Numbers


class _MergedPostings(NamedTuple):
    """Postings of several segments, those of each together, and where they and their gaps begin."""

    places: NDArray[np.int64]
    gap_places: NDArray[np.int64]
    steps: Numbers
    rows: Numbers  # in the new table
    gaps: Numbers


class _Shares(NamedTuple):
    """Who has postings of some terms: shares of one term follow each other, in the order of the segments."""

    terms: NDArray[np.int64]  # place of the term among those
    segments: NDArray[np.int64]
    counts: NDArray[np.int64]  # postings, more than 0


def merge(path: Path, sources: Sequence[MergeSource]) -> None:
    """Merges segments of one layout into one file. Raises DamagedError, OSError, and leaves nothing."""
    for source in sources:
        source.segment.check()
    segments = [source.segment for source in sources]
    rows, of_segments = _merge_rows(segments)
    inputs = list(map(_Input, segments, _renumber([source.alive for source in sources]), of_segments))
    layout = segments[0].layout
    lengths = {
        name: np.concatenate(
            [source.segment.lengths(name)[source.alive].astype(np.int64) for source in sources]
        )
        for name in layout.texts
    }
    runs, ends = _merge_runs(inputs, rows), _copy_part_ends(sources)
    build_segment(path, layout, rows, runs, lengths, ends, _copy_records(sources))


def _copy_part_ends(sources: Sequence[MergeSource]) -> Iterator[NDArray[np.uint16]]:
    """Yields where the parts of the documents that stay end."""
    for segment, alive in sources:
        ends, starts = segment.part_ends, segment.part_starts.tolist()
        for document in np.flatnonzero(alive).tolist():
            yield ends[starts[document] : starts[document + 1]]


def _copy_records(sources: Sequence[MergeSource]) -> Iterator[bytes]:
    """Yields the stored fields of the documents that stay."""
    for segment, alive in sources:
        for count, document in enumerate(np.flatnonzero(alive).tolist()):
            if count % _RECORDS == 0:
                segment.drop_pages()
            yield segment.record(document)
        segment.drop_pages()


def _renumber(alive: Sequence[NDArray[np.bool_]]) -> list[Numbers]:
    """Numbers the documents anew, -1 for one that goes."""
    base, found = 0, []
    for stays in alive:
        found.append(np.where(stays, np.cumsum(stays, dtype=np.int32) + np.int32(base - 1), np.int32(-1)))
        base += int(stays.sum())
    return found


def _merge_rows(segments: Sequence[Segment]) -> tuple[NDArray[np.uint16], list[Numbers]]:
    """Merges the tables of rows, the commonest first, and returns for each segment the new places of its
    rows.
    """
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
    places = np.zeros(len(kinds), np.int32)
    places[commonest] = np.arange(len(commonest))
    ends = np.cumsum([len(segment.rows) for segment in segments])
    return kinds[commonest], np.split(places[kind], ends[:-1])


def _merge_runs(inputs: Sequence[_Input], rows: NDArray[np.uint16]) -> Iterator[PostingsRun]:
    placed = list(inputs[0].segment.layout.placed_columns)
    occurrences = rows[:, placed].sum(axis=1, dtype=np.int64)
    for first, end in pairwise(_split_terms([each.segment for each in inputs])):
        ranges = [_term_range(each.segment, first, end) for each in inputs]
        yield from _copy_runs(inputs, ranges, *_merge_terms(inputs, ranges), occurrences)
        for each in inputs:
            each.segment.drop_pages()


def _split_terms(segments: Sequence[Segment]) -> list[bytes | None]:
    """Selects terms that split the dictionaries into runs, from None, the beginning, to None, the end.

    Of k segments each gives heads AT_ONCE / 2k postings apart; between one of these terms and the k-th after
    it lie at most 2k such pieces, whichever segments they are of.
    """
    size = max(AT_ONCE // (2 * len(segments)), 1)
    heads = sorted(head for segment in segments for head in segment.dictionary.split_points(size))
    return [None, *dict.fromkeys(heads[:: len(segments)]), None]


def _term_range(segment: Segment, first: bytes | None, end: bytes | None) -> range:
    start = segment.dictionary.find_at_least(first) if first else 0
    return range(start, segment.dictionary.find_at_least(end) if end else segment.dictionary.size)


def _merge_terms(inputs: Sequence[_Input], ranges: Sequence[range]) -> tuple[Terms, _Shares]:
    """Merges the terms in these ranges of the segments, each once, and tells who has their postings."""
    pairs = list(zip([each.segment.dictionary for each in inputs], ranges, strict=True))
    terms = concatenate_terms(
        [dictionary.between(numbers.start, numbers.stop) for dictionary, numbers in pairs]
    )
    counts = np.concatenate([dictionary.counts(numbers.start, numbers.stop) for dictionary, numbers in pairs])
    sizes = list(map(len, ranges))
    order = argsort_terms(terms)
    new = mark_distinct(terms, order)
    segments = np.repeat(np.arange(len(inputs)), sizes)
    return terms.at(order[new]), _Shares(np.cumsum(new) - 1, segments[order], counts[order])


def _copy_runs(
    inputs: Sequence[_Input],
    ranges: Sequence[range],
    terms: Terms,
    shares: _Shares,
    occurrences: NDArray[np.int64],
) -> Iterator[PostingsRun]:
    """Yields what is left of the postings of terms, AT_ONCE of them at a time; the terms come
    with the last.
    """
    left, of_texts = np.zeros(terms.size, np.int64), terms.count_before(FIRST_KEY[0])
    nexts: Sequence[int] = [
        _first_posting(each.segment, numbers) for each, numbers in zip(inputs, ranges, strict=True)
    ]
    none, no_terms = np.empty(0, np.int32), split_terms(b"", 0)
    state = np.full(4, -1, np.int64)
    begins = np.cumsum([0, *(len(each.documents) for each in inputs)])
    documents = np.concatenate([each.documents for each in inputs])
    ends = np.cumsum(shares.counts)
    for start in range(0, int(shares.counts.sum()), AT_ONCE):
        of = slice(np.searchsorted(ends, start, "right"), np.searchsorted(ends, start + AT_ONCE) + 1)
        counts = np.minimum(ends[of], start + AT_ONCE) - np.maximum(ends[of] - shares.counts[of], start)
        part = _Shares(shares.terms[of], shares.segments[of], counts)
        nexts, read = _read_postings(inputs, nexts, part, of_texts)
        share, size = int(of.start), len(read.steps)
        steps, rows = np.empty(size, np.int32), np.empty(size, np.int32)
        gaps, sizes = np.empty(len(read.gaps), np.int32), np.zeros(3, np.int64)
        old = read.steps, read.rows, read.gaps
        new = documents, begins, occurrences
        made = steps, rows, gaps
        copy_postings(
            *part, share, of_texts, read.places, read.gap_places, *old, *new, state, left, *made, sizes
        )
        postings, positions, postings_of_texts = sizes.tolist()
        yield PostingsRun(
            no_terms, left[:0], postings_of_texts, steps[:postings], rows[:postings], gaps[:positions]
        )
    stay = np.flatnonzero(left)
    yield PostingsRun(terms.at(stay), left[stay], 0, none, none, none)


def _first_posting(segment: Segment, numbers: range) -> int:
    """Returns the first posting of terms with these numbers."""
    return segment.dictionary.postings(numbers.start)[0] if numbers else 0


def _read_postings(
    inputs: Sequence[_Input], starts: Sequence[int], part: _Shares, of_texts: int
) -> tuple[Sequence[int], _MergedPostings]:
    """Reads the postings of these shares, which begin in each segment where it is said; returns where they
    end.
    """
    amounts = np.bincount(part.segments, part.counts, len(inputs)).astype(np.int64)
    texts = part.terms < of_texts
    placed = np.bincount(part.segments[texts], part.counts[texts], len(inputs)).astype(np.int64)
    ends = [start + amount for start, amount in zip(starts, amounts.tolist(), strict=True)]
    steps, rows, gaps = [], [], []
    for each, start, end, of_those in zip(inputs, starts, ends, placed.tolist(), strict=True):
        steps.append(each.segment.steps(start, end))
        rows.append(each.rows[each.segment.rows_between(start, end)])
        gaps.append(each.segment.gaps(start, start + of_those))
    begins = np.cumsum(amounts) - amounts
    gap_begins = np.cumsum([0, *map(len, gaps)])
    return ends, _MergedPostings(
        begins, gap_begins, _concatenate(steps), _concatenate(rows), _concatenate(gaps)
    )


def _concatenate(arrays: Sequence[NDArray[np.integer]]) -> Numbers:
    return np.concatenate(arrays, dtype=np.int32, casting="unsafe")
