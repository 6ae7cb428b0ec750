"""XLSX: a section for each sheet, and workbooks that were made to stop their reader."""

import itertools
from collections.abc import Callable
from datetime import date
from io import BytesIO

import pytest
import xlsxwriter

from engine.errors import PageError
from engine.formats import XLSX
from engine.model.page import Link, Page, Section
from engine.text.documents import text_builder
from engine.text.documents.documents import read_document
from engine.text.documents.source import DocumentSource
from engine.text.office import sheet, workbook
from engine.text.office.xlsx import read_xlsx
from tests.office import Sheet, cell, row, xlsx_parts
from tests.papers import package, related

URL = "http://h.example/files/nest_boxes.xlsx"
CORE = (
    "<dc:title>Nest boxes</dc:title><dcterms:created>2020-01-02T03:04:05Z</dcterms:created>"
    "<dcterms:modified>2021-01-01</dcterms:modified>"
)


def page_of(*sheets: Sheet, **more: object) -> Page:
    return read_document(package(xlsx_parts(*sheets, **more)), URL, XLSX, [])  # type: ignore[arg-type]


def words(*values: str, at: int = 1) -> str:
    """A row of words."""
    return row(*(cell(f"{chr(65 + n)}{at}", value, "inlineStr") for n, value in enumerate(values)))


@pytest.mark.requirement(17)
def test_sheets_are_sections() -> None:
    page = page_of(
        Sheet(words("bird", "eggs") + words("coot", "six"), "Eggs"),
        Sheet(words("secret"), "Hidden", more='state="hidden"'),
        Sheet(words("secret"), "Very hidden", more='state="veryHidden"'),
        Sheet(words("the pond"), "Places"),
        said=CORE,
    )
    assert page.sections == (
        Section("", "", ""),
        Section("Eggs", "", "bird\t\neggs\ncoot\t\nsix"),
        Section("Places", "", "the pond"),
    )
    assert (page.title, page.media_type, page.cut) == ("Nest boxes", XLSX, False)
    assert (page.published, page.modified) == (1577934245.0, 1609459200.0)


STRINGS = ("<t>coot</t>", "<r><t>great </t></r><r><t>tit</t></r>", "<t>東</t><rPh><t>ひがし</t></rPh>")
CODES = ("yyyy-mm-dd", "0.00")
ORDINARY = [
    (row(cell("A1", "0", "s")), "coot", "a string that cells share"),
    (row(cell("A1", "1", "s")), "great tit", "one in two runs"),
    (row(cell("A1", "2", "s")), "東", "without how it is spoken"),
    (row(cell("A1", "9", "s")), "", "a string that is not there"),
    (row(cell("A1", "-1", "s")), "", "nor can be"),
    (row(cell("A1", "x", "s")), "", "nor has a number"),
    (row(cell("A1", "in place", "inlineStr")), "in place", "a string of its own"),
    (row(cell("A1", "made", "str", formula='"m"&"ade"')), "made", "what a formula made, not the formula"),
    (row(cell("A1", "12", formula="SUM(A2:A9)")), "12", "a number that one made"),
    (row('<c r="A1"><f>SUM(A2:A9)</f></c>'), "", "one that nobody has computed is not"),
    (row(cell("A1", "1", "b"), cell("B1", "0", "b")), "TRUE\t\nFALSE", "truths"),
    (row(cell("A1", "#N/A", "e"), cell("B1", "1")), "1", "errors say nothing"),
    (row(cell("A1", "2024-05-01T00:00:00", "d")), "2024-05-01T00:00:00", "a date as ISO 8601 has it"),
    (row(cell("A1", "45413", style=1)), "2024-05-01", "a date of a style"),
    (row(cell("A1", "2.5", style=2)), "2.50", "a number of a style"),
    (row(cell("A1", "2.5", style=99)), "2.5", "of a style that is not there"),
    (row(cell("A1", "1"), cell("D1", "4")), "1\t\n4", "cells between which there are none"),
    (row('<c r="A1" s="1"/>', cell("B1", "2")), "2", "an empty cell"),
    (row(cell("A1", "1"), more='hidden="1"') + row(cell("A2", "2")), "2", "a hidden row"),
    ("", "", "no rows"),
    (row(cell("A1", "a\nb", "inlineStr")), "a b", "a cell of two lines"),
    (row('<c t="inlineStr"><is><t>a</t></is></c>', "<c><v>2</v></c>"), "a\t\n2", "cells without references"),
]


