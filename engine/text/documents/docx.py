"""Reads DOCX: the paragraphs of a Word document, cut at its headings (ECMA-376, part 1, 17)."""

import re
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from posixpath import basename, dirname, join, normpath

from engine.errors import PageError
from engine.model import Link, Page
from engine.robots import AGENT, directives
from engine.text.documents.package import ZipPackage, parse_xml
from engine.text.documents.paragraphs import HEADING, TITLE, ParagraphParser, TextLimitReached
from engine.text.documents.print_layout import choose_title
from engine.text.documents.source import DocumentSource
from engine.text.html import Head, LinkBase, find_canonical, first_value, resolve_link
from engine.text.language import detect_language

SHARE = 0.5  # of the seconds for a page: what is read of a document until then is its page
MAX_VALUE = 4_096  # characters of a property
MAX_ROWS = 10_000  # relations or styles of one document
MAX_BASES = 16  # styles that each rest on the next
BEGINNING = 5  # sections that tell the language
BODY_LEVEL = "9"  # outline level of what is no heading (17.3.1.20)

_PROPERTIES = frozenset(["title", "language", "created", "modified"])
_HEADING = re.compile(r"heading [1-9]", re.IGNORECASE)  # in every language (17.7.4.9)


def read_docx(source: DocumentSource, clock: Callable[[], float] = time.process_time) -> Page:
    """Reads a DOCX; `cut` when it is too long or its beginning took more than half of the seconds.

    Raises PageError: `type` for a package with another kind of document, `encrypted`, `too large`, `broken`.
    """
    body, url, _, headers, seconds = source
    deadline = clock() + SHARE * seconds
    package = ZipPackage(body)
    main = _find_main_part(package)
    relations = _read_relations(package, main)
    properties = _read_properties(package)
    words = ParagraphParser(
        _read_paragraph_kinds(package, relations), _link_targets(relations), lambda: clock() >= deadline
    )
    cut = False
    try:
        parse_xml(words.stop_when_late(package.pieces(main)), words.start, words.end, words.text)
    except TextLimitReached:
        cut = True
    sections = words.sections()
    shown = " ".join(f"{section.heading} {section.text}" for section in sections[:BEGINNING])
    heading = words.title or next((one.heading for one in sections if one.heading), "") or words.first
    links = {
        (target, anchor): None
        for href, anchor in words.links
        if (target := resolve_link(LinkBase(url), href))
    }
    return Page(
        url=url,
        title=choose_title(properties.get("title", ""), heading, url),
        language=detect_language(
            properties.get("language", "") or first_value(headers, "content-language"), shown
        ),
        sections=sections,
        links=tuple(Link(target, anchor) for target, anchor in links if target != url),
        directives=directives((), headers, AGENT, time.time()),
        canonical=find_canonical(Head(), headers, url, LinkBase(url)),
        published=_parse_w3cdtf(properties.get("created", "")),
        modified=_parse_w3cdtf(properties.get("modified", "")),
        cut=cut,
    )


def _find_main_part(package: ZipPackage) -> str:
    """Finds the name of the part with the text (ECMA-376, part 1, 11.3.10)."""
    relations = _read_relations(package, "")
    return next((part for kind, part in relations.values() if kind == "officeDocument"), "word/document.xml")


def _read_relations(package: ZipPackage, part: str) -> dict[str, tuple[str, str]]:
    """Reads the kind and target of each relation of a part, by its id; `` is the package (part 2, 6.5)."""
    relations: dict[str, tuple[str, str]] = {}
    folder = dirname(part)

    def start(name: str, attributes: Mapping[str, str]) -> None:
        if name == "Relationship" and len(relations) < MAX_ROWS:
            target = attributes.get("Target", "")
            if attributes.get("TargetMode") != "External":
                target = normpath(join("/", folder, target)).lstrip("/")
            relations[attributes.get("Id", "")] = attributes.get("Type", "").rpartition("/")[2], target

    _parse_if_there(package, join(folder, "_rels", f"{basename(part)}.rels"), start)
    return relations


def _link_targets(relations: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Maps ids to where the hyperlinks of a part lead."""
    return {name: target for name, (kind, target) in relations.items() if kind == "hyperlink"}


def _read_paragraph_kinds(package: ZipPackage, relations: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    """Reads what styles make of a paragraph, by their ids: a heading, the title (17.7.4)."""
    own: dict[str, str] = {}
    bases: dict[str, str] = {}
    style = ""

    def start(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal style
        value = attributes.get("val", "")
        if name == "style":
            style = attributes.get("styleId", "") if len(bases) < MAX_ROWS else ""
        elif name == "basedOn":
            bases[style] = value
        elif name == "name" and value.lower() == "title":
            own[style] = TITLE
        elif (name == "name" and _HEADING.fullmatch(value)) or (name == "outlineLvl" and value != BODY_LEVEL):
            own[style] = HEADING

    part = next((target for kind, target in relations.values() if kind == "styles"), "")
    _parse_if_there(package, part, start)
    return {name: kind for name in {*own, *bases} if (kind := _resolve_style(name, own, bases))}


def _resolve_style(style: str, own: Mapping[str, str], bases: Mapping[str, str]) -> str:
    for _ in range(MAX_BASES):
        if style in own or style not in bases:
            break
        style = bases[style]
    return own.get(style, "")


def _read_properties(package: ZipPackage) -> dict[str, str]:
    """Reads what the document says of itself: title, language, created, modified (part 2, 11)."""
    values: dict[str, str] = {}
    inside = ""

    def start(name: str, _: Mapping[str, str]) -> None:
        nonlocal inside
        inside = name

    def text(text: str) -> None:
        if inside in _PROPERTIES and len(values.get(inside, "")) < MAX_VALUE:
            values[inside] = values.get(inside, "") + text

    _parse_if_there(package, "docProps/core.xml", start, text)
    return values


def _parse_if_there(
    package: ZipPackage,
    name: str,
    start: Callable[[str, Mapping[str, str]], None],
    text: Callable[[str], None] = lambda _: None,
) -> None:
    """Parses a part that a document can be read without: one that is missing or broken says nothing."""
    with suppress(PageError):
        if name in package:
            parse_xml(package.pieces(name), start, lambda _: None, text)


def _parse_w3cdtf(date: str) -> float | None:
    """Parses a date in W3CDTF to seconds since 1970, None when it is none."""
    try:
        at = datetime.fromisoformat(date.strip())
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
