"""PPTX: a section for each slide, with its notes, and presentations that were made to stop their reader."""

import itertools
from collections.abc import Callable
from io import BytesIO

import pptx
import pytest
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from engine.formats import PPTX
from engine.model.page import Link, Page, Section
from engine.text.documents import text_builder
from engine.text.documents.documents import read_document
from engine.text.documents.source import DocumentSource
from engine.text.office import pptx as reader
from engine.text.office.pptx import read_pptx
from tests.office import Parts, Slide, pptx_parts, shape
from tests.papers import package, related

URL = "http://h.example/files/spring-birds.pptx"
CORE = (
    "<dc:title>Birds of Spring</dc:title><dc:language>en-GB</dc:language>"
    "<dcterms:created>2020-01-02T03:04:05Z</dcterms:created><dcterms:modified>2021-01-01</dcterms:modified>"
)


def page_of(*slides: Slide, said: str = "") -> Page:
    return read_document(package(pptx_parts(*slides, said=said)), URL, PPTX, [])


@pytest.mark.requirement(17)
def test_slides_are_sections() -> None:
    page = page_of(
        Slide(shape("The bittern booms.") + shape("Herons", "title")),
        Slide(shape("Gone", "title"), more='show="0"'),
        Slide(shape("Ducks", "ctrTitle") + shape("One\nTwo", "body"), notes=shape("Say a joke.", "body")),
        said=CORE,
    )
    assert page.sections == (
        Section("", "", ""),
        Section("Herons", "", "The bittern booms."),
        Section("Ducks", "", "One\nTwo\nSay a joke."),
    )
    assert (page.title, page.language, page.media_type, page.cut) == ("Birds of Spring", "en", PPTX, False)
    assert (page.published, page.modified) == (1577934245.0, 1609459200.0)


RUN = "<a:r>{}<a:t>{}</a:t></a:r>"
LINK = '<a:rPr><a:hlinkClick r:id="h1"/></a:rPr>'
PARAGRAPH = "<p:sp><p:nvSpPr><p:cNvPr/></p:nvSpPr><p:txBody><a:p>{}</a:p></p:txBody></p:sp>"
CELL = "<a:tc><a:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></a:txBody></a:tc>"


def table(*rows: str) -> str:
    lines = "".join(f"<a:tr>{''.join(CELL.format(cell) for cell in row.split())}</a:tr>" for row in rows)
    return f"<p:graphicFrame><a:graphic><a:tbl>{lines}</a:tbl></a:graphic></p:graphicFrame>"


def grouped(shapes: str, more: str = "") -> str:
    about = f'<p:nvGrpSpPr><p:cNvPr id="1" name="g" {more}/></p:nvGrpSpPr>'
    return f"<p:grpSp>{about}{shapes}</p:grpSp>"


ORDINARY = [
    (shape("one\ntwo"), "one\ntwo", "paragraphs are lines"),
    (PARAGRAPH.format(RUN.format("", "wo") + RUN.format("", "rd")), "word", "a word in two runs"),
    (PARAGRAPH.format(RUN.format("", "a") + "<a:br/>" + RUN.format("", "b")), "a b", "a break"),
    (PARAGRAPH.format('<a:fld type="slidenum"><a:t>7</a:t></a:fld>'), "", "the number of a slide"),
    (shape("a &amp; <b>"), "a &amp; <b>", "what looks like markup"),
    (shape("7", "sldNum") + shape("2024", "dt") + shape("ACME", "ftr") + shape("a"), "a", "running heads"),
    (shape("Head", "title") + shape("a"), "Head\na", "a title before the text"),
    (shape("a") + shape("He\nad", "title"), "He ad\na", "a title of two lines, behind it"),
    (shape("a", "subTitle"), "a", "a subtitle is text"),
    (grouped(shape("a") + grouped(shape("b"))), "a\nb", "groups in groups"),
    (grouped(shape("a"), 'hidden="1"') + shape("b"), "b", "a hidden group"),
    (shape("a", more='hidden="true"') + shape("b", more='hidden="0"'), "b", "hidden, and not"),
    (table("bird eggs", "coot 6"), "bird\t\neggs\ncoot\t\n6", "rows of a table"),
    (shape("", alternative="A coot", kind="pic"), "A coot", "the text of a picture"),
    (shape("", alternative="IMG_1.JPG", kind="pic"), "", "which is no file's name"),
    (shape("", "pic", alternative="A coot", more='hidden="1"', kind="pic"), "", "of a hidden one"),
    (
        f'<m:AlternateContent xmlns:m="urn:m"><m:Choice>{shape("a")}</m:Choice>'
        f"<m:Fallback>{shape('a')}</m:Fallback></m:AlternateContent>",
        "a",
        "what is said twice for older readers",
    ),
    ("", "", "an empty slide"),
    (shape(" \n\t"), "", "blanks"),
    (shape("Čáp stojí\u2028v rákosí"), "Čáp stojí v rákosí", "a line break of Unicode's"),
]


