"""Texts -> arrays of term numbers and of form numbers: what the writer of the index works with.

Chunks are few, their occurrences many: a chunk is looked up once for its number, and from then on there
is no work of Python's for a word, a position or a term.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.text.alphabet import TYPED
from engine.text.analysis import way_of
from engine.text.rows import STEP, Chunks, Memory
from engine.text.words import PRINTED, SEPARATORS

MAX_KNOWN = 2_000_000  # chunks, terms, forms, entries of rows: 80 MB, at worst 500 MB of rarest letters

# Letters without spaces, and what folds into some, stand among these; no others of Latin, Cyrillic, Arabic.
_PERHAPS_SPACELESS = re.compile("[^\0-\u0dff\u1e00-\u2dff]")


class Batch(NamedTuple):
    """Terms and forms of many texts, an entry for each occurrence, text after text (all int32).

    Terms come by position, those of one position in any order and each once. Forms have no positions.
    """

    terms: NDArray[np.int32]  # number of the term
    positions: NDArray[np.int32]  # its position in its text, from 0
    texts: NDArray[np.int32]  # number of its text in the batch, from 0
    lengths: NDArray[np.int32]  # of each text: its positions
    forms: NDArray[np.int32]  # number of the form
    form_texts: NDArray[np.int32]  # number of its text


class Numbering:
    """What a writer knows of chunks, terms and forms; it goes from batch to batch until it is too much.

    Numbers hold for one batch: `terms` and `forms` say, until the next, which string a number stands for.
    """

    def __init__(self) -> None:
        self._forget()

    @property
    def terms(self) -> Sequence[str]:
        """Terms by number."""
        return self._memory.terms.spelled

    @property
    def forms(self) -> Sequence[str]:
        """Forms by number, in the index's spelling."""
        return self._memory.forms.spelled

    def batch(self, texts: Iterable[tuple[str, str]]) -> Batch:
        """The terms of texts, each with its language (ISO 639-1, or ""), just as analyse() gives them."""
        if self._known() > MAX_KNOWN:
            self._forget()
        chunks = [self._numbers(text, way_of(language)) for text, language in texts]
        bounds = np.cumsum([0, *map(len, chunks)])
        numbers = np.concatenate([np.empty(0, np.int32), *chunks])
        entries, begins = self._memory.placed.side_by_side(numbers)
        begins = begins[bounds]
        reached = np.cumsum(entries & STEP, dtype=np.int32)
        before = np.concatenate([np.zeros(1, np.int32), reached])[begins]
        sizes = np.diff(begins)
        typed, typed_begins = self._memory.typed.side_by_side(numbers)
        of = np.arange(len(chunks), dtype=np.int32)
        return Batch(
            entries // 2,
            reached - np.repeat(before[:-1] + 1, sizes),
            np.repeat(of, sizes),
            np.diff(before),
            typed,
            np.repeat(of, np.diff(typed_begins[bounds])),
        )

    def _numbers(self, text: str, way: str) -> NDArray[np.int32]:
        """The numbers of a text's chunks."""
        found = _parted(text).split()
        return np.fromiter(map(self._chunks[way].__getitem__, found), np.int32, len(found))

    def _known(self) -> int:
        memory = self._memory
        entries = len(memory.placed.entries) + len(memory.typed.entries)
        strings = len(memory.terms) + len(memory.forms) + len(memory.pairs)
        return entries + strings + sum(map(len, self._chunks.values()))

    def _forget(self) -> None:
        self._memory = Memory.empty()
        self._chunks = _Languages(self._memory)


class _Languages(dict[str, Chunks]):
    """The chunks of each language, begun when it is first met."""

    def __init__(self, memory: Memory) -> None:
        super().__init__()
        self._memory = memory

    def __missing__(self, language: str) -> Chunks:
        chunks = self[language] = Chunks(language, self._memory)
        return chunks


def _parted(text: str) -> str:
    """The text as it is typed, with spaces for what parts words anyway: fewer chunks are different then.

    Beside letters without spaces case tells nothing, which is to be seen only while they are together.
    """
    if not text.isascii():
        for typographic, typed in TYPED:
            text = text.replace(typographic, typed)
        if _PERHAPS_SPACELESS.search(text):
            return text
        for separator in PRINTED:
            text = text.replace(separator, " ")
    for separator in SEPARATORS:
        text = text.replace(separator, " ")
    return text
