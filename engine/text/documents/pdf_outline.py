"""Reads a PDF's outline: which headings lead to which place on which page (ISO 32000, 12.3.3)."""

import ctypes
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from pypdfium2 import PdfDest, PdfDocument, PdfTextPage, raw

from engine.text.documents.pdf_buffer import read_utf16
from engine.text.documents.pdf_columns import TextBox
from engine.text.documents.pdf_sections import OutlineTarget, line_key
from engine.text.documents.print_layout import split_lines

MAX_OUTLINE = 2_000  # entries of one outline
MAX_ENTRY = 200  # characters of one that are kept
MAX_TITLE_OCTETS = 8_192  # of one in UTF-16; a longer one is no heading
OUTLINE_DEPTH = 5  # levels of it
FIRST_LINES = 3  # below a destination; parts of letters of the line above may be the first
MAX_BELOW = 2_000  # characters in which they are
MAX_PLACED = 50  # entries of one page whose place is looked for: each costs a look at all of its letters

_TOPS = {raw.PDFDEST_VIEW_FITH: 0, raw.PDFDEST_VIEW_FITR: 3, raw.PDFDEST_VIEW_FITBH: 0}  # which number it is


class OutlineEntry(NamedTuple):
    """An entry of the outline, and where on its page it leads, in points; None where it does not say."""

    heading: str
    left: float | None
    top: float | None


def read_outline(document: PdfDocument, late: Callable[[], bool]) -> Mapping[int, Sequence[OutlineEntry]]:
    """Reads the entries that lead to each page, by the page's number from 0, until it is late."""
    entries: dict[int, dict[str, OutlineEntry]] = {}
    for entry in islice(document.get_toc(max_depth=OUTLINE_DEPTH), MAX_OUTLINE):
        if late():
            break
        title = read_utf16(lambda *room, of=entry: raw.FPDFBookmark_GetTitle(of, *room), MAX_TITLE_OCTETS)
        heading = " ".join(split_lines(title))[:MAX_ENTRY]
        place = entry.get_dest()
        if heading and place is not None and (page := place.get_index()) is not None:
            entries.setdefault(page, {}).setdefault(heading, OutlineEntry(heading, *_read_position(place)))
    return {page: [*of_page.values()] for page, of_page in entries.items()}


def _read_position(place: PdfDest) -> tuple[float | None, float | None]:
    """Reads how far from the left and from the bottom of its page a destination is (12.3.2.2)."""
    mode, view = place.get_view()
    if mode in _TOPS:
        at = _TOPS[mode]
        return None, _finite(view[at]) if at < len(view) else None
    has = [ctypes.c_int() for _ in range(3)]
    numbers = [ctypes.c_float() for _ in range(3)]  # left, top, zoom
    room = (*map(ctypes.byref, has), *map(ctypes.byref, numbers))
    if mode != raw.PDFDEST_VIEW_XYZ or not raw.FPDFDest_GetLocationInPage(place, *room):
        return None, None
    left, top, _ = (
        _finite(number.value) if there.value else None for there, number in zip(has, numbers, strict=True)
    )
    return left, top


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


def find_targets(
    entries: Sequence[OutlineEntry], words: PdfTextPage, regions: Sequence[TextBox], lines: Iterable[str]
) -> Sequence[OutlineTarget]:
    """Finds the lines of a page to which each of its entries leads; `regions` as read_in_order() has them.

    Not for an entry that one of its `lines` alone says: to look for a place takes longer.
    """
    if not entries:
        return ()
    counts = Counter(map(line_key, lines))
    unclear = (entry.heading for entry in entries if counts[line_key(entry.heading)] != 1)
    placed = {*islice(unclear, MAX_PLACED)}
    return [
        OutlineTarget(entry.heading, _read_lines_at(entry, words, regions) if entry.heading in placed else ())
        for entry in entries
    ]


def _read_lines_at(entry: OutlineEntry, words: PdfTextPage, regions: Sequence[TextBox]) -> Sequence[str]:
    """Reads the first lines below the top of a destination, in its column."""
    if entry.top is None:
        return ()
    left = bottom = right = None
    for region in regions:
        if region.bottom <= entry.top <= region.top and (
            entry.left is None or region.left <= entry.left <= region.right
        ):
            left, bottom, right = region.left, region.bottom, region.right
            break
    below = words.get_text_bounded(left, bottom, right, entry.top)
    return split_lines(below[:MAX_BELOW])[:FIRST_LINES]
