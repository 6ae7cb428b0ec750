"""Stores terms in one array of bytes, which compiled loops sort, join and copy.

Some of them that follow each other are a block of a dictionary, as it is written. They are sorted by their
first eight octets as one number, which NumPy does; only those that begin alike are compared any further.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels import BOOL, I64, NONE, U8, U64, Number, compiled, inlined, mutable, readonly

BREAK = b"\n"
_HEAD = 8  # octets

Octets = NDArray[np.uint8]
Wide = NDArray[np.int64]


class Terms(NamedTuple):
    """Terms, each with a line break behind it."""

    octets: Octets
    ends: Wide  # behind the line break of each

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.ends)

    def between(self, start: int, end: int) -> "Terms":
        """Returns the terms from one place to another."""
        begin, stop = (int(self.ends[at - 1]) if at else 0 for at in (start, max(start, end)))
        return Terms(self.octets[begin:stop], self.ends[start:end] - begin)

    def at(self, places: Wide) -> "Terms":
        """Copies the terms at these places, in their order."""
        ends = np.cumsum(np.diff(self.ends, prepend=0)[places])
        octets = np.empty(int(ends[-1]) if len(ends) else 0, np.uint8)
        _copy_terms(self.octets, self.ends, places, octets)
        return Terms(octets, ends)

    def count_before(self, octet: int) -> int:
        """Counts the terms that begin with a smaller octet."""
        return int(np.count_nonzero(self.octets[np.append(0, self.ends[:-1])] < octet)) if self.size else 0


def split_terms(text: bytes, size: int) -> Terms:
    """Splits a text of so many terms, each with a line break behind it. Raises ValueError if it is not."""
    octets = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(octets == BREAK[0]) + 1
    if len(ends) != size or text[-1:] != BREAK[: len(text)]:
        raise ValueError("no term has a line break in it")
    return Terms(octets, ends)


def encode_terms(group: bytes, words: Sequence[str]) -> bytes:
    """Encodes words as split_terms() takes them, each with what the terms of its group begin with."""
    if not words:
        return b""
    return group + (BREAK + group).decode().join(words).encode() + BREAK


def concatenate_terms(several: Sequence[Terms]) -> Terms:
    """Joins all of them, one after the other."""
    sizes = np.array([len(each.octets) for each in several], np.int64)
    befores = (np.cumsum(sizes) - sizes).tolist()
    ends = [each.ends + before for each, before in zip(several, befores, strict=True)]
    return Terms(np.concatenate([each.octets for each in several]), np.concatenate(ends))


def argsort_terms(terms: Terms) -> Wide:
    """Sorts the places of the terms, ascending; of like terms the first one's first."""
    heads = _pack_heads(terms.octets, terms.ends)
    order = np.argsort(heads, kind="stable")
    _sort_equal_heads(terms.octets, terms.ends, heads, order)
    return order


def mark_distinct(terms: Terms, order: Wide) -> NDArray[np.bool_]:
    """Tells of sorted places whether there is another term than at the one before."""
    return _mark_distinct(terms.octets, terms.ends, _pack_heads(terms.octets, terms.ends), order)


@compiled(mutable(U64)(readonly(U8), readonly(I64)))
def _pack_heads(octets: Octets, ends: Wide) -> NDArray[np.uint64]:
    """Packs the first octets of each term into one number; zeros are behind a shorter one."""
    found, start = np.zeros(len(ends), np.uint64), np.int64(0)
    for term in range(len(ends)):
        for at in range(start, min(start + _HEAD, ends[term] - 1)):
            found[term] |= np.uint64(octets[at]) << np.uint64(8 * (_HEAD - 1 - (at - start)))
        start = ends[term]
    return found


@inlined
def _compare(octets: Octets, ends: Wide, heads: NDArray[np.uint64], one: Number, other: Number) -> Number:
    """Compares two terms: below 0 where one is before the other, 0 where they are alike."""
    if heads[one] != heads[other]:
        return np.int64(-1) if heads[one] < heads[other] else np.int64(1)
    first = ends[one - 1] if one > 0 else np.int64(0)
    second = ends[other - 1] if other > 0 else np.int64(0)
    size, size_of_other = ends[one] - first, ends[other] - second
    at, end = np.int64(_HEAD), min(size, size_of_other) - 1
    while at < end and octets[first + at] == octets[second + at]:
        at += 1
    if at < end:
        return np.int64(octets[first + at]) - np.int64(octets[second + at])
    return size - size_of_other


@compiled(NONE(readonly(U8), readonly(I64), readonly(U64), mutable(I64)))
def _sort_equal_heads(octets: Octets, ends: Wide, heads: NDArray[np.uint64], order: Wide) -> None:
    """Sorts those whose heads are the same, and are together: two and two neighbours are merged."""
    others, first = np.empty(len(order), np.int64), 0
    while first < len(order):
        end, width = first + 1, 1
        while end < len(order) and heads[order[end]] == heads[order[first]]:
            end += 1
        while width < end - first:
            for start in range(first, end, 2 * width):
                one, middle = start, min(start + width, end)
                other, stop = middle, min(middle + width, end)
                for at in range(start, stop):
                    if other == stop or (
                        one < middle and _compare(octets, ends, heads, order[one], order[other]) <= 0
                    ):
                        others[at] = order[one]
                        one += 1
                    else:
                        others[at] = order[other]
                        other += 1
            for at in range(first, end):
                order[at] = others[at]
            width *= 2
        first = end


@compiled(mutable(BOOL)(readonly(U8), readonly(I64), readonly(U64), readonly(I64)))
def _mark_distinct(octets: Octets, ends: Wide, heads: NDArray[np.uint64], order: Wide) -> NDArray[np.bool_]:
    found = np.ones(len(order), np.bool_)
    for at in range(1, len(order)):
        found[at] = _compare(octets, ends, heads, order[at - 1], order[at]) != 0
    return found


@compiled(NONE(readonly(U8), readonly(I64), readonly(I64), mutable(U8)))
def _copy_terms(octets: Octets, ends: Wide, places: Wide, found: Octets) -> None:
    count = 0
    for place in places:
        for at in range(ends[place - 1] if place > 0 else np.int64(0), ends[place]):
            found[count] = octets[at]
            count += 1
