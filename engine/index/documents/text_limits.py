"""Limits how much of a page's text is indexed: as much as the longest that people write.

A page of two million letters can have as many different terms, which took the index 2.3 GB and 13 seconds.
People repeat themselves: of 2,000,000 letters of a novel 300,000 are of different words.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.text.analysis import MAX_TERM

# Words, and letters written without spaces, of a page; three long novels have 400,000.
MAX_POSITIONS = 500_000
MAX_DIFFERENT = 1_000_000  # letters of its different words; the index of the Python manual has 600,000
FREE = 100_000  # letters, of which neither can be: shorter pages are not looked at
PIECE = 50_000  # letters looked at at once
# From here on letters are written without spaces: Thai, Han, kana; and signs, which are few.
SPACELESS = 0x0E00
PAIR_LETTERS = 8  # that a pair of them counts as: it takes as much as a word of so many


def limit_texts(texts: Sequence[str]) -> list[str]:
    """Cuts each text to as much as is indexed; the first go first."""
    if sum(map(len, texts)) <= FREE:
        return list(texts)
    spent = _TextBudget()
    return [text[: spent.count_affordable(text)] for text in texts]


class _TextBudget:
    """What the texts so far take."""

    def __init__(self) -> None:
        self._positions = self._letters = 0
        self._words: set[str] = set()
        self._pairs: set[int] = set()

    def count_affordable(self, text: str) -> int:
        """Counts the letters of a text that there is room for."""
        for start in range(0, len(text), PIECE):
            if self._positions >= MAX_POSITIONS or self._letters >= MAX_DIFFERENT:
                near = start - MAX_TERM
                return max(text.rfind(" ", near, start), text.rfind("\n", near, start)) % (start + 1)
            self._take(text[start : start + PIECE])
        return len(text)

    def _take(self, piece: str) -> None:
        words = piece.split()
        new = set(words) - self._words
        self._words |= new
        codes = _spaceless_letters(piece)
        pairs = set(np.unique(codes[:-1] << 21 | codes[1:]).tolist()) - self._pairs
        self._pairs |= pairs
        self._positions += len(words) + len(codes)
        self._letters += max(sum(map(len, new)) - len(codes), 0) + PAIR_LETTERS * len(pairs)


def _spaceless_letters(text: str) -> NDArray[np.int64]:
    """Returns the letters of a text that are written without spaces, by number."""
    if text.isascii():
        return np.zeros(0, np.int64)
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    return codes[codes >= SPACELESS].astype(np.int64)
