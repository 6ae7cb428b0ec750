"""Many small numbers in few bits: blocks of 128, each as wide as its largest number, any of them read alone.

The blocks are those of Lucene and Tantivy (after Lemire and Boytsov, "Decoding billions of integers per
second through vectorization", 2015); that every number is found by a sum and a shift is what NumPy needs.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BLOCK = 128  # numbers
MAX_BITS = 32  # of a number
_UNIT = BLOCK // 8  # bytes that a block takes for each bit of its width
_WORD = 64  # bits
_PADDING = 8  # bytes behind the last block, so that a whole word can be read anywhere

Numbers = NDArray[np.uint32]


class Blocks(NamedTuple):
    """What packing gives: where each block starts, in units of 16 bytes, and the blocks' bytes."""

    starts: Numbers
    words: NDArray[np.uint64]


class Packed:
    """So many numbers below 2**32. `starts` and `bits` (with 8 bytes of padding) may lie in a file."""

    __slots__ = ("_starts", "_words", "size")

    def __init__(self, starts: Numbers, bits: NDArray[np.uint8], size: int) -> None:
        self._starts = starts
        self._words = np.ndarray((max(len(bits) - _PADDING + 1, 0),), "<u8", bits, 0, (1,))  # at any byte
        self.size = size

    def at(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers at these places, 8 microseconds for few and 8 nanoseconds each for many."""
        block = places >> 7
        start = self._starts[block].astype(np.int64)
        width = self._starts[block + 1] - start
        bit = (places & (BLOCK - 1)) * width
        word = self._words[start * _UNIT + (bit >> 3)]
        found: NDArray[np.int64] = (word >> (bit & 7).view(np.uint64)).view(np.int64)
        found &= (1 << width) - 1
        return found

    def between(self, start: int, end: int) -> NDArray[np.int64]:
        """The numbers at start, start + 1 ... end - 1."""
        return self.at(np.arange(start, end))

    def chunks(self, size: int) -> Iterator[NDArray[np.int64]]:
        """All of them, so many at a time."""
        for start in range(0, self.size, size):
            yield self.between(start, min(start + size, self.size))


def packed(numbers: NDArray[np.integer]) -> Blocks:
    """Pack numbers of at least 0 and below 2**32; 12 nanoseconds each."""
    count = -(-len(numbers) // BLOCK)
    filled = np.zeros(count * BLOCK, np.uint64)
    filled[: len(numbers)] = numbers
    blocks = filled.reshape(count, BLOCK)
    widths = np.frexp(blocks.max(axis=1, initial=0).astype(np.float64))[1]
    starts = np.zeros(count + 1, np.uint32)
    np.cumsum(widths, out=starts[1:])
    words = np.zeros(2 * int(starts[-1]), np.uint64)
    for width in np.unique(widths[widths > 0]).tolist():
        of_width = np.flatnonzero(widths == width)
        places = 2 * starts[of_width].astype(np.int64)[:, None] + np.arange(2 * width)
        words[places] = _squeezed(blocks[of_width], width)
    return Blocks(starts, words)


def _squeezed(blocks: NDArray[np.uint64], width: int) -> NDArray[np.uint64]:
    """Blocks of one width as words, two to each bit of it."""
    words = np.zeros((len(blocks), 2 * width), np.uint64)
    for column in range(BLOCK):
        word, shift = divmod(column * width, _WORD)
        words[:, word] |= blocks[:, column] << np.uint64(shift)
        if shift + width > _WORD:
            words[:, word + 1] |= blocks[:, column] >> np.uint64(_WORD - shift)
    return words


class Packer:
    """Packs numbers that come a few at a time; keeps those of an unfinished block."""

    def __init__(self) -> None:
        self._left: NDArray[np.integer] = np.empty(0, np.uint32)
        self._starts = [np.zeros(1, np.uint32)]
        self._end = np.uint32(0)
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

    def starts(self) -> Numbers:
        """Where the blocks start, the end of the last included."""
        return np.concatenate(self._starts)

    def _bytes(self, numbers: NDArray[np.integer]) -> bytes:
        blocks = packed(numbers)
        self._starts.append(blocks.starts[1:] + self._end)
        self._end += blocks.starts[-1]
        return blocks.words.tobytes()
