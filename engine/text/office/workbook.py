"""Reads what sheets of a workbook share: strings and formats (ECMA-376, part 1, 18.2, 18.4 and 18.8)."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from engine.errors import PageError
from engine.text.documents import TextLimitReached, ZipPackage, parse_xml
from engine.text.office.number_format import BUILT_IN, EPOCH, EPOCH_1904, MAX_CODE
from engine.text.office.package_parts import (
    Relation,
    find_main_part,
    parse_optional_part,
    read_relations,
)

MAX_SHEETS = 256  # of one workbook; people get lost in fewer
MAX_STRINGS = 500_000  # different ones of a workbook
MAX_CHARACTERS = 8_000_000  # of them together: four times the text of a page
MAX_CELL = 32_767  # characters of a cell: what Excel takes
MAX_FORMATS = 65_536  # of cells: what Excel takes

_HIDDEN = frozenset(["hidden", "veryHidden"])  # 18.18.68, ST_SheetState
_ON = frozenset(["1", "true", "on"])


class Workbook(NamedTuple):
    """What its sheets share."""

    sheets: Sequence[tuple[str, str]]  # name and part of those that are shown
    strings: Sequence[str]
    codes: Sequence[str]  # of number formats, by the style of a cell
    epoch: datetime  # the day from which dates count
    cut: bool  # there are more sheets or strings


def read_workbook(package: ZipPackage, late: Callable[[], bool]) -> Workbook:
    """Reads the workbook; strings until it is late. Raises PageError."""
    main = find_main_part(package, "xl/workbook.xml")
    relations = read_relations(package, main)
    sheets: list[tuple[str, str]] = []
    epoch, begun, cut = EPOCH, False, False

    def start(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal epoch, begun, cut
        if not begun and name != "workbook":
            raise PageError("type", name[:100])
        begun = True
        if name == "workbookPr" and attributes.get("date1904") in _ON:
            epoch = EPOCH_1904
        elif name == "sheet" and attributes.get("state") not in _HIDDEN:
            relation = relations.get(attributes.get("id", ""))
            cut = cut or len(sheets) >= MAX_SHEETS
            if relation and not cut:
                sheets.append((attributes.get("name", "")[:MAX_CELL], relation.target))

    parse_xml(package.pieces(main), start, lambda _: None, lambda _: None)
    strings, more = _read_strings(package, _part_of(relations, "sharedStrings"), late)
    return Workbook(sheets, strings, _read_codes(package, _part_of(relations, "styles")), epoch, cut or more)


def _part_of(relations: Mapping[str, Relation], kind: str) -> str:
    return next((one.target for one in relations.values() if one.kind == kind), "")


class _Strings:
    """Expat's events -> strings, without what tells how they are spoken (18.4.6)."""

    def __init__(self) -> None:
        self.strings: list[str] = []
        self._left = MAX_CHARACTERS
        self._pieces: list[str] = []
        self._in_text = self._spoken = False

    def start(self, name: str, _: Mapping[str, str]) -> None:
        if name == "si":
            self._pieces.clear()
            if self._left < 0 or len(self.strings) >= MAX_STRINGS:
                raise TextLimitReached
        elif name == "rPh":
            self._spoken = True
        elif name == "t":
            self._in_text = not self._spoken

    def end(self, name: str) -> None:
        if name == "t":
            self._in_text = False
        elif name == "rPh":
            self._spoken = False
        elif name == "si":
            self.strings.append("".join(self._pieces)[:MAX_CELL])
            self._left -= len(self.strings[-1])

    def text(self, text: str) -> None:
        if self._in_text:
            self._pieces.append(text)


def _read_strings(package: ZipPackage, part: str, late: Callable[[], bool]) -> tuple[Sequence[str], bool]:
    """Reads the shared strings, and whether there are more than were read."""
    found = _Strings()
    try:
        parse_optional_part(package, part, found.start, found.end, found.text, late=late)
    except TextLimitReached:
        return found.strings, True
    return found.strings, False


def _read_codes(package: ZipPackage, part: str) -> Sequence[str]:
    """Reads the code of each style's number format (18.8.10 and 18.8.31)."""
    own: dict[str, str] = {}
    ids: list[str] = []
    of_cells = False

    def start(name: str, attributes: Mapping[str, str]) -> None:
        nonlocal of_cells
        if name == "numFmt" and len(own) < MAX_FORMATS:
            own[attributes.get("numFmtId", "")] = attributes.get("formatCode", "")[:MAX_CODE]
        elif name == "cellXfs":
            of_cells = True
        elif name == "xf" and of_cells and len(ids) < MAX_FORMATS:
            ids.append(attributes.get("numFmtId", ""))

    def end(name: str) -> None:
        nonlocal of_cells
        of_cells = of_cells and name != "cellXfs"

    parse_optional_part(package, part, start, end)
    built_in = {str(number): code for number, code in BUILT_IN.items()}
    return [own.get(identity) or built_in.get(identity, "General") for identity in ids]
