"""Encodes integers into packed blocks, each in the way that takes least."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.kernels import I64, NONE, U16, U64, Number, compiled, inlined, leading_zeros, mutable, readonly
from engine.segment.packed import (
    BLOCK,
    GROUP,
    LENGTH,
    LONGEST,
    MAX_BITS,
    ONE,
    PADDING,
    WORD,
    Bits,
    Heads,
    Places,
    Starts,
    block_bits,
)


@inlined
def _bit_length(number: Number) -> Number:
    """Counts the bits of a number."""
    return WORD - leading_zeros(np.uint64(number))


@inlined
def _count_zeros(numbers: Places, length: Number) -> Number:
    zeros = 0
    for number in numbers:
        zeros += _bit_length((number + (1 << length)) >> length) - 1
    return zeros


@inlined
def _put_bits(words: Bits, bit: Number, number: Any, width: Number) -> None:
    at, shift = bit >> 6, bit & (WORD - 1)
    words[at] |= number << np.uint64(shift)
    if shift + width > WORD:
        words[at + 1] |= number >> np.uint64(WORD - shift)


@compiled(NONE(readonly(U16), mutable(U64)))
def _fill_starts(heads: Heads, starts: Starts) -> None:
    begin = 0
    for block in range(len(heads)):
        if block % GROUP == 0:
            starts[block // GROUP] = begin
        begin += block_bits(np.int64(heads[block]))


@compiled(I64(readonly(I64), mutable(U16)))
def _choose_heads(numbers: Places, heads: Heads) -> Number:
    """Fills in the heads with which the blocks take least; returns how many bits they take. Raises
    ValueError.

    A length is too short as soon as 64 numbers get a zero more by it: so a head's 11 bits tell the zeros.
    """
    bits = 0
    for block in range(len(heads)):
        some = numbers[block * BLOCK : (block + 1) * BLOCK]
        every = np.int64(0)
        for number in some:
            every |= number
        if every >> MAX_BITS:
            raise ValueError("only numbers from 0 to 2**32 - 1 can be packed")
        length = min(_bit_length(some.sum() // BLOCK), LONGEST)
        zeros = _count_zeros(some, length)
        for step in (-1, 1):
            while 0 <= length + step <= LONGEST:
                others = _count_zeros(some, length + step)
                if BLOCK * step + 2 * (others - zeros) >= 0:
                    break
                length, zeros = length + step, others
        heads[block] = zeros << LENGTH | length
        bits += block_bits(np.int64(heads[block]))
    return bits


@compiled(NONE(readonly(I64), readonly(U16), I64, mutable(U64)))
def _write_blocks(numbers: Places, heads: Heads, begin: Number, words: Bits) -> None:
    """Sets the bits of blocks in words that have none from bit `begin` on."""
    for block in range(len(heads)):
        head = np.int64(heads[block])
        length, one = head & LONGEST, begin
        rest = begin + BLOCK + (head >> LENGTH)
        for number in numbers[block * BLOCK : (block + 1) * BLOCK]:
            marked = number + (1 << length)
            width = _bit_length(marked) - 1
            one += width - length
            words[one >> 6] |= ONE << np.uint64(one & (WORD - 1))
            one += 1
            _put_bits(words, rest, np.uint64(marked - (1 << width)), width)
            rest += width
        begin = rest


class Packer:
    """Packs numbers that come a few at a time, 10 nanoseconds each; keeps those of an unfinished block."""

    def __init__(self) -> None:
        self._left: NDArray[np.integer] = np.empty(0, np.int64)
        self._heads = [np.empty(0, np.uint16)]
        self._word, self._used = np.uint64(0), 0  # of the last word so many bits
        self.size = 0

    def add(self, numbers: NDArray[np.integer]) -> bytes:
        """Packs the next numbers and returns the full words. Raises ValueError for what is not of 32 bits."""
        self.size += len(numbers)
        waiting = np.concatenate((self._left, numbers)) if len(self._left) else numbers
        full = len(waiting) // BLOCK * BLOCK
        self._left = waiting[full:].copy()
        return self._pack_blocks(waiting[:full])

    def finish(self) -> bytes:
        """Returns the words of the last block, and the padding."""
        last = np.zeros(-(-len(self._left) // BLOCK) * BLOCK, np.int64)
        last[: len(self._left)] = self._left
        words = self._pack_blocks(last)
        return words + self._word.tobytes() + bytes(PADDING * WORD // 8)

    def heads(self) -> Heads:
        """Returns the heads of the blocks."""
        return np.concatenate(self._heads)

    def starts(self) -> Starts:
        """Returns at which bit each group of blocks starts."""
        heads = self.heads()
        starts = np.empty(-(-len(heads) // GROUP), np.uint64)
        _fill_starts(heads, starts)
        return starts

    def _pack_blocks(self, numbers: NDArray[np.integer]) -> bytes:
        wide: Places = np.ascontiguousarray(numbers, np.int64)
        heads = np.empty(len(wide) // BLOCK, np.uint16)
        end = self._used + _choose_heads(wide, heads)
        words = np.zeros(end // WORD + 1, np.uint64)
        words[0] = self._word
        _write_blocks(wide, heads, self._used, words)
        self._heads.append(heads)
        self._word, self._used = words[-1], end % WORD
        return words[:-1].tobytes()
