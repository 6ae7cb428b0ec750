"""PDF and office files that strangers made to stop their reader."""

from collections.abc import Callable

from engine.formats import DOCX, ODS, ODT, PDF, PPTX, RTF, XLSX
from tests.office import MAIN_PARTS, Sheet, cell, odf_parts, small_documents, xlsx_parts
from tests.papers import W, docx, docx_parts, flate_bomb, package, paper, pdf, pdf_of, stream, word
from tests.web.scripted import prose
from tests.zoo.behaviour import LOST, STORED, Behaviour, Serve, answers, typed

MAYBE = (*LOST, STORED)
ROOT = b"/Root 1 0 R"
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))


def of(kind: str, make: Callable[[], bytes]) -> Serve:
    """A document."""
    return answers(lambda _: typed(make(), kind))


def looped() -> bytes:
    """A tree of sheets that holds itself."""
    objects = paper(["#Looped", "words"])
    return pdf_of({**objects, 2: b"<</Type/Pages/Kids[2 0 R 2 0 R 10 0 R]/Count 3>>"})


def self_contained() -> bytes:
    """A form that draws itself."""
    objects = paper(["#Form", "words"], contents=stream(b"/X Do " * 999))
    form = stream(
        b"/X Do " * 999, b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 40 0 R>>>>"
    )
    sheet = objects[10].replace(b"/Resources<<", b"/Resources<</XObject<</X 40 0 R>>")
    return pdf_of({**objects, 10: sheet, 40: form})


def laughing() -> bytes:
    parts = docx_parts(word("words"))
    text = f'<!DOCTYPE x [<!ENTITY l0 "ha">{LAUGHS}]><w:document xmlns:w="{W}">&l11;</w:document>'
    return package({**parts, "word/document.xml": text})


def bomb(name: str) -> bytes:
    """A document whose main part is packed a thousand to one."""
    return package({**small_documents()[name], MAIN_PARTS[name]: b" " * 60_000_000})


def corners() -> bytes:
    near, far = (cell(reference, "1") for reference in ("A1", "XFD1048576"))
    return package(xlsx_parts(Sheet(f"<row>{near}</row><row>{far}</row>")))


def many_cells() -> bytes:
    return package(
        xlsx_parts(Sheet("".join(f'<row><c r="A{n}"><v>{n}</v></c></row>' for n in range(1_000_000))))
    )


def repeated() -> bytes:
    again = ('table:number-rows-repeated="999999999"', 'table:number-columns-repeated="999999999"')
    words = f"<table:table-cell {again[1]}><text:p>words</text:p></table:table-cell>"
    table = f"<table:table><table:table-row {again[0]}>{words * 9_999}</table:table-row></table:table>"
    return package(odf_parts("spreadsheet", table))


def row(name: str, why: str, kind: str, make: Callable[[], bytes], *, quick: bool = False) -> Behaviour:
    return Behaviour(name, why, of(kind, make), MAYBE, 1, quick=quick)


SHEETS = [[f"#Sheet {n}", f"word{n}"] for n in range(3)]
BEHAVIOURS = (
    row("DOCX bomb", "60 MB of blanks in a part", DOCX, lambda: docx(word(" " * 60_000_000)), quick=True),
    row("DOCX of laughs", "entities in entities", DOCX, laughing, quick=True),
    row("DOCX of many parts", "30,000 entries", DOCX, lambda: package({f"x{n}": b"" for n in range(30_000)})),
    row("DOCX in itself", "tables in tables", DOCX, lambda: docx("<w:tbl><w:tr><w:tc>" * 50_000)),
    row("DOCX of many paragraphs", "a million of them", DOCX, lambda: docx("<w:p/>" * 1_000_000)),
    row(
        "DOCX cut",
        "the table of contents has not come",
        DOCX,
        lambda: docx(word(prose("docx")))[:-40],
        quick=True,
    ),
    row("PPTX bomb", "60 MB of blanks in a slide", PPTX, lambda: bomb("pptx")),
    row("XLSX of corners", "two cells with a sheet between them", XLSX, corners, quick=True),
    row("XLSX of many cells", "a million of them", XLSX, many_cells),
    row("ODS without end", "a cell and a row that are repeated for ever", ODS, repeated, quick=True),
    row(
        "ODT in itself",
        "sections in sections",
        ODT,
        lambda: package(odf_parts("text", "<text:section>" * 9_999)),
    ),
    row("RTF in itself", "groups in groups", RTF, lambda: rb"{\rtf1" + b"{" * 1_000_000),
    row("RTF of many words", "two million of them", RTF, lambda: rb"{\rtf1 " + rb"\b\i0 x" * 700_000),
    row("PDF in a circle", "a tree that holds itself", PDF, looped, quick=True),
    row("PDF that draws itself", "a form in itself", PDF, self_contained),
    row(
        "PDF bomb",
        "500 MB of blanks, packed twice",
        PDF,
        lambda: pdf_of(paper(*SHEETS, contents=flate_bomb(500, 2)), ROOT),
    ),
    row("PDF of a million sheets", "it says so", PDF, lambda: pdf_of(paper(*SHEETS, count=1_000_000), ROOT)),
    row("PDF cut", "ends in the middle", PDF, lambda: pdf(*SHEETS)[:300], quick=True),
    row("PDF of nothing", "the first line is all", PDF, lambda: b"%PDF-1.7\n" + b"\0" * 1_000_000),
    row("PDF of brackets", "arrays in arrays", PDF, lambda: b"%PDF-1.7\n1 0 obj\n" + b"[" * 5_000_000),
    row(
        "PDF of references",
        "each to the next",
        PDF,
        lambda: pdf_of({n: b"%d 0 R" % (n + 1) for n in range(1, 20_000)}, ROOT),
    ),
)
