"""DOCX: the paragraphs of a Word document, and packages that were made to stop their reader."""

import itertools
import zipfile
from collections.abc import Callable

import pytest

from engine.errors import PageError
from engine.model.page import Page, Section
from engine.text.documents import text_builder
from engine.text.documents.documents import read_document
from engine.text.documents.package import MAX_ENTRIES
from engine.text.documents.source import DocumentSource
from engine.text.office.docx import read_docx
from tests.papers import RELATIONS, STYLES, W, docx, docx_parts, package, related, word

URL = "http://h.example/files/report.docx"
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
CORE = (
    "<dc:title>Der Bericht</dc:title><dc:language>de-AT</dc:language>"
    "<dcterms:created>2020-01-02T03:04:05Z</dcterms:created><dcterms:modified>2021-01-01</dcterms:modified>"
)


def page_of(body: bytes) -> Page:
    return read_document(body, URL, DOCX, [])


@pytest.mark.requirement(17)
def test_headings_part_the_text() -> None:
    """By the style's name, which is English in every Word, by its base, by its level."""
    body = (
        word("Vorweg")
        + word("Erstes", "berschrift1")
        + word("Text.")
        + word("Zweites", "Kapitel")
        + word("Mehr.")
    )
    page = page_of(docx(body + word("Drittes", "Eigen") + word("Schluss.", "Normal"), core=CORE))
    assert page.sections == (
        Section("", "", "Vorweg"),
        Section("Erstes", "", "Text."),
        Section("Zweites", "", "Mehr."),
        Section("Drittes", "", "Schluss."),
    )
    assert (page.title, page.language, page.media_type, page.cut) == ("Der Bericht", "de", DOCX, False)
    assert (page.published, page.modified) == (1577934245.0, 1609459200.0)


TITLES = [
    ("<dc:title>Named</dc:title>", "Named", "what it is called"),
    ("<dc:title>Document1</dc:title>", "On Top", "what Word calls all of them; a style says more"),
    ("", "On Top", "nothing"),
]


@pytest.mark.requirement(229)
@pytest.mark.parametrize(("core", "title", "why"), TITLES)
def test_titles(core: str, title: str, why: str) -> None:
    body = word("first words") + word("On Top", "Titel") + word("Chapter", "berschrift1")
    assert page_of(docx(body, core=core)).title == title, why


def test_without_a_title_a_heading_will_do() -> None:
    assert page_of(docx(word("first words") + word("Chapter", "berschrift1"))).title == "Chapter"
    assert page_of(docx(word("first words"))).title == "first words"
    assert page_of(docx("")).title == "report"


RUN = "<w:r><w:t>{}</w:t></w:r>"
ALTERNATIVE = '<d:docPr xmlns:d="urn:d" id="1" name="Picture 1" descr="A coot"/>'
SAID = [
    ("<w:p>" + RUN.format("wo") + RUN.format("rd") + "</w:p>", "word", "a word in two runs"),
    ("<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>", "a b c", "tabs and breaks"),
    (
        "<w:p><w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t></w:r></w:p>",
        "a-b",
        "a hyphen that does not break",
    ),
    (
        "<w:tbl><w:tr><w:tc>" + word("a") + "</w:tc><w:tc>" + word("b") + "</w:tc></w:tr></w:tbl>",
        "a\nb",
        "a table",
    ),
    (
        "<w:p><w:del><w:r><w:delText>x</w:delText></w:r></w:del>" + RUN.format("a") + "</w:p>",
        "a",
        "taken back",
    ),
    ("<w:p><w:ins>" + RUN.format("a") + "</w:ins></w:p>", "a", "put in"),
    ("<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>x</w:t></w:r>" + RUN.format("a") + "</w:p>", "a", "hidden"),
    ('<w:p><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>a</w:t></w:r></w:p>', "a", "not hidden"),
    ("<w:p><w:r><w:t>a &amp; &#252;</w:t></w:r></w:p>", "a & ü", "entities"),
    (
        f"<w:p>{RUN.format('a')}<w:r><w:drawing>{ALTERNATIVE}</w:drawing></w:r>{RUN.format('b')}</w:p>",
        "a A coot b",
        "the text of a picture",
    ),
    (
        f"<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:drawing>{ALTERNATIVE}</w:drawing></w:r></w:p>",
        "",
        "of a hidden one",
    ),
    (
        f"<w:p><w:r><w:drawing>{ALTERNATIVE.replace('A coot', 'C:&#92;My pictures&#92;coot.PNG')}"
        "</w:drawing></w:r></w:p>",
        "",
        "the name of a file",
    ),
    (
        "<w:p>" + RUN.format("a") + "<w:txbxContent>" + word("box") + "</w:txbxContent></w:p>",
        "box\na",
        "a text box",
    ),
    (
        f'<m:AlternateContent xmlns:m="urn:m"><m:Choice>{word("a")}</m:Choice>'
        f"<m:Fallback>{word('a')}</m:Fallback></m:AlternateContent>",
        "a",
        "what is said twice for older readers",
    ),
]


@pytest.mark.parametrize(("body", "text", "why"), SAID)
def test_what_a_person_reads(body: str, text: str, why: str) -> None:
    assert page_of(docx(body)).text == text, why


