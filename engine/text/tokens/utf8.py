"""Cuts UTF-8 text by characters without decoding it: most of a page never becomes a string."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.kernels import I64, NONE, U8, U64, Number, compiled, inlined, mutable, readonly

BLOCK = 256  # octets; from the beginning of one a character is looked for

_ONES = np.uint64(0x0101010101010101)

Octets = NDArray[np.uint8]
Blocks = NDArray[np.int64]


class Utf8:
    """What str.encode() gave of a text; places in it are numbers of characters, from 0."""

    def __init__(self, octets: bytes) -> None:
        self.octets = octets

    @cached_property
    def array(self) -> Octets:
        """Views the octets as an array for compiled loops."""
        return np.frombuffer(self.octets, np.uint8)

    @cached_property
    def blocks(self) -> Blocks:
        """Counts the characters that begin before each block of octets, and before the end."""
        found = np.zeros(len(self.octets) // BLOCK + 2, np.int64)
        if self._is_plain:
            found[:] = np.minimum(np.arange(len(found)) * BLOCK, len(self.octets))
        else:
            _count_by_block(self.array, self.array[: len(self.octets) // 8 * 8].view(np.uint64), found)
        return found

    @property
    def size(self) -> int:
        """Counts the characters."""
        return len(self.octets) if self._is_plain else int(self.blocks[-1])

    @cached_property
    def _is_plain(self) -> bool:
        return self.octets.isascii()

    def first_octets(self, characters: int) -> Octets:
        """Returns the octets of so many characters."""
        if characters >= len(self.octets):
            return self.array
        return self.array[
            : characters if self._is_plain else _find_octet(self.array, self.blocks, characters)
        ]

    def substring(self, start: int, end: int) -> str:
        """Decodes the characters from one place to another; fewer where the text ends before."""
        if self._is_plain:
            return self.octets[start:end].decode()
        if end <= start:
            return ""
        first, last = self.blocks.searchsorted((start, end), side="right").tolist()
        some = self.octets[(first - 1) * BLOCK : last * BLOCK].decode(errors="ignore")
        before = int(self.blocks[first - 1])
        return some[start - before : end - before]


@inlined
def decode_code_point(octets: Octets, at: Number) -> tuple[Number, Number]:
    """Decodes the character that begins there; also where the next one does."""
    first = np.int64(octets[at])
    if first < 0x80:
        return first, at + 1
    if first < 0xE0:
        return (first & 0x1F) << 6 | np.int64(octets[at + 1]) & 0x3F, at + 2
    two = (np.int64(octets[at + 1]) & 0x3F) << 6 | np.int64(octets[at + 2]) & 0x3F
    if first < 0xF0:
        return (first & 0xF) << 12 | two, at + 3
    return ((first & 0x7) << 18 | two << 6 | np.int64(octets[at + 3]) & 0x3F) & 0x1FFFFF, at + 4


@inlined
def is_leading_octet(octet: Number) -> bool:
    """Tells whether a character begins with the octet (RFC 3629, 3)."""
    return bool(octet & 0xC0 != 0x80)


@inlined
def find_octet(octets: Octets, blocks: Blocks, character: Number) -> Number:
    """Finds where in the octets a character begins; their end for one behind the last."""
    low, high = 0, len(blocks) - 1
    while low + 1 < high:
        middle = (low + high) // 2
        if blocks[middle] <= character:
            low = middle
        else:
            high = middle
    at, count = low * BLOCK, blocks[low]
    while at < len(octets) and (count < character or not is_leading_octet(octets[at])):
        count += is_leading_octet(octets[at])
        at += 1
    return at


@compiled(I64(readonly(U8), readonly(I64), I64))
def _find_octet(octets: Octets, blocks: Blocks, character: Number) -> Number:
    return find_octet(octets, blocks, character)


@compiled(NONE(readonly(U8), readonly(U64), mutable(I64)))
def _count_by_block(octets: Octets, words: NDArray[np.uint64], blocks: Blocks) -> None:
    """Counts the characters by blocks. words: the octets, eight in each, without the last ones."""
    count = np.int64(0)
    for word in range(len(words)):
        if word % (BLOCK // 8) == 0:
            blocks[word // (BLOCK // 8)] = count
        within = words[word] >> np.uint64(7) & ~words[word] >> np.uint64(6) & _ONES
        count += 8 - np.int64(within * _ONES >> np.uint64(56))
    if len(words) % (BLOCK // 8) == 0:
        blocks[len(words) // (BLOCK // 8)] = count
    for at in range(len(words) * 8, len(octets)):
        count += is_leading_octet(octets[at])
    blocks[len(blocks) - 1] = count
