"""Answers queries that only Whoosh knows (wildcards, fuzzy words, phrases with a slop) by its matchers."""

from typing import Any

import numpy as np
from whoosh import reading, searching
from whoosh.filedb import filestore

from engine.index.reader import Documents, Member, Reader
from engine.index.schema import whoosh_schema
from engine.segment import NAME, ArrayCodec, ArrayDocuments, ArraySegment, ArrayTerms

_READING: Any = reading
_SEARCHING: Any = searching
_STORES: Any = filestore


class _Opened(ArrayCodec):
    """Reads what a snapshot has open, whatever is committed and swept meanwhile."""

    def __init__(self, member: Member) -> None:
        self._member = member

    def terms_reader(self, storage: Any, segment: Any) -> ArrayTerms:
        """Reads terms and postings."""
        return ArrayTerms(self._member.leaf)

    def per_document_reader(self, storage: Any, segment: Any) -> ArrayDocuments:
        """Reads lengths, stored fields and deletions."""
        alive, size = self._member.alive, self._member.leaf.size
        return ArrayDocuments(self._member.leaf, np.zeros(size, np.bool_) if alive is None else ~alive)


def match_whoosh(reader: Reader, query: Any) -> Documents:
    """Finds the documents of a snapshot that match one of Whoosh's queries; its terms are those of the index.

    It costs what it costs in Whoosh: a wildcard looks at all terms that begin as it does.
    """
    documents = sorted(query.docs(_SEARCHING.Searcher(_open_reader(reader))))
    return np.array(documents, np.int32)


def _open_reader(reader: Reader) -> Any:
    readers = [
        _READING.SegmentReader(
            _STORES.RamStorage(), whoosh_schema(), ArraySegment(NAME, one.leaf.size), codec=_Opened(one)
        )
        for one in reader.members
    ]
    return readers[0] if len(readers) == 1 else _READING.MultiReader(readers)
