"""Reads DOCX: the paragraphs of a Word document, cut at its headings (ECMA-376, part 1, 17)."""

import re
import time
from collections.abc import Callable, Mapping

from engine.model import Page
from engine.text.documents import (
    SHARE,
    DocumentSource,
    TextLimitReached,
    ZipPackage,
    build_page,
    first_heading,
)
from engine.text.office.package_parts import (
    CORE_PROPERTIES,
    Relation,
    find_main_part,
    link_targets,
    parse_optional_part,
    parse_part,
    read_properties,
    read_relations,
)
from engine.text.office.paragraphs import HEADING, TITLE, ParagraphParser

MAX_STYLES = 10_000  # of one document
MAX_BASES = 16  # styles that each rest on the next
BODY_LEVEL = "9"  # outline level of what is no heading (17.3.1.20)

_HEADING = re.compile(r"heading [1-9]", re.IGNORECASE)  # in every language (17.7.4.9)


def read_docx(source: DocumentSource, clock: Callable[[], float] = time.process_time) -> Page:
    """Reads a DOCX; `cut` when it is too long or its beginning took more than half of the seconds.

    Raises PageError: `type` for a package with another kind of document, `encrypted`, `too large`, `broken`.
    """
    deadline = clock() + SHARE * source.seconds
    package = ZipPackage(source.body)
    main = find_main_part(package, "word/document.xml")
    relations = read_relations(package, main)
    words = ParagraphParser(_read_paragraph_kinds(package, relations), link_targets(relations))
    cut = False
    try:
        parse_part(package, main, words, lambda: clock() >= deadline)
    except TextLimitReached:
        cut = True
    heading = words.title or first_heading(words.builder)
    return build_page(source, words.builder, read_properties(package, CORE_PROPERTIES), heading, cut=cut)


def _read_paragraph_kinds(package: ZipPackage, relations: Mapping[str, Relation]) -> dict[str, str]:
    """Reads what styles make of a paragraph, by their ids: a heading, the title (17.7.4)."""
    own: dict[str, str] = {}
    bases: dict[str, str] = {}
    style = ""

    def start(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal style
        value = attributes.get("val", "")
        if name == "style":
            style = attributes.get("styleId", "") if len(bases) < MAX_STYLES else ""
        elif name == "basedOn":
            bases[style] = value
        elif name == "name" and value.lower() == "title":
            own[style] = TITLE
        elif (name == "name" and _HEADING.fullmatch(value)) or (name == "outlineLvl" and value != BODY_LEVEL):
            own[style] = HEADING

    part = next((one.target for one in relations.values() if one.kind == "styles"), "")
    parse_optional_part(package, part, start)
    return {name: kind for name in {*own, *bases} if (kind := _resolve_style(name, own, bases))}


def _resolve_style(style: str, own: Mapping[str, str], bases: Mapping[str, str]) -> str:
    for _ in range(MAX_BASES):
        if style in own or style not in bases:
            break
        style = bases[style]
    return own.get(style, "")
