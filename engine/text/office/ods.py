"""Reads ODS: a section for each sheet, a line for each cell as it is shown (OpenDocument 1.3, part 3, 9)."""

import time
from collections.abc import Callable, Mapping

from engine.model import Page
from engine.text.documents import DocumentSource, TextBuilder, TextLimitReached
from engine.text.office.odf import read_odf
from engine.text.office.odf_parser import OdfParser
from engine.text.office.odf_styles import OdfStyles

MAX_SHEETS = 256  # of one document; people get lost in fewer
MAX_COLUMNS = 16_384  # of a sheet: what LibreOffice takes
MAX_CELL = 32_767  # characters of a cell: what LibreOffice takes
MAX_REPEATED = 16  # cells or rows that are alike and say something: what is repeated oftener says no more

_CELLS = frozenset(["table-cell", "covered-table-cell"])
_HIDDEN = frozenset(["collapse", "filter"])  # 19.749, table:visibility


def read_ods(source: DocumentSource, clock: Callable[[], float] = time.process_time) -> Page:
    """Reads an ODS; see read_odf()."""
    return read_odf(source, _SheetsParser, lambda _: "", clock)  # the file's name tells more than a sheet's


class _SheetsParser(OdfParser):
    """Sheets begin sections; rows and cells are repeated as often as they are shown, within bounds."""

    body = "spreadsheet"

    def __init__(self, builder: TextBuilder, styles: OdfStyles) -> None:
        super().__init__(builder, styles)
        self._sheets = 0
        self._depth = 0  # tables we are in
        self._hidden = bytearray()  # columns, from 0: whether each is
        self._row: list[str] | None = None
        self._repeated = 1  # times the row
        self._cell: list[str] | None = None
        self._room = MAX_CELL  # characters that the cell may still have
        self._width = 1  # columns of the cell
        self._column = 0

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "table":
            self._begin_table(attributes.get("name", ""))
        elif name == "table-column" and len(self._hidden) < MAX_COLUMNS:
            self._hidden += bytes([attributes.get("visibility") in _HIDDEN]) * _count_columns(attributes)
        elif name == "table-row":
            self._row, self._column = [], 0
            self._repeated = min(_count(attributes, "number-rows-repeated"), MAX_REPEATED)
        elif name in _CELLS:
            self._cell, self._room, self._width = [], MAX_CELL, _count_columns(attributes)

    def finish(self, name: str) -> None:
        if name == "table":
            self._depth -= 1
        elif name in _CELLS and self._cell is not None and self._row is not None:
            cell, self._cell = " ".join(self._cell), None
            is_hidden = any(self._hidden[self._column : self._column + 1])
            if cell and not is_hidden and self._column < MAX_COLUMNS:
                self._row += [cell] * min(self._width, MAX_REPEATED)
            self._column += self._width
        elif name == "table-row" and self._row is not None:
            row, self._row = self._row, None
            for _ in range(self._repeated if row else 0):
                self.builder.add_row(row)

    def add_paragraph(self, line: str, *, is_heading: bool) -> None:
        if self._cell is None:
            self.builder.add_line(line)  # of a drawing
        elif self._room > 0:
            self._cell.append(line[: self._room])
            self._room -= len(line) + 1

    def is_hidden(self, name: str, attributes: Mapping[str, str]) -> bool:
        if name == "table":
            return self.styles.is_hidden("table", attributes.get("style-name", ""))
        return name == "table-row" and attributes.get("visibility") in _HIDDEN

    def _begin_table(self, name: str) -> None:
        self._depth += 1
        if self._depth > 1:
            return  # a table in a cell
        self._sheets += 1
        if self._sheets > MAX_SHEETS:
            raise TextLimitReached
        self._hidden.clear()
        self.builder.begin_section(name)


def _count(attributes: Mapping[str, str], name: str) -> int:
    """Reads how often a row or cell is repeated."""
    value = attributes.get(name, "1")
    return max(1, int(value[:9])) if value.isdecimal() else 1


def _count_columns(attributes: Mapping[str, str]) -> int:
    return min(_count(attributes, "number-columns-repeated"), MAX_COLUMNS)
