"""Splits documents into portions, one segment each, by the memory that their terms take.

What takes memory is how many terms differ and how often they occur, not how long a text is: a batch of
usual pages is one portion, one whose words all differ is several.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.documents.document import Document
from engine.index.schema import HEADINGS, TEXT_FIELDS
from engine.segment import MAX_DOCUMENTS
from engine.text.tokens import TermBatch, TermNumbering

PIECE = 500_000  # letters whose terms are looked up at once; where all words differ they take 150 MB
MAX_END = (1 << 16) - 1  # positions of a document's headings; those behind it are no names by themselves
MAX_ENTRIES = 4_000_000  # occurrences of terms and forms in a portion; sorting takes some 80 bytes for each

_HEADINGS_AT = TEXT_FIELDS.index(HEADINGS)


class SegmentBatch(NamedTuple):
    """Documents of one segment, the terms of their texts, and for each at which position its headings end."""

    documents: Sequence[Document]
    terms: TermBatch
    heading_ends: Sequence[NDArray[np.uint16]]


def split_portions(documents: Iterable[Document], numbering: TermNumbering) -> Iterator[SegmentBatch]:
    """Splits documents into portions, in order. The numbers of one hold until the next is asked for."""
    some, read, ends = list[Document](), list[TermBatch](), list[NDArray[np.uint16]]()
    entries = 0
    for piece in _split_pieces(documents):
        if read and (numbering.is_full or entries > MAX_ENTRIES or len(some) + len(piece) > MAX_DOCUMENTS):
            yield SegmentBatch(some, _join_batches(read), ends)
            some, read, ends, entries = [], [], [], 0
        number = numbering.number_more_texts if read else numbering.number_texts
        terms, of_headings = _number_documents(piece, number)
        read.append(terms)
        ends += of_headings
        some += piece
        entries += len(read[-1].terms) + len(read[-1].forms)
    if read:
        yield SegmentBatch(some, _join_batches(read), ends)


def _number_documents(
    documents: Sequence[Document], number: Callable[[Iterable[tuple[str, str]]], TermBatch]
) -> tuple[TermBatch, list[NDArray[np.uint16]]]:
    """Numbers the terms of documents, and finds where their headings end: each is numbered by itself, and its
    terms follow those of the one before.
    """
    parts, counts = list[tuple[str, str]](), list[int]()
    for document in documents:
        for name, text in zip(TEXT_FIELDS, document.texts, strict=True):
            some = text.split("\n") if name == HEADINGS else [text]
            parts += ((part, document.language) for part in some)
            counts.append(len(some))
    read = number(parts)
    firsts = np.cumsum([0, *counts[:-1]])
    ends = np.cumsum(read.lengths)
    ends -= np.repeat(ends[firsts] - read.lengths[firsts], counts)
    of_part = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    joined = TermBatch(
        terms=read.terms,
        positions=read.positions + (ends - read.lengths)[read.texts].astype(np.int32),
        texts=of_part[read.texts],
        lengths=np.add.reduceat(read.lengths, firsts, dtype=np.int32),
        forms=read.forms,
        form_texts=of_part[read.form_texts],
    )
    return joined, _select_heading_ends(ends, read.lengths, firsts, counts)


def _select_heading_ends(
    ends: NDArray[np.integer], lengths: NDArray[np.int32], firsts: NDArray[np.integer], counts: Sequence[int]
) -> list[NDArray[np.uint16]]:
    """Selects, of the parts of all texts, the ends of those that are headings and have a word, for each
    document; none beyond what a number of 16 bits can tell.
    """
    of_document = len(TEXT_FIELDS)
    found = []
    for first, count in zip(
        firsts[_HEADINGS_AT::of_document].tolist(), counts[_HEADINGS_AT::of_document], strict=True
    ):
        some = slice(first, first + count)
        there = ends[some][lengths[some] > 0]
        found.append(there[there <= MAX_END].astype(np.uint16))
    return found


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
