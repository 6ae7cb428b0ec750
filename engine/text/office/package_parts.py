"""Reads what parts of an office package say of each other, and of their document.

ECMA-376, part 2 (relations, core properties) and OpenDocument 1.3, part 2 and part 3, 4 (meta.xml).
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from posixpath import basename, dirname, join, normpath
from typing import NamedTuple, Protocol

from engine.errors import PageError
from engine.text.documents import DocumentProperties, ZipPackage, parse_xml, stop_when_late

MAX_VALUE = 4_096  # characters of a property
MAX_RELATIONS = 10_000  # of one part
CORE_PROPERTIES = "docProps/core.xml"

_PROPERTIES = {
    "title": "title",
    "language": "language",
    "created": "published",
    "creation-date": "published",  # OpenDocument's names
    "modified": "modified",
    "date": "modified",
}
_FILE_NAME = re.compile(r".+\.(?:bmp|emf|gif|jpe?g|png|svg|tiff?|wmf)", re.IGNORECASE | re.DOTALL)


class Relation(NamedTuple):
    """What a part has to do with another: the last word of its type, and that part's name, or a URL."""

    kind: str
    target: str


class XmlEvents(Protocol):
    """What is told of a part's elements and of the text between their tags."""

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """Begins an element."""

    def end(self, name: str, /) -> None:
        """Ends an element."""

    def text(self, text: str, /) -> None:
        """Handles text between tags."""


def parse_part(package: ZipPackage, name: str, events: XmlEvents, late: Callable[[], bool]) -> None:
    """Parses a part until it is late. Raises PageError, and TextLimitReached."""
    parse_xml(stop_when_late(package.pieces(name), late), events.start, events.end, events.text)


def parse_optional_part(
    package: ZipPackage,
    name: str,
    start: Callable[[str, Mapping[str, str]], None],
    end: Callable[[str], None] = lambda _: None,
    text: Callable[[str], None] = lambda _: None,
    *,
    late: Callable[[], bool] = lambda: False,
) -> None:
    """Parses a part that a document can be read without: one that is missing or broken says no more.

    Raises TextLimitReached as soon as it is late.
    """
    with suppress(PageError):
        if name in package:
            parse_xml(stop_when_late(package.pieces(name), late), start, end, text)


def find_main_part(package: ZipPackage, default: str) -> str:
    """Finds the name of the part with the document itself (ECMA-376, part 1, 11.3.10, 12.3.23, 13.3.6)."""
    relations = read_relations(package, "")
    return next((one.target for one in relations.values() if one.kind == "officeDocument"), default)


def read_relations(package: ZipPackage, part: str) -> dict[str, Relation]:
    """Reads the relations of a part by their ids; `` is the package (ECMA-376, part 2, 6.5)."""
    relations: dict[str, Relation] = {}
    folder = dirname(part)

    def start(name: str, attributes: Mapping[str, str]) -> None:
        if name == "Relationship" and len(relations) < MAX_RELATIONS:
            target = attributes.get("Target", "")
            if attributes.get("TargetMode") != "External":
                target = normpath(join("/", folder, target)).lstrip("/")
            kind = attributes.get("Type", "").rpartition("/")[2]
            relations[attributes.get("Id", "")] = Relation(kind, target)

    parse_optional_part(package, join(folder, "_rels", f"{basename(part)}.rels"), start)
    return relations


def link_targets(relations: Mapping[str, Relation]) -> dict[str, str]:
    """Maps ids to where the hyperlinks of a part lead."""
    return {name: one.target for name, one in relations.items() if one.kind == "hyperlink"}


def read_properties(package: ZipPackage, part: str) -> DocumentProperties:
    """Reads what the document says of itself: title, language, created, modified."""
    values: dict[str, str] = {}
    inside = ""

    def start(name: str, _: Mapping[str, str]) -> None:
        nonlocal inside
        inside = _PROPERTIES.get(name, "")

    def end(_: str) -> None:
        nonlocal inside
        inside = ""

    def text(text: str) -> None:
        if inside and len(values.get(inside, "")) < MAX_VALUE:
            values[inside] = values.get(inside, "") + text

    parse_optional_part(package, part, start, end, text)
    return DocumentProperties(
        values.get("title", "")[:MAX_VALUE],
        values.get("language", "")[:MAX_VALUE],
        parse_w3cdtf(values.get("published", "")),
        parse_w3cdtf(values.get("modified", "")),
    )


def picture_text(attributes: Mapping[str, str]) -> str:
    """Returns the alternative text of a picture (20.1.2.2.8), unless that is the name of its file."""
    text = attributes.get("descr", "")
    return "" if _FILE_NAME.fullmatch(text) else text


def parse_w3cdtf(date: str) -> float | None:
    """Parses a date in W3CDTF to seconds since 1970, None when it is none."""
    try:
        at = datetime.fromisoformat(date.strip())
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
