"""Many small numbers in few bits: strips of 16, each as wide as its largest number, any of them read alone.

Blocks of so many bits a number are those of Lucene and Tantivy (after Lemire and Boytsov, "Decoding
billions of integers per second through vectorization", 2015). Theirs are of 128 numbers, one of which makes
all of them wide; short ones need more room for their widths, less for what is in them.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import I32, I64, NONE, U8, U16, U32, Number, compiled, filled, given, inlined

STRIP = 16  # numbers of one width
BLOCK = 128  # numbers, eight strips: for these it is written where they start
MAX_WIDTH = 32  # bits of a number
_UNIT = 16  # bits: a strip takes as many units as its numbers have bits
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
    """Pack numbers (int32 or int64), 3 nanoseconds each. Raises ValueError if one is not of 32 bits."""
    numbers = np.ascontiguousarray(numbers)
    widths = np.zeros(-(-len(numbers) // BLOCK) * (BLOCK // STRIP), np.uint8)
    bits = np.zeros(_measured(numbers, widths), np.uint16)
    starts = np.empty(len(widths) // (BLOCK // STRIP), np.uint32)
    _squeezed(numbers, widths, starts, bits)
    return Blocks(starts, widths.view("<u8"), bits)


@compiled(I64(given(I32), filled(U8)), I64(given(I64), filled(U8)))
def _measured(numbers: NDArray[np.integer], widths: NDArray[np.uint8]) -> Number:
    """Fill in the width of each strip; how many units of two bytes they take."""
    units = 0
    for strip in range(-(-len(numbers) // STRIP)):
        largest = np.int64(0)
        for place in range(strip * STRIP, min((strip + 1) * STRIP, len(numbers))):
            largest |= np.int64(numbers[place])
        if largest >> MAX_WIDTH:
            raise ValueError("only numbers from 0 to 2**32 - 1 can be packed")
        width = 0
        while largest >> width:
            width += 1
        widths[strip] = width
        units += width
    return units


@compiled(
    NONE(given(I32), given(U8), filled(U32), filled(U16)),
    NONE(given(I64), given(U8), filled(U32), filled(U16)),
)
def _squeezed(
    numbers: NDArray[np.integer],
    widths: NDArray[np.uint8],
    starts: NDArray[np.uint32],
    bits: NDArray[np.uint16],
) -> None:
    """Fill in where each block starts, and the bits; units of two bytes that are full are written at once."""
    start: Number = 0
    for strip in range(len(widths)):
        if strip * STRIP % BLOCK == 0:
            starts[strip * STRIP // BLOCK] = start
        width = np.int64(widths[strip])
        unit, word, held = start, np.int64(0), np.int64(0)
        for place in range(strip * STRIP, min((strip + 1) * STRIP, len(numbers))):
            word |= np.int64(numbers[place]) << held
            held += width
            while held >= _UNIT:
                bits[unit] = word & 0xFFFF
                unit += 1
                word >>= _UNIT
                held -= _UNIT
        if held:
            bits[unit] = word
        start += width


class Packer:
    """Packs numbers that come a few at a time; keeps those of an unfinished block."""

    def __init__(self) -> None:
        self._left: NDArray[np.integer] = np.empty(0, np.int32)
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
