"""Holds the arrays of a segment that scoring reads in compiled loops."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels import I32, U8, U16, U32, U64, readonly, record_of
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
    heading_starts: NDArray[np.uint64]  # of each document, and behind the last: where its heading_ends begin
    heading_ends: NDArray[np.uint16]  # positions


LEAF = record_of(
    LeafArrays,
    document_starts=readonly(U64),
    document_heads=readonly(U16),
    document_bits=readonly(U64),
    row_starts=readonly(U64),
    row_heads=readonly(U16),
    row_bits=readonly(U64),
    rows=readonly(U16, 2),
    marks=readonly(U32),
    firsts=readonly(I32),
    columns=readonly(U8),
    lengths=readonly(U16, 2),
    heading_starts=readonly(U64),
    heading_ends=readonly(U16),
)
"""LeafArrays, for compiled functions."""
