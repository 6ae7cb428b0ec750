"""Reads the structure tree of a tagged PDF (ISO 32000, 14.7): its title, and what its figures show."""

from collections.abc import Iterator, Sequence
from ctypes import byref, c_float
from itertools import islice
from typing import Any

from pypdfium2 import PdfPage, PdfTextPage, raw

from engine.text.documents.pdf_buffer import read_utf16
from engine.text.documents.print_layout import split_lines

MAX_ELEMENTS = 2_000  # of the tree of one page; a dense page of a table has 1,000
MAX_DEPTH = 32  # of the tree; PDFium reads no deeper one
MAX_TYPE = 128  # octets of an element's type in UTF-16
MAX_ALTERNATIVE = 8_192  # octets of an alternative text in UTF-16; a longer one is left out
MAX_CONTENTS = 100  # marked contents of one heading
MAX_OBJECTS = 2_000  # of a page among which those of its heading are looked for

_FIGURES = frozenset(["Figure", "Formula"])  # 14.8.4.5
_TITLES = ("Title", "H1", "H")  # the best first: ISO 32000-2, 14.8.4.3; 14.8.4.3.2 in the first edition

Element = Any
"""PDFium's handle of an element."""


def read_alternatives(page: PdfPage) -> Sequence[str]:
    """Reads the alternative texts of the figures and formulas on a page (14.9.3), in the tree's order."""
    with _StructureTree(page) as tree:
        texts = (_read_alternative(element) for element in tree.elements() if _read_type(element) in _FIGURES)
        return [text for text in texts if text]


def read_tagged_title(page: PdfPage, words: PdfTextPage) -> str:
    """Reads what a page's structure calls the title, or its first heading of the first level; '' for none."""
    with _StructureTree(page) as tree:
        found: dict[str, Element] = {}
        for element in tree.elements():
            found.setdefault(_read_type(element), element)
        for kind in _TITLES:
            if kind in found and (title := _read_text(found[kind], page, words)):
                return title
    return ""


class _StructureTree:
    """The structure tree of one page."""

    def __init__(self, page: PdfPage) -> None:
        self._tree = raw.FPDF_StructTree_GetForPage(page)

    def __enter__(self) -> "_StructureTree":
        return self

    def __exit__(self, *_: object) -> None:
        if self._tree:
            raw.FPDF_StructTree_Close(self._tree)

    def elements(self) -> Iterator[Element]:
        """Yields its first elements, each before those in it."""
        if not self._tree:
            return
        for n in range(min(raw.FPDF_StructTree_CountChildren(self._tree), MAX_ELEMENTS)):
            if root := raw.FPDF_StructTree_GetChildAtIndex(self._tree, n):
                yield from islice(_walk(root), MAX_ELEMENTS - n)


def _walk(root: Element) -> Iterator[Element]:
    """Yields an element and those in it, as deep as PDFium reads them."""
    waiting = [(root, 0)]
    while waiting:
        element, depth = waiting.pop()
        yield element
        if depth < MAX_DEPTH:
            number = min(raw.FPDF_StructElement_CountChildren(element), MAX_ELEMENTS)
            children = (raw.FPDF_StructElement_GetChildAtIndex(element, n) for n in reversed(range(number)))
            waiting += [(child, depth + 1) for child in children if child]


def _read_type(element: Element) -> str:
    """Reads the type of an element, as the standard names it."""
    return read_utf16(lambda *room: raw.FPDF_StructElement_GetType(element, *room), MAX_TYPE)


def _read_alternative(element: Element) -> str:
    text = read_utf16(lambda *room: raw.FPDF_StructElement_GetAltText(element, *room), MAX_ALTERNATIVE)
    return " ".join(split_lines(text))


def _read_text(element: Element, page: PdfPage, words: PdfTextPage) -> str:
    """Reads the text of an element where its contents are drawn."""
    contents = {
        raw.FPDF_StructElement_GetMarkedContentIdAtIndex(one, n)
        for one in islice(_walk(element), MAX_CONTENTS)
        for n in range(min(raw.FPDF_StructElement_GetMarkedContentIdCount(one), MAX_CONTENTS))
    } - {-1}
    edges = [c_float() for _ in range(4)]
    boxes = []
    for n in range(min(raw.FPDFPage_CountObjects(page), MAX_OBJECTS) if contents else 0):
        drawn = raw.FPDFPage_GetObject(page, n)
        if (
            raw.FPDFPageObj_GetType(drawn) == raw.FPDF_PAGEOBJ_TEXT
            and raw.FPDFPageObj_GetMarkedContentID(drawn) in contents
            and raw.FPDFPageObj_GetBounds(drawn, *map(byref, edges))
        ):
            boxes.append([edge.value for edge in edges])
    if not boxes:
        return ""
    left, bottom, right, top = zip(*boxes, strict=True)
    return " ".join(split_lines(words.get_text_bounded(min(left), min(bottom), max(right), max(top))))
