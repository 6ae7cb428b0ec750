"""Reads one commit of the index as arrays: postings, stored fields, link graph."""

from engine.index.reader.cache import IndexCache, LRUCache
from engine.index.reader.directory_reader import DirectoryReader
from engine.index.reader.graph import LinkGraphReader, check_commit
from engine.index.reader.leaf import FIELD, Column, Leaf, Member
from engine.index.reader.leaf_arrays import LEAF, LeafArrays
from engine.index.reader.mapped_memory import limit_mapped
from engine.index.reader.posting_lists import (
    BODY_MARK,
    EXACT_MARK,
    MARKS,
    OWN_MARK,
    Documents,
    Scores,
    argsort_descending,
    argsort_documents,
    select_top,
)
from engine.index.reader.reader import Reader, round_average
from engine.index.reader.scored_documents import (
    BODY,
    EXACT,
    NOTHING,
    OWN,
    ScoredDocuments,
    are_own,
    as_filter,
    boost,
    exclude,
    intersect,
    marks_of,
    merge_documents,
    set_marks,
    unite,
)

__all__ = [
    "BODY",
    "BODY_MARK",
    "EXACT",
    "EXACT_MARK",
    "FIELD",
    "LEAF",
    "MARKS",
    "NOTHING",
    "OWN",
    "OWN_MARK",
    "Column",
    "DirectoryReader",
    "Documents",
    "IndexCache",
    "LRUCache",
    "Leaf",
    "LeafArrays",
    "LinkGraphReader",
    "Member",
    "Reader",
    "ScoredDocuments",
    "Scores",
    "are_own",
    "argsort_descending",
    "argsort_documents",
    "as_filter",
    "boost",
    "check_commit",
    "exclude",
    "intersect",
    "limit_mapped",
    "marks_of",
    "merge_documents",
    "round_average",
    "select_top",
    "set_marks",
    "unite",
]
