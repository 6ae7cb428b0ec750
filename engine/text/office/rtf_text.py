"""Collects the paragraphs, links and properties of RTF (RTF 1.9.1, "Document Text", "Information Group")."""

import re
from datetime import UTC, datetime

from engine.text.documents import DocumentProperties, TextBuilder
from engine.text.office.rtf_destinations import Destination

MAX_VALUE = 4_096  # characters of a title or of a field's instruction
BODY_LEVEL = 9  # \outlinelevel of what is no heading

_HYPERLINK = re.compile(r'\s*HYPERLINK\s+"([^"]+)"')
_DATE_PARTS = ("yr", "mo", "dy", "hr", "min", "sec")
_LEAST = (1, 1, 1, 0, 0, 0)


class RtfText:
    """What a document says, and what it says of itself."""

    def __init__(self) -> None:
        self.builder = TextBuilder()
        self._line: list[str] = []
        self._level = BODY_LEVEL
        self._row_begun = False
        self._title = ""
        self._instruction = ""
        self._link: tuple[str, int] | None = None  # href, and where in the paragraph its words begin
        self._parts: dict[str, int] = {}  # of the date we are in
        self._dates: dict[Destination, float | None] = {}

    def properties(self) -> DocumentProperties:
        """Returns the title and the dates."""
        created, revised = (self._dates.get(one) for one in (Destination.CREATED, Destination.REVISED))
        return DocumentProperties(_pair_halves(self._title), published=created, modified=revised)

    def add(self, characters: str, destination: Destination) -> None:
        """Adds characters that go to a destination."""
        if destination in (Destination.TEXT, Destination.RESULT):
            self._line.append(characters)
        elif destination is Destination.TITLE and len(self._title) < MAX_VALUE:
            self._title += characters[:MAX_VALUE]
        elif destination is Destination.INSTRUCTION and len(self._instruction) < MAX_VALUE:
            self._instruction += characters[:MAX_VALUE]

    def enter(self, destination: Destination) -> None:
        """Begins a group with a destination of its own."""
        if destination is Destination.INSTRUCTION:
            self._instruction = ""
        elif destination is Destination.RESULT:
            link = _HYPERLINK.match(self._instruction)
            self._link = (link[1], len(self._line)) if link else None
        self._parts.clear()

    def leave(self, destination: Destination) -> None:
        """Ends such a group."""
        if destination is Destination.RESULT and self._link:
            href, begin = self._link
            self.builder.add_link(href, _pair_halves("".join(self._line[begin:])))
            self._link = None
        elif destination in (Destination.CREATED, Destination.REVISED):
            self._dates.setdefault(destination, _parse_date(self._parts))
        self._parts.clear()

    def take_date_part(self, word: str, number: int) -> None:
        """Takes a part of a date; every other word is left."""
        if word in _DATE_PARTS:
            self._parts[word] = number

    def set_level(self, level: int) -> None:
        """Sets the outline level of the paragraph, 0 for the highest."""
        self._level = level

    def reset_level(self) -> None:
        """Makes the paragraph one of the body."""
        self._level = BODY_LEVEL

    def end_paragraph(self) -> None:
        """Ends a paragraph. Raises TextLimitReached."""
        line = self._take_line()
        if 0 <= self._level < BODY_LEVEL and line:
            self.builder.begin_section(line)
        else:
            self.builder.add_line(line)

    def end_cell(self) -> None:
        """Ends a cell of a table. Raises TextLimitReached."""
        line = self._take_line()
        self.builder.add_line(line, in_row=self._row_begun)
        self._row_begun = self._row_begun or bool(line)

    def end_row(self) -> None:
        """Ends a row of a table."""
        self._row_begun = False

    def _take_line(self) -> str:
        line = _pair_halves("".join(self._line)).strip()
        self._line.clear()
        if self._link:
            self._link = self._link[0], 0
        return line


def _pair_halves(text: str) -> str:
    r"""Makes characters of surrogate pairs: \u has 16 bits."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _parse_date(parts: dict[str, int]) -> float | None:
    r"""Returns a date of \creatim or \revtim in seconds since 1970; it has no time zone."""
    if "yr" not in parts:
        return None
    values = [parts.get(name, least) for name, least in zip(_DATE_PARTS, _LEAST, strict=True)]
    try:
        return datetime(*values, tzinfo=UTC).timestamp()  # type: ignore[arg-type,misc]
    except (ValueError, OverflowError):
        return None
