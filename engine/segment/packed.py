"""Decodes packed integers: blocks of 128 small numbers in few bits.

    first bits   for each number as many zeros as it is longer than the block's length says, and a one
    other bits   for each number all of it but its highest bit

A number is packed as the sum of itself and 2**length: an Exponential-Golomb code (Teuhola, "A compression
method for clustered bit-vectors", 1978) of the length that takes least. Where the other bits of a number are
follows from how many zeros come before its one: so Vigna keeps his ("Quasi-succinct indices", 2013). Blocks
of one width, as Lucene and Tantivy have them, are read in two thirds of the time and take a fifth more.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels import (
    I32,
    I64,
    NONE,
    U16,
    U64,
    Number,
    compiled,
    count_ones,
    inlined,
    linked,
    mutable,
    outlined,
    readonly,
    trailing_zeros,
    tuple_of,
)

BLOCK = 128  # numbers
MAX_BITS = 32  # of a number
GROUP = 8  # blocks: for these it is written where they start
WORD = 64  # bits
PADDING = 2  # words behind the last block, so that a whole word can be read at any bit
LENGTH = 5  # bits of a head that tell the block's length; those above it, how many zeros there are
LONGEST = (1 << LENGTH) - 1
ONE = np.uint64(1)
_PLACE, _BIT = np.uint64(6), np.uint64(WORD - 1)  # unsigned: no check for places from the end
GIVEN = (readonly(U64), readonly(U16), readonly(U64))  # the arrays of a Packed, for compiled functions

Places = NDArray[np.int64]
Starts = NDArray[np.uint64]
Heads = NDArray[np.uint16]
Bits = NDArray[np.uint64]


@inlined
def block_bits(head: Number) -> Number:
    """Returns how many bits a block takes."""
    return BLOCK * (1 + (head & LONGEST)) + 2 * (head >> LENGTH)


@inlined
def _read_word(bits: Bits, bit: Number) -> Any:
    """Reads the 64 bits from one on."""
    at, shift = bit >> 6, np.uint64(bit & (WORD - 1))
    return bits[at] >> shift | bits[at + 1] << ONE << (np.uint64(WORD - 1) - shift)


@inlined
def _block_start(starts: Starts, heads: Heads, block: Number) -> Number:
    """Returns the bit at which a block begins."""
    begin = np.int64(starts[block // GROUP])
    for before in range(block // GROUP * GROUP, block):
        begin += block_bits(np.int64(heads[before]))
    return begin


@inlined
def _skip_numbers(bits: Bits, begin: Number, first: Number) -> Any:
    """Skips to the first number: returns what comes before its one, in bits; a word with that and later ones;
    where it begins.
    """
    to, window, left = 0, _read_word(bits, begin), first
    many = count_ones(window)
    while left > many:
        left -= many
        to += WORD
        window = _read_word(bits, begin + to)
        many = count_ones(window)
    behind = 0
    if left > 0:
        for _ in range(left - 1):
            window &= window - ONE
        behind = to + trailing_zeros(window) + 1
        window &= window - ONE
    return behind, window, to


@linked(NONE(*GIVEN, I64, mutable(I32)), NONE(*GIVEN, I64, mutable(I64)))
def unpack(starts: Starts, heads: Heads, bits: Bits, start: Number, found: NDArray[Any]) -> None:
    """Decodes the numbers at start, start + 1 ... into `found`."""
    at = 0
    while at < len(found):
        block, first = (start + at) // BLOCK, (start + at) % BLOCK
        head, begin = np.int64(heads[block]), _block_start(starts, heads, block)
        behind, window, to = _skip_numbers(bits, begin, first)
        length = head & LONGEST
        bit = np.uint64(begin + BLOCK + (head >> LENGTH) + first * length + behind - first)
        stop, less = min(at + BLOCK - first, len(found)), 1 << length
        for place in range(at, stop):
            while window == 0:
                to += WORD
                window = _read_word(bits, begin + to)
            one = to + trailing_zeros(window)
            window &= window - ONE
            width = np.uint64(min(length + one - behind, MAX_BITS))
            behind = one + 1
            word, shift = bit >> _PLACE, bit & _BIT  # as _read_word() does; a call takes as long
            low = bits[word] >> shift | bits[word + ONE] << ONE << (_BIT - shift)
            high = ONE << width
            found[place] = np.int64((low & (high - ONE)) + high) - less
            bit += width
        at = stop


@outlined(NONE(*GIVEN, I64, mutable(I32)))
def unpack_noinline(starts: Starts, heads: Heads, bits: Bits, start: Number, found: NDArray[Any]) -> None:
    """Decodes the same, for functions that would take seconds more to compile with it in them; a call takes
    30 ns.
    """
    unpack(starts, heads, bits, start, found)


@compiled(NONE(*GIVEN, readonly(I64), mutable(I64)))
def _unpack_at(starts: Starts, heads: Heads, bits: Bits, places: Places, found: Places) -> None:
    at = 0
    while at < len(places):
        start, end = places[at], at + 1
        while end < len(places) and places[end] - start == end - at:
            end += 1
        unpack(starts, heads, bits, start, found[at:end])
        at = end


@compiled(NONE(*GIVEN, I64, mutable(I64)))
def _unpack_between(starts: Starts, heads: Heads, bits: Bits, start: int, found: Places) -> None:
    unpack(starts, heads, bits, start, found)


@compiled(tuple_of(I64, I64)(*GIVEN, I64, I64))
def _sum_between(
    starts: Starts, heads: Heads, bits: Bits, start: Number, end: Number
) -> tuple[Number, Number]:
    found = np.empty(end - start, np.int64)
    unpack(starts, heads, bits, start, found)
    return found[:-1].sum(), found[-1]


class PackedIntegers:
    """So many numbers below 2**32: at which bits groups of blocks start, the heads of blocks, and the bits.

    Arrays may lie in a file. What is read of a damaged one is wrong or raises IndexError.
    """

    __slots__ = ("arrays", "size")

    def __init__(self, starts: Starts, heads: Heads, bits: Bits, size: int) -> None:
        self.arrays = starts, heads, bits
        self.size = size

    def at(self, places: Places) -> Places:
        """Decodes the numbers at these places; 50 nanoseconds and 3 for each more of those that follow each
        other.
        """
        found = np.empty(len(places), np.int64)
        _unpack_at(*self.arrays, np.ascontiguousarray(places), found)
        return found

    def sum_before(self, start: int, place: int) -> tuple[int, int]:
        """Adds up the numbers at start, start + 1 ... place - 1; and returns the one at the place."""
        total, here = _sum_between(*self.arrays, start, place + 1)
        return total, here

    def between(self, start: int, end: int) -> Places:
        """Decodes the numbers at start, start + 1 ... end - 1; 3 nanoseconds each."""
        found = np.empty(end - start, np.int64)
        _unpack_between(*self.arrays, start, found)
        return found
