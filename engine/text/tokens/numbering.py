"""Numbers the terms and forms of texts, as arrays for the writer of the index.

Chunks are few, their occurrences many: a chunk is worked out once, and from then on there is no work of
Python's for a word, a position or a term.
"""

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels import I32, I64, NONE, compiled, mutable, readonly
from engine.text.analysis import stemming_language
from engine.text.tokens.chunks import ChunkBatch, ChunkDictionary
from engine.text.tokens.rows import STEP, ChunkRows, Rows, TokenMemory

MAX_KNOWN = 1_000_000  # chunks, terms, forms, entries of rows: 100 MB, at worst 300 MB of rarest letters

Numbers = NDArray[np.int32]


class TermBatch(NamedTuple):
    """Terms and forms of many texts, an entry for each occurrence, text after text (all int32).

    Terms come by position, those of one position in any order and each once. Forms have no positions.
    """

    terms: Numbers  # number of the term
    positions: Numbers  # its position in its text, from 0
    texts: Numbers  # number of its text in the batch, from 0
    lengths: Numbers  # of each text: its positions
    forms: Numbers  # number of the form
    form_texts: Numbers  # number of its text


class TermNumbering:
    """What a writer knows of chunks, terms and forms; it goes from batch to batch until it is too much.

    Numbers hold for one batch: `terms` and `forms` map numbers to strings until the next.
    A batch is taken piece by piece where it may be large.
    """

    def __init__(self) -> None:
        self._forget()

    @property
    def terms(self) -> Sequence[str]:
        """Returns the terms by number."""
        return self._memory.terms.spelled

    @property
    def forms(self) -> Sequence[str]:
        """Returns the forms by number, in the index's spelling."""
        return self._memory.forms.spelled

    @property
    def is_full(self) -> bool:
        """Tells whether it knows so much that the next batch begins without what is known."""
        memory = self._memory
        entries = memory.placed.size + memory.typed.size
        strings = len(memory.terms) + len(memory.forms) + len(memory.pairs)
        return entries + strings + len(self._met) + sum(map(len, self._chunks)) > MAX_KNOWN

    def number_texts(self, texts: Iterable[tuple[str, str]]) -> TermBatch:
        """Numbers the terms of analyse() of texts, each with its language (ISO 639-1, or "")."""
        if self.is_full:
            self._forget()
        return self.number_more_texts(texts)

    def number_more_texts(self, texts: Iterable[tuple[str, str]]) -> TermBatch:
        """Numbers texts as number_texts(), with the numbers of the batch before, which go on to hold."""
        contents, ways = [], []
        for text, language in texts:
            contents.append(text)
            ways.append(self._way_number(stemming_language(language)))
        found = self._met.find_chunks(contents, ways)
        for chunk, way in found.new:
            self._rows.append(self._chunks[way].number(chunk))
        entries, of_entry = self._concatenate(self._memory.placed, found)
        positions, lengths = np.empty_like(entries), np.zeros(len(contents), np.int32)
        _assign_positions(entries, of_entry, positions, lengths)
        return TermBatch(entries, positions, of_entry, lengths, *self._concatenate(self._memory.typed, found))

    def _concatenate(self, rows: Rows, found: ChunkBatch) -> tuple[Numbers, Numbers]:
        """Concatenates the entries of the rows of chunks, and of each the number of its text."""
        of_chunk = np.frombuffer(self._rows, np.int32)
        entries, starts = rows.flatten()
        sizes = np.diff(starts)[of_chunk]
        size = int(sizes[found.chunks].sum())
        spread, texts = np.empty(size, np.int32), np.empty(size, np.int32)
        _copy_rows(entries, starts[of_chunk], sizes, found.chunks, found.begins, spread, texts)
        return spread, texts

    def _way_number(self, language: str) -> int:
        """Returns the number of a language's way to spell words."""
        number = self._ways.setdefault(language, len(self._ways))
        if number == len(self._chunks):
            self._chunks.append(ChunkRows(language, self._memory))
        return number

    def _forget(self) -> None:
        self._memory = TokenMemory.empty()
        self._met = ChunkDictionary()
        self._rows = array("i")  # the number of the rows of each chunk that was met
        self._ways: dict[str, int] = {}
        self._chunks: list[ChunkRows] = []


@compiled(
    NONE(
        readonly(I32),
        mutable(I32),
        mutable(I32),
        mutable(I32),
        mutable(I64),
        mutable(I32),
        mutable(I32),
    ),
)
def _copy_rows(
    rows: Numbers,
    starts: Numbers,
    sizes: Numbers,
    chunks: Numbers,
    begins: NDArray[np.int64],
    entries: Numbers,
    texts: Numbers,
) -> None:
    """Copies the rows of chunks, one after another, each entry with its text."""
    count = 0
    for text in range(len(begins) - 1):
        for at in range(begins[text], begins[text + 1]):
            chunk = chunks[at]
            for place in range(starts[chunk], starts[chunk] + sizes[chunk]):
                entries[count], texts[count] = rows[place], text
                count += 1


@compiled(NONE(mutable(I32), mutable(I32), mutable(I32), mutable(I32)))
def _assign_positions(entries: Numbers, texts: Numbers, positions: Numbers, lengths: Numbers) -> None:
    """Replaces entries by terms, with their positions, and how many positions each text has."""
    for at in range(len(entries)):
        lengths[texts[at]] += entries[at] & STEP
        positions[at] = lengths[texts[at]] - 1
        entries[at] >>= 1
