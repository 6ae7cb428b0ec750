"""Many small numbers in few bits: strips of 16, each as wide as its largest number, any of them read alone.

Blocks of so many bits a number are those of Lucene and Tantivy (after Lemire and Boytsov, "Decoding
billions of integers per second through vectorization", 2015). Theirs are of 128 numbers, one of which makes
all of them wide; short ones need more room for their widths, less for what is in them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import I64, NONE, U8, U16, U32, Number, compiled, filled, given, inlined

STRIP = 16  # numbers of one width
BLOCK = 128  # numbers, eight strips: for these it is written where they start
_WORD = 64  # bits
_PADDING = 8  # bytes behind the last strip, so that a whole word can be read anywhere
GIVEN = (given(U32), given(U8), given(U16))  # the arrays of a Packed, for compiled functions

Places = NDArray[np.int64]


class Blocks(NamedTuple):
    """What packing gives: for each block where it starts, in units of two bytes, and its widths; the bits.

    Eight widths are one word, that of the first strip in its lowest byte.
    """

    starts: NDArray[np.uint32]
    widths: NDArray[np.uint64]
    bits: NDArray[np.uint16]


class Packed:
    """So many numbers below 2**32. `bits` has 8 bytes of padding; arrays may lie in a file.

    What is read of a damaged file is wrong or raises IndexError.
    """

    __slots__ = ("arrays", "size")

    def __init__(
        self, starts: NDArray[np.uint32], widths: NDArray[np.uint64], bits: NDArray[np.uint8], size: int
    ) -> None:
        self.arrays = starts, widths.view(np.uint8), bits[: len(bits) // 2 * 2].view(np.uint16)
        self.size = size

    def at(self, places: Places) -> Places:
        """The numbers at these places; 8 to 30 nanoseconds each."""
        found = np.empty(len(places), np.int64)
        _at(*self.arrays, np.ascontiguousarray(places), found)
        return found

    def between(self, start: int, end: int) -> Places:
        """The numbers at start, start + 1 ... end - 1; 1.5 nanoseconds each."""
        found = np.empty(end - start, np.int64)
        _between(*self.arrays, start, found)
        return found


@inlined
def number_at(
    starts: NDArray[np.uint32], widths: NDArray[np.uint8], bits: NDArray[np.uint16], place: Number
) -> Number:
    """The number at a place."""
    strip = place >> 4
    unit = np.int64(starts[place >> 7])
    for before in range(place >> 7 << 3, strip):
        unit += np.int64(widths[before])
    width = np.int64(widths[strip])
    bit = (place & (STRIP - 1)) * width
    return bits_at(bits, unit + (bit >> 4), bit & 15, width)


@inlined
def bits_at(bits: NDArray[np.uint16], unit: Number, shift: Number, width: Number) -> Number:
    """A number of so many bits, at most 32, that begins so many bits into a unit."""
    word = np.int64(bits[unit]) | np.int64(bits[unit + 1]) << 16 | np.int64(bits[unit + 2]) << 32
    return word >> shift & ((1 << width) - 1)


@inlined
def unpack(
    starts: NDArray[np.uint32],
    widths: NDArray[np.uint8],
    bits: NDArray[np.uint16],
    start: Number,
    found: NDArray[Any],
) -> None:
    """Fill `found` with the numbers at start, start + 1 ..."""
    at, end = 0, start + len(found)
    while start + at < end:
        place = start + at
        strip = place >> 4
        unit = np.int64(starts[place >> 7])
        for before in range(place >> 7 << 3, strip):
            unit += np.int64(widths[before])
        stop = min(end, ((place >> 7) + 1) << 7)
        while place < stop:
            width = np.int64(widths[strip])
            behind = min(stop, (strip + 1) << 4)
            bit = (place & (STRIP - 1)) * width
            for _ in range(place, behind):
                found[at] = bits_at(bits, unit + (bit >> 4), bit & 15, width)
                bit += width
                at += 1
            place, strip, unit = behind, strip + 1, unit + width


@compiled(NONE(*GIVEN, given(I64), filled(I64)))
def _at(
    starts: NDArray[np.uint32],
    widths: NDArray[np.uint8],
    bits: NDArray[np.uint16],
    places: Places,
    found: Places,
) -> None:
    for at in range(len(places)):
        found[at] = number_at(starts, widths, bits, places[at])


@compiled(NONE(*GIVEN, I64, filled(I64)))
def _between(
    starts: NDArray[np.uint32], widths: NDArray[np.uint8], bits: NDArray[np.uint16], start: int, found: Places
) -> None:
    unpack(starts, widths, bits, start, found)


def packed(numbers: NDArray[np.integer]) -> Blocks:
    """Pack numbers of at least 0 and below 2**32; 15 nanoseconds each."""
    filled = np.zeros(-(-len(numbers) // BLOCK) * BLOCK, np.uint64)
    filled[: len(numbers)] = numbers
    strips = filled.reshape(-1, STRIP)
    widths = np.frexp(strips.max(axis=1, initial=0).astype(np.float64))[1]
    ends = np.cumsum(widths)
    starts = ends - widths
    bits = np.zeros(int(ends[-1]) if len(ends) else 0, np.uint16)
    for width in np.unique(widths[widths > 0]).tolist():
        of_width = np.flatnonzero(widths == width)
        bits[starts[of_width][:, None] + np.arange(width)] = _squeezed(strips[of_width], width)
    return Blocks(starts[:: BLOCK // STRIP].astype(np.uint32), widths.astype(np.uint8).view("<u8"), bits)


def _squeezed(strips: NDArray[np.uint64], width: int) -> NDArray[np.uint16]:
    """Strips of one width as bits, two bytes to each bit of it: neighbours become one as long as they fit."""
    words = np.zeros((len(strips), -(-STRIP * width // _WORD)), np.uint64)
    pieces, wide = strips, width
    while 2 * wide <= _WORD and pieces.shape[1] > 1:
        pieces, wide = pieces[:, ::2] | pieces[:, 1::2] << np.uint64(wide), 2 * wide
    for column in range(pieces.shape[1]):
        word, shift = divmod(column * wide, _WORD)
        words[:, word] |= pieces[:, column] << np.uint64(shift)
        if shift + wide > _WORD:
            words[:, word + 1] |= pieces[:, column] >> np.uint64(_WORD - shift)
    return words.view("<u2")[:, :width]


class Packer:
    """Packs numbers that come a few at a time; keeps those of an unfinished block."""

    def __init__(self) -> None:
        self._left: NDArray[np.integer] = np.empty(0, np.uint32)
        self._starts = [np.empty(0, np.uint32)]
        self._widths = [np.empty(0, np.uint64)]
        self._end = 0
        self.size = 0

    def add(self, numbers: NDArray[np.integer]) -> bytes:
        """The next numbers; gives the bytes of the blocks that are full by now."""
        self.size += len(numbers)
        waiting = np.concatenate((self._left, numbers)) if len(self._left) else numbers
        full = len(waiting) // BLOCK * BLOCK
        self._left = waiting[full:].copy()
        return self._bytes(waiting[:full])

    def finish(self) -> bytes:
        """The bytes of the last block, and the padding."""
        return self._bytes(self._left) + bytes(_PADDING)

    def starts(self) -> NDArray[np.uint32]:
        """Where the blocks start."""
        return np.concatenate(self._starts)

    def widths(self) -> NDArray[np.uint64]:
        """The blocks' widths."""
        return np.concatenate(self._widths)

    def _bytes(self, numbers: NDArray[np.integer]) -> bytes:
        blocks = packed(numbers)
        self._starts.append(blocks.starts + np.uint32(self._end))
        self._widths.append(blocks.widths)
        self._end += len(blocks.bits)
        return blocks.bits.tobytes()
