"""ODT: the paragraphs of a text, cut at its headings, and texts that were made to stop their reader."""

import itertools
from collections.abc import Callable
from io import BytesIO

import odfdo
import pytest

from engine.errors import PageError
from engine.formats import ODT
from engine.model.page import Link, Page, Section
from engine.text.documents import text_builder
from engine.text.documents.documents import read_document
from engine.text.documents.source import DocumentSource
from engine.text.office.odt import read_odt
from tests.office import odf_parts
from tests.papers import package

URL = "http://h.example/files/reed_beds.odt"
SAID = (
    "<dc:title>Reed beds</dc:title><dc:language>en-GB</dc:language>"
    "<meta:creation-date>2020-01-02T03:04:05.123</meta:creation-date><dc:date>2021-01-01T00:00:00</dc:date>"
)
STYLES = (
    '<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/>'
    "</style:style>"
    '<style:style style:name="P1" style:family="paragraph"><style:paragraph-properties/>'
    '<style:text-properties text:display="none"/></style:style>'
    '<style:style style:name="P2" style:family="paragraph" style:parent-style-name="Title"/>'
    '<style:style style:name="Shown" style:family="text"/><style:default-style style:family="text">'
    '<style:text-properties text:display="none"/></style:default-style>'
)


def page_of(body: str, **more: str) -> Page:
    return read_document(package(odf_parts("text", body, STYLES, **more)), URL, ODT, [])


def p(text: str, style: str = "Standard") -> str:
    return f'<text:p text:style-name="{style}">{text}</text:p>'


def h(text: str) -> str:
    return f'<text:h text:outline-level="1">{text}</text:h>'


@pytest.mark.requirement(17)
def test_headings_part_the_text() -> None:
    page = page_of(p("Before.") + h("First") + p("Text.") + p("More.") + h("Second") + p("End."), said=SAID)
    assert page.sections == (
        Section("", "", "Before."),
        Section("First", "", "Text.\nMore."),
        Section("Second", "", "End."),
    )
    assert (page.title, page.language, page.media_type, page.cut) == ("Reed beds", "en", ODT, False)
    assert (page.published, page.modified) == (1577934245.123, 1609459200.0)


def table(*rows: str) -> str:
    lines = "".join(
        "<table:table-row>"
        + "".join(f"<table:table-cell>{p(cell)}</table:table-cell>" for cell in line.split())
        + "</table:table-row>"
        for line in rows
    )
    return f"<table:table>{lines}</table:table>"


def frame(inside: str) -> str:
    return f"<draw:frame>{inside}</draw:frame>"


ORDINARY = [
    (p("wo<text:span>rd</text:span>"), "word", "a word in two spans"),
    (p('a<text:s text:c="9"/>b<text:tab/>c<text:line-break/>d'), "a b c d", "blanks and breaks"),
    (p("a &amp; &#252;"), "a & ü", "entities"),
    (p('a<text:span text:style-name="T1">x</text:span>b'), "ab", "hidden words"),
    (p('<text:span text:style-name="Shown">a</text:span>'), "a", "words that another style shows"),
    (p("x", "P1") + p("a"), "a", "a hidden paragraph"),
    (p('x<text:hidden-paragraph text:is-hidden="true"/>') + p("a"), "a", "one that a condition hides"),
    (p('a<text:hidden-text text:is-hidden="true">x</text:hidden-text>'), "a", "words that a condition hides"),
    (f'<text:section text:display="none">{p("x")}</text:section>{p("a")}', "a", "a hidden section"),
    (f"<text:section>{p('a')}</text:section>", "a", "one that is shown"),
    (
        f"<text:tracked-changes><text:changed-region><text:deletion>{p('x')}</text:deletion>"
        f"</text:changed-region></text:tracked-changes>{p('a')}",
        "a",
        "what was taken back",
    ),
    (p(f"a<office:annotation><dc:creator>x</dc:creator>{p('x')}</office:annotation>b"), "ab", "a comment"),
    (
        p(
            f"a<text:note><text:note-citation>1</text:note-citation><text:note-body>{p('note')}"
            "</text:note-body></text:note>b"
        ),
        "note\nab",
        "a footnote, without its number",
    ),
    (p("<text:ruby-base>東</text:ruby-base><text:ruby-text>x</text:ruby-text>"), "東", "how it is spoken"),
    (f"<text:table-of-content>{p('x')}</text:table-of-content>", "", "contents"),
    (f"<text:list>{f'<text:list-item>{p(chr(97))}</text:list-item>' * 2}</text:list>", "a\na", "a list"),
    (table("bird eggs", "coot 6") + p("end"), "bird\t\neggs\ncoot\t\n6\nend", "a table"),
    (p(frame(f"<draw:text-box>{p('box')}</draw:text-box>") + "a"), "box\na", "a box of text"),
    (
        p("a" + frame("<svg:title>Coot</svg:title><svg:desc>on a nest</svg:desc>")),
        "a Coot on a nest",
        "an image",
    ),
    (frame("<svg:title>Coot</svg:title>"), "Coot", "a picture that stands alone"),
    (p("") + p(" \n"), "", "nothing"),
    ("<text:sequence-decls/><office:forms><text:p>x</text:p></office:forms>" + p("a"), "a", "a form"),
]


