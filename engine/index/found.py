"""Documents with scores: what a part of a query finds, and how such parts are put together."""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Documents = NDArray[np.int32]
"""Numbers, ascending."""

Scores = NDArray[np.float32]
T = TypeVar("T", bound=np.integer)

# A document that is found has a score above 0. Its last bits tell where the word stands: they are looked up
# with it at no cost, and move it by less than a millionth.
OWN = np.uint32(1)  # not only in what surrounds the document's own text
BODY = np.uint32(2)
EXACT = np.uint32(4)  # its own, and the word itself
_MARKS = np.uint32(7)
DENSE = 16  # a document in so many: from there on a number for every document is the faster way to look


class Found:
    """Documents, each with a marked score, to be looked up and added up; nothing of it changes."""

    __slots__ = ("_dense", "_size", "best", "documents", "in_body", "scores")

    def __init__(self, documents: Documents, scores: Scores, size: int, in_body: int = 0) -> None:
        """`size` is how many documents there are at all, `in_body` how many have it in their body."""
        self.documents, self.scores, self.in_body = documents, scores, in_body
        self.best = float(scores.max(initial=0))
        self._size = size
        self._dense: Scores | None = None

    def __len__(self) -> int:
        return len(self.documents)

    @property
    def nbytes(self) -> int:
        """The memory that it takes in the end."""
        return 8 * len(self.documents) + (4 * self._size if self._is_frequent else 0)

    def at(self, documents: Documents) -> Scores:
        """The marked score of each, 0 where it is not found."""
        if self._is_frequent:
            found: Scores = self.dense.take(documents)
            return found
        if not len(self.documents):
            return np.zeros(len(documents), np.float32)
        places = self.documents.searchsorted(documents)
        there = self.documents.take(places, mode="clip") == documents
        scores: Scores = self.scores.take(places, mode="clip") * there
        return scores

    def add_to(self, sums: Scores, start: int) -> None:
        """Add the scores of the documents start, start + 1 ... to `sums`."""
        if self._is_frequent:
            some = self.dense[start : start + len(sums)]
            sums[: len(some)] += some
        elif start == 0 and len(sums) >= self._size:
            sums[self.documents] += self.scores
        else:
            first, end = self.documents.searchsorted((start, start + len(sums))).tolist()
            sums[self.documents[first:end] - np.int32(start)] += self.scores[first:end]

    @property
    def dense(self) -> Scores:
        """A score for every document; made once, where many are found."""
        if self._dense is None:
            dense = np.zeros(self._size, np.float32)
            dense[self.documents] = self.scores
            self._dense = dense
        return self._dense

    @property
    def _is_frequent(self) -> bool:
        return len(self.documents) * DENSE > self._size


def marked(scores: Scores, marks: NDArray[np.uint32] | np.uint32) -> Scores:
    """The scores with these marks instead of theirs."""
    return ((scores.view(np.uint32) & ~_MARKS) | marks).view(np.float32)


def marks_of(scores: Scores) -> NDArray[np.uint32]:
    """The marks of scores; those of 0 are none."""
    return scores.view(np.uint32) & _MARKS


def are_own(scores: Scores) -> NDArray[np.bool_]:
    """Whether each is of a document's own text."""
    return (scores.view(np.uint32) & OWN).astype(np.bool_)


def are_in_body(scores: Scores) -> NDArray[np.bool_]:
    """Whether each is of a document that has it in its body."""
    return (scores.view(np.uint32) & BODY).astype(np.bool_)


def merged(lists: Sequence[Documents]) -> Documents:
    """Those that are in any of the lists."""
    return lists[0] if len(lists) == 1 else distinct(np.concatenate((_NONE, *lists)))


def distinct(numbers: NDArray[T]) -> NDArray[T]:
    """Each number once, ascending; a fraction of what np.unique() takes."""
    numbers = np.sort(numbers)
    differs = np.empty(len(numbers), np.bool_)
    differs[:1] = True
    np.not_equal(numbers[1:], numbers[:-1], out=differs[1:])
    return numbers[differs]


def either(parts: Sequence[Found], size: int) -> Found:
    """What any of the parts finds; scores are added up, and one that is its own is enough."""
    if len(parts) == 1:
        return parts[0]
    documents = merged([part.documents for part in parts])
    scores = np.zeros(len(documents), np.float32)
    marks = np.zeros(len(documents), np.uint32)
    for part in parts:
        more = part.at(documents)
        scores += more
        marks |= marks_of(more)
    return Found(documents, marked(scores, marks), size)


def together(parts: Sequence[Found], size: int) -> Found:
    """What all of the parts find; a document's own where it is so for all."""
    if len(parts) == 1:
        return parts[0]
    rarest, *others = sorted(parts, key=len)
    documents, scores, marks = rarest.documents, rarest.scores, marks_of(rarest.scores)
    for part in others:
        more = part.at(documents)
        there = np.flatnonzero(more > 0)
        if len(there) < len(documents):
            documents, scores, marks, more = documents[there], scores[there], marks[there], more[there]
        scores = scores + more
        marks = marks & marks_of(more)
    return Found(documents, marked(scores, marks), size)


def without(found: Found, unwanted: Found, size: int) -> Found:
    """A document that says what is unwanted itself is left out, not one that has it in a menu."""
    left = np.flatnonzero(~are_own(unwanted.at(found.documents)))
    return Found(found.documents[left], found.scores[left], size)


def better(found: Found, more: Found, size: int) -> Found:
    """What is found, with more of a score where it is found there, too."""
    scores = found.scores + more.at(found.documents)
    return Found(found.documents, marked(scores, marks_of(found.scores)), size)


def boosted(found: Found, factor: float, size: int) -> Found:
    """What is found, each score so many times as high; the factor is above 0."""
    return Found(found.documents, marked(found.scores * np.float32(factor), marks_of(found.scores)), size)


def within(found: Found, documents: Documents, size: int) -> Found:
    """Only those of the documents (ascending)."""
    places = documents.searchsorted(found.documents)
    there = np.append(documents, np.int32(-1)).take(places, mode="clip") == found.documents
    left = np.flatnonzero(there)
    return Found(found.documents[left], found.scores[left], size)


_NONE = np.empty(0, np.int32)
