"""Puts a page of two columns in reading order.

PDFium gives the text of a page in the order in which it is drawn. Most programs draw a column after the
other; a page that is drawn row by row across both says half a line of each in turn. Its columns are told from
the cells of a table by this: each side of the gutter has lines of running text, one piece each, most of them
as long as the column is wide. Any other page, of one column or of columns in order, stays as it was drawn.
"""

import ctypes
import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import accumulate, groupby, pairwise
from statistics import median
from typing import NamedTuple

from pypdfium2 import PdfTextPage, raw

FEWEST_LINES = 8  # that each column has; less is a table or a form, or hardly disturbs a reader
MAX_BOXES = 5_000  # boxes of text on a page; 1,000 words of a dense one, or each letter of a plain one
MAX_LETTERS = 50_000  # on a page; a dense one of a newspaper has 20,000
WORD_GAP = 1.2  # heights of letters, 0.9 of the font's size: a wider one parts a line
MIN_COLUMN = 12.0  # heights of letters that a column is wide: some 18 letters
FILLED = 0.8  # of a column's width that its lines fill, by their median; cells are of any length
WHOLE = 0.8  # of a column's lines that are one piece; those of a table have cells
MIDDLE = 0.25  # of the text's width at each side where no gutter is looked for
BUCKETS = 400  # of the text's width, for the search of a gutter: 1 to 2 points each
SAME_LINE = 0.6  # heights of letters by which the middles of pieces of one line may differ
FAR = 1.8  # times the distance of two lines: what stands so far above or below all others is a running head
EDGE = 2  # lines at the top and at the bottom that may be one

_PARTED = re.compile(r"(?<=[^\W\d_])- ?\r\n(?=[^\W\d_])")
_RIGHT_TO_LEFT = frozenset(["R", "AL"])
_BLANKS = dict.fromkeys(map(ord, " \r\n\0"))


class TextBox(NamedTuple):
    """A rectangle on a page, in points from its lower left corner."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def middle(self) -> float:
        """Its height above the page's bottom."""
        return (self.bottom + self.top) / 2


class PageWords(NamedTuple):
    """The text of a page in reading order, and the regions in which it stands; none where it is as drawn."""

    text: str
    regions: Sequence[TextBox]


class _Columns(NamedTuple):
    """The pieces of lines left and right of a gutter, and those across it."""

    left: Sequence[TextBox]
    right: Sequence[TextBox]
    across: Sequence[TextBox]


def read_in_order(words: PdfTextPage) -> PageWords:
    """Reads the text of a page, column by column where it was drawn row by row.

    Every letter stands in one region: where PDFium sees it otherwise, the page stays as it was drawn.
    """
    drawn = words.get_text_bounded()
    if len(drawn) <= MAX_LETTERS and (regions := _find_regions(words)) and not _is_right_to_left(drawn):
        text = "\r\n".join(words.get_text_bounded(*region) for region in regions)
        if _sort_letters(text) == _sort_letters(drawn):
            return PageWords(_PARTED.sub("\x02", text), regions)
    return PageWords(drawn, ())


def _is_right_to_left(text: str) -> bool:
    """Tells whether most letters are of a script in which the right column comes first, or may: UAX 9."""
    letters = [*filter(str.isalpha, text)]
    return 2 * sum(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in letters) > len(letters)


def _sort_letters(text: str) -> Sequence[str]:
    return sorted(text.translate(_BLANKS))


def _find_regions(words: PdfTextPage) -> Sequence[TextBox]:
    """Finds the regions of a page in reading order; none without two columns, or where they are in order."""
    boxes = [*_read_boxes(words)]
    if len(boxes) < 2 * FEWEST_LINES:
        return ()
    unit = median(box.top - box.bottom for box in boxes)
    if _count_jumps(boxes, WORD_GAP * unit) < FEWEST_LINES:
        return ()
    pieces = _join_words(boxes, unit)
    gutter = _find_gutter(pieces, unit)
    if gutter is None:
        return ()
    columns = _part(pieces, gutter)
    if not all(_is_column(side, unit) for side in (columns.left, columns.right)):
        return ()
    return _cut_bands(_set_edges_across(columns, unit), gutter)


def _read_boxes(words: PdfTextPage) -> Iterator[TextBox]:
    """Reads where each stretch of text stands, in the order in which they are drawn."""
    number = raw.FPDFText_CountRects(words, 0, -1)
    if not 2 * FEWEST_LINES <= number <= MAX_BOXES:
        return
    edges = [ctypes.c_double() for _ in range(4)]
    left, top, right, bottom = edges
    places = [*map(ctypes.byref, edges)]
    for n in range(number):
        if raw.FPDFText_GetRect(words, n, *places) and left.value < right.value and bottom.value < top.value:
            yield TextBox(left.value, bottom.value, right.value, top.value)


def _count_jumps(boxes: Sequence[TextBox], gap: float) -> int:
    """Counts how often the next box stands on the same line behind a gap: columns in order have none.

    PDFium has the boxes of a line from left to right, however they were drawn.
    """
    return sum(other.left - one.right >= gap and _is_on_line(one, other) for one, other in pairwise(boxes))