@pytest.mark.parametrize(("body", "text", "why"), ORDINARY, ids=[why for *_, why in ORDINARY])
def test_what_a_person_reads(body: str, text: str, why: str) -> None:
    assert page_of(body).text == text, why


@pytest.mark.requirement(13)
def test_links() -> None:
    body = (
        p('See <text:a xlink:href="../a.html#part">the <text:span>first</text:span></text:a> and')
        + p('<text:a xlink:href="javascript:alert(1)">script</text:a><text:a xlink:href="#x">inside</text:a>')
        + f'<draw:a xlink:href="http://o.example/">{frame("<svg:title>Coot</svg:title>")}</draw:a>'
    )
    assert page_of(body).links == (
        Link("http://h.example/a.html", "the first"),
        Link("http://o.example/", ""),
    )


@pytest.mark.requirement(229)
@pytest.mark.parametrize(
    ("body", "said", "title", "why"),
    [
        (p("On Top", "P2") + h("Head"), SAID, "Reed beds", "what it is called"),
        (p("a") + p("On Top", "P2") + h("Head"), "", "On Top", "a paragraph in the style of titles"),
        (p("a") + h("Head"), "", "Head", "a heading"),
        (p("a"), "", "a", "a line"),
        ("", "", "reed beds", "nothing at all"),
    ],
)
def test_titles(body: str, said: str, title: str, why: str) -> None:
    assert page_of(body, said=said).title == title, why


def encrypted(part: str) -> str:
    return (
        f'<manifest:file-entry manifest:full-path="{part}"><manifest:encryption-data/></manifest:file-entry>'
    )


@pytest.mark.requirement(18)
def test_what_needs_a_key() -> None:
    for part in ("content.xml", "encrypted-package"):
        with pytest.raises(PageError, match="encrypted"):
            page_of(p("a"), manifest=encrypted(part))
    assert page_of(p("a"), manifest=encrypted("Pictures/1.png")).text == "a", "a picture may need one"


def test_what_a_library_writes() -> None:
    """odfdo begins with templates of LibreOffice's: styles, settings, fonts, a manifest."""
    document = odfdo.Document("text")
    document.meta.title = "Marsh"
    document.body.clear()
    document.body.append(odfdo.Header(1, "Herons"))
    paragraph = odfdo.Paragraph("The heron waits in the marsh.")
    paragraph.insert_note(after="waits", note_id="n1", citation="1", body="for fish")
    document.body.append(paragraph)
    linked = odfdo.Paragraph("")
    linked.append(odfdo.Link("http://o.example/herons", text="more of them"))
    document.body.append(linked)
    packed = BytesIO()
    document.save(packed)
    page = read_document(packed.getvalue(), URL, "", [])
    assert (page.title, page.media_type) == ("Marsh", ODT)
    assert page.sections[1:] == (
        Section("Herons", "", "for fish\nThe heron waits in the marsh.\nmore of them"),
    )
    assert page.links == (Link("http://o.example/herons", "more of them"),)


DEEP = "<text:section>" * 200 + p("a") + "</text:section>" * 200
HOSTILE: list[tuple[Callable[[], Page], str, str]] = [
    (lambda: page_of(p('a<text:s text:c="999999999"/>b')), "a b", "blanks without end"),
    (lambda: page_of(DEEP), "a", "sections in sections"),
    (lambda: page_of("<text:a>" * 99 + p("a") + "</text:a>" * 99), "a", "links in links"),
    (lambda: page_of(p("a" + p("b" + p("c")))), "c\nb\na", "paragraphs in paragraphs"),
    (lambda: page_of(h("a") * 1_900 + p("b")), "a\n" * 1_900 + "b", "headings without end"),
    (lambda: page_of("<svg:desc><svg:title>a</svg:title></svg:desc>"), "a", "descriptions in descriptions"),
]


@pytest.mark.requirement(18)
@pytest.mark.parametrize(("read", "text", "why"), HOSTILE, ids=[why for *_, why in HOSTILE])
def test_hostile_texts(read: Callable[[], Page], text: str, why: str) -> None:
    assert read().text == text, why


def test_more_headings_than_a_page_has_are_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_builder, "MAX_SECTIONS", 2)
    page = page_of(h("a") + h("b") + h("c") + p("d"))
    assert [(one.heading, one.text) for one in page.sections] == [("", ""), ("a", ""), ("b", "c\nd")]


def test_what_is_very_long_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_builder, "MAX_TEXT", 12)
    page = page_of(p("one of ours") + p("two"))
    assert (page.text, page.cut) == ("one of ours", True)


def test_what_takes_long_is_cut() -> None:
    """With a clock that goes on by 0.3 s a look, the first pieces are read."""
    ticks = itertools.count(0, 0.3)
    body = package(odf_parts("text", "".join(p(f"word {n}") for n in range(20_000))))
    page = read_odt(DocumentSource(body, URL, ODT, [], 3.0), lambda: next(ticks))
    assert page.cut
    assert 1_000 < len(page.text.split("\n")) < 10_000
