"""Reads EPUB: the chapters of a book in reading order, each a page of XHTML (EPUB 3.3, 3 and 5)."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from posixpath import dirname, join, normpath
from typing import NamedTuple
from urllib.parse import unquote

from engine.errors import PageError
from engine.model import Link, Page, Section
from engine.robots import AGENT, directives
from engine.text.documents.document_page import BEGINNING, SHARE
from engine.text.documents.documents import xhtml_to_html
from engine.text.documents.package import ZipPackage, parse_xml
from engine.text.documents.print_layout import choose_title
from engine.text.documents.source import DocumentSource
from engine.text.html import (
    MAX_LINKS,
    MAX_SECTIONS,
    MAX_TEXT,
    Head,
    LinkBase,
    find_canonical,
    first_value,
    read_html,
)
from engine.text.language import detect_language

MAX_CHAPTERS = 2_000  # of one book; long ones have some hundred
MAX_CHAPTER = 4 * 1024 * 1024  # octets of one, unpacked: a whole novel in a single file has two
MAX_VALUE = 4_096  # characters of a title or a language
ENCRYPTION = "META-INF/encryption.xml"
INSIDE = "http://book.invalid/"  # where a chapter's links lead that stay in the book (RFC 2606, 2)

_CHAPTERS = frozenset(["application/xhtml+xml", "text/html"])
_METADATA = frozenset(["title", "language", "description"])


class _Book(NamedTuple):
    """What a package document says (EPUB 3.3, 5): metadata by name, and the chapters' parts in order."""

    metadata: Mapping[str, str]
    chapters: Sequence[str]


def read_epub(source: DocumentSource, clock: Callable[[], float] = time.process_time) -> Page:
    """Reads an EPUB; `cut` when it is too long or its beginning took more than half of the seconds.

    Raises PageError: `type` for a package with no book, `encrypted`, `too large`, `broken`.
    """
    deadline = clock() + SHARE * source.seconds
    package = ZipPackage(source.body)
    book = _read_book(package)
    sections: list[Section] = []
    links: dict[Link, None] = {}
    left, cut = MAX_TEXT, len(book.chapters) > MAX_CHAPTERS
    for chapter in _read_chapters(package, book.chapters[:MAX_CHAPTERS]):
        for section in chapter.sections:
            sections.append(_cut_section(section, left))
            left -= len(sections[-1].heading) + len(sections[-1].text)
        outward = (link for link in chapter.links if not link.url.startswith(INSIDE))
        links |= dict.fromkeys(islice(outward, MAX_LINKS - len(links)))
        if left <= 0 or len(sections) > MAX_SECTIONS or clock() >= deadline:
            cut = True
            break
    shown = " ".join(f"{section.heading} {section.text}" for section in sections[:BEGINNING])
    heading = next((one.heading for one in sections if one.heading), "")
    declared = book.metadata.get("language", "") or first_value(source.headers, "content-language")
    return Page(
        url=source.url,
        title=choose_title(book.metadata.get("title", ""), heading, source.url),
        description=book.metadata.get("description", ""),
        language=detect_language(declared, shown),
        sections=tuple(sections[:MAX_SECTIONS]),
        links=tuple(links),
        directives=directives((), source.headers, AGENT, time.time()),
        canonical=find_canonical(Head(), source.headers, source.url, LinkBase(source.url)),
        cut=cut,
    )


def _read_book(package: ZipPackage) -> _Book:
    """Reads the package document that META-INF/container.xml names (EPUB 3.3, 4.2.6.3)."""
    path = ""

    def container(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal path
        if name == "rootfile" and not path:
            path = attributes.get("full-path", "")

    _parse_part(package, "META-INF/container.xml", container)
    metadata: dict[str, str] = {}
    parts: dict[str, str] = {}
    spine: list[str] = []
    open_name = ""

    def start(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal open_name
        open_name = name if name in _METADATA and name not in metadata else ""
        if name == "item" and attributes.get("media-type") in _CHAPTERS:
            href = unquote(attributes.get("href", ""))
            parts[attributes.get("id", "")] = normpath(join(dirname(path), href))
        elif name == "itemref" and attributes.get("linear") != "no" and len(spine) <= MAX_CHAPTERS:
            spine.append(attributes.get("idref", ""))

    def end(name: str) -> None:
        nonlocal open_name
        open_name = ""

    def text(characters: str) -> None:
        if open_name:
            metadata[open_name] = (metadata.get(open_name, "") + characters)[:MAX_VALUE]

    parse_xml(package.pieces(path), start, end, text)
    chapters = [parts[name] for name in spine if name in parts]
    if _read_encrypted(package).intersection(chapters):
        raise PageError("encrypted")
    return _Book({name: " ".join(value.split()) for name, value in metadata.items()}, chapters)


def _read_encrypted(package: ZipPackage) -> set[str]:
    """Reads which parts nobody reads without a key; fonts often are (EPUB 3.3, 4.2.6.3.2)."""
    encrypted: set[str] = set()

    def start(name: str, attributes: Mapping[str, str]) -> None:
        if name == "CipherReference":
            encrypted.add(unquote(attributes.get("URI", "")))

    if ENCRYPTION in package:
        _parse_part(package, ENCRYPTION, start)
    return encrypted


def _cut_section(section: Section, length: int) -> Section:
    """Cuts a section to so many characters; its id is its chapter's, and leads nowhere in a book."""
    heading = section.heading[:length]
    return Section(heading, "", section.text[: length - len(heading)])


def _parse_part(package: ZipPackage, name: str, start: Callable[[str, Mapping[str, str]], None]) -> None:
    if name not in package:
        raise PageError("type", "a package with no book")
    parse_xml(package.pieces(name), start, lambda _: None, lambda _: None)


def _read_chapters(package: ZipPackage, names: Sequence[str]) -> Iterator[Page]:
    """Yields each chapter as a page of XHTML. Raises PageError for one missing, damaged or too large."""
    for name in names:
        body = bytearray()
        for piece in package.pieces(name):
            body += piece
            if len(body) > MAX_CHAPTER:
                raise PageError("too large", name)
        yield read_html(xhtml_to_html(bytes(body)), INSIDE, "application/xhtml+xml", ())