@pytest.mark.parametrize(("rows", "text", "why"), ORDINARY, ids=[why for *_, why in ORDINARY])
def test_what_a_person_reads(rows: str, text: str, why: str) -> None:
    page = page_of(Sheet(rows, name=""), strings=STRINGS, codes=CODES)
    assert page.text == text, why


def test_hidden_columns_are_left_out() -> None:
    columns = '<cols><col min="2" max="3" hidden="1"/><col min="5" max="9"/></cols>'
    assert page_of(Sheet(words(*"abcde"), "", before=columns)).text == "a\t\nd\t\ne"


def test_days_of_1904() -> None:
    rows = row(cell("A1", "0", style=1))
    assert page_of(Sheet(rows, ""), codes=CODES, book='<workbookPr date1904="1"/>').text == "1904-01-01"


@pytest.mark.requirement(13)
def test_links() -> None:
    links = (
        '<hyperlinks><hyperlink ref="A1:A1" r:id="h1"/><hyperlink ref="Z9" r:id="h1"/>'
        '<hyperlink ref="B1" r:id="h2"/><hyperlink ref="B1" location="Sheet2!A1"/></hyperlinks>'
    )
    relations = related("h1", "hyperlink", "/a.html#part", 'TargetMode="External"') + related(
        "h2", "hyperlink", "javascript:alert(1)", 'TargetMode="External"'
    )
    made = cell("C1", "a formula's", "str", formula='HYPERLINK("http://o.example/f","a formula\'s")')
    rows = row(cell("A1", "the page", "inlineStr"), cell("B1", "script", "inlineStr"), made)
    rows += row(cell("A2", "x", "str", formula='HYPERLINK("http://o.example/hidden")'), more='hidden="1"')
    assert page_of(Sheet(rows, behind=links, related=relations)).links == (
        Link("http://o.example/f", "a formula's"),
        Link("http://h.example/a.html", "the page"),
        Link("http://h.example/a.html", ""),
    )


@pytest.mark.requirement(229)
def test_a_workbook_without_a_title_is_called_as_its_file() -> None:
    """Sheet1 and the first cell tell less."""
    assert page_of(Sheet(words("bird"))).title == "nest boxes"


def test_what_a_library_writes() -> None:
    """XlsxWriter writes as Excel does: shared strings, styles, themes, relations."""
    packed = BytesIO()
    book = xlsxwriter.Workbook(packed, {"in_memory": True})
    book.set_properties({"title": "The count"})
    first, hidden = book.add_worksheet("May 2024"), book.add_worksheet("Notes")
    hidden.write("A1", "secret")
    hidden.hide()
    first.write_row("A1", ["species", "day", "share", "sum"], book.add_format({"bold": True}))
    first.write("A2", "Tufted duck")
    first.write_datetime("B2", date(2024, 5, 1), book.add_format({"num_format": "d mmm yyyy"}))
    first.write_number("C2", 0.125, book.add_format({"num_format": "0.0%"}))
    first.write_formula("D2", "=1+2", None, 3)
    first.write_url("A3", "http://o.example/ducks", string="more ducks")
    first.write_rich_string("A4", "a ", book.add_format({"bold": True}), "bold", " duck")
    first.merge_range("A5:D5", "counted at dawn")
    book.close()
    page = read_document(packed.getvalue(), URL, "application/octet-stream", [])
    assert (page.title, page.media_type) == ("The count", XLSX)
    assert page.links == (Link("http://o.example/ducks", "more ducks"),)
    assert page.sections[1:] == (
        Section(
            "May 2024",
            "",
            "species\t\nday\t\nshare\t\nsum\nTufted duck\t\n2024-05-01\t\n12.5%\t\n3\n"
            "more ducks\na bold duck\ncounted at dawn",
        ),
    )


