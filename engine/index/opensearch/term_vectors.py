"""Packs what the dictionary has of each document, so that a few documents can be searched by themselves.

A term vector, as Lucene calls it: a document's terms, how often and where each stands. It is cut into PARTS
by how words begin, so that a query reads the parts of its own words alone: pages that are found are long, and
most of what they say was not asked for. What every query reads (lengths, keys) is a head of its own.
"""

import struct
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from engine.index.indexing import BatchEntries
from engine.index.schema import FORMS, KEYS, LAYOUT, NAMES, TEXT_FIELDS
from engine.packing import compress, decompress
from engine.segment import BREAK, MAX_LENGTH, Entries
from engine.text.analysis import VARIANT_MARK

PARTS = 16  # a query of three words reads three of them
BEGINNING = 3  # letters that decide on the part: a prefix of as many is looked for in one
_HEADER = struct.Struct("<IIBB")  # bytes of the keys, occurrences; bytes of a count, of a position
_COUNT = struct.Struct("<I")
_LENGTHS = np.dtype("<u2")
_PARTED = frozenset(map(LAYOUT.group, (TEXT_FIELDS[0], FORMS, "link")))
_IN_HEAD = frozenset(map(LAYOUT.group, KEYS)) - _PARTED - {LAYOUT.group(NAMES)}
_HEAD = PARTS  # instead of a part
_LEFT_OUT = -1

Numbers = NDArray[np.int32]


class TermVector(NamedTuple):
    """A document's head, and its parts, b'' where nothing begins so."""

    head: bytes
    parts: Sequence[bytes]


class FetchedVector(NamedTuple):
    """A document's head, and those of its parts that a query reads, by number."""

    head: bytes
    parts: Mapping[int, bytes]


class SelectedTerms(NamedTuple):
    """What some documents, numbered from 0, have of some keys: the keys, and their entries."""

    keys: Sequence[bytes]
    entries: Entries
    lengths: NDArray[np.int64]  # (documents, TEXT_FIELDS)
    heading_ends: Sequence[NDArray[np.uint16]]


class _Part(NamedTuple):
    """Keys, ascending; where the occurrences of each end; of each occurrence its column and position."""

    keys: Sequence[bytes]
    ends: NDArray[np.int64]
    columns: NDArray[np.uint8]
    positions: NDArray[np.int64]


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
    ranks, columns, positions = ranks[order], columns[order], positions[order]
    documents = documents[order]
    edges = documents.searchsorted(np.arange(len(lengths) + 1)).tolist()
    for at, (start, end) in enumerate(pairwise(edges)):
        here = slice(start, end)
        part_edges = parts[ranks[here]].searchsorted(np.arange(PARTS + 2)) + start
        packed = [
            _pack_part(keys, ranks[first:behind], columns[first:behind], positions[first:behind])
            for first, behind in pairwise(part_edges.tolist())
        ]
        ends = heading_ends[at].astype(_LENGTHS)
        fixed = np.minimum(lengths[at], MAX_LENGTH).astype(_LENGTHS).tobytes()
        head = fixed + _COUNT.pack(len(ends)) + ends.tobytes() + packed[_HEAD]
        parts_of_words = [compress(part) if part else b"" for part in packed[:PARTS]]
        yield TermVector(compress(head), parts_of_words)


def select_terms(
    vectors: Sequence[FetchedVector], wanted: Collection[bytes], beginnings: Collection[bytes]
) -> SelectedTerms:
    """Selects from documents what they have of the wanted keys, and of those with one of the beginnings; all
    keys of the heads. Raises zstandard.ZstdError, struct.error or ValueError where one is damaged.
    """
    numbers = dict[bytes, int]()
    found = [np.empty((4, 0), np.int32)]
    lengths = np.zeros((len(vectors), len(TEXT_FIELDS)), np.int64)
    heading_ends, begins = [], tuple(beginnings)
    for document, vector in enumerate(vectors):
        head = decompress(vector.head)
        lengths[document] = np.frombuffer(head, _LENGTHS, len(TEXT_FIELDS))
        at = len(TEXT_FIELDS) * _LENGTHS.itemsize
        (count,) = _COUNT.unpack_from(head, at)
        at += _COUNT.size
        heading_ends.append(np.frombuffer(head, _LENGTHS, count, at).astype(np.uint16))
        of_head = _unpack_part(head[at + count * _LENGTHS.itemsize :])
        found += _take_terms(of_head, range(len(of_head.keys)), document, numbers)
        for packed in filter(None, vector.parts.values()):
            part = _unpack_part(decompress(packed))
            some = [n for n, key in enumerate(part.keys) if key in wanted or key.startswith(begins)]
            found += _take_terms(part, some, document, numbers)
    entries = Entries(*np.concatenate(found, axis=1))
    return SelectedTerms(list(numbers), entries, lengths, heading_ends)