def _join_words(boxes: Sequence[TextBox], unit: float) -> Sequence[TextBox]:
    """Joins what stands on one line behind each other without a gap as wide as a gutter."""
    pieces: list[TextBox] = []
    for box in boxes:
        if pieces and _is_on_line(pieces[-1], box) and -unit < box.left - pieces[-1].right < WORD_GAP * unit:
            before = pieces.pop()
            box = TextBox(
                min(before.left, box.left),
                min(before.bottom, box.bottom),
                max(before.right, box.right),
                max(before.top, box.top),
            )
        pieces.append(box)
    return pieces


def _is_on_line(one: TextBox, other: TextBox) -> bool:
    shared = min(one.top, other.top) - max(one.bottom, other.bottom)
    return shared > min(one.top - one.bottom, other.top - other.bottom) / 2


def _find_gutter(pieces: Sequence[TextBox], unit: float) -> float | None:
    """Finds the middle of the widest stretch of the page's middle which the fewest pieces cross."""
    start, end = min(piece.left for piece in pieces), max(piece.right for piece in pieces)
    scale = BUCKETS / (end - start)
    steps = [0] * (BUCKETS + 2)
    for piece in pieces:
        steps[int((piece.left - start) * scale)] += 1
        steps[int((piece.right - start) * scale) + 1] -= 1
    first, last = int(MIDDLE * BUCKETS), int((1 - MIDDLE) * BUCKETS)
    crossed = [*accumulate(steps)][first:last]
    fewest, at, widest = min(crossed), first, (0, 0)
    for number, run in groupby(crossed):
        width = len([*run])
        if number == fewest:
            widest = max(widest, (width, at))
        at += width
    width, at = widest
    return start + (at + width / 2) / scale if width / scale >= WORD_GAP * unit / 2 else None


def _part(pieces: Sequence[TextBox], gutter: float) -> _Columns:
    return _Columns(
        [piece for piece in pieces if piece.right <= gutter],
        [piece for piece in pieces if piece.left >= gutter],
        [piece for piece in pieces if piece.left < gutter < piece.right],
    )


def _is_column(pieces: Sequence[TextBox], unit: float) -> bool:
    """Tells whether these are lines of running text: of one piece, and most as long as the column is wide."""
    lines = [*_split_lines(pieces, unit)]
    if len(lines) < FEWEST_LINES:
        return False
    widths = [max(piece.right for piece in line) - min(piece.left for piece in line) for line in lines]
    whole = sum(len(line) == 1 for line in lines)
    widest = max(widths)
    return widest >= MIN_COLUMN * unit and median(widths) >= FILLED * widest and whole >= WHOLE * len(lines)


def _split_lines(pieces: Sequence[TextBox], unit: float) -> Iterator[Sequence[TextBox]]:
    """Yields the pieces of each line, from the top to the bottom."""
    line: list[TextBox] = []
    for piece in sorted(pieces, key=lambda one: -one.middle):
        if line and line[0].middle - piece.middle > SAME_LINE * unit:
            yield line
            line = []
        line.append(piece)
    if line:
        yield line


def _set_edges_across(columns: _Columns, unit: float) -> _Columns:
    """Counts running heads at both sides of a page as lines across it: they are no text of its columns."""
    lines = [*_split_lines([*columns.left, *columns.right, *columns.across], unit)]
    tops = [max(piece.top for piece in line) for line in lines]
    gaps = [above - below for above, below in pairwise(tops)]
    far = FAR * median(gaps)
    above = max((n + 1 for n in range(EDGE) if gaps[n] > far), default=0)
    below = max((n + 1 for n in range(EDGE) if gaps[-1 - n] > far), default=0)
    edges = {piece for line in (*lines[:above], *lines[len(lines) - below :]) for piece in line}
    return _Columns(
        [piece for piece in columns.left if piece not in edges],
        [piece for piece in columns.right if piece not in edges],
        [*columns.across, *edges.difference(columns.across)],
    )


def _cut_bands(columns: _Columns, gutter: float) -> Sequence[TextBox]:
    """Cuts a page into bands, from top to bottom: lines across it, and between them left and right column."""
    across = {*columns.across}
    pieces = sorted((*columns.left, *columns.right, *columns.across), key=lambda one: -one.middle)
    bands = [(is_across, [*band]) for is_across, band in groupby(pieces, across.__contains__)]
    left = min(piece.left for piece in pieces) - 1
    right = max(piece.right for piece in pieces) + 1
    top = max(piece.top for piece in pieces) + 1
    regions = []
    for n, (is_across, band) in enumerate(bands):
        bottom = min(piece.bottom for piece in band)
        following = bands[n + 1][1] if n + 1 < len(bands) else ()
        bottom = (bottom + max((piece.top for piece in following), default=bottom - 2)) / 2
        if is_across:
            regions.append(TextBox(left, bottom, right, top))
        else:
            regions += TextBox(left, bottom, gutter, top), TextBox(gutter, bottom, right, top)
        top = bottom
    return regions
