"""The arrays of a segment that scoring reads in compiled loops."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import I32, U8, U16, U32, U64, given, record
from engine.segment import Bits, Heads, Starts


class LeafArrays(NamedTuple):
    """Packed documents and rows of all postings, the table of the rows, and lengths of texts."""

    document_starts: Starts
    document_heads: Heads
    document_bits: Bits
    row_starts: Starts
    row_heads: Heads
    row_bits: Bits
    rows: NDArray[np.uint16]  # (rows, texts): amounts
    marks: NDArray[np.uint32]  # of each row
    firsts: NDArray[np.int32]  # of each row, and behind the last: where its columns begin
    columns: NDArray[np.uint8]  # the texts in which a row has something, row after row
    lengths: NDArray[np.uint16]  # (texts, documents)


LEAF = record(
    LeafArrays,
    document_starts=given(U64),
    document_heads=given(U16),
    document_bits=given(U64),
    row_starts=given(U64),
    row_heads=given(U16),
    row_bits=given(U64),
    rows=given(U16, 2),
    marks=given(U32),
    firsts=given(I32),
    columns=given(U8),
    lengths=given(U16, 2),
)
"""LeafArrays, for compiled functions."""
