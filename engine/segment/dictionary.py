"""Stores the term dictionary: sorted, in blocks of 128 terms, found by the blocks' first terms."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from threading import Lock
from typing import IO

import numpy as np
from numpy.typing import NDArray
from zstandard import ZstdCompressor, ZstdDecompressor, ZstdError, frame_content_size

from engine.errors import DamagedError
from engine.segment.packed import BLOCK, PackedIntegers
from engine.segment.packer import Packer
from engine.segment.sections import Sections, SectionsWriter
from engine.segment.terms import BREAK, Terms, concatenate_terms, split_terms

MAX_BLOCKS = 256  # kept unpacked of a segment, some 2 kB each of words, 10 kB of URLs
MAX_BYTES = 1 << 20  # of an unpacked block, 8 kB a term: a file that says more is damaged
_AT_ONCE = 1 << 16  # terms whose postings are counted at a time


class _Blocks:
    """The blocks of terms as they are stored. Methods raise DamagedError."""

    def __init__(self, sections: Sections) -> None:
        self._path = sections.path
        self._texts = sections.array("terms")
        self._starts = sections.array("terms.starts")
        self._decompressor = ZstdDecompressor()
        self._lock = Lock()  # it serves one thread at a time

    def text(self, block: int) -> bytes:
        """Decompresses a block's terms, with a BREAK before and behind each."""
        kept = self._texts[int(self._starts[block]) : int(self._starts[block + 1])].tobytes()
        try:
            if not 0 < frame_content_size(kept) <= MAX_BYTES:
                raise DamagedError(self._path)
            with self._lock:
                return BREAK + self._decompressor.decompress(kept) + BREAK
        except ZstdError as error:
            raise DamagedError(self._path) from error


