"""Collects the sections and links of a document whose parser meets them one by one, within bounds."""

from collections.abc import Callable, Iterator

from engine.model import CELL_END, Section
from engine.text.documents.print_layout import split_lines
from engine.text.html import MAX_ANCHOR, MAX_HREF, MAX_LINKS, MAX_SECTIONS, MAX_TEXT, MAX_TITLE


class TextLimitReached(Exception):  # noqa: N818 - no error: what was read is kept
    """The document is longer than the limit, or takes longer."""


class TextBuilder:
    """The sections of a document, of which the first has no heading, and its links as they are written."""

    def __init__(self) -> None:
        self.first = ""  # line with words in it
        self.links: dict[tuple[str, str], None] = {}  # (href, anchor text)
        self._headings = [""]
        self._texts: list[list[str]] = [[]]
        self._left = MAX_TEXT  # characters
        self._overfull = False  # sections end: what would begin one is text of the last

    def begin_section(self, heading: str = "") -> None:
        """Begins a section. Raises TextLimitReached."""
        self._overfull = len(self._headings) > MAX_SECTIONS
        if not self._overfull:
            self._headings.append("")
            self._texts.append([])
        self.extend_heading(heading)

    def extend_heading(self, words: str) -> None:
        """Adds words to the heading of the section that was begun last. Raises TextLimitReached."""
        if self._overfull or len(self._headings[-1]) > MAX_TITLE:
            self.add_line(words)
        elif words := _normalize(words):
            self._headings[-1] = f"{self._headings[-1]} {words[: self._left]}".lstrip()
            self._count(words)

    def add_line(self, line: str, *, in_row: bool = False) -> None:
        """Adds a line; `in_row`: it is a cell that follows another in its row. Raises TextLimitReached."""
        line = _normalize(line)
        if not line:
            return
        lines = self._texts[-1]
        if in_row and lines:
            lines[-1] += CELL_END
            self._left -= len(CELL_END)
        lines.append(line[: self._left])
        self._count(line)

    def add_row(self, cells: list[str]) -> None:
        """Adds the cells of a row that have words. Raises TextLimitReached."""
        begun = False
        for cell in cells:
            if not cell.isspace() and cell:
                self.add_line(cell, in_row=begun)
                begun = True

    def add_link(self, href: str, anchor: str) -> None:
        """Adds a link on these words."""
        if href and len(href) <= MAX_HREF and len(self.links) < MAX_LINKS:
            self.links[href, " ".join(anchor.split())[:MAX_ANCHOR]] = None

    def sections(self) -> tuple[Section, ...]:
        """Returns the sections that say something, and the first."""
        return tuple(
            Section(heading, "", "\n".join(lines))
            for number, (heading, lines) in enumerate(zip(self._headings, self._texts, strict=True))
            if heading or lines or not number
        )

    def _count(self, line: str) -> None:
        self.first = self.first or line[:MAX_TITLE]
        self._left -= len(line) + 1  # its line's end
        if self._left <= 0:
            raise TextLimitReached


def _normalize(line: str) -> str:
    return " ".join(split_lines(line))


def stop_when_late(pieces: Iterator[bytes], late: Callable[[], bool]) -> Iterator[bytes]:
    """Yields the pieces of a part. Raises TextLimitReached as soon as it is late."""
    for piece in pieces:
        yield piece
        if late():
            raise TextLimitReached
