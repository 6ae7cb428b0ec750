"""Reads ODT: the paragraphs of a text, cut at its headings (OpenDocument 1.3, part 3, 5)."""

import time
from collections.abc import Callable

from engine.model import Page
from engine.text.documents import DocumentSource, first_heading
from engine.text.office.odf import read_odf
from engine.text.office.odf_parser import OdfParser


def read_odt(source: DocumentSource, clock: Callable[[], float] = time.process_time) -> Page:
    """Reads an ODT; see read_odf()."""
    return read_odf(source, _TextParser, first_heading, clock)


class _TextParser(OdfParser):
    """Headings begin sections."""

    body = "text"

    def add_paragraph(self, line: str, *, is_heading: bool) -> None:
        if is_heading:
            self.builder.begin_section(line)
        else:
            super().add_paragraph(line, is_heading=False)
