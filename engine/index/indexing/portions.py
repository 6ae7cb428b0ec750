"""Splits documents into portions, one segment each, by the memory that their terms take.

What takes memory is how many terms differ and how often they occur, not how long a text is: a batch of
usual pages is one portion, one whose words all differ is several.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from engine.index.indexing.document import Document
from engine.segment import MAX_DOCUMENTS
from engine.text.tokens import TermBatch, TermNumbering

PIECE = 500_000  # letters whose terms are looked up at once; where all words differ they take 150 MB
MAX_ENTRIES = 4_000_000  # occurrences of terms and forms in a portion; sorting takes some 80 bytes for each


class SegmentBatch(NamedTuple):
    """Documents of one segment, and the terms of their texts."""

    documents: Sequence[Document]
    terms: TermBatch


def split_portions(documents: Iterable[Document], numbering: TermNumbering) -> Iterator[SegmentBatch]:
    """Splits documents into portions, in order. The numbers of one hold until the next is asked for."""
    some, read = list[Document](), list[TermBatch]()
    entries = 0
    for piece in _split_pieces(documents):
        if read and (numbering.is_full or entries > MAX_ENTRIES or len(some) + len(piece) > MAX_DOCUMENTS):
            yield SegmentBatch(some, _join_batches(read))
            some, read, entries = [], [], 0
        number = numbering.number_more_texts if read else numbering.number_texts
        read.append(number((text, document.language) for document in piece for text in document.texts))
        some += piece
        entries += len(read[-1].terms) + len(read[-1].forms)
    if read:
        yield SegmentBatch(some, _join_batches(read))


def _split_pieces(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Splits documents into pieces of PIECE letters, or one document that has more."""
    piece, letters = list[Document](), 0
    for document in documents:
        size = sum(map(len, document.texts))
        if piece and (letters + size > PIECE or len(piece) == MAX_DOCUMENTS):
            yield piece
            piece, letters = [], 0
        piece.append(document)
        letters += size
    if piece:
        yield piece


def _join_batches(several: Sequence[TermBatch]) -> TermBatch:
    """Joins the terms of pieces as those of one batch: only texts are counted anew."""
    if len(several) == 1:
        return several[0]
    before = np.cumsum([0, *(len(one.lengths) for one in several[:-1])]).tolist()
    placed = list(zip(several, before, strict=True))
    return TermBatch(
        terms=np.concatenate([one.terms for one in several]),
        positions=np.concatenate([one.positions for one in several]),
        texts=np.concatenate([one.texts + first for one, first in placed]),
        lengths=np.concatenate([one.lengths for one in several]),
        forms=np.concatenate([one.forms for one in several]),
        form_texts=np.concatenate([one.form_texts + first for one, first in placed]),
    )
