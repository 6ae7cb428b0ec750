"""Splits texts into known chunks by their octets: no string is made of one that was met before.

A table of chunks by their hashes, with open addressing. Who writes pages must not choose where in the table
their chunks fall, so each table hashes in a way of its own.
"""

import re
from collections.abc import Sequence
from secrets import randbits
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels import I32, I64, NONE, U8, U64, Number, compiled, inlined, mutable, readonly, record_of
from engine.text.analysis import CLOSING, MAX_CHUNK, OPENING, PRINTED, SEPARATORS, TYPED

Octets = NDArray[np.uint8]
Numbers = NDArray[np.int32]
Places = NDArray[np.int64]

# Letters without spaces, and what folds into some, stand among these; no others of Latin, Cyrillic, Arabic.
_PERHAPS_SPACELESS = re.compile("[^\0-\u0dff\u1e00-\u2dff]")
_ASCII_CHUNK = re.compile(r"(?<!\S)[!-~]+(?!\S)")
_SPACES = str.maketrans(dict.fromkeys(SEPARATORS, " "))
_WHITE = "\x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
"""What str.split() takes for white space beyond ASCII."""
_BLANK, _SEPARATOR, _OPENING, _CLOSING = 1, 2, 4, 8  # what an octet can be
_ASCII = [chr(code) for code in range(0x80)]
_KINDS = np.zeros(0x100, np.uint8)
_KINDS[:0x80] = [
    _BLANK * sign.isspace()
    | _SEPARATOR * (sign in SEPARATORS)
    | _OPENING * (sign in OPENING)
    | _CLOSING * (sign in CLOSING)
    for sign in _ASCII
]
_ROOM = 1 << 12  # chunks that there is room for at first
_PIECE = 1 << 14  # chunks cut before they are looked up: 32 bytes each, which stay near the processor
_BEGIN, _SIZE, _HASH, _WAY = range(4)  # columns of a chunk: where its octets are, how many, ...
_NOT_KEPT = -1  # where the octets of a long one would begin
_DONE, _NO_ROOM, _NO_OCTETS = range(3)  # how looking up ends
_TEXT, _OCTET, _CUT = range(3)  # how far cutting is: texts, octets, chunks
_LOOKED, _MET, _USED = range(3)  # and looking up: chunks of the piece, chunks kept, octets kept


class JoinedTexts(NamedTuple):
    """The octets of texts one after the other, where each begins and the last ends, and of each the number of
    its way, and which kinds of octets part its chunks.
    """

    octets: Octets
    bounds: Places
    ways: Places
    parting: Octets


JOINED_TEXTS = record_of(
    JoinedTexts, octets=readonly(U8), bounds=readonly(I64), ways=readonly(I64), parting=readonly(U8)
)
"""JoinedTexts, for compiled functions."""


class ChunkBatch(NamedTuple):
    """The chunks of texts by number, text after text, and where those of each text begin; last, the end.

    Those `new` have numbers in turn, the first that of how many there were before; each with its way.
    """

    chunks: Numbers
    begins: Places
    new: list[tuple[str, int]]