@pytest.mark.parametrize(("shapes", "text", "why"), ORDINARY, ids=[why for _, _, why in ORDINARY])
def test_what_a_person_reads(shapes: str, text: str, why: str) -> None:
    assert page_of(Slide(shapes)).text == text, why


@pytest.mark.requirement(13)
def test_links() -> None:
    relations = related("h1", "hyperlink", "/a.html#part", 'TargetMode="External"') + related(
        "h2", "hyperlink", "javascript:alert(1)", 'TargetMode="External"'
    )
    picture = shape("", alternative="A coot", kind="pic").replace(
        " />", '><a:hlinkClick r:id="h1"/></p:cNvPr>'
    )
    script = PARAGRAPH.format(RUN.format(LINK.replace("h1", "h2"), "script"))
    page = page_of(Slide(PARAGRAPH.format(RUN.format(LINK, "to a")) + picture + script, related=relations))
    assert page.links == (Link("http://h.example/a.html", "to a"), Link("http://h.example/a.html", "A coot"))


@pytest.mark.requirement(229)
@pytest.mark.parametrize(
    ("said", "shapes", "title", "why"),
    [
        ("<dc:title>Named</dc:title>", shape("Head", "title"), "Named", "what it is called"),
        ("<dc:title>PowerPoint Presentation</dc:title>", shape("Head", "title"), "Head", "PowerPoint's name"),
        ("<dc:title>Presentation1</dc:title>", shape("Head", "title"), "Head", "of all of them"),
        ("<dc:title>Презентация PowerPoint</dc:title>", shape("a"), "a", "the same in another language"),
        ("<dc:title>Presents of PowerPoint</dc:title>", "", "Presents of PowerPoint", "a person's words"),
        ("", shape("First line"), "First line", "no title anywhere"),
        ("", "", "spring birds", "nothing at all"),
    ],
)
def test_titles(said: str, shapes: str, title: str, why: str) -> None:
    assert page_of(Slide(shapes), said=said).title == title, why


def test_notes_say_what_a_speaker_wrote() -> None:
    """And neither the slide's picture nor its number."""
    notes = shape("ACME", "hdr") + shape("Say a joke.", "body") + shape("3", "sldNum") + shape("beside")
    assert page_of(Slide(shape("a"), notes=notes)).text == "a\nSay a joke."
    hidden = Slide(shape("a"), notes=shape("Say a joke.", "body"), more='show="false"')
    assert page_of(hidden).text == "", "nor those of a hidden slide"


