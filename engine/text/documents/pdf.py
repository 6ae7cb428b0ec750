"""Reads PDF: a section for each page, with the fragment that opens a viewer there (RFC 8118, 3).

PDFium is C++ that reads what strangers wrote: a file that makes it loop, crash or ask for all the memory ends
the reader process, and only that. What takes long but goes on is cut: the first pages are better than none.
"""

import ctypes
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import islice
from typing import NamedTuple

import pypdfium2
from pypdfium2 import PdfDocument, PdfiumError, PdfPage, PdfTextPage, raw

from engine.errors import PageError
from engine.model import Link, Page, Section
from engine.robots import AGENT, directives
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
MAX_OUTLINE = 2_000  # entries of its table of contents
MAX_ENTRY = 200  # characters of one
OUTLINE_DEPTH = 5  # levels of it
MAX_TOP = 2_000  # characters of the first page among which its heading is looked for
MAX_TAG = 128  # octets of a language tag in UTF-16
BEGINNING = 5  # sections that tell the language
SHARE = 0.5  # of the seconds for a page; what was read until then is left for the rest of the walk

_COPY = 1 << 4  # ISO 32000, table 22: bit 5, text may be copied
_LOCKED = frozenset([raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY])

logging.getLogger(pypdfium2.__name__).setLevel(logging.ERROR)  # it warns of every odd table of contents


class _Pages(NamedTuple):
    """What the pages of a document say, page by page, and whether that is all of them."""

    sheets: Sequence[Sequence[str]]
    links: Sequence[Link]
    heading: str  # of the first page
    cut: bool


def read_pdf(source: DocumentSource, clock: Callable[[], float] = time.process_time) -> Page:
    """Reads a PDF; `cut` when its beginning took more than half of the seconds, by `clock`.

    Raises PageError: `encrypted` for one that needs a password or forbids that its text is copied, `broken`.
    """
    body, url, _, headers, seconds = source
    deadline = clock() + SHARE * seconds
    with closing(_open_document(body)) as document:
        read = _read_pages(document, url, lambda: clock() >= deadline)
        outline = {} if read.cut else _read_outline(document)
        title, declared = _read_metadata(document, "Title"), _read_language(document)
        published, modified = (
            parse_pdf_date(_read_metadata(document, key)) for key in ("CreationDate", "ModDate")
        )
    text = remove_running_heads(read.sheets)
    shown = ["\n".join(lines) for lines in text.lines]
    beginning = " ".join(islice(filter(None, shown), BEGINNING))
    return Page(
        url=url,
        title=choose_title(title, read.heading, url),
        language=detect_language(declared or first_value(headers, "content-language"), beginning),
        sections=tuple(_build_sections(shown, outline)),
        links=read.links,
        directives=directives((), headers, AGENT, time.time()),
        canonical=find_canonical(Head(), headers, url, LinkBase(url)),
        rest="\n".join(text.repeated)[:MAX_LOST],
        published=published,
        modified=modified,
        cut=read.cut,
    )


def _open_document(body: bytes) -> PdfDocument:
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


def _read_pages(document: PdfDocument, url: str, late: Callable[[], bool]) -> _Pages:
    """Reads page by page, as far as the limits go; a page that is broken is an empty one."""
    sheets: list[list[str]] = []
    links: dict[tuple[str, str], None] = {}
    heading = ""
    left = MAX_TEXT
    number = len(document)
    for n in range(min(number, MAX_PAGES)):
        if left <= 0 or late():
            break
        text = ""
        with suppress(PdfiumError), closing(document[n]) as page, closing(page.get_textpage()) as words:
            text = words.get_text_bounded()[:left]
            heading = heading if n else find_largest_lines(_lines_by_height(words))
            for link in islice(_read_links(document, page, words, url), MAX_LINKS - len(links)):
                links[link] = None
        left -= len(text)
        sheets.append(split_lines(text))
    found = tuple(Link(target, anchor) for target, anchor in links)
    return _Pages(sheets, found, heading, cut=len(sheets) < number or left <= 0)


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
        href = _read_buffer(lambda *room, of=action: raw.FPDFAction_GetURIPath(document, of, *room), MAX_HREF)
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


def _read_outline(document: PdfDocument) -> dict[int, str]:
    """Reads the first outline entry that leads to each page, by the page's number from 0."""
    entries: dict[int, str] = {}
    with suppress(UnicodeDecodeError):
        for entry in islice(document.get_toc(max_depth=OUTLINE_DEPTH), MAX_OUTLINE):
            place = entry.get_dest()
            if place is not None and (page := place.get_index()) is not None:
                entries.setdefault(page, " ".join(split_lines(entry.get_title()))[:MAX_ENTRY])
    return entries


def _build_sections(shown: Sequence[str], outline: dict[int, str]) -> Iterator[Section]:
    """Builds the sections; the first has no heading and is there in any case."""
    for n, text in enumerate(shown):
        if text or not n:
            yield Section(outline.get(n, "") if n else "", f"page={n + 1}", text)


def _read_metadata(document: PdfDocument, key: str) -> str:
    """Reads what the document says of itself, '' for nothing and for nonsense."""
    try:
        return " ".join(split_lines(document.get_metadata_value(key)))
    except UnicodeDecodeError:
        return ""


def _read_language(document: PdfDocument) -> str:
    octets = _read_buffer(lambda *room: raw.FPDFCatalog_GetLanguage(document, *room), MAX_TAG)
    return octets.decode("utf-16-le", errors="ignore").rstrip("\0")


def _read_buffer(write: Callable[..., int], most: int) -> bytes:
    """Reads what PDFium writes when it is told where and how much room there is; b'' for more than `most`."""
    size = write(None, 0)
    if not 0 < size <= most:
        return b""
    room = (ctypes.c_ushort * ((size + 1) // 2))()
    write(room, size)
    return bytes(room)[:size]
