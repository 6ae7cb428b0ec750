"""Reads the structure tree of a tagged PDF (ISO 32000, 14.7): its title, and what its figures show.

PDFium gives of each page the elements that have contents on it; kids that are on other pages are empty places
among the kids of their parent. Some programs put all paragraphs of a document into one element: of such, only
the places near the kids on the page before are looked at.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import byref, c_float, create_string_buffer
from itertools import islice
from typing import Any, NamedTuple

from pypdfium2 import PdfPage, PdfTextPage, raw

from engine.text.documents.pdf_buffer import read_utf16
from engine.text.documents.print_layout import split_lines

MAX_ELEMENTS = 2_000  # of the tree of one page; a dense page of a table has 1,000
MAX_DEPTH = 32  # of the tree; PDFium reads no deeper one
MANY_KIDS = 300  # of which all are looked at; 0.1 to 0.2 ms
MAX_PLACES = 3_000  # of the kids of an element that are looked at until one is on the page
GAP = 100  # empty places behind those of a page: the rest is on later ones
MAX_TYPE = 128  # octets of an element's type in UTF-16
MAX_ALTERNATIVE = 8_192  # octets of an alternative text in UTF-16; a longer one is left out
MAX_CONTENTS = 100  # marked contents of one heading
MAX_OBJECTS = 2_000  # of a page among which those of its heading are looked for

_FIGURES = frozenset(["Figure", "Formula"])  # ISO 32000, 14.8.4.5
_TITLES = ("Title", "H1", "H")  # the best first: ISO 32000-2, table 366; ISO 32000, 14.8.4.3.2

Element = Any
"""PDFium's handle of an element."""


class _Node(NamedTuple):
    """An element, and the numbers of kids by which it is reached: the same on every page."""

    element: Element
    path: tuple[int, ...]


class StructureReader:
    """Reads the structure of the pages of one document, in their order."""

    def __init__(self) -> None:
        self._begun: dict[tuple[int, ...], int] = {}  # the first kid on the last page, of elements with many
        self._type = create_string_buffer(MAX_TYPE)

    def read_alternatives(self, page: PdfPage) -> Sequence[str]:
        """Reads the alternative texts of the figures and formulas on a page (14.9.3), in the tree's order."""
        with _open_tree(page) as tree:
            figures = (node for node in self._list_nodes(tree) if self._read_type(node) in _FIGURES)
            return [text for figure in figures if (text := _read_alternative(figure))]

    def read_title(self, page: PdfPage, words: PdfTextPage) -> str:
        """Reads what a page's structure calls the title, or its first heading of the first level, or ''."""
        with _open_tree(page) as tree:
            found: dict[str, _Node] = {}
            for node in self._list_nodes(tree):
                found.setdefault(self._read_type(node), node)
            for kind in _TITLES:
                if kind in found and (title := self._read_text(found[kind], page, words)):
                    return title
        return ""

    def _list_nodes(self, tree: Element) -> Iterator[_Node]:
        """Yields the first elements of a page's tree, each before those in it."""
        number = min(raw.FPDF_StructTree_CountChildren(tree), MAX_ELEMENTS) if tree else 0
        roots = (_Node(raw.FPDF_StructTree_GetChildAtIndex(tree, n), (n,)) for n in range(number))
        nodes = (node for root in roots if root.element for node in self._walk(root))
        return islice(nodes, MAX_ELEMENTS)

    def _walk(self, root: _Node) -> Iterator[_Node]:
        """Yields an element and those in it, as deep as PDFium reads them."""
        waiting = [root]
        while waiting:
            node = waiting.pop()
            yield node
            if len(node.path) <= MAX_DEPTH:
                waiting += reversed([*islice(self._list_kids(node), MAX_ELEMENTS)])

    def _list_kids(self, node: _Node) -> Iterator[_Node]:
        number = raw.FPDF_StructElement_CountChildren(node.element)
        begin = self._begun.get(node.path, 0) if number > MANY_KIDS else 0
        last = None
        for n in range(begin, number):
            if kid := raw.FPDF_StructElement_GetChildAtIndex(node.element, n):
                if last is None and number > MANY_KIDS:
                    self._begun[node.path] = n
                last = n
                yield _Node(kid, (*node.path, n))
            elif number > MANY_KIDS and (n - begin > MAX_PLACES if last is None else n - last > GAP):
                return

    def _read_type(self, node: _Node) -> str:
        """Reads the type of an element, as the standard names it."""
        size = raw.FPDF_StructElement_GetType(node.element, self._type, MAX_TYPE)
        return self._type.raw[:size].decode("utf-16-le", "ignore").rstrip("\0") if size <= MAX_TYPE else ""

    def _read_text(self, node: _Node, page: PdfPage, words: PdfTextPage) -> str:
        """Reads the text of an element where its contents are drawn."""
        contents = {
            raw.FPDF_StructElement_GetMarkedContentIdAtIndex(one.element, n)
            for one in islice(self._walk(node), MAX_CONTENTS)
            for n in range(min(raw.FPDF_StructElement_GetMarkedContentIdCount(one.element), MAX_CONTENTS))
        } - {-1}
        boxes = [*_find_contents(page, contents)] if contents else []
        if not boxes:
            return ""
        left, bottom, right, top = zip(*boxes, strict=True)
        return " ".join(split_lines(words.get_text_bounded(min(left), min(bottom), max(right), max(top))))


@contextmanager
def _open_tree(page: PdfPage) -> Iterator[Element]:
    """Opens the structure tree of a page, which may have none."""
    tree = raw.FPDF_StructTree_GetForPage(page)
    try:
        yield tree
    finally:
        if tree:
            raw.FPDF_StructTree_Close(tree)


def _read_alternative(node: _Node) -> str:
    text = read_utf16(lambda *room: raw.FPDF_StructElement_GetAltText(node.element, *room), MAX_ALTERNATIVE)
    return " ".join(split_lines(text))


def _find_contents(page: PdfPage, contents: set[int]) -> Iterator[Sequence[float]]:
    """Finds where texts with these numbers of marked content stand: left, bottom, right and top."""
    for n in range(min(raw.FPDFPage_CountObjects(page), MAX_OBJECTS)):
        drawn = raw.FPDFPage_GetObject(page, n)
        edges = [c_float() for _ in range(4)]
        if (
            raw.FPDFPageObj_GetType(drawn) == raw.FPDF_PAGEOBJ_TEXT
            and raw.FPDFPageObj_GetMarkedContentID(drawn) in contents
            and raw.FPDFPageObj_GetBounds(drawn, *map(byref, edges))
        ):
            yield [edge.value for edge in edges]