@pytest.mark.requirement(13)
def test_links() -> None:
    """Relations, and the fields of older documents."""
    field = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    code = '<w:r><w:instrText> HYPERLINK "/field" \\h</w:instrText></w:r>'
    body = (
        '<w:p><w:hyperlink r:id="h1">'
        + RUN.format("the first")
        + "</w:hyperlink>"
        + RUN.format(" and")
        + "</w:p>"
        "<w:p>"
        + field.format("begin")
        + code
        + field.format("separate")
        + RUN.format("the second")
        + field.format("end")
        + "</w:p><w:p><w:hyperlink w:anchor='x'>"
        + RUN.format("inside")
        + "</w:hyperlink></w:p>"
        '<w:p><w:hyperlink r:id="h2">' + RUN.format("script") + "</w:hyperlink></w:p>"
    )
    page = page_of(docx(body, hrefs={"h1": "../a.html#part", "h2": "javascript:alert(1)"}))
    assert [(link.url, link.anchor) for link in page.links] == [
        ("http://h.example/a.html#part".partition("#")[0], "the first"),
        ("http://h.example/field", "the second"),
    ]


def parts(**changed: str | bytes) -> dict[str, str | bytes]:
    """A document with one word, and some of its parts as they should not be."""
    names = {"document": "word/document.xml", "core": "docProps/core.xml", "rels": "_rels/.rels"}
    return {**docx_parts(word("word")), **{names[name]: content for name, content in changed.items()}}


def marked_encrypted(body: bytes) -> bytes:
    """The flag of encryption on every entry."""
    return body.replace(b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01")


HOSTILE = '<!DOCTYPE w [<!ENTITY a "lol">]>'
DEEP = f'<w:document xmlns:w="{W}">' + "<w:p>" * 1_000
REFUSED: list[tuple[Callable[[], bytes], str, str]] = [
    (lambda: b"PK\x03\x04 and nothing", "broken", "no zip"),
    (lambda: docx(word("word"))[:900], "broken", "the first half of one"),
    (lambda: package(parts(document="<w:document")), "broken", "no XML"),
    (lambda: package(parts(document=f'{HOSTILE}<document xmlns="{W}">&a;</document>')), "broken", "a DTD"),
    (lambda: package(parts(document=DEEP)), "broken", "elements in elements"),
    (lambda: package({"_rels/.rels": "<a/>"}), "broken", "no text in it"),
    (lambda: package(parts(), zipfile.ZIP_LZMA), "broken", "packed as Word never does"),
    (lambda: package(parts(document=b" " * 10_000_000)), "too large", "a thousand to one"),
    (lambda: package({f"{n}": b"" for n in range(MAX_ENTRIES + 1)}), "too large", "entries without end"),
    (lambda: marked_encrypted(docx(word("word"))), "encrypted", "zip's own encryption"),
    (
        lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"),
        "encrypted",
        "Word's password",
    ),
    (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 WordDocument", "broken", "an old .doc under a new name"),
    (
        lambda: package(
            {
                "[Content_Types].xml": "<Types/>",
                "_rels/.rels": RELATIONS.format(related("a", "officeDocument", "xl/workbook.xml")),
                "xl/workbook.xml": "<workbook/>",
            }
        ),
        "type",
        "a table of Excel's",
    ),
]


@pytest.mark.requirement(18)
@pytest.mark.parametrize(("body", "kind", "why"), REFUSED, ids=[why for _, _, why in REFUSED])
def test_what_cannot_be_read(body: Callable[[], bytes], kind: str, why: str) -> None:
    with pytest.raises(PageError) as error:
        page_of(body())
    assert error.value.kind == kind, why


HARMLESS: list[tuple[Callable[[], bytes], str]] = [
    (lambda: package(parts(core="<broken")), "broken properties"),
    (lambda: package(parts(core=f"{HOSTILE}<p>&a;</p>")), "properties with a document type"),
    (lambda: package({**parts(), "word/styles.xml": "x"}), "broken styles"),
    (
        lambda: package({**parts(), "nested.docx": docx(word("deeper"))}),
        "a document in it, which is not followed",
    ),
    (
        lambda: package({**parts(), "word/media/a.png": b" " * 50_000_000}),
        "a bomb in a part that nobody reads",
    ),
    (lambda: package({name: parts()[name] for name in ("word/document.xml",)}), "the text alone"),
    (
        lambda: package(
            {
                **parts(),
                "word/styles.xml": STYLES.format(W).replace("Normal", "A").replace("berschrift1", "Kapitel"),
            }
        ),
        "styles that rest on themselves",
    ),
]


@pytest.mark.parametrize(("body", "why"), HARMLESS, ids=[why for _, why in HARMLESS])
def test_what_does_no_harm(body: Callable[[], bytes], why: str) -> None:
    assert page_of(body()).text == "word", why


def test_what_takes_long_is_cut() -> None:
    """With a clock that goes on by 0.3 s a look, three pieces of 64 KiB are read in half of two seconds."""
    ticks = itertools.count(0, 0.3)
    body = docx("".join(word(f"word {n}") for n in range(20_000)))
    page = read_docx(DocumentSource(body, URL, DOCX, [], 2.0), lambda: next(ticks))
    assert page.cut
    assert 1_000 < len(page.text.split("\n")) < 10_000


def test_a_text_ends_with_the_paragraph_that_fills_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_builder, "MAX_TEXT", 12)
    page = page_of(docx(word("one of ours") + word("two")))
    assert (page.text, page.cut) == ("one of ours", True)


def test_what_is_very_long_is_cut() -> None:
    page = page_of(docx("".join(word(" ".join(map(str, range(n, n + 999)))) for n in range(0, 500_000, 999))))
    assert page.cut
    assert 1_900_000 < len(page.text) <= 2_000_000
