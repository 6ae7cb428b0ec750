"""Reads PDF: sections by its outline or by pages, with fragments that open a viewer there (RFC 8118, 3).

PDFium is C++ that reads what strangers wrote: a file that makes it loop, crash or ask for all the memory ends
the reader process, and only that. What takes long but goes on is cut: the first pages are better than none.
"""

import ctypes
import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import islice
from typing import NamedTuple

import pypdfium2
from pypdfium2 import PdfDocument, PdfiumError, PdfPage, PdfTextPage, raw

from engine.errors import PageError
from engine.model import Link, Page, ScannedPages
from engine.robots import AGENT, directives
from engine.text.documents.document_page import BEGINNING, SHARE
from engine.text.documents.pdf_buffer import read_buffer, read_utf16
from engine.text.documents.pdf_columns import read_in_order
from engine.text.documents.pdf_images import is_scanned
from engine.text.documents.pdf_outline import OutlineEntry, find_targets, read_outline
from engine.text.documents.pdf_sections import OutlineTarget, PageText, build_sections
from engine.text.documents.pdf_structure import StructureReader
from engine.text.documents.print_layout import (
    MAX_LOST,
    choose_title,
    find_largest_lines,
    parse_pdf_date,
    remove_running_heads,
    split_lines,
)
from engine.text.documents.source import DocumentSource
from engine.text.html import (
    MAX_ANCHOR,
    MAX_HREF,
    MAX_LINKS,
    MAX_TEXT,
    Head,
    LinkBase,
    find_canonical,
    first_value,
    resolve_link,
)
from engine.text.language import detect_language

MAX_PAGES = 1_000  # of one document; four thick books
MAX_TOP = 2_000  # characters of the first page among which its heading is looked for
MAX_TAG = 128  # octets of a language tag in UTF-16
OUTLINE_SHARE = 0.1  # of the seconds, for the outline: read first, as each page looks where it leads

_COPY = 1 << 4  # ISO 32000, table 22: bit 5, text may be copied
_LOCKED = frozenset([raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY])

logging.getLogger(pypdfium2.__name__).setLevel(logging.ERROR)  # it warns of every odd table of contents


class _Pages(NamedTuple):
    """What the pages of a document say, page by page, and whether that is all of them."""

    sheets: Sequence["_Sheet"]
    links: Sequence[Link]
    heading: str  # of the first page
    cut: bool


class _Sheet(NamedTuple):
    """What one page says; `targets` and `alternatives` as in PageText."""

    lines: Sequence[str] = ()
    targets: Sequence[OutlineTarget] = ()
    alternatives: Sequence[str] = ()
    scanned: bool = False


def read_pdf(source: DocumentSource, clock: Callable[[], float] = time.process_time) -> Page:
    """Reads a PDF; `cut` when its beginning took more than half of the seconds, by `clock`.

    Raises PageError: `encrypted` for one that needs a password or forbids that its text is copied, `broken`.
    """
    body, url, _, headers, seconds, recognized = source
    begun = clock()
    with closing(open_document(body)) as document:
        outline = read_outline(document, lambda: clock() >= begun + OUTLINE_SHARE * seconds)
        read = _PageReader(document, url, outline, recognized).read(
            lambda: clock() >= begun + SHARE * seconds
        )
        title, declared = _read_metadata(document, "Title"), _read_language(document)
        published, modified = (
            parse_pdf_date(_read_metadata(document, key)) for key in ("CreationDate", "ModDate")
        )
    text = remove_running_heads([sheet.lines for sheet in read.sheets])
    pages = [
        PageText(lines, sheet.targets, sheet.alternatives)
        for lines, sheet in zip(text.lines, read.sheets, strict=True)
    ]
    shown = ("\n".join(lines) for lines in text.lines if lines)
    scanned = [n for n, sheet in enumerate(read.sheets) if sheet.scanned]
    unread = [n for n in scanned if not read.sheets[n].lines]
    return Page(
        url=url,
        title=choose_title(title, read.heading, url),
        language=detect_language(
            declared or first_value(headers, "content-language"), " ".join(islice(shown, BEGINNING))
        ),
        sections=tuple(build_sections(pages)),
        links=read.links,
        directives=directives((), headers, AGENT, time.time()),
        canonical=find_canonical(Head(), headers, url, LinkBase(url)),
        rest="\n".join(text.repeated)[:MAX_LOST],
        published=published,
        modified=modified,
        cut=read.cut,
        scanned=ScannedPages(len(scanned), len(read.sheets), len(scanned) - len(unread)) if scanned else None,
        pictures=unread,
    )


def open_document(body: bytes) -> PdfDocument:
    """Opens the document. Raises PageError when it cannot or may not be read."""
    try:
        document = PdfDocument(body)
    except PdfiumError as error:
        raise PageError("encrypted" if error.err_code in _LOCKED else "broken", str(error)) from error
    locked = raw.FPDF_GetSecurityHandlerRevision(document) >= 0
    if locked and not raw.FPDF_GetDocPermissions(document) & _COPY:
        document.close()
        raise PageError("encrypted", "its text may not be copied")
    if not len(document):
        document.close()
        raise PageError("broken", "no pages")
    return document