def test_what_a_library_writes() -> None:
    """python-pptx has parts of PowerPoint's own: layouts, masters, themes, properties."""
    made = pptx.Presentation()
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text = "Herons and egrets"
    slide.placeholders[1].text = "The heron waits.\nThe egret walks."
    slide.notes_slide.notes_text_frame.text = "Show the photograph."
    run = slide.shapes.add_textbox(0, 0, Inches(1), Inches(1)).text_frame.paragraphs[0].add_run()
    run.text, run.hyperlink.address = "more of them", "http://o.example/herons"
    cells = slide.shapes.add_table(2, 2, 0, 0, Inches(2), Inches(1)).table
    for n, text in enumerate(["bird", "eggs", "heron", "4"]):
        cells.cell(n // 2, n % 2).text = text
    numbers = CategoryChartData()  # type: ignore[no-untyped-call]
    numbers.categories = ["April", "May"]
    for name in ("Nests", "Young"):
        numbers.add_series(name, (12, 15))  # type: ignore[no-untyped-call]
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, Inches(2), Inches(2), numbers)
    made.core_properties.title = "Waders"
    packed = BytesIO()
    made.save(packed)
    page = read_document(packed.getvalue(), URL, "", [])
    assert (page.title, page.media_type) == ("Waders", PPTX)
    assert page.links == (Link("http://o.example/herons", "more of them"),)
    assert page.sections[1:] == (
        Section(
            "Herons and egrets",
            "",
            "The heron waits.\nThe egret walks.\nmore of them\nbird\t\neggs\nheron\t\n4\n"
            "Show the photograph.\nNests\nApril\nMay\nYoung",
        ),
    )


def smart_art(part: str | bytes) -> Parts:
    relation = related("d", "diagramData", "../diagrams/data1.xml")
    return pptx_parts(Slide(shape("a"), related=relation, beside={"ppt/diagrams/data1.xml": part}))


@pytest.mark.parametrize(
    ("part", "text", "why"),
    [
        ('<d xmlns:a="urn:a"><a:p><a:r><a:t>Egg</a:t></a:r></a:p></d>', "a\nEgg", "a word of it"),
        ("<broken", "a", "a broken one says nothing"),
        ("<d><t>Egg</t><p/><t>", "a\nEgg", "or what it can"),
        (b" " * 60_000_000, "a", "a bomb"),
    ],
)
def test_smart_art(part: str | bytes, text: str, why: str) -> None:
    assert read_document(package(smart_art(part)), URL, PPTX, []).text == text, why


def many(number: int) -> bytes:
    return package(pptx_parts(*[Slide(shape(f"Slide {n}", "title")) for n in range(number)]))


def repeated(times: int) -> bytes:
    """One slide that is shown without end."""
    parts = pptx_parts(Slide(shape("a")))
    ids = '<p:sldId id="256" r:id="rId1"/>'
    presentation = str(parts["ppt/presentation.xml"]).replace(ids, ids * times)
    return package({**parts, "ppt/presentation.xml": presentation})


HOSTILE: list[tuple[Callable[[], bytes], int, str]] = [
    (lambda: many(30), 10, "more slides than are read"),
    (lambda: repeated(9_999), 10, "a slide that is shown without end"),
    (lambda: package(pptx_parts(Slide("<p:grpSp>" * 200 + "</p:grpSp>" * 200))), 1, "groups in groups"),
    (lambda: package(pptx_parts(Slide(shape("x", "title") * 999))), 1, "titles without end"),
    (lambda: package(pptx_parts(Slide("<a:p><a:t>" + shape("x") + "</a:t></a:p>"))), 1, "shapes in words"),
    (
        lambda: package(pptx_parts(Slide("<a:tc/><a:br/><a:r><a:t>x</a:t></a:r>"))),
        1,
        "cells alone",
    ),
]


@pytest.mark.requirement(18)
@pytest.mark.parametrize(("body", "sections", "why"), HOSTILE, ids=[why for _, _, why in HOSTILE])
def test_hostile_presentations(
    body: Callable[[], bytes], sections: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "MAX_SLIDES", 10)
    page = read_document(body(), URL, PPTX, [])
    assert (len(page.sections) - 1 <= sections, page.cut) == (True, sections == 10), why


def test_a_long_presentation_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_builder, "MAX_TEXT", 12)
    page = page_of(Slide(shape("one of ours")), Slide(shape("two")))
    assert (page.text, page.cut) == ("one of ours", True)


def test_what_takes_long_is_cut() -> None:
    """With a clock that goes on by 0.3 s a look, at the third slide half of two seconds is over."""
    ticks = itertools.count(0, 0.3)
    page = read_pptx(DocumentSource(many(20), URL, PPTX, [], 2.0), lambda: next(ticks))
    assert page.cut
    assert 1 <= len(page.sections) - 1 <= 4
