"""Stores an inverted index on disk: segments of arrays, and Whoosh's codec over them."""

from engine.segment import folder, stored
from engine.segment.build import build_segment
from engine.segment.codec import ArrayCodec, ArrayDocuments, ArraySegment, ArrayTerms
from engine.segment.draft import LARGE_FACTOR, Draft
from engine.segment.folder import NAME
from engine.segment.invert import MAX_DOCUMENTS, Entries, inverted
from engine.segment.layout import Layout
from engine.segment.loops import first_from
from engine.segment.packed import GIVEN, unpack_apart
from engine.segment.places import MASK, PLACED, Stands, stands_of
from engine.segment.sections import DamagedError
from engine.segment.segment import Segment, Totals
from engine.segment.tag import read_number, read_tag, write_in_one_step, write_tag
from engine.segment.terms import BREAK, Terms, parted, spelled

__all__ = [
    "BREAK",
    "GIVEN",
    "LARGE_FACTOR",
    "MASK",
    "MAX_DOCUMENTS",
    "NAME",
    "PLACED",
    "ArrayCodec",
    "ArrayDocuments",
    "ArraySegment",
    "ArrayTerms",
    "DamagedError",
    "Draft",
    "Entries",
    "Layout",
    "Segment",
    "Stands",
    "Terms",
    "Totals",
    "build_segment",
    "first_from",
    "folder",
    "inverted",
    "parted",
    "read_number",
    "read_tag",
    "spelled",
    "stands_of",
    "stored",
    "unpack_apart",
    "write_in_one_step",
    "write_tag",
]
