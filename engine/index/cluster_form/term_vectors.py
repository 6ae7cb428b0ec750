"""Packs what the dictionary has of each document, so that a few documents can be searched by themselves.

A term vector, as Lucene calls it: a document's terms, how often and where each stands. It is cut into PARTS
by how words begin, so that a query reads the parts of its own words alone: pages that are found are long, and
most of what they say was not asked for. What every query reads (lengths, keys) is a head of its own.
"""

import struct
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from engine.index.schema import FORMS, KEYS, LAYOUT, NAMES, TEXT_FIELDS
from engine.packing import compress, decompress
from engine.segment import BREAK, MAX_LENGTH, BatchEntries, Entries
from engine.text.analysis import VARIANT_MARK

PARTS = 64  # a query of three words reads three of them; of 16 an answer took 1.6 MB
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
        yield TermVector(head, parts_of_words)


def select_terms(
    vectors: Sequence[FetchedVector], wanted: Collection[bytes], beginnings: Collection[bytes]
) -> SelectedTerms:
    """Selects from documents what they have of the wanted keys, and of those with one of the beginnings.

    Raises zstandard.ZstdError where a part is damaged.
    """
    lengths = np.zeros((len(vectors), len(TEXT_FIELDS)), np.int64)
    heading_ends = list[NDArray[np.uint16]]()
    found = _Found(_sort_wanted(wanted, beginnings))
    for document, vector in enumerate(vectors):
        head = vector.head  # short, so it is not compressed
        lengths[document] = np.frombuffer(head, _LENGTHS, len(TEXT_FIELDS))
        at = len(TEXT_FIELDS) * _LENGTHS.itemsize
        (count,) = _COUNT.unpack_from(head, at)
        at += _COUNT.size
        heading_ends.append(np.frombuffer(head, _LENGTHS, count, at).astype(np.uint16))
        found.take(_HEAD, head[at + count * _LENGTHS.itemsize :], document)
        for number, part in vector.parts.items():
            if part and number in found.wanted:
                found.take(number, decompress(part), document)
    return SelectedTerms(list(found.numbers), found.make_entries(), lengths, heading_ends)


class _Wanted(NamedTuple):
    """What is looked for in the text of one part."""

    keys: list[bytes]
    beginnings: list[bytes]


def _sort_wanted(wanted: Collection[bytes], beginnings: Collection[bytes]) -> dict[int, _Wanted]:
    """Sorts what is looked for by the parts that may have it."""
    found = defaultdict[int, _Wanted](lambda: _Wanted([], []))
    for key in wanted:
        found[_place_key(key)].keys.append(BREAK + key + BREAK)
    for begin in beginnings:
        is_parted = begin[:1] in _PARTED
        for part in find_parts(begin[1:].decode()) if is_parted else (_HEAD,):
            found[part].beginnings.append(BREAK + begin)
    return dict(found)


class _Found:
    """Occurrences of keys that were looked for, document after document.

    Keys are looked for in the text of a part, so that nothing is made of those that nobody asked for.
    """

    def __init__(self, wanted: Mapping[int, _Wanted]) -> None:
        self.wanted = wanted
        self.numbers = dict[bytes, int]()
        self._of_terms, self._documents, self._sizes = list[int](), list[int](), list[int]()
        self._columns = [np.empty(0, np.uint8)]
        self._positions: list[NDArray[np.unsignedinteger]] = [np.empty(0, np.uint8)]

    def take(self, number: int, part: bytes, document: int) -> None:
        """Takes what an unpacked part of a document has of them."""
        if not part or number not in self.wanted:
            return
        size, occurrences, of_count, of_position = _HEADER.unpack_from(part)
        at = _HEADER.size + size
        text = part[_HEADER.size : at]  # a line break is before each key, and behind the last
        wanted = self.wanted[number]
        starts = {start for key in wanted.keys if (start := text.find(key)) >= 0}
        for begin in wanted.beginnings:
            start = text.find(begin)
            while start >= 0:
                starts.add(start)
                start = text.find(begin, start + 1)
        if not starts:
            return
        counts = np.frombuffer(part, f"<u{of_count}", text.count(BREAK) - 1, at)
        columns = np.frombuffer(part, np.uint8, occurrences, at + counts.nbytes)
        steps = np.frombuffer(part, f"<u{of_position}", occurrences, at + counts.nbytes + occurrences)
        for start in starts:
            key = text[start + 1 : text.index(BREAK, start + 1)]
            place = text.count(BREAK, 0, start)
            first = int(counts[:place].sum(dtype=np.int64))
            here = slice(first, first + int(counts[place]))
            self._of_terms.append(self.numbers.setdefault(key, len(self.numbers)))
            self._documents.append(document)
            self._sizes.append(here.stop - first)
            self._columns.append(columns[here])
            self._positions.append(np.cumsum(steps[here], dtype=steps.dtype))

    def make_entries(self) -> Entries:
        """Makes the entries of all that was taken."""
        sizes = np.array(self._sizes, np.int64)
        return Entries(
            np.repeat(np.array(self._of_terms, np.int32), sizes),
            np.repeat(np.array(self._documents, np.int32), sizes),
            np.concatenate(self._columns).astype(np.int32),
            np.concatenate(self._positions).astype(np.int32),
        )


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
    """Packs the occurrences of a part, sorted; the positions of each key as steps from one to the next."""
    if not len(ranks):
        return b""
    firsts = np.flatnonzero(np.diff(ranks, prepend=-1))
    counts = np.diff(firsts, append=len(ranks))
    text = BREAK + b"".join(keys[rank] + BREAK for rank in ranks[firsts].tolist())
    counted = counts.astype(np.min_scalar_type(counts.max()))
    kind = np.min_scalar_type(positions.max())
    steps = np.diff(positions.astype(kind), prepend=kind.type(0))  # modulo: unsigned, so nothing is lost
    steps[firsts] = positions[firsts]
    header = _HEADER.pack(len(text), len(ranks), counted.itemsize, steps.itemsize)
    return b"".join((header, text, counted.tobytes(), columns.astype(np.uint8).tobytes(), steps.tobytes()))
