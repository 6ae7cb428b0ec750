"""Opens one commit of the index as arrays."""

from engine.index.reader.cache import Cache, Recent
from engine.index.reader.graph import GraphReader, check_commit, check_tables
from engine.index.reader.posting_lists import (
    BODY_MARK,
    EXACT_MARK,
    MARKS,
    OWN_MARK,
    Documents,
    Scores,
    best_places,
)
from engine.index.reader.reader import FIELD, Column, Leaf, Member, Reader
from engine.index.reader.scored_documents import (
    BODY,
    EXACT,
    NOTHING,
    OWN,
    ScoredDocuments,
    are_own,
    boosted,
    either,
    marked,
    marks_of,
    merged,
    together,
    unscored,
    without,
)

__all__ = [
    "BODY",
    "BODY_MARK",
    "EXACT",
    "EXACT_MARK",
    "FIELD",
    "MARKS",
    "NOTHING",
    "OWN",
    "OWN_MARK",
    "Cache",
    "Column",
    "Documents",
    "GraphReader",
    "Leaf",
    "Member",
    "Reader",
    "Recent",
    "ScoredDocuments",
    "Scores",
    "are_own",
    "best_places",
    "boosted",
    "check_commit",
    "check_tables",
    "either",
    "marked",
    "marks_of",
    "merged",
    "together",
    "unscored",
    "without",
]