class _Bounds:
    """Where the postings of terms begin and end."""

    def __init__(self, sections: Sections) -> None:
        self._first = sections.array("terms.first")  # posting of each block
        self.counts = PackedIntegers(
            sections.array("counts.starts"),
            sections.array("counts.heads"),
            sections.array("counts"),
            sections.about["terms"],
        )

    def __len__(self) -> int:
        """Counts the blocks."""
        return len(self._first)

    def postings(self, number: int) -> tuple[int, int]:
        """Returns where the postings of a term begin, and where they end."""
        before, count = self.counts.sum_before(number // BLOCK * BLOCK, number)
        start = int(self._first[number // BLOCK]) + before
        return start, start + count


def _split(text: bytes) -> list[bytes]:
    """Splits a block into its terms."""
    return text[len(BREAK) : -len(BREAK)].split(BREAK)


class Dictionary:
    """Sorted terms, each with a number and the places of its postings. Methods raise DamagedError."""

    def __init__(self, sections: Sections) -> None:
        self._path = sections.path
        self._blocks, self._bounds = _Blocks(sections), _Bounds(sections)
        self._kept_heads = sections.array("terms.heads")
        self.size: int = sections.about["terms"]
        # Not of methods of ours: in a circle a file would stay open, long after its commit has gone.
        self._text = lru_cache(MAX_BLOCKS)(self._blocks.text)

    def find(self, term: bytes) -> int:
        """Finds a term's number, -1 where it is none."""
        if not self.size or BREAK in term:
            return -1
        block = self._block_of(term)
        text = self._text(block)
        at = text.find(BREAK + term + BREAK)
        number = block * BLOCK + text.count(BREAK, 0, at)
        return number if at >= 0 and number < self.size else -1

    def find_at_least(self, term: bytes) -> int:
        """Finds the number of the first term that is not before this one."""
        if not self.size:
            return 0
        block = self._block_of(term)
        return block * BLOCK + bisect_left(_split(self._text(block)), term)

    def term(self, number: int) -> bytes:
        """Returns the term with a number."""
        return _split(self._text(number // BLOCK))[number % BLOCK]

    def terms(self, start: int = 0) -> Iterator[bytes]:
        """Yields the terms from a number on."""
        for block in range(start // BLOCK, len(self._bounds)):
            terms = _split(self._blocks.text(block))
            yield from islice(terms, start % BLOCK if block == start // BLOCK else 0, None)

    def between(self, start: int, end: int) -> Terms:
        """Returns the terms start, start + 1 ... end - 1, side by side."""
        blocks = range(start // BLOCK, -(-end // BLOCK) if start < end else start // BLOCK)
        first, size = blocks.start * BLOCK, min(blocks.stop * BLOCK, self.size) - blocks.start * BLOCK
        try:
            text = b"".join(self._blocks.text(block)[len(BREAK) :] for block in blocks)
            terms = split_terms(text, size if blocks else 0)
        except ValueError as error:
            raise DamagedError(self._path) from error
        return terms.between(start - first, end - first) if blocks else terms

    def split_points(self, postings: int) -> list[bytes]:
        """Selects terms that split the dictionary: between them lie so many postings, and those of one term
        more.
        """
        found, before, last = [], 0, 0
        for start in range(0, self.size, _AT_ONCE):
            ends = np.cumsum(self.counts(start, min(start + _AT_ONCE, self.size))) + before
            parts = np.concatenate(([before], ends[:-1])) // postings
            found += (np.flatnonzero(np.diff(parts, prepend=last)) + start).tolist()
            before, last = int(ends[-1]), int(parts[-1])
        return [self.term(number) for number in found]

    def postings(self, number: int) -> tuple[int, int]:
        """Returns where the postings of the term with a number begin, and where they end."""
        return self._bounds.postings(number)

    def counts(self, start: int, end: int) -> NDArray[np.int64]:
        """Returns how many documents hold each of the terms start, start + 1 ... end - 1."""
        return self._bounds.counts.between(start, end)

    def _block_of(self, term: bytes) -> int:
        """Returns the block that has the term, if one does."""
        return max(bisect_right(self._heads, term) - 1, 0)

    @cached_property
    def _heads(self) -> list[bytes]:
        return self._kept_heads.tobytes().split(BREAK)


class DictionaryFile:
    """Terms on their way into a file, in order; aside until all are there, but for the first of each block.

    The compressor's result keeps the memory of the worst case, three times that of the block as it was.
    """

    def __init__(self, aside: IO[bytes]) -> None:
        self._compress = ZstdCompressor(level=3).compress
        self._file = aside
        self._starts = array("Q", [0])
        self._heads = bytearray()
        self._first = array("Q")
        self._waiting = split_terms(b"", 0)
        self._packer = Packer()
        self._counts: list[bytes] = []
        self._postings = 0
        self.size = 0

    def add(self, terms: Terms, counts: NDArray[np.int64]) -> None:
        """Adds the next terms, and how many documents hold each. Raises ValueError: a block is over
        MAX_BYTES.
        """
        ends = np.concatenate(([0], np.cumsum(counts))) + self._postings
        of_blocks = range(-self.size % BLOCK, terms.size, BLOCK)
        self._first.extend(ends[of_blocks.start : terms.size : BLOCK].tolist())
        self._postings = int(ends[-1])
        self._counts.append(self._packer.add(counts))
        self.size += terms.size
        waiting = concatenate_terms((self._waiting, terms))
        whole = waiting.size // BLOCK * BLOCK
        self._pack(waiting.between(0, whole))
        self._waiting = waiting.between(whole, waiting.size)

    def write(self, file: SectionsWriter) -> None:
        """Writes all of it."""
        self._pack(self._waiting)
        file.copy("terms", "|u1", self._file)
        file.add("terms.starts", np.array(self._starts))
        file.stream("terms.heads", "|u1", [bytes(self._heads)])
        file.add("terms.first", np.array(self._first))
        file.stream("counts", "<u8", [*self._counts, self._packer.finish()])
        file.add("counts.starts", self._packer.starts())
        file.add("counts.heads", self._packer.heads())

    def _pack(self, terms: Terms) -> None:
        text, last = terms.octets.tobytes(), len(terms.octets)
        ends = terms.ends[BLOCK - 1 : terms.size - 1 : BLOCK].tolist() if last else []
        for start, end in pairwise([0, *ends, last] if last else []):
            block = text[start : end - len(BREAK)]
            head = block.partition(BREAK)[0]
            if len(block) > MAX_BYTES:
                raise ValueError(f"terms from {head!r} on are too long")
            self._heads += (BREAK if len(self._starts) > 1 else b"") + head
            packed = self._compress(block)
            self._starts.append(self._starts[-1] + len(packed))
            self._file.write(packed)
