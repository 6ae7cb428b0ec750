"""Parses the cells of a sheet from its XML: what they show, formulas never (ECMA-376, part 1, 18.3)."""

import re
from collections.abc import Mapping, Sequence

from engine.text.documents import TextBuilder, TextLimitReached
from engine.text.office.number_format import show_number
from engine.text.office.workbook import MAX_CELL, Workbook

MAX_COLUMNS = 16_384  # of a sheet: what Excel takes
MAX_CELLS = 1_000_000  # of a sheet that are looked at
MAX_REMEMBERED = 100_000  # cells whose text may stand on a link

_REFERENCE = re.compile(r"([A-Z]{1,3})[0-9]{1,7}")  # 18.18.7, ST_CellRef
_HYPERLINK = re.compile(r'HYPERLINK\(\s*"([^"]+)"')  # 18.17.7.146
_ON = frozenset(["1", "true"])
_COLLECTED = frozenset(["v", "f", "t"])


class SheetParser:
    """Expat's events -> rows; hidden rows and columns are left out, and so are errors such as #N/A."""

    def __init__(self, builder: TextBuilder, book: Workbook, targets: Mapping[str, str]) -> None:
        self._builder = builder
        self._book = book
        self._targets = targets
        self._hidden = bytearray(MAX_COLUMNS + 1)  # columns, from 1: whether each is
        self._row: list[str] = []
        self._row_hidden = False
        self._cell: dict[str, str] = {}  # attributes of the cell we are in
        self._column = self._cells = 0
        self._collected: dict[str, str] = {}  # text of its elements
        self._inside = ""  # which of them
        self._spoken = False
        self._shown: dict[str, str] = {}  # by the cell's reference

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Begins an element. Raises TextLimitReached."""
        if name in _COLLECTED:
            self._inside = "" if self._spoken else name
        elif name == "c":
            self._cell, self._collected = dict(attributes), {}
            self._column = _column_of(attributes.get("r", "")) or self._column + 1
            self._cells += 1
            if self._cells > MAX_CELLS:
                raise TextLimitReached
        elif name == "row":
            self._row, self._column = [], 0
            self._row_hidden = attributes.get("hidden") in _ON
        elif name == "rPh":
            self._spoken = True
        elif name == "col" and attributes.get("hidden") in _ON:
            self._hide_columns(attributes.get("min", ""), attributes.get("max", ""))
        elif name == "hyperlink":
            reference = attributes.get("ref", "").partition(":")[0]
            self._builder.add_link(
                self._targets.get(attributes.get("id", ""), ""), self._shown.get(reference, "")
            )

    def end(self, name: str) -> None:
        """Ends an element. Raises TextLimitReached."""
        if name in _COLLECTED:
            self._inside = ""
        elif name == "rPh":
            self._spoken = False
        elif name == "c":
            self._end_cell()
        elif name == "row" and not self._row_hidden:
            self._builder.add_row(self._row)

    def text(self, text: str) -> None:
        """Handles text between tags."""
        if self._inside:
            known = self._collected.get(self._inside, "")
            if len(known) < MAX_CELL:
                self._collected[self._inside] = known + text[:MAX_CELL]

    def _end_cell(self) -> None:
        shown = self._show_cell()
        if not shown or self._row_hidden or self._column > MAX_COLUMNS or self._hidden[self._column]:
            return
        self._row.append(shown)
        if link := _HYPERLINK.match(self._collected.get("f", "")):
            self._builder.add_link(link[1], shown)
        if self._targets and len(self._shown) < MAX_REMEMBERED:
            self._shown[self._cell.get("r", "")] = shown[:MAX_CELL]

    def _show_cell(self) -> str:
        kind, value = self._cell.get("t", "n"), self._collected.get("v", "")  # 18.18.11, ST_CellType
        if kind == "inlineStr":
            return self._collected.get("t", "")
        if kind == "s":
            return _at(self._book.strings, value)
        if kind == "b":
            return {"1": "TRUE", "0": "FALSE"}.get(value, "")
        if kind == "n":
            return show_number(value, _at(self._book.codes, self._cell.get("s", "0")), self._book.epoch)
        return "" if kind == "e" else value

    def _hide_columns(self, first: str, last: str) -> None:
        if first.isdecimal() and last.isdecimal():
            columns = range(int(first[:9]), min(int(last[:9]), MAX_COLUMNS) + 1)
            self._hidden[columns.start : columns.stop] = b"\1" * len(columns)


def _column_of(reference: str) -> int:
    """Returns the number of a column from 1, 0 where there is no reference."""
    match = _REFERENCE.fullmatch(reference)
    number = 0
    for letter in match[1] if match else "":
        number = 26 * number + ord(letter) - 64
    return number


def _at(values: Sequence[str], index: str) -> str:
    """Returns a value by its index as it is written, '' where there is none."""
    number = int(index[:9]) if index.isdecimal() else -1
    return values[number] if 0 <= number < len(values) else ""
