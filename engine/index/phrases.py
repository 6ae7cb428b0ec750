"""Which documents have words side by side."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.compiled import I32, I64, Number, compiled, filled, given, inlined, several
from engine.index.lists import Documents
from engine.index.query import Word
from engine.index.reader import Member
from engine.index.schema import LAYOUT
from engine.index.words import Words
from engine.segment.places import MASK, PLACED, TERMS, Stands, stands_of

PIECE = 64  # documents read at a time: 64 MB of places at most, mostly some kilobytes
AT_ONCE = 1 << 16  # places where a phrase may begin: with those of one piece more, a quarter of a megabyte
_TEXTS = len(LAYOUT.placed_columns)
_NOWHERE = np.empty(0, np.int32)


def side_by_side(words: Words, typed: Sequence[Word], documents: Documents) -> Documents:
    """Those of the documents (that hold all of the words) in one of whose texts they follow each other."""
    found = [_NOWHERE]
    for member, _, local in words.reader.parts(documents):
        found += (left + np.int32(member.base) for left in _followed(words, member, typed, local))
    return np.concatenate(found)


def _followed(words: Words, member: Member, typed: Sequence[Word], local: Documents) -> Iterator[Documents]:
    """The rarest word is looked for first, then the others where that stands."""
    order = sorted(range(len(typed)), key=lambda at: len(words(typed[at])))
    placed = member.leaf.placed
    rarest, *others = [(words.held(member, typed[at]).terms.arrays, placed, at) for at in order]
    while len(local):
        left, begins, ends, done = _begun(*rarest, local)
        for another in others:
            left, begins, ends = _narrowed(*another, left, begins, ends)
        yield left
        local = local[done:]


@inlined
def _room_for(found: Stands, size: Number) -> Stands:
    """The array, or a larger one that begins like it."""
    if size <= len(found):
        return found
    larger = np.empty(max(size, 2 * len(found)), np.int32)
    larger[: len(found)] = found
    return larger


@compiled(several(filled(I32), filled(I32), filled(I64), I64)(TERMS, PLACED, I64, given(I32)))
def _begun(
    terms: tuple[NDArray[Any], ...],
    placed: tuple[NDArray[Any], ...],
    behind: Number,
    documents: Documents,
) -> tuple[Documents, Stands, NDArray[np.int64], Number]:
    """Documents where a phrase may begin, by its word so far behind that: the documents, the places, one
    document's after another's, where each document ends, and how many were looked at, AT_ONCE places or all.
    """
    left, ends = np.empty(len(documents), np.int32), np.empty(len(documents), np.int64)
    places, count, size, done = np.empty(AT_ONCE, np.int32), np.int64(0), np.int64(0), np.int64(0)
    while done < len(documents) and size < AT_ONCE:
        some = documents[done : done + PIECE]
        stands, standing = stands_of(terms, placed, some, 0, _TEXTS)
        places, stand = _room_for(places, size + len(stands)), np.int64(0)
        for at in range(len(some)):
            before = size
            while stand < standing[at]:
                if stands[stand] & MASK >= behind:
                    places[size] = stands[stand] - behind
                    size += 1
                stand += 1
            if size > before:
                left[count], ends[count] = some[at], size
                count += 1
        done += len(some)
    return left[:count], places[:size], ends[:count], done


@compiled(
    several(filled(I32), filled(I32), filled(I64))(TERMS, PLACED, I64, given(I32), given(I32), given(I64))
)
def _narrowed(
    terms: tuple[NDArray[Any], ...],
    placed: tuple[NDArray[Any], ...],
    behind: Number,
    documents: Documents,
    able: Stands,
    able_ends: NDArray[np.int64],
) -> tuple[Documents, Stands, NDArray[np.int64]]:
    """Those documents and places of _begun() where another word stands so far behind."""
    left, ends = np.empty(len(documents), np.int32), np.empty(len(documents), np.int64)
    places, count, size, one = np.empty(len(able), np.int32), np.int64(0), np.int64(0), np.int64(0)
    for done in range(0, len(documents), PIECE):
        some = documents[done : done + PIECE]
        stands, standing = stands_of(terms, placed, some, 0, _TEXTS)
        stand = np.int64(0)
        for at in range(len(some)):
            before = size
            while one < able_ends[done + at]:
                while stand < standing[at] and stands[stand] < able[one] + behind:
                    stand += 1
                if stand < standing[at] and stands[stand] == able[one] + behind:
                    places[size] = able[one]
                    size += 1
                one += 1
            stand = standing[at]
            if size > before:
                left[count], ends[count] = some[at], size
                count += 1
    return left[:count], places[:size], ends[:count]
