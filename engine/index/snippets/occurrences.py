"""Confirms rough places of words on a page, in the body and in headings: compiled loops.

What stands at a place is looked at once for all that read the same: these are one reading.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.index.snippets.matcher import LETTER_BITS, Behind, Reading
from engine.index.stored_pages import Numbers, PageLayout
from engine.kernels import BOOL, I64, U8, Number, compiled, inlined, mutable, readonly, record_of
from engine.text.tokens import BEGINS, ENDS, NUMBERS, PARTS, STARTS, Octets

_BASIS, _PRIME = 0xCBF29CE484222325, 0x100000001B3  # FNV-1a, 64 bits
_SMALL, _CAPITAL, _FIGURE, _JOINT, _BEYOND = range(1, 6)
_KINDS = np.zeros(256, np.uint8)
"""What an octet is: an ASCII letter, a figure, what joins the parts of a name, part of another character."""
for _kind, _octets in (
    (_SMALL, range(ord("a"), ord("z") + 1)),
    (_CAPITAL, range(ord("A"), ord("Z") + 1)),
    (_FIGURE, range(ord("0"), ord("9") + 1)),
    (_JOINT, b"-._:,"),
    (_BEYOND, range(0x80, 0x100)),
):
    _KINDS[list(_octets)] = _kind


class LayoutArrays(NamedTuple):
    """The octets of a page's text, and the sections and spans of its layout."""

    octets: Octets
    sections: Numbers
    spans: Numbers


LAYOUT_ARRAYS = record_of(
    LayoutArrays, octets=readonly(U8), sections=readonly(I64, 2), spans=readonly(I64, 2)
)
"""LayoutArrays, for compiled functions."""


class PlaceArrays(NamedTuple):
    """Rough places; of each the span, the heading, and where in the octets its reading ends; its reading."""

    rough: Numbers
    where: Numbers
    readings: Numbers


PLACE_ARRAYS = record_of(PlaceArrays, rough=readonly(I64, 2), where=readonly(I64, 2), readings=readonly(I64))
"""PlaceArrays, for compiled functions."""


class Occurrences:
    """Rough places with the span of the body, or the heading, that each lies in."""

    def __init__(self, rough: Numbers, laid: PageLayout, behind: Behind) -> None:
        """behind: as in engine.index.snippets.matcher."""
        size = rough.shape[1]
        self._laid = laid
        self.arrays = PlaceArrays(rough, np.empty((3, size), np.int64), np.empty(size, np.int64))
        firsts, table = np.empty(size, np.int64), np.empty(2 << size.bit_length(), np.int64)
        table.fill(-1)
        page = LayoutArrays(laid.text.array, laid.sections, laid.spans)
        count = _locate(rough, page, behind, self.arrays.where, self.arrays.readings, firsts, table)
        self._firsts = firsts[:count]

    def list_readings(self) -> list[Reading]:
        """Lists each reading: the number of the word that may begin so, and what stands there."""
        octets, (rough, where, _) = self._laid.text.octets, self.arrays
        rows = rough[NUMBERS], rough[BEGINS], where[2]
        of_each = (row[self._firsts].tolist() for row in rows)
        return [(number, octets[start:end]) for number, start, end in zip(*of_each, strict=True)]

    def confirm_places(self, sure: NDArray[np.bool_], headed: Numbers) -> tuple[Numbers, Numbers]:
        """Keeps the places in the body whose reading is sure: where it starts and ends there, number,
        section.

        And where it begins in the octets. Bits of what stands in a heading are put into `headed`.
        """
        found = np.empty((5, len(self.arrays.readings)), np.int64)
        size = _fill_columns(self.arrays, self._laid.spans, sure, headed, found)
        return np.ascontiguousarray(found[:4, :size]), found[4, :size]


@inlined
def _reading_end(octets: Octets, rough: Numbers, behind: Behind, place: Number) -> Number:
    """Returns where in the octets that ends which tells whether the word begins there.

    A plain word does (analysis.begun), where none of the terms goes on as what is joined to it.
    """
    start, end = rough[BEGINS, place], rough[PARTS, place]
    first, at = _KINDS[octets[start]], start + 1
    if first != _SMALL and first != _CAPITAL:
        return end
    case = _CAPITAL if first == _CAPITAL and at < end and _KINDS[octets[at]] == _CAPITAL else _SMALL
    while at < end and _KINDS[octets[at]] == case:
        at += 1
    word = at
    while at < end and _KINDS[octets[at]] == _JOINT:
        at += 1
    if at == end:
        return word
    if at == word or _KINDS[octets[at]] > _FIGURE or _KINDS[octets[at]] == 0:
        return end
    for other in range(at, end):
        if _KINDS[octets[other]] == _BEYOND:
            return end
    letter = np.int64(octets[at]) & LETTER_BITS
    return end if behind[rough[NUMBERS, place], word - start] >> letter & 1 else word


