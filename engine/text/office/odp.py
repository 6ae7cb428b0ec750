"""Reads ODP: a section for each slide of a presentation, with its notes (OpenDocument 1.3, part 3, 10.2)."""

import time
from collections.abc import Callable, Mapping

from engine.model import Page
from engine.text.documents import DocumentSource, TextBuilder, TextLimitReached, first_heading
from engine.text.office.odf import read_odf
from engine.text.office.odf_parser import OdfParser
from engine.text.office.odf_styles import OdfStyles

MAX_SLIDES = 2_000  # of one presentation; long ones have some hundred

_RUNNING = frozenset(["header", "footer", "page-number", "date-time"])  # 19.385, presentation:class


def read_odp(source: DocumentSource, clock: Callable[[], float] = time.process_time) -> Page:
    """Reads an ODP; see read_odf()."""
    return read_odf(source, _SlidesParser, first_heading, clock)


class _SlidesParser(OdfParser):
    """Slides begin sections; the words of their titles are headings."""

    body = "presentation"

    def __init__(self, builder: TextBuilder, styles: OdfStyles) -> None:
        super().__init__(builder, styles)
        self._slides = 0
        self._frames: list[str] = []  # class of each that we are in
        self._in_notes = False

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "page":
            self._slides += 1
            if self._slides > MAX_SLIDES:
                raise TextLimitReached
            self.builder.begin_section()
        elif name == "notes":
            self._in_notes = True
        elif name == "frame":
            self._frames.append(attributes.get("class", ""))
        else:
            super().begin(name, attributes)

    def finish(self, name: str) -> None:
        if name == "notes":
            self._in_notes = False
        elif name == "frame" and self._frames:
            self._frames.pop()
        else:
            super().finish(name)

    def add_paragraph(self, line: str, *, is_heading: bool) -> None:
        if "title" in self._frames and not self._in_notes:
            self.builder.extend_heading(line)
        else:
            super().add_paragraph(line, is_heading=is_heading)

    def is_hidden(self, name: str, attributes: Mapping[str, str]) -> bool:
        if name == "page":
            return self.styles.is_hidden("drawing-page", attributes.get("style-name", ""))
        return name == "frame" and attributes.get("class") in _RUNNING
