"""ODS: a section for each sheet, and sheets that were made to stop their reader."""

from collections.abc import Callable
from io import BytesIO

import odfdo
import pytest

from engine.errors import PageError
from engine.formats import ODS
from engine.model.page import Link, Page, Section
from engine.text.documents.documents import read_document
from engine.text.office import ods
from engine.text.office.ods import MAX_CELL, MAX_REPEATED
from tests.office import odf_parts
from tests.papers import package

URL = "http://h.example/files/nest_boxes.ods"
STYLES = (
    '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/>'
    '</style:style><style:style style:name="ta2" style:family="table">'
    '<style:table-properties table:display="false"/></style:style>'
)


def page_of(body: str, said: str = "") -> Page:
    return read_document(package(odf_parts("spreadsheet", body, STYLES, said)), URL, ODS, [])


def cell(text: str, more: str = "") -> str:
    return f"<table:table-cell {more}><text:p>{text}</text:p></table:table-cell>"


def row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


def sheet(inside: str, name: str = "", style: str = "ta1") -> str:
    return f'<table:table table:name="{name}" table:style-name="{style}">{inside}</table:table>'


def columns(number: int, more: str = "") -> str:
    return f'<table:table-column table:number-columns-repeated="{number}" {more}/>'


@pytest.mark.requirement(17)
def test_sheets_are_sections() -> None:
    page = page_of(
        sheet(row(cell("bird"), cell("eggs")) + row(cell("coot"), cell("six")), "Eggs")
        + sheet(row(cell("secret")), "Hidden", "ta2")
        + sheet(row(cell("the pond")), "Places"),
        "<dc:title>The count</dc:title>",
    )
    assert page.sections == (
        Section("", "", ""),
        Section("Eggs", "", "bird\t\neggs\ncoot\t\nsix"),
        Section("Places", "", "the pond"),
    )
    assert (page.title, page.media_type, page.cut) == ("The count", ODS, False)


HIDDEN = 'table:visibility="collapse"'
TWICE, BOMB = 'table:number-columns-repeated="2"', 'table:number-columns-repeated="99999999999999"'
ROWS = 'table:number-rows-repeated="{}"'
EMPTY = '<table:table-cell table:number-columns-repeated="16384"/>'
COMMENT = "<office:annotation><text:p>x</text:p></office:annotation>"
BOX = "<draw:text-box><text:p>box</text:p></draw:text-box>"
ORDINARY = [
    (row(cell("2.50 €", 'office:value-type="currency" office:value="2.5"')), "2.50 €", "a number as shown"),
    (row(cell("1 May", 'office:value-type="date" office:date-value="2024-05-01"')), "1 May", "a date"),
    (row(cell("3", 'table:formula="of:=[.A1]+[.A2]" office:value="3"')), "3", "what a formula made"),
    (row('<table:table-cell table:formula="of:=NOW()" office:value="3"/>'), "", "what nobody has shown"),
    (row(cell("a</text:p><text:p>b")), "a b", "a cell of two lines"),
    (row(cell("a", TWICE), cell("b")), "a\t\na\t\nb", "cells that are alike"),
    (row(cell("a"), more=ROWS.format(2)), "a\na", "rows that are alike"),
    (row(EMPTY) + row(EMPTY, more=ROWS.format(1_048_576)) + row(cell("a")), "a", "empty ones"),
    (row("<table:table-cell/>", cell("a")), "a", "an empty cell before one"),
    (row(cell("a", 'table:number-columns-spanned="2"'), "<table:covered-table-cell/>"), "a", "a wide cell"),
    (row(cell("x"), more=HIDDEN) + row(cell("a")), "a", "a hidden row"),
    (row(cell("x"), more='table:visibility="filter"') + row(cell("a")), "a", "one that is filtered out"),
    (columns(1) + columns(2, HIDDEN) + columns(9) + row(*map(cell, "abcd")), "a\t\nd", "hidden columns"),
    (columns(1) + columns(1, HIDDEN) + row(cell("a", TWICE), cell("b")), "a\t\na\t\nb", "behind alike ones"),
    (f"<table:table-header-rows>{row(cell('a'))}</table:table-header-rows>", "a", "a head"),
    (f"<table:table-row-group>{row(cell('a'))}</table:table-row-group>", "a", "rows of a group"),
    (row(f"<table:table-cell>{COMMENT}<text:p>a</text:p></table:table-cell>"), "a", "a comment"),
    (row(cell("a<text:s/>b<text:span>c</text:span>")), "a bc", "spans"),
    (f"<table:shapes><draw:frame>{BOX}</draw:frame></table:shapes>", "box", "a drawing"),
    ("", "", "no rows"),
    (row(cell("a", 'table:number-columns-repeated="x"'), more=ROWS.format(0)), "a", "numbers that are none"),
]


