"""PDF and DOCX files that strangers made to stop their reader."""

from collections.abc import Callable

from tests.papers import W, docx, docx_parts, flate_bomb, package, paper, pdf, pdf_of, stream, word
from tests.web.scripted import prose
from tests.zoo.behaviour import LOST, STORED, Behaviour, Serve, answers, typed

PDF = "application/pdf"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
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
