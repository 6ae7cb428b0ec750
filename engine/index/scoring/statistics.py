"""Defines what scores need to know of the whole collection, of which a reader may have but a part."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np

from engine.index.query import Query
from engine.index.reader import BODY_MARK, EXACT_MARK, OWN_MARK, Reader, Scores, marks_of
from engine.index.scoring.block_max import DocumentCounts


def count_marks(scores: Scores) -> DocumentCounts:
    """Counts the documents by the marks of their scores, 0 where they do not match."""
    marks = marks_of(scores)
    own, exact, in_body = (int(np.count_nonzero(marks & mark)) for mark in (OWN_MARK, EXACT_MARK, BODY_MARK))
    return DocumentCounts(own, exact, in_body, int(np.count_nonzero(scores)))


class CollectionStatistics(Protocol):
    """Counts of a collection: how rare a word is, and how long its texts are."""

    @property
    def documents(self) -> int:
        """How many documents it has."""

    @property
    def averages(self) -> Mapping[str, float]:
        """How long a text is where there is one, by field (engine.index.reader.Reader.averages)."""

    def count_matches(self, query: Query, here: DocumentCounts) -> DocumentCounts:
        """Counts the documents that match a part of a query, of which the reader has so many."""


class ReaderStatistics(NamedTuple):
    """The statistics of a reader that has all documents."""

    reader: Reader

    @property
    def documents(self) -> int:
        """How many documents it has."""
        return self.reader.documents

    @property
    def averages(self) -> Mapping[str, float]:
        """How long a text is where there is one."""
        return self.reader.averages

    def count_matches(self, query: Query, here: DocumentCounts) -> DocumentCounts:
        """Returns what the reader has."""
        return here