def _take_terms(
    part: _Part, places: Iterable[int], document: int, numbers: dict[bytes, int]
) -> Iterator[Numbers]:
    """Yields the entries of some keys of a part, and numbers those that are new."""
    for place in places:
        here = slice(int(part.ends[place - 1]) if place else 0, int(part.ends[place]))
        columns = part.columns[here]
        number = numbers.setdefault(part.keys[place], len(numbers))
        of_term = np.empty((4, len(columns)), np.int32)
        of_term[0], of_term[1], of_term[2], of_term[3] = number, document, columns, part.positions[here]
        yield of_term


def _sort_keys(made: BatchEntries) -> tuple[Sequence[bytes], NDArray[np.int64], NDArray[np.int64]]:
    """Sorts the keys of a batch by part: returns them, of each its part, and the place of each number."""
    used = np.flatnonzero(np.bincount(made.entries.terms, minlength=made.known))
    every = made.encode(used).octets.tobytes().split(BREAK)[: len(used)]
    parts = np.array([_place_key(key) for key in every], np.int64)
    order = sorted(np.flatnonzero(parts != _LEFT_OUT).tolist(), key=lambda at: (parts[at], every[at]))
    kept = np.array(order, np.int64)
    ranks = np.full(made.known, -1, np.int64)
    ranks[used[kept]] = np.arange(len(kept))
    return [every[at] for at in kept.tolist()], parts[kept], ranks


def _place_key(key: bytes) -> int:
    group = key[:1]
    if group in _PARTED:
        return part_of_word(key[1:].decode())
    return _HEAD if group in _IN_HEAD else _LEFT_OUT


def _pack_part(
    keys: Sequence[bytes], ranks: NDArray[np.int64], columns: Numbers, positions: Numbers
) -> bytes:
    """Packs the occurrences of a part, sorted; the head's comes as it is."""
    if not len(ranks):
        return b""
    firsts = np.flatnonzero(np.diff(ranks, prepend=-1))
    counts = np.diff(firsts, append=len(ranks))
    text = BREAK.join(keys[rank] for rank in ranks[firsts].tolist())
    counted = counts.astype(np.min_scalar_type(counts.max()))
    kind = np.min_scalar_type(positions.max())
    steps = np.diff(positions.astype(kind), prepend=kind.type(0))  # modulo: unsigned, so nothing is lost
    header = _HEADER.pack(len(text), len(ranks), counted.itemsize, steps.itemsize)
    return b"".join((header, text, counted.tobytes(), columns.astype(np.uint8).tobytes(), steps.tobytes()))


def _unpack_part(packed: bytes) -> _Part:
    """Unpacks what _pack_part() made."""
    if not packed:
        return _Part([], np.empty(0, np.int64), np.empty(0, np.uint8), np.empty(0, np.int64))
    size, occurrences, of_count, of_position = _HEADER.unpack_from(packed)
    at = _HEADER.size + size
    keys = packed[_HEADER.size : at].split(BREAK)
    counts = np.frombuffer(packed, f"<u{of_count}", len(keys), at)
    at += counts.nbytes
    columns = np.frombuffer(packed, np.uint8, occurrences, at)
    steps = np.frombuffer(packed, f"<u{of_position}", occurrences, at + occurrences)
    positions = np.cumsum(steps, dtype=steps.dtype).astype(np.int64)
    return _Part(keys, np.cumsum(counts, dtype=np.int64), columns, positions)
