"""Stores an inverted index on disk: segments of arrays, and Whoosh's codec over them."""

from engine.segment import folder, stored
from engine.segment.build import MAX_LENGTH, build_segment, pack_segment
from engine.segment.codec import ArrayCodec, ArrayDocuments, ArraySegment, ArrayTerms
from engine.segment.draft import LARGE_FACTOR, Draft
from engine.segment.folder import NAME
from engine.segment.invert import MAX_DOCUMENTS, BatchEntries, Entries, invert_entries
from engine.segment.layout import Layout
from engine.segment.loops import skip_to
from engine.segment.packed import Bits, Heads, Starts, unpack_noinline
from engine.segment.places import MASK, POSITION_ARRAYS, PositionArrays, Stands, read_positions
from engine.segment.segment import Segment, Totals
from engine.segment.terms import BREAK, Terms, encode_terms, split_terms

__all__ = [
    "BREAK",
    "LARGE_FACTOR",
    "MASK",
    "MAX_DOCUMENTS",
    "MAX_LENGTH",
    "NAME",
    "POSITION_ARRAYS",
    "ArrayCodec",
    "ArrayDocuments",
    "ArraySegment",
    "ArrayTerms",
    "BatchEntries",
    "Bits",
    "Draft",
    "Entries",
    "Heads",
    "Layout",
    "PositionArrays",
    "Segment",
    "Stands",
    "Starts",
    "Terms",
    "Totals",
    "build_segment",
    "encode_terms",
    "folder",
    "invert_entries",
    "pack_segment",
    "read_positions",
    "skip_to",
    "split_terms",
    "stored",
    "unpack_noinline",
]