class ChunkDictionary:
    """The chunks that were met, numbered from 0, without the marks around them that are no part of a word.

    One of more than MAX_CHUNK octets is new each time.
    """

    def __init__(self) -> None:
        self._seed = np.array([randbits(64), randbits(64) | 1], np.uint64)
        self._slots = np.full(2 * _ROOM, -1, np.int32)
        self._kept = np.empty((_ROOM, 4), np.int64)
        self._octets = np.empty(8 * _ROOM, np.uint8)
        self._size, self._used = 0, 0  # chunks, octets

    def __len__(self) -> int:
        return self._size

    def find_chunks(self, texts: Sequence[str], ways: Sequence[int]) -> ChunkBatch:
        """Finds the chunks of texts, each text with the number of the way in which its words are spelled."""
        typed = [_normalize_separators(text) for text in texts]
        octets = np.frombuffer(b"".join([text for text, _ in typed]), np.uint8)
        bounds = np.cumsum([0, *(len(text) for text, _ in typed)], dtype=np.int64)
        parting = np.array([_BLANK | _SEPARATOR * parted for _, parted in typed], np.uint8)
        joined = JoinedTexts(octets, bounds, np.array(ways, np.int64), parting)
        begins, state = np.zeros(len(texts) + 1, np.int64), np.zeros(3, np.int64)
        chunks, new = np.empty((len(octets) + len(texts)) // 2 + 1, np.int32), list[tuple[str, int]]()
        piece = np.empty((_PIECE, 4), np.int64)
        while size := _cut_chunks(joined, _KINDS, self._seed, state, piece, begins):
            done = int(state[_CUT])
            new += self._assign_numbers(octets, piece[:size], chunks[done - size : done])
        return ChunkBatch(chunks[: state[_CUT]], begins, new)

    def _assign_numbers(self, octets: Octets, piece: Places, chunks: Numbers) -> list[tuple[str, int]]:
        """Fills in the numbers of chunks; returns those that are new, each with its way."""
        state, before = np.array([0, len(self), self._used], np.int64), len(self)
        while lacking := _look_up_chunks(octets, piece, self._slots, self._kept, self._octets, state, chunks):
            self._grow(lacking, state)
        _, self._size, self._used = state.tolist()
        new = np.flatnonzero(chunks >= before)
        rows = piece[new[np.unique(chunks[new], return_index=True)[1]]].tolist()
        return [
            (octets[begin : begin + size].tobytes().decode(errors="surrogatepass"), way)
            for begin, size, _, way in rows
        ]

    def _grow(self, lacking: int, state: Places) -> None:
        """Doubles the room for what is lacking."""
        _, size, used = state.tolist()
        if lacking == _NO_OCTETS:
            self._octets, before = np.empty(2 * len(self._octets), np.uint8), self._octets
            self._octets[:used] = before[:used]
        else:
            self._kept, kept = np.empty((2 * len(self._kept), 4), np.int64), self._kept
            self._kept[:size] = kept[:size]
            self._slots = np.full(2 * len(self._kept), -1, np.int32)
            _fill_slots(self._kept[:size], self._slots)


def _normalize_separators(text: str) -> tuple[bytes, bool]:
    """Replaces what parts words by spaces, and tells whether separators do: fewer chunks differ then.

    Beside letters without spaces case tells nothing, which is to be seen only while they are together.
    """
    if text.isascii():
        return text.encode(), True
    for typographic, typed in TYPED:
        text = text.replace(typographic, typed)
    for white in _WHITE:
        text = text.replace(white, " ")
    if _PERHAPS_SPACELESS.search(text):
        text = _ASCII_CHUNK.sub(_part_by_spaces, text)
        return text.encode(errors="surrogatepass"), False
    for separator in PRINTED:
        text = text.replace(separator, " ")
    return text.encode(errors="surrogatepass"), True


def _part_by_spaces(chunk: re.Match[str]) -> str:
    return chunk[0].translate(_SPACES)


@inlined
def _next_chunk(
    octets: Octets, at: Number, end: Number, parts: Number, kinds: Octets
) -> tuple[Number, Number, Number]:
    """Finds where the next chunk begins and ends without the marks around it, and where to go on."""
    while at < end and kinds[octets[at]] & parts:
        at += 1
    begin = at
    while at < end and not kinds[octets[at]] & parts:
        at += 1
    stop = at
    while begin < stop and kinds[octets[begin]] & _OPENING:
        begin += 1
    while begin < stop and kinds[octets[stop - 1]] & _CLOSING:
        stop -= 1
    return begin, stop, at


@inlined
def _hash_chunk(octets: Octets, begin: Number, end: Number, way: Number, seed: NDArray[np.uint64]) -> Number:
    hashed = seed[0] ^ np.uint64(way)
    for at in range(begin, end):
        hashed = (hashed ^ np.uint64(octets[at])) * seed[1]
    hashed ^= hashed >> np.uint64(32)
    return np.int64(hashed * seed[1])


@compiled(I64(JOINED_TEXTS, readonly(U8), readonly(U64), mutable(I64), mutable(I64, 2), mutable(I64)))
def _cut_chunks(
    texts: JoinedTexts,
    kinds: Octets,
    seed: NDArray[np.uint64],
    state: Places,
    piece: Places,
    begins: Places,
) -> Number:
    """Cuts texts into chunks, as many as a piece has room for; returns how many there were."""
    (octets, bounds, ways, parting), count, at = texts, 0, state[_OCTET]
    for text in range(state[_TEXT], len(ways)):
        way, end = ways[text], bounds[text + 1]
        while at < end and count < len(piece):
            begin, stop, at = _next_chunk(octets, at, end, parting[text], kinds)
            if begin < stop:
                hashed = _hash_chunk(octets, begin, min(stop, begin + MAX_CHUNK), way, seed)
                piece[count, _BEGIN], piece[count, _SIZE] = begin, stop - begin
                piece[count, _HASH], piece[count, _WAY] = hashed, way
                count += 1
        state[_TEXT], state[_OCTET] = text, at
        if at < end:
            break
        begins[text + 1] = state[_CUT] + count
    state[_CUT] += count
    return count


@inlined
def _first_slot(hashed: Number, slots: Numbers) -> Number:
    """Chooses where to begin to look: by high bits, as in the low ones fewer of a chunk's octets tell."""
    return np.int64((np.uint64(hashed) >> np.uint64(32)) & np.uint64(len(slots) - 1))


@compiled(NONE(mutable(I64, 2), mutable(I32)))
def _fill_slots(kept: Places, slots: Numbers) -> None:
    """Puts chunks that all differ into empty slots."""
    for number in range(len(kept)):
        if kept[number, _BEGIN] != _NOT_KEPT:
            slot = _first_slot(kept[number, _HASH], slots)
            while slots[slot] >= 0:
                slot = (slot + 1) & (len(slots) - 1)
            slots[slot] = number


@compiled(
    I64(
        readonly(U8),
        mutable(I64, 2),
        mutable(I32),
        mutable(I64, 2),
        mutable(U8),
        mutable(I64),
        mutable(I32),
    )
)
def _look_up_chunks(
    octets: Octets,
    piece: Places,
    slots: Numbers,
    kept: Places,
    known: Octets,
    state: Places,
    chunks: Numbers,
) -> Number:
    """Looks chunks up, and keeps those that are new; _DONE, or what is lacking for that."""
    for looked in range(state[_LOOKED], len(piece)):
        begin, size = piece[looked, _BEGIN], piece[looked, _SIZE]
        hashed, way = piece[looked, _HASH], piece[looked, _WAY]
        slot, number = _first_slot(hashed, slots), np.int64(-1)
        while size <= MAX_CHUNK and slots[slot] >= 0:
            number = np.int64(slots[slot])
            if kept[number, _HASH] == hashed and kept[number, _SIZE] == size and kept[number, _WAY] == way:
                first, at = kept[number, _BEGIN], 0
                while at < size and known[first + at] == octets[begin + at]:
                    at += 1
                if at == size:
                    break
            slot, number = (slot + 1) & (len(slots) - 1), np.int64(-1)
        if number < 0:
            state[_LOOKED], number, used = looked, state[_MET], state[_USED]
            if number == len(kept):
                return _NO_ROOM
            kept[number, _BEGIN], kept[number, _SIZE] = _NOT_KEPT, size
            kept[number, _HASH], kept[number, _WAY] = hashed, way
            if size <= MAX_CHUNK:
                if used + size > len(known):
                    return _NO_OCTETS
                known[used : used + size] = octets[begin : begin + size]
                kept[number, _BEGIN], slots[slot] = used, number
                state[_USED] += size
            state[_MET] += 1
        chunks[looked] = number
    return _DONE