@inlined
def _reads_alike(octets: Octets, rough: Numbers, ends: Numbers, one: Number, other: Number) -> bool:
    """Tells whether two places have one number and one reading."""
    first, second = rough[BEGINS, one], rough[BEGINS, other]
    size, at = ends[one] - first, np.int64(0)
    if rough[NUMBERS, one] != rough[NUMBERS, other] or ends[other] - second != size:
        return False
    while at < size and octets[first + at] == octets[second + at]:
        at += 1
    return bool(at == size)


@inlined
def _find_slot(
    octets: Octets, rough: Numbers, ends: Numbers, place: Number, firsts: Numbers, table: Numbers
) -> Number:
    """Finds the slot of the table where the number of its reading stands, or may be put."""
    key = np.uint64(_BASIS) ^ np.uint64(rough[NUMBERS, place])
    for octet in range(rough[BEGINS, place], ends[place]):
        key = (key ^ np.uint64(octets[octet])) * np.uint64(_PRIME)
    slot = np.int64((key ^ key >> np.uint64(32)) & np.uint64(len(table) - 1))
    while table[slot] >= 0 and not _reads_alike(octets, rough, ends, place, firsts[table[slot]]):
        slot = (slot + 1) & (len(table) - 1)
    return slot


@compiled(
    I64(
        readonly(I64, 2),
        LAYOUT_ARRAYS,
        readonly(I64, 2),
        mutable(I64, 2),
        mutable(I64),
        mutable(I64),
        mutable(I64),
    )
)
def _locate(
    rough: Numbers,
    page: LayoutArrays,
    behind: Behind,
    where: Numbers,
    readings: Numbers,
    firsts: Numbers,
    table: Numbers,
) -> Number:
    """Fills `where` with the span and the heading of each place, -1 for none, and where in the octets its
    reading ends, `readings` with the number of what is read there, -1 for what is in neither, `firsts` with
    where each reading is first; returns how many.

    table: -1s, twice as many at least as there are places, a power of two.
    """
    (octets, sections, spans), span, section, count = page, 0, 0, 0
    for place in range(rough.shape[1]):
        at = rough[STARTS, place]
        while span < spans.shape[1] and spans[1, span] <= at:
            span += 1
        while section < sections.shape[1] and sections[1, section] <= at:
            section += 1
        in_body = span < spans.shape[1] and spans[0, span] <= at
        in_heading = section < sections.shape[1] and sections[0, section] <= at
        where[0, place] = span if in_body else -1
        where[1, place] = section if in_heading else -1
        readings[place] = -1
        if not (in_body or in_heading):
            continue
        where[2, place] = _reading_end(octets, rough, behind, place)
        slot = _find_slot(octets, rough, where[2], place, firsts, table)
        if table[slot] < 0:
            table[slot], firsts[count] = count, place
            count += 1
        readings[place] = table[slot]
    return np.int64(count)


@compiled(I64(PLACE_ARRAYS, readonly(I64, 2), readonly(BOOL), mutable(I64), mutable(I64, 2)))
def _fill_columns(
    places: PlaceArrays, spans: Numbers, sure: NDArray[np.bool_], headed: Numbers, found: Numbers
) -> Number:
    """Fills columns of `found` as Occurrences.confirm_places() says; returns how many."""
    (rough, where, readings), count = places, 0
    for place in range(len(readings)):
        if readings[place] < 0 or not sure[readings[place]]:
            continue
        span, section = where[0, place], where[1, place]
        if section >= 0:
            headed[section] |= np.int64(1) << rough[NUMBERS, place]
        if span >= 0:
            moved = spans[3, span] - spans[0, span]
            found[0, count], found[1, count] = rough[STARTS, place] + moved, rough[ENDS, place] + moved
            found[2, count], found[3, count] = rough[NUMBERS, place], spans[2, span]
            found[4, count] = rough[BEGINS, place]
            count += 1
    return np.int64(count)
