"""ODP: a section for each slide, with its notes, and presentations that were made to stop their reader."""

from collections.abc import Callable
from io import BytesIO

import odfdo
import pytest

from engine.formats import ODP
from engine.model.page import Link, Page, Section
from engine.text.documents.documents import read_document
from engine.text.office import odp
from tests.office import odf_parts
from tests.papers import package

URL = "http://h.example/files/spring-birds.odp"
STYLES = (
    '<style:style style:name="dp1" style:family="drawing-page"><style:drawing-page-properties '
    'presentation:visibility="visible"/></style:style><style:style style:name="dp2" '
    'style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/>'
    "</style:style>"
)


def page_of(body: str, said: str = "") -> Page:
    return read_document(package(odf_parts("presentation", body, STYLES, said)), URL, ODP, [])


def frame(text: str, kind: str = "outline", more: str = "") -> str:
    lines = "".join(f"<text:p>{line}</text:p>" for line in text.split("\n"))
    box = f"<draw:text-box>{lines}</draw:text-box>{more}"
    return f'<draw:frame presentation:class="{kind}">{box}</draw:frame>'


def slide(frames: str, notes: str = "", style: str = "dp1") -> str:
    behind = f"<presentation:notes>{notes}</presentation:notes>" if notes else ""
    return f'<draw:page draw:name="page1" draw:style-name="{style}">{frames}{behind}</draw:page>'


@pytest.mark.requirement(17)
def test_slides_are_sections() -> None:
    page = page_of(
        slide(frame("The bittern booms.") + frame("Herons", "title"))
        + slide(frame("Gone", "title"), frame("x", "notes"), "dp2")
        + slide(frame("Ducks", "title") + frame("One\nTwo"), frame("Say a joke.", "notes")),
        "<dc:title>Birds of Spring</dc:title><dc:date>2021-01-01</dc:date>",
    )
    assert page.sections == (
        Section("", "", ""),
        Section("Herons", "", "The bittern booms."),
        Section("Ducks", "", "One\nTwo\nSay a joke."),
    )
    assert (page.title, page.media_type, page.cut) == ("Birds of Spring", ODP, False)
    assert (page.published, page.modified) == (None, 1609459200.0)


LIST = "<text:list><text:list-item><text:p>a</text:p></text:list-item></text:list>"
TABLE = (
    "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>"
    "<table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>"
)
ORDINARY = [
    (frame("one\ntwo"), "one\ntwo", "paragraphs are lines"),
    (frame("wo<text:span>rd</text:span>"), "word", "a word in two spans"),
    (frame("a<text:line-break/>b"), "a b", "a break"),
    (frame("Head", "title") + frame("a"), "Head\na", "a title before the text"),
    (frame("a") + frame("He\nad", "title"), "He ad\na", "a title of two lines, behind it"),
    (frame("a", "subtitle"), "a", "a subtitle is text"),
    (frame("x", "footer") + frame("7", "page-number") + frame("x", "date-time"), "", "running heads"),
    (frame("x", "header") + frame("a"), "a", "and others"),
    (frame("<text:page-number>7</text:page-number>a"), "a", "the number of a slide"),
    (f"<draw:g>{frame('a')}<draw:g>{frame('b')}</draw:g></draw:g>", "a\nb", "groups in groups"),
    ("<draw:custom-shape><text:p>a</text:p></draw:custom-shape>", "a", "a shape"),
    ("<draw:line><text:p/></draw:line>", "", "a line without words"),
    (frame("", "graphic", "<svg:title>A coot</svg:title>"), "A coot", "the text of a picture"),
    (frame("", "graphic", "<svg:desc>on a nest</svg:desc>"), "on a nest", "its longer one"),
    (f"<draw:frame><draw:text-box>{LIST * 2}</draw:text-box></draw:frame>", "a\na", "a list"),
    (f"<draw:frame>{TABLE}</draw:frame>", "a\t\nb", "a table"),
    (frame("a<office:annotation><text:p>x</text:p></office:annotation>"), "a", "a comment"),
    ("<office:forms><text:p>x</text:p></office:forms>" + frame("a"), "a", "a form"),
    ("", "", "an empty slide"),
    (frame(" \n\t"), "", "blanks"),
]


@pytest.mark.parametrize(("frames", "text", "why"), ORDINARY, ids=[why for *_, why in ORDINARY])
def test_what_a_person_reads(frames: str, text: str, why: str) -> None:
    assert page_of(slide(frames)).text == text, why


def test_notes_say_what_a_speaker_wrote() -> None:
    notes = frame("Say a joke.", "notes") + frame("7", "page-number") + frame("more", "title")
    assert page_of(slide(frame("a"), notes)).text == "a\nSay a joke.\nmore"


@pytest.mark.requirement(13)
def test_links() -> None:
    link = '<text:a xlink:href="/a.html">the page</text:a>'
    assert page_of(slide(frame(link))).links == (Link("http://h.example/a.html", "the page"),)


@pytest.mark.requirement(229)
@pytest.mark.parametrize(
    ("frames", "title", "why"),
    [
        (frame("a") + frame("Head", "title"), "Head", "the title of a slide"),
        (frame("a"), "a", "a line"),
        ("", "spring birds", "nothing at all"),
    ],
)
def test_titles(frames: str, title: str, why: str) -> None:
    assert page_of(slide(frames)).title == title, why


def test_what_a_library_writes() -> None:
    """odfdo begins with a template of LibreOffice's."""
    document = odfdo.Document("presentation")
    document.meta.title = "Waders"
    document.body.clear()
    made = odfdo.DrawPage("page1", name="Page 1")
    for text, kind in (("Herons", "title"), ("The heron waits.", "outline")):
        made.append(odfdo.Frame.text_frame(text, presentation_class=kind))
    document.body.append(made)
    packed = BytesIO()
    document.save(packed)
    page = read_document(packed.getvalue(), URL, "", [])
    assert (page.title, page.media_type) == ("Waders", ODP)
    assert page.sections[1:] == (Section("Herons", "", "The heron waits."),)


HOSTILE: list[tuple[Callable[[], str], str, bool, str]] = [
    (lambda: slide(frame("a")) * 9, "a\na\na", True, "more slides than are read"),
    (lambda: slide(slide(frame("a"))), "a", False, "slides in slides"),
    (lambda: slide("<draw:g>" * 200 + frame("a") + "</draw:g>" * 200), "a", False, "groups in groups"),
    (lambda: slide(frame("a", "title") * 900), "a " * 899 + "a", False, "titles without end"),
    (lambda: slide(frame("a", "notes"), frame("b", "notes") * 2), "a\nb\nb", False, "notes outside of notes"),
]


@pytest.mark.requirement(18)
@pytest.mark.parametrize(("body", "text", "cut", "why"), HOSTILE, ids=[why for *_, why in HOSTILE])
def test_hostile_presentations(
    body: Callable[[], str], text: str, cut: bool, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odp, "MAX_SLIDES", 3)
    page = page_of(body())
    assert (" ".join(page.text.split()), page.cut) == (" ".join(text.split()), cut), why
