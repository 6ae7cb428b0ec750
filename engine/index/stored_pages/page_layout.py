"""Lays out a stored page: its sections, and of these the lines that its host does not repeat.

Manuals say what a section is about in a term (HTML's dt) as often as in a heading: where a section has an id
but no heading, its first line is that.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels import BOOL, I64, U8, U32, Number, compiled, inlined, mutable, readonly, record_of
from engine.model import CELL_END
from engine.text.tokens import (
    FIGURE,
    KNOWN,
    WORD,
    Blocks,
    Known,
    Octets,
    Utf8,
    decode_code_point,
    find_octet,
    learn_characters,
)

MAX_TEXT = 400_000  # characters searched; four times the longest page of the Python documentation
MAX_TERM = 100  # characters of a term; of a longer one its name is the heading, its signature is text

_LINE, _CELL_END, _BRACKET, _JOINT = ord("\n"), ord(CELL_END), ord("("), ord("_")
_NEVER = np.int64(-2)

Numbers = NDArray[np.int64]


class PageLayout(NamedTuple):
    """Places are numbers of characters; the body is what spans say, a line for each, without headings."""

    text: Utf8
    sections: Numbers  # (4, sections): where the heading begins and ends, and where the section's text does
    spans: Numbers  # (4, spans): where each begins and ends, its section, where it begins in the body

    @property
    def size(self) -> int:
        """Characters of the body."""
        start, end, _, at = self.spans[:, -1].tolist() if self.spans.size else (0, 0, 0, 0)
        return int(at + end - start)

    def heading(self, section: int) -> str:
        """Returns the heading of the section."""
        start, end, *_ = self.sections[:, section].tolist()
        return self.text.substring(start, end)

    def find_place(self, at: int) -> int:
        """Finds where in the text a place of the body is."""
        start, _, _, first = self.spans[:, self.spans[3].searchsorted(at, side="right") - 1].tolist()
        return int(start + at - first)

    def cut_body(self, first: int, behind: int) -> str:
        """Cuts the body from one place to another."""
        at = self.spans[3]
        some = slice(at.searchsorted(first, side="right") - 1, at.searchsorted(behind, side="right"))
        bounds = [
            (begin := max(start, start + first - at), max(begin, min(end, start + behind - at)))
            for start, end, _, at in self.spans[:, some].T.tolist()
        ]
        if not bounds:
            return ""
        low = bounds[0][0]
        near = self.text.substring(low, bounds[-1][1])  # all at once, with what the body has not
        return "\n".join([near[start - low : end - low] for start, end in bounds])


class PageParts(NamedTuple):
    """What a page consists of: the lengths of each section's heading and text, in turn; whether a section's
    first line may be a term; and where each run that stays begins and ends.
    """

    lengths: Numbers
    fresh: NDArray[np.bool_]
    runs: Numbers


PAGE_PARTS = record_of(PageParts, lengths=readonly(I64), fresh=readonly(BOOL), runs=readonly(I64))
"""PageParts, for compiled functions."""


class LayoutColumns(NamedTuple):
    """Room for the sections and spans of a PageLayout, and how many of both there are."""

    sections: Numbers
    spans: Numbers
    sizes: Numbers


LAYOUT_COLUMNS = record_of(LayoutColumns, sections=mutable(I64, 2), spans=mutable(I64, 2), sizes=mutable(I64))
"""LayoutColumns, for compiled functions."""


def lay_out(
    text: Utf8, lengths: Sequence[int], fresh: Sequence[bool], runs: Sequence[int], limit: int
) -> PageLayout:
    """Lays out the first `limit` characters of a page.

    lengths: of each section's heading and text, in turn, as in engine.packing.texts; fresh: of each section
    whether its first line may be a term; runs: how many characters are left out and how many stay, in turn.
    """
    edges = np.cumsum(np.array(runs, np.int64))
    parts = PageParts(np.array(lengths, np.int64), np.array(fresh, np.bool_), edges)
    sections = np.empty((4, len(fresh)), np.int64)
    spans, sizes = np.empty((4, len(fresh) + len(runs) // 2), np.int64), np.zeros(2, np.int64)
    columns = LayoutColumns(sections, spans, sizes)
    if not _fill_layout(parts, text.array, text.blocks, KNOWN, limit, columns):
        learn_characters(text)
        _fill_layout(parts, text.array, text.blocks, KNOWN, limit, columns)
    return PageLayout(text, *map(np.ascontiguousarray, (sections[:, : sizes[0]], spans[:, : sizes[1]])))


@inlined
def _measure_term(
    octets: Octets, blocks: Blocks, known: Known, start: Number, stop: Number
) -> tuple[Number, Number]:
    """Counts the characters of the term with which a section begins, and those of the line break behind it, 0
    for none.

    No term is one without a letter, as a footnote's. _NEVER: a character is not known.
    """
    at = find_octet(octets, blocks, start)
    size, letter, bracket = np.int64(0), np.int64(MAX_TERM + 1), np.int64(0)
    joins, line = False, np.int64(0)
    while start + size < stop and size <= MAX_TERM and not line:
        code, at = decode_code_point(octets, at)
        kind, line = known[code], np.int64(code == _LINE) + 2 * np.int64(code == _CELL_END)
        if kind == 0:
            return _NEVER, np.int64(0)
        if joins and code == _BRACKET and bracket == 0 and size < MAX_TERM:
            bracket = size
        joins = bool(kind & WORD) or code == _JOINT
        if joins and code != _JOINT and not kind & FIGURE:
            letter = min(letter, size)
        size += line == 0
    end = size if size <= MAX_TERM else bracket
    if letter >= end:
        return np.int64(0), np.int64(0)
    return end, line


@compiled(I64(PAGE_PARTS, readonly(U8), readonly(I64), readonly(U32), I64, LAYOUT_COLUMNS))
def _fill_layout(
    parts: PageParts, octets: Octets, blocks: Blocks, known: Known, limit: Number, columns: LayoutColumns
) -> Number:
    """Fills the columns of PageLayout; 0 where a character is not known."""
    (lengths, fresh, runs), (sections, spans, sizes) = parts, columns
    at, body, run, count = np.int64(0), np.int64(0), 0, 0
    for section in range(len(fresh)):
        if at >= limit:
            break
        start, end = at, at + lengths[2 * section]
        begin = end + (end > start)
        stop = begin + lengths[2 * section + 1]
        at = stop + (stop > begin)
        if fresh[section]:
            size, line = _measure_term(octets, blocks, known, start, stop)
            if size == _NEVER:
                return np.int64(0)
            end = start + size
            begin = end + line
        sections[0, section], sections[1, section] = start, end
        sections[2, section], sections[3, section] = begin, stop
        sizes[0] = section + 1
        first, last = min(begin, limit), min(stop, limit)
        while 2 * run < len(runs):
            one, other = max(first, runs[2 * run]), min(last, runs[2 * run + 1])
            if one < other:
                spans[0, count], spans[1, count], spans[2, count], spans[3, count] = one, other, section, body
                body += other - one + 1
                count += 1
            if last < runs[2 * run + 1]:
                break
            run += 1
    sizes[1] = count
    return np.int64(1)