@pytest.mark.parametrize(("rows", "text", "why"), ORDINARY, ids=[why for *_, why in ORDINARY])
def test_what_a_person_reads(rows: str, text: str, why: str) -> None:
    assert page_of(sheet(rows)).text == text, why


@pytest.mark.requirement(13)
def test_links() -> None:
    link = '<text:a xlink:href="/a.html">the page</text:a>'
    assert page_of(sheet(row(cell(f"see {link}")))).links == (Link("http://h.example/a.html", "the page"),)


def test_a_table_of_rules_for_input_says_nothing() -> None:
    message = "<table:error-message><text:p>x</text:p></table:error-message>"
    rules = f"<table:content-validations>{message}</table:content-validations>"
    assert page_of(rules + sheet(row(cell("a")))).text == "a"


@pytest.mark.requirement(229)
def test_a_document_without_a_title_is_called_as_its_file() -> None:
    assert page_of(sheet(row(cell("a")), "Sheet1")).title == "nest boxes"


def test_what_a_library_writes() -> None:
    """odfdo begins with a template of LibreOffice's, and types its values."""
    document = odfdo.Document("spreadsheet")
    document.meta.title = "Counted"
    document.body.clear()
    table = odfdo.Table("May")
    table.set_values([["species", "number", "seen"], ["Tufted duck", 12, True], ["Smew", 0.5, None]])
    document.body.append(table)
    packed = BytesIO()
    document.save(packed)
    page = read_document(packed.getvalue(), URL, "", [])
    assert (page.title, page.media_type) == ("Counted", ODS)
    assert page.sections[1].heading == "May"
    rows = [line.split("\t\n") for line in page.sections[1].text.replace("\t\n", "\t\0").split("\n")]
    assert [line[0].split("\t\0")[:2] for line in rows] == [
        ["species", "number"],
        ["Tufted duck", "12"],
        ["Smew", "0.5"],
    ]


HOSTILE: list[tuple[Callable[[], str], int, bool, str]] = [
    (lambda: sheet(row(cell("a", BOMB))), MAX_REPEATED, False, "a cell repeated without end"),
    (lambda: sheet(row(cell("a"), more=ROWS.format("9" * 30))), MAX_REPEATED, False, "a row without end"),
    (lambda: sheet(row(cell("a", BOMB), more=ROWS.format("9" * 9))), MAX_REPEATED**2, False, "both"),
    (lambda: sheet(row(*[cell("a", BOMB)] * 500)), MAX_REPEATED, False, "cells behind the last column"),
    (lambda: sheet(columns(10**20) * 500 + row(cell("a"))), 1, False, "columns without end"),
    (lambda: sheet(row(cell("a")), "") * 9, 3, True, "more sheets than are read"),
    (lambda: sheet(row(cell(sheet(row(cell("a")))))), 1, False, "sheets in cells"),
    (lambda: sheet(row(cell("a</text:p><text:p>" * 50_000))), MAX_CELL // 2 + 1, False, "a cell without end"),
]


@pytest.mark.requirement(18)
@pytest.mark.parametrize(("body", "number", "cut", "why"), HOSTILE, ids=[why for *_, why in HOSTILE])
def test_hostile_sheets(
    body: Callable[[], str], number: int, cut: bool, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ods, "MAX_SHEETS", 3)
    page = page_of(body())
    assert (page.text.count("a"), page.cut) == (number, cut), why


def test_other_kinds_have_the_wrong_type() -> None:
    body = package(odf_parts("text", ""))
    with pytest.raises(PageError, match="type"):
        read_document(body, URL, ODS, [])
