"""Reads XLSX: a section for each sheet of a workbook, a line for each cell (ECMA-376, part 1, 12 and 18)."""

import time
from collections.abc import Callable

from engine.model import Page
from engine.text.documents import SHARE, DocumentSource, TextBuilder, TextLimitReached, ZipPackage, build_page
from engine.text.office.package_parts import (
    CORE_PROPERTIES,
    link_targets,
    parse_part,
    read_properties,
    read_relations,
)
from engine.text.office.sheet import SheetParser
from engine.text.office.workbook import read_workbook

SHARE_OF_STRINGS = 0.25  # of the seconds for a page: the cells, too, want some


def read_xlsx(source: DocumentSource, clock: Callable[[], float] = time.process_time) -> Page:
    """Reads an XLSX; `cut` when it is too long or its beginning took more than half of the seconds.

    Raises PageError: `type` for a package with another kind of document, `encrypted`, `too large`, `broken`.
    """
    begun = clock()
    package = ZipPackage(source.body)
    text = TextBuilder()
    book = read_workbook(package, lambda: clock() >= begun + SHARE_OF_STRINGS * source.seconds)
    cut = book.cut
    try:
        for name, part in book.sheets:
            text.begin_section(name)
            links = link_targets(read_relations(package, part))
            sheet = SheetParser(text, book, links)
            parse_part(package, part, sheet, lambda: clock() >= begun + SHARE * source.seconds)
    except TextLimitReached:
        cut = True
    # The names of sheets and the first cell tell less than the file's name does.
    return build_page(source, text, read_properties(package, CORE_PROPERTIES), "", cut=cut)
