"""Combines scored documents of a query's parts: union, intersection, difference."""

from collections.abc import Sequence
from functools import reduce
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.index.reader.posting_lists import (
    BODY_MARK,
    EXACT_MARK,
    MARKS,
    OWN_MARK,
    Documents,
    Scores,
    intersect_lists,
    look_up_scores,
    unite_lists,
)

T = TypeVar("T", bound=np.integer)

# A document that is found has a score above 0. Its marks tell where the word stands.
OWN = np.uint32(OWN_MARK)  # not only in what surrounds the document's own text
BODY = np.uint32(BODY_MARK)
EXACT = np.uint32(EXACT_MARK)  # its own, and the word itself
_MARKS = np.uint32(MARKS)
_NO_SCORE = np.float32(1e-30)  # too little to move a score, and no subnormal number, which takes longer


class ScoredDocuments:
    """Documents, each with a marked score, to be looked up and added up; nothing of it changes."""

    __slots__ = ("documents", "in_body", "scores")

    def __init__(self, documents: Documents, scores: Scores, in_body: int = 0) -> None:
        """`in_body` is how many documents have it in their body."""
        self.documents, self.scores, self.in_body = documents, scores, in_body

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return 8 * len(self.documents)

    @property
    def best(self) -> float:
        """The highest score."""
        return float(self.scores.max(initial=0))

    def scores_of(self, documents: Documents) -> Scores:
        """Looks up the marked score of each document (ascending), 0 where it is not found."""
        found = np.empty(len(documents), np.float32)
        look_up_scores(self.documents, self.scores, documents, found)
        return found


def set_marks(scores: Scores, marks: NDArray[np.uint32] | np.uint32) -> Scores:
    """Sets these marks in scores, instead of theirs."""
    return ((scores.view(np.uint32) & ~_MARKS) | marks).view(np.float32)


def marks_of(scores: Scores) -> NDArray[np.uint32]:
    """Returns the marks of scores; those of 0 are none."""
    return scores.view(np.uint32) & _MARKS


def are_own(scores: Scores) -> NDArray[np.bool_]:
    """Tells of each score whether it is of a document's own text."""
    return (scores.view(np.uint32) & OWN).astype(np.bool_)


def merge_documents(lists: Sequence[Documents]) -> Documents:
    """Merges lists of documents into one that has each once."""
    return lists[0] if len(lists) == 1 else sort_unique(np.concatenate((_NONE, *lists)))


def sort_unique(numbers: NDArray[T]) -> NDArray[T]:
    """Sorts numbers and drops duplicates; in a fraction of what np.unique() takes."""
    numbers = np.sort(numbers)
    differs = np.empty(len(numbers), np.bool_)
    differs[:1] = True
    np.not_equal(numbers[1:], numbers[:-1], out=differs[1:])
    return numbers[differs]


def unite(parts: Sequence[ScoredDocuments]) -> ScoredDocuments:
    """Unites what any of the parts finds; scores are added up, and one that is its own is enough."""
    return reduce(_unite_two, sorted(parts, key=len)) if parts else NOTHING


def intersect(parts: Sequence[ScoredDocuments]) -> ScoredDocuments:
    """Intersects what all of the parts find; a document's own where it is so for all."""
    return reduce(_intersect_two, sorted(parts, key=len))


def exclude(found: ScoredDocuments, unwanted: ScoredDocuments) -> ScoredDocuments:
    """Excludes documents that say themselves what is unwanted, not those that have it in a menu."""
    left = np.flatnonzero(~are_own(unwanted.scores_of(found.documents)))
    return ScoredDocuments(found.documents[left], found.scores[left])


def boost(found: ScoredDocuments, factor: float) -> ScoredDocuments:
    """Multiplies each score by a factor above 0."""
    return ScoredDocuments(
        found.documents, set_marks(found.scores * np.float32(factor), marks_of(found.scores))
    )


def as_filter(documents: Documents) -> ScoredDocuments:
    """Makes a filter of documents: they add nothing to a score, and take no mark away."""
    return ScoredDocuments(documents, set_marks(np.full(len(documents), _NO_SCORE), _MARKS))


def _unite_two(one: ScoredDocuments, other: ScoredDocuments) -> ScoredDocuments:
    return ScoredDocuments(*unite_lists(one.documents, one.scores, other.documents, other.scores))


def _intersect_two(one: ScoredDocuments, other: ScoredDocuments) -> ScoredDocuments:
    return ScoredDocuments(*intersect_lists(one.documents, one.scores, other.documents, other.scores))


_NONE = np.empty(0, np.int32)
NOTHING = ScoredDocuments(_NONE, np.empty(0, np.float32))
