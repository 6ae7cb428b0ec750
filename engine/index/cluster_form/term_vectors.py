"""Packs what the dictionary has of each document, so that a few documents can be searched by themselves.

A term vector, as Lucene calls it: a document's terms, how often and where each stands. It is cut into PARTS
by how words begin, so that a query reads the parts of its own words alone: pages that are found are long, and
most of what they say was not asked for. What every query reads (lengths, keys) is a head of its own.
"""

import struct
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from engine.index.cluster_form.part_packing import SortedEntries, bounds_of, pack_parts
from engine.index.schema import FORMS, KEYS, LAYOUT, NAMES, TEXT_FIELDS
from engine.packing import compress
from engine.segment import BREAK, MAX_LENGTH, BatchEntries
from engine.text.analysis import VARIANT_MARK

PARTS = 64  # a query of three words reads three of them; of 16 an answer took 1.6 MB
BEGINNING = 3  # letters that decide on the part: a prefix of as many is looked for in one
_COUNT = struct.Struct("<I")
_LENGTHS = np.dtype("<u2")
_PARTED = frozenset(map(LAYOUT.group, (TEXT_FIELDS[0], FORMS, "link")))
_IN_HEAD = frozenset(map(LAYOUT.group, KEYS)) - _PARTED - {LAYOUT.group(NAMES)}
HEAD_PART = PARTS  # the number of what lies in the head
LEFT_OUT = -1


class TermVector(NamedTuple):
    """A document's head, and its parts, b'' where nothing begins so."""

    head: bytes
    parts: Sequence[bytes]


class FetchedVector(NamedTuple):
    """A document's head, and those of its parts that a query reads, by number."""

    head: bytes
    parts: Mapping[int, bytes]


@lru_cache(1 << 16)
def part_of(beginning: str) -> int:
    """Returns the part that has the words with this beginning, of BEGINNING letters or the word itself."""
    return crc32(beginning.encode()) % PARTS


def find_parts(beginning: str) -> Collection[int]:
    """Finds the parts that may have words with a beginning: one, or all of them where it is too short."""
    word = beginning.removeprefix(VARIANT_MARK)
    return (part_of(word[:BEGINNING]),) if len(word) >= BEGINNING else range(PARTS)


def part_of_word(word: str) -> int:
    """Returns the part that has a term or form."""
    return part_of(word.removeprefix(VARIANT_MARK)[:BEGINNING])


def pack_vectors(
    made: BatchEntries, lengths: NDArray[np.int64], heading_ends: Sequence[NDArray[np.uint16]]
) -> Iterator[TermVector]:
    """Packs the documents of a batch, in order."""
    keys, parts, rank_of = _sort_keys(made)
    ranks = rank_of[made.entries.terms]
    kept = np.flatnonzero(ranks >= 0)
    documents, ranks = made.entries.documents[kept], ranks[kept]
    columns, positions = made.entries.columns[kept], made.entries.positions[kept]
    order = np.lexsort((positions, columns, ranks, documents))
    octets, bounds = pack_parts(
        SortedEntries(
            np.frombuffer(b"".join(keys), np.uint8),
            bounds_of(keys),
            parts,
            documents[order],
            ranks[order],
            columns[order],
            positions[order],
        ),
        len(lengths),
        PARTS + 1,
    )
    for at, edges in enumerate(bounds.tolist()):
        packed = [octets[start:end] for start, end in pairwise(edges)]
        ends = heading_ends[at].astype(_LENGTHS)
        fixed = np.minimum(lengths[at], MAX_LENGTH).astype(_LENGTHS).tobytes()
        head = fixed + _COUNT.pack(len(ends)) + ends.tobytes() + packed[HEAD_PART]
        parts_of_words = [compress(part) if part else b"" for part in packed[:PARTS]]
        yield TermVector(head, parts_of_words)


def place_key(key: bytes) -> int:
    """Returns the part that has a key, HEAD_PART for those in the head; LEFT_OUT: no query asks for it."""
    group = key[:1]
    if group in _PARTED:
        return part_of_word(key[1:].decode())
    return HEAD_PART if group in _IN_HEAD else LEFT_OUT


def place_beginning(beginning: bytes) -> Collection[int]:
    """Returns the parts that may have keys with a beginning."""
    return find_parts(beginning[1:].decode()) if beginning[:1] in _PARTED else (HEAD_PART,)


def split_head(head: bytes) -> tuple[NDArray[np.uint16], NDArray[np.uint16], bytes]:
    """Splits a head into the lengths of the texts, the ends of headings, and the part that lies in it.

    Raises ValueError or struct.error where it is cut off.
    """
    lengths = np.frombuffer(head, _LENGTHS, len(TEXT_FIELDS))
    at = len(TEXT_FIELDS) * _LENGTHS.itemsize
    (count,) = _COUNT.unpack_from(head, at)
    at += _COUNT.size
    ends = np.frombuffer(head, _LENGTHS, count, at)
    return lengths, ends.astype(np.uint16), head[at + ends.nbytes :]


def _sort_keys(made: BatchEntries) -> tuple[Sequence[bytes], NDArray[np.int64], NDArray[np.int64]]:
    """Sorts the keys of a batch by part: returns them, of each its part, and the place of each number."""
    used = np.flatnonzero(np.bincount(made.entries.terms, minlength=made.known))
    every = made.encode(used).octets.tobytes().split(BREAK)[: len(used)]
    parts = np.array([place_key(key) for key in every], np.int64)
    order = sorted(np.flatnonzero(parts != LEFT_OUT).tolist(), key=lambda at: (parts[at], every[at]))
    kept = np.array(order, np.int64)
    ranks = np.full(made.known, -1, np.int64)
    ranks[used[kept]] = np.arange(len(kept))
    return [every[at] for at in kept.tolist()], parts[kept], ranks
