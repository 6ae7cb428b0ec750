"""Tells whether a page is a picture of text: scanned, and not read by any program yet."""

from collections.abc import Iterator
from ctypes import byref, c_float
from typing import Any

from pypdfium2 import PdfPage, raw

COVERED = 0.5  # of a page that its pictures cover, scanners cut off margins and cut pages into stripes
MAX_OBJECTS = 1_000  # of a page without text among which pictures are looked for

Drawn = Any
"""PDFium's handle of something that is drawn on a page."""


def is_scanned(page: PdfPage) -> bool:
    """Tells of a page without text whether pictures cover most of it."""
    left, bottom, right, top = page.get_bbox()
    covered = 0.0
    for drawn in _list_pictures(page):
        edges = [c_float() for _ in range(4)]
        if raw.FPDFPageObj_GetBounds(drawn, *map(byref, edges)):
            x, y, end, above = (edge.value for edge in edges)
            covered += max(0.0, min(end, right) - max(x, left)) * max(0.0, min(above, top) - max(y, bottom))
    return covered > 0 and covered >= COVERED * (right - left) * (top - bottom)


def _list_pictures(page: PdfPage) -> Iterator[Drawn]:
    """Lists the pictures of a page, and forms that begin with one: some programs wrap each so."""
    for n in range(min(raw.FPDFPage_CountObjects(page), MAX_OBJECTS)):
        drawn = raw.FPDFPage_GetObject(page, n)
        kind = raw.FPDFPageObj_GetType(drawn)
        if kind == raw.FPDF_PAGEOBJ_IMAGE or (kind == raw.FPDF_PAGEOBJ_FORM and _begins_with_picture(drawn)):
            yield drawn


def _begins_with_picture(form: Drawn) -> bool:
    if raw.FPDFFormObj_CountObjects(form) <= 0:
        return False
    return bool(raw.FPDFPageObj_GetType(raw.FPDFFormObj_GetObject(form, 0)) == raw.FPDF_PAGEOBJ_IMAGE)