class _PageReader:
    """Reads page by page, as far as the limits go."""

    def __init__(
        self,
        document: PdfDocument,
        url: str,
        outline: Mapping[int, Sequence[OutlineEntry]],
        recognized: Mapping[int, str],
    ) -> None:
        self._document = document
        self._url = url
        self._outline = outline
        self._recognized = recognized
        self._structure = StructureReader() if raw.FPDFCatalog_IsTagged(document) else None
        self._links: dict[tuple[str, str], None] = {}
        self._alternatives: set[str] = set()  # a logo has one on every page
        self._heading = ""
        self._left = MAX_TEXT

    def read(self, late: Callable[[], bool]) -> _Pages:
        """Reads the pages until it is late; one that is broken is empty."""
        sheets: list[_Sheet] = []
        number = len(self._document)
        for n in range(min(number, MAX_PAGES)):
            if self._left <= 0 or late():
                break
            sheet = _Sheet(targets=[OutlineTarget(entry.heading, ()) for entry in self._outline.get(n, ())])
            with (
                suppress(PdfiumError),
                closing(self._document[n]) as page,
                closing(page.get_textpage()) as words,
            ):
                sheet = self._read_page(n, page, words)
            sheets.append(sheet)
        links = tuple(Link(target, anchor) for target, anchor in self._links)
        return _Pages(sheets, links, self._heading, cut=len(sheets) < number or self._left <= 0)

    def _read_page(self, n: int, page: PdfPage, words: PdfTextPage) -> _Sheet:
        read = read_in_order(words)
        text = read.text[: self._left]
        if scanned := not (lines := split_lines(text)) and is_scanned(page):
            text = self._recognized.get(n, "")[: self._left]
            lines = split_lines(text)
        self._left -= len(text)
        if not n:
            tagged = self._structure.read_title(page, words) if self._structure else ""
            self._heading = tagged or find_largest_lines(_lines_by_height(words))
        links = _read_links(self._document, page, words, self._url)
        self._links |= dict.fromkeys(islice(links, MAX_LINKS - len(self._links)))
        alternatives = self._new_alternatives(self._structure, page) if self._structure else ()
        targets = find_targets(self._outline.get(n, ()), words, read.regions, lines)
        return _Sheet(lines, targets, alternatives, scanned)

    def _new_alternatives(self, structure: StructureReader, page: PdfPage) -> Sequence[str]:
        """Reads the alternative texts that no page before has, as far as the text may go on."""
        found = []
        for text in structure.read_alternatives(page):
            if text not in self._alternatives and len(text) <= self._left:
                self._alternatives.add(text)
                self._left -= len(text)
                found.append(text)
        return found


def _read_links(
    document: PdfDocument, page: PdfPage, words: PdfTextPage, url: str
) -> Iterator[tuple[str, str]]:
    """Yields the URLs that an area of the page leads to (ISO 32000, 12.6.4.8), and the words in it."""
    position, link, area = ctypes.c_int(0), raw.FPDF_LINK(), raw.FS_RECTF()
    for _ in range(MAX_LINKS):
        if not raw.FPDFLink_Enumerate(page, ctypes.byref(position), ctypes.byref(link)):
            return
        action = raw.FPDFLink_GetAction(link)
        if not action or raw.FPDFAction_GetType(action) != raw.PDFACTION_URI:
            continue
        href = read_buffer(lambda *room, of=action: raw.FPDFAction_GetURIPath(document, of, *room), MAX_HREF)
        if (
            target := resolve_link(LinkBase(url), href.decode(errors="replace").partition("#")[0])
        ) and target != url:
            raw.FPDFLink_GetAnnotRect(link, ctypes.byref(area))
            anchor = words.get_text_bounded(area.left, area.bottom, area.right, area.top)
            yield target, " ".join(split_lines(anchor[:MAX_ANCHOR]))


def _lines_by_height(words: PdfTextPage) -> list[tuple[float, str]]:
    """Yields the first lines of a page, each with the height of its first letter in points."""
    area, lines, height, line = raw.FS_RECTF(), [], 0.0, ""
    for n in range(min(words.count_chars(), MAX_TOP)):
        char = chr(raw.FPDFText_GetUnicode(words, n))
        if char in "\r\n":
            lines.append((height, line))
            line = ""
        elif line or not char.isspace():
            if not line and raw.FPDFText_GetLooseCharBox(words, n, ctypes.byref(area)):
                height = area.top - area.bottom
            line += char
    return [*lines, (height, line)]


def _read_metadata(document: PdfDocument, key: str) -> str:
    """Reads what the document says of itself, '' for nothing and for nonsense."""
    try:
        return " ".join(split_lines(document.get_metadata_value(key)))
    except UnicodeDecodeError:
        return ""


def _read_language(document: PdfDocument) -> str:
    return read_utf16(lambda *room: raw.FPDFCatalog_GetLanguage(document, *room), MAX_TAG)
