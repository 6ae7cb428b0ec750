"""Selects from term vectors what a query asks for.

Keys are looked for in the octets of all parts at once, and nothing is made of those that nobody asked for: a
query reads some six hundred parts, each with a hundred keys.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.cluster_form.part_packing import (
    BREAK_OCTET,
    HEADER_SIZE,
    MAX_WIDTH,
    WIDTH_AT,
    Octets,
    bounds_of,
)
from engine.index.cluster_form.term_vectors import (
    HEAD_PART,
    FetchedVector,
    place_beginning,
    place_key,
    split_head,
)
from engine.index.schema import TEXT_FIELDS
from engine.kernels import BOOL, I32, I64, NONE, U8, Number, compiled, inlined, mutable, readonly, record_of
from engine.packing import decompress
from engine.segment import BREAK, Entries

PART, START, END, FIRST, COUNT = range(5)  # columns of what _find_keys() finds
START_SIZE = 7  # octets of a key that are compared as one number, which has a sign
IS_DAMAGED = -1


class SelectedTerms(NamedTuple):
    """What some documents, numbered from 0, have of some keys: the keys, and their entries."""

    keys: Sequence[bytes]
    entries: Entries
    lengths: NDArray[np.int64]  # (documents, TEXT_FIELDS)
    heading_ends: Sequence[NDArray[np.uint16]]


class Patterns(NamedTuple):
    """What is looked for in each part: keys, and beginnings of keys, joined; each but the last ends where the
    next begins.
    """

    octets: Octets
    bounds: NDArray[np.int64]
    starts: NDArray[np.int64]  # the first START_SIZE octets of each as a number: most keys differ in them
    masks: NDArray[np.int64]  # the bits that matter in it
    whole: NDArray[np.bool_]  # a key, not the beginning of one
    first: NDArray[np.int64]  # of each part, and one for the end


PATTERNS = record_of(
    Patterns,
    octets=readonly(U8),
    bounds=readonly(I64),
    starts=readonly(I64),
    masks=readonly(I64),
    whole=readonly(BOOL),
    first=readonly(I64),
)


def select_terms(
    vectors: Sequence[FetchedVector], wanted: Collection[bytes], beginnings: Collection[bytes]
) -> SelectedTerms:
    """Selects from documents what they have of the wanted keys, and of those with one of the beginnings.

    Raises zstandard.ZstdError, struct.error, ValueError or IndexError where a vector is damaged.
    """
    patterns = _make_patterns(wanted, beginnings)
    asked = np.flatnonzero(np.diff(patterns.first)).tolist()
    lengths = np.zeros((len(vectors), len(TEXT_FIELDS)), np.int64)
    heading_ends = list[NDArray[np.uint16]]()
    parts, places = list[bytes](), list[tuple[int, int]]()  # of each its document and its number
    for document, vector in enumerate(vectors):
        lengths[document], ends, in_head = split_head(vector.head)
        heading_ends.append(ends)
        for number, part in _unpack_parts(vector.parts, in_head, asked):
            parts.append(part)
            places.append((document, number))
    documents, numbers = np.array(places, np.int64).reshape(-1, 2).T.copy()
    keys, entries = _select_entries(parts, documents, numbers, patterns)
    return SelectedTerms(keys, entries, lengths, heading_ends)


def _unpack_parts(
    parts: Mapping[int, bytes], in_head: bytes, asked: Sequence[int]
) -> Sequence[tuple[int, bytes]]:
    """Unpacks those parts of a document in which something is looked for."""
    there = [(number, decompress(part)) for number in asked if (part := parts.get(number))]
    return [*there, (HEAD_PART, in_head)] if in_head and HEAD_PART in asked else there


def _make_patterns(wanted: Collection[bytes], beginnings: Collection[bytes]) -> Patterns:
    """Sorts what is looked for by the parts that may have it."""
    placed = [(place_key(key), True, key) for key in wanted]
    placed += [(part, False, one) for one in beginnings for part in place_beginning(one)]
    placed = sorted(one for one in placed if one[0] >= 0)
    texts = [text for *_, text in placed]
    return Patterns(
        np.frombuffer(b"".join(texts), np.uint8),
        bounds_of(texts),
        np.array([_start_of(text) for text in texts], np.int64),
        np.array([_start_of(b"\xff" * len(text)) for text in texts], np.int64),
        np.array([is_whole for _, is_whole, _ in placed], np.bool_),
        np.searchsorted([part for part, *_ in placed], np.arange(HEAD_PART + 2)).astype(np.int64),
    )


def _start_of(text: bytes) -> int:
    return int.from_bytes(text[:START_SIZE].ljust(START_SIZE, b"\0"), "big")


def _select_entries(
    parts: Sequence[bytes], documents: NDArray[np.int64], numbers: NDArray[np.int64], patterns: Patterns
) -> tuple[Sequence[bytes], Entries]:
    """Selects keys, and their entries by document. Raises ValueError for a part that is damaged."""
    text, bounds = b"".join(parts), bounds_of(parts)
    octets = np.frombuffer(text, np.uint8)
    found = np.empty((text.count(BREAK), COUNT + 1), np.int64)
    size = _find_keys(octets, bounds, numbers, patterns, found)
    if size == IS_DAMAGED:
        raise ValueError("a term vector is damaged")
    found = found[:size]
    known = dict[bytes, int]()
    places = found[:, (START, END)].tolist()
    terms = [known.setdefault(text[start:end], len(known)) for start, end in places]
    columns, positions = (np.empty(int(found[:, COUNT].sum()), np.int32) for _ in range(2))
    _copy_occurrences(octets, bounds, found, columns, positions)
    return list(known), Entries(
        np.repeat(np.array(terms, np.int32), found[:, COUNT]),
        np.repeat(documents[found[:, PART]].astype(np.int32), found[:, COUNT]),
        columns,
        positions,
    )


@inlined
def _read_number(octets: Octets, at: Number, width: Number) -> Number:
    """Reads an unsigned number, least octet first."""
    value = 0
    for octet in range(width):
        value |= int(octets[at + octet]) << (8 * octet)
    return value


@inlined
def _read_start(octets: Octets, start: Number, end: Number) -> Number:
    """Reads the first octets of a key as _start_of() does."""
    value = 0
    for at in range(start, start + START_SIZE):
        value <<= 8
        if at < end:
            value |= int(octets[at])
    return value


@inlined
def _is_wanted(octets: Octets, start: Number, end: Number, patterns: Patterns, pattern: Number) -> bool:
    """Tells whether a key is what a pattern looks for."""
    first, behind = patterns.bounds[pattern], patterns.bounds[pattern + 1]
    size = behind - first
    if size > end - start or (patterns.whole[pattern] and size != end - start):
        return False
    same = 0
    while same < size and octets[start + same] == patterns.octets[first + same]:
        same += 1
    return bool(same == size)


@compiled(I64(readonly(U8), readonly(I64), readonly(I64), PATTERNS, mutable(I64, 2)))
def _find_keys(
    octets: Octets,
    bounds: NDArray[np.int64],
    numbers: NDArray[np.int64],
    patterns: Patterns,
    found: NDArray[np.int64],
) -> Number:
    """Finds keys in the parts with these numbers; returns how many, IS_DAMAGED where a part is not as it was
    packed.
    """
    size = 0
    for part in range(len(numbers)):
        start, until = bounds[part], bounds[part + 1]
        text = start + HEADER_SIZE
        counts = text + _read_number(octets, start, 4)
        occurrences = _read_number(octets, start + 4, 4)
        width, step = int(octets[start + WIDTH_AT]), int(octets[start + WIDTH_AT + 1])
        if counts > until or max(width, step) > MAX_WIDTH:
            return IS_DAMAGED
        at, keys, first = text + 1, 0, 0  # a line break is before each key, and behind the last
        while at < counts:
            end = at
            while octets[end] != BREAK_OCTET:
                end += 1
            count = _read_number(octets, counts + keys * width, width)
            begins = _read_start(octets, at, end)
            for pattern in range(patterns.first[numbers[part]], patterns.first[numbers[part] + 1]):
                if (begins ^ patterns.starts[pattern]) & patterns.masks[pattern]:
                    continue
                if _is_wanted(octets, at, end, patterns, pattern):
                    found[size, PART], found[size, START], found[size, END] = part, at, end
                    found[size, FIRST], found[size, COUNT] = first, count
                    size += 1
                    break
            first += count
            keys += 1
            at = end + 1
        behind = counts + keys * width + occurrences * (1 + step)
        if first != occurrences or behind != until:
            return IS_DAMAGED
    return size


@compiled(NONE(readonly(U8), readonly(I64), mutable(I64, 2), mutable(I32), mutable(I32)))
def _copy_occurrences(
    octets: Octets,
    bounds: NDArray[np.int64],
    found: NDArray[np.int64],
    columns: NDArray[np.int32],
    positions: NDArray[np.int32],
) -> None:
    """Copies columns and positions of what was found; positions are packed as steps, which wrap around."""
    to = 0
    for at in range(len(found)):
        start, until = bounds[found[at, PART]], bounds[found[at, PART] + 1]
        occurrences, width = _read_number(octets, start + 4, 4), int(octets[start + WIDTH_AT + 1])
        steps = until - occurrences * width
        position = 0
        for one in range(found[at, FIRST], found[at, FIRST] + found[at, COUNT]):
            position += _read_number(octets, steps + one * width, width)
            position &= (1 << (8 * width)) - 1
            columns[to] = octets[steps - occurrences + one]
            positions[to] = position
            to += 1