FAR = row(cell("A1", "near", "inlineStr")) + row(cell("XFD1048576", "far", "inlineStr"))
COLUMNS = '<cols><col min="1" max="999999999" hidden="1"/></cols>' * 500
HOSTILE: list[tuple[Callable[[], Page], str, bool, str]] = [
    (lambda: page_of(Sheet(FAR, "")), "near\nfar", False, "cells at the ends of a sheet"),
    (lambda: page_of(Sheet(words("a"), "", before=COLUMNS)), "", False, "hidden columns without end"),
    (lambda: page_of(Sheet(words("a") * 50, "")), "\n".join("a" * 50), True, "more cells than are read"),
    (lambda: page_of(*[Sheet(words("a"), "")] * 9), "a\na\na", True, "more sheets than are read"),
    (
        lambda: page_of(Sheet(row(*[cell("A1", "0", "s")] * 9), ""), strings=["<t>a</t>"] * 40),
        "\t\n".join("a" * 9),
        True,
        "more strings than are read",
    ),
    (
        lambda: page_of(Sheet(row(cell("A1", "0", "s")), ""), strings=[f"<t>{'a b ' * 99_999}</t>"]),
        ("a b " * 99_999)[:32_767].strip(),
        False,
        "a cell without end",
    ),
    (
        lambda: page_of(Sheet(row(cell("A1", "1" * 300_000)), "")),
        "1" * 32_767,
        False,
        "a number without end",
    ),
    (lambda: page_of(Sheet(row("<c><v>1<c><v>2</v></c></v></c>"), "")), "2\t\n2", False, "cells in cells"),
]


@pytest.mark.requirement(18)
@pytest.mark.parametrize(("read", "text", "cut", "why"), HOSTILE, ids=[why for *_, why in HOSTILE])
def test_hostile_workbooks(
    read: Callable[[], Page], text: str, cut: bool, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheet, "MAX_CELLS", 49 if why.startswith("more cells") else 1_000)
    monkeypatch.setattr(workbook, "MAX_SHEETS", 3)
    monkeypatch.setattr(workbook, "MAX_STRINGS", 20)
    page = read()
    assert page.text[:32_767] == text[: len(text) - 2 * why.startswith("more cells")], why
    assert page.cut == cut, why
    assert len(page.text) <= 2 * workbook.MAX_CELL, why


def test_a_sheet_of_another_workbook_has_no_rows() -> None:
    parts = xlsx_parts(Sheet(words("a")))
    relations = str(parts["xl/_rels/workbook.xml.rels"]).replace(
        "worksheets/sheet1.xml", "../../../etc/passwd"
    )
    with pytest.raises(PageError, match="broken"):
        read_document(package({**parts, "xl/_rels/workbook.xml.rels": relations}), URL, XLSX, [])


def test_what_is_very_long_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_builder, "MAX_TEXT", 12)
    page = page_of(Sheet(words("one of ours") + words("two"), ""))
    assert (page.text, page.cut) == ("one of ours", True)


def test_what_takes_long_is_cut() -> None:
    """With a clock that goes on by 0.3 s a look, the first pieces of the sheet are read."""
    ticks = itertools.count(0, 0.3)
    body = package(xlsx_parts(Sheet("".join(words(f"word {n}", at=n) for n in range(20_000)))))
    page = read_xlsx(DocumentSource(body, URL, XLSX, [], 4.0), lambda: next(ticks))
    assert page.cut
    assert 1_000 < len(page.text.split("\n")) < 10_000
