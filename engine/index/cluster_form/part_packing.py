"""Packs the parts of term vectors: keys, how often each occurs, and where.

A part is a HEADER, its keys with a line break before each and behind the last, their counts, and of all
occurrences the columns and then the positions, as steps from one to the next of a key. Numbers are unsigned,
least octet first, as wide as the largest of the part needs.
"""

import struct
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels import I32, I64, NONE, U8, Number, compiled, inlined, mutable, readonly, record_of
from engine.segment import BREAK

HEADER = struct.Struct("<IIBB")  # octets of the keys, occurrences; octets of a count, of a step
HEADER_SIZE = HEADER.size
WIDTH_AT = HEADER_SIZE - 2  # of a count; that of a step is behind it
MAX_WIDTH = 4  # octets of a count or a step
BREAK_OCTET = BREAK[0]

Octets = NDArray[np.uint8]
Places = NDArray[np.int64]
Numbers = NDArray[np.int32]


class SortedEntries(NamedTuple):
    """The occurrences of a batch's keys by document, part, key, column and position; keys are numbered by
    part.
    """

    keys: Octets  # joined
    key_bounds: Places
    parts: Places  # of each key
    documents: Numbers  # of each occurrence, as are the next three
    numbers: Places
    columns: Numbers
    positions: Numbers


ENTRIES = record_of(
    SortedEntries,
    keys=readonly(U8),
    key_bounds=readonly(I64),
    parts=readonly(I64),
    documents=readonly(I32),
    numbers=readonly(I64),
    columns=readonly(I32),
    positions=readonly(I32),
)


def bounds_of(texts: Sequence[bytes]) -> Places:
    """Returns where each of joined texts begins, and where the last one ends."""
    return np.array(list(accumulate(map(len, texts), initial=0)), np.int64)


def pack_parts(entries: SortedEntries, documents: int, parts: int) -> tuple[bytes, Places]:
    """Packs the parts of documents, one behind the other; and of each document tells where its parts begin,
    and the last one ends: an array (documents, parts + 1).
    """
    bounds = np.zeros((documents, parts + 1), np.int64)
    octets = np.empty(_limit_octets(entries, documents * parts), np.uint8)
    _write_parts(entries, octets, bounds)
    return octets[: bounds[-1, -1]].tobytes(), bounds


def _limit_octets(entries: SortedEntries, parts: int) -> int:
    """Limits the octets that so many parts of these entries may take."""
    is_first = np.diff(entries.numbers, prepend=-1).astype(np.bool_)
    is_first |= np.diff(entries.documents, prepend=-1).astype(np.bool_)
    numbers = entries.numbers[is_first]
    text = int(np.diff(entries.key_bounds)[numbers].sum()) + len(numbers)
    counts, occurrences = MAX_WIDTH * len(numbers), (1 + MAX_WIDTH) * len(entries.numbers)
    return text + counts + occurrences + parts * (HEADER_SIZE + 1)


@inlined
def _width_of(largest: Number) -> Number:
    """Returns how many octets a number takes."""
    return 1 if largest < 1 << 8 else 2 if largest < 1 << 16 else MAX_WIDTH


@inlined
def _write_number(octets: Octets, at: Number, number: Number, width: Number) -> None:
    for octet in range(width):
        octets[at + octet] = (number >> (8 * octet)) & 0xFF


@inlined
def _is_new(entries: SortedEntries, at: Number, first: Number) -> bool:
    """Tells whether this is the first occurrence of its key in a part that begins at `first`."""
    return bool(at == first or entries.numbers[at] != entries.numbers[at - 1])


@inlined
def _end_of(entries: SortedEntries, first: Number, document: Number, part: Number) -> Number:
    """Finds where a part of a document ends that may begin at `first`."""
    end = first
    while (
        end < len(entries.numbers)
        and entries.documents[end] == document
        and entries.parts[entries.numbers[end]] == part
    ):
        end += 1
    return end


@inlined
def _write_part(entries: SortedEntries, first: Number, end: Number, octets: Octets, start: Number) -> Number:
    """Writes the part of these occurrences; returns where it ends."""
    text, count, most, highest = start + HEADER_SIZE, 0, 0, 0
    octets[text] = BREAK_OCTET
    text += 1
    for at in range(first, end):
        if _is_new(entries, at, first):
            count = 0
            number = entries.numbers[at]
            for octet in range(entries.key_bounds[number], entries.key_bounds[number + 1]):
                octets[text] = entries.keys[octet]
                text += 1
            octets[text] = BREAK_OCTET
            text += 1
        count += 1
        most, highest = max(most, count), max(highest, int(entries.positions[at]))
    width, step = _width_of(most), _width_of(highest)
    _write_number(octets, start, text - start - HEADER_SIZE, 4)
    _write_number(octets, start + 4, end - first, 4)
    octets[start + WIDTH_AT], octets[start + WIDTH_AT + 1] = width, step
    counts, count = text, 0
    for at in range(first, end):
        count += 1
        if at + 1 == end or _is_new(entries, at + 1, first):
            _write_number(octets, counts, count, width)
            counts, count = counts + width, 0
    steps, last = counts + end - first, 0
    for at in range(first, end):
        position = int(entries.positions[at])
        last = 0 if _is_new(entries, at, first) else last
        octets[counts + at - first] = entries.columns[at]
        _write_number(octets, steps + (at - first) * step, position - last, step)
        last = position
    return steps + (end - first) * step


@compiled(NONE(ENTRIES, mutable(U8), mutable(I64, 2)))
def _write_parts(entries: SortedEntries, octets: Octets, bounds: Places) -> None:
    """Writes the parts, and where they begin and end."""
    first, to = 0, 0
    for document in range(bounds.shape[0]):
        for part in range(bounds.shape[1] - 1):
            bounds[document, part] = to
            end = _end_of(entries, first, document, part)
            if end > first:
                to = _write_part(entries, first, end, octets, to)
            first = end
        bounds[document, bounds.shape[1] - 1] = to
