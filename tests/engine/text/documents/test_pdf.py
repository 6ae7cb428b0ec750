"""PDF: a section for each sheet, and files that were made to stop their reader."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import PageError
from engine.formats import PDF
from engine.model.page import Page, Section
from engine.robots import Directives
from engine.text.documents.documents import read_document
from engine.text.documents.pdf import MAX_PAGES, read_pdf
from engine.text.documents.source import DocumentSource
from tests.papers import (
    NO_COPY,
    Tag,
    drawn,
    flate_bomb,
    locked,
    paper,
    pdf,
    pdf_of,
    stream,
    tagged,
    with_outline,
)

URL = "http://h.example/papers/annual_report-2020.pdf"
NAMES = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
HEADS = [["Head of all", *(f"{one}{n}" for n in "abcd"), "Foot", str(at)] for at, one in enumerate(NAMES, 1)]
OUTLINE = b"/Outlines 6 0 R"


@contextmanager
def suppress_broken() -> Iterator[None]:
    """A refusal is as good as a page, if it says why."""
    try:
        yield
    except PageError as error:
        if error.kind not in ("broken", "encrypted"):
            raise


def page_of(body: bytes, headers: list[tuple[str, str]] | None = None) -> Page:
    return read_document(body, URL, "application/pdf", headers or [])


@pytest.mark.requirement(17)
def test_a_section_for_each_sheet() -> None:
    """Text, title and language of a PDF; RFC 8118, 3: the fragment that opens a sheet."""
    page = page_of(pdf(["#Annual Report", "What we did with it"], [], ["and what came of this"]))
    assert (page.title, page.media_type, page.cut) == ("Annual Report", "application/pdf", False)
    assert page.sections == (
        Section("", "page=1", "Annual Report\nWhat we did with it"),
        Section("", "page=3", "and what came of this"),
    )


def test_a_sheet_has_the_heading_that_the_table_of_contents_has_for_it() -> None:
    objects = paper(["one"], ["two"], catalog=OUTLINE)
    objects[6] = b"<</First 7 0 R/Last 8 0 R>>"
    objects[7] = b"<</Title(Chapter 1)/Parent 6 0 R/Dest[12 0 R/Fit]/Next 8 0 R>>"
    objects[8] = b"<</Title(Chapter 1.1)/Parent 6 0 R/Dest[12 0 R/Fit]/Next 7 0 R>>"  # a circle
    assert page_of(pdf_of(objects)).sections[1] == Section("Chapter 1", "page=2", "two")


TITLES = [
    ("Annual Report 2020", "Annual Report 2020", "what it is called"),
    ("Microsoft Word - Annual Report", "Annual Report", "Word puts itself before the title"),
    ("Microsoft Word - report.doc", "On the first sheet", "a file's name is none"),
    ("C:\\x\\report final", "On the first sheet", "nor is a path"),
    ("untitled", "On the first sheet", "nor is this"),
    ("2020", "On the first sheet", "nor is a number"),
    ("TCP/IP", "TCP/IP", "which is no path"),
    ("", "On the first sheet", "none"),
]


@pytest.mark.requirement(229)
@pytest.mark.parametrize(("named", "title", "why"), TITLES)
def test_titles(named: str, title: str, why: str) -> None:
    body = pdf(
        ["small words above", "#On the", "#first sheet", "text"], named={"Title": named.replace("\\", "\\\\")}
    )
    assert page_of(body).title == title, why


def test_without_words_its_name_is_the_title() -> None:
    assert page_of(pdf([])).title == "annual report 2020"


DATES = [
    ("D:20200102030405+01'00'", 1577930645.0, "with a zone"),
    ("D:20200102030405-01'00'", 1577937845.0, "to the west"),
    ("D:20200102030405Z", 1577934245.0, "UTC"),
    ("20200102", 1577923200.0, "without a time"),
    ("D:2020", 1577836800.0, "a year"),
    ("D:20201302", None, "no month"),
    ("yesterday", None, "no date"),
    ("D:99999999", None, "nonsense"),
]


@pytest.mark.parametrize(("written", "moment", "why"), DATES)
def test_dates(written: str, moment: float | None, why: str) -> None:
    page = page_of(pdf(["a"], named={"CreationDate": written, "ModDate": "D:2021"}))
    assert (page.published, page.modified) == (moment, 1609459200.0), why


def test_the_declared_language_is_believed() -> None:
    assert page_of(pdf(["Ein Text, den man kaum errät"], catalog=b"/Lang(da-DK)")).language == "da"


@pytest.mark.requirement(13)
def test_links_lead_to_urls() -> None:
    """Relative ones, too."""
    links = page_of(pdf(["See there", "more"], link="../there.html#x")).links
    assert [(link.url, link.anchor) for link in links] == [("http://h.example/there.html", "See there")]
    assert page_of(pdf(["See"], link="javascript:alert(1)")).links == ()


def test_what_stands_on_every_sheet_stands_aside() -> None:
    page = page_of(pdf(*HEADS))
    assert page.text.split("\n") == [f"{one}{n}" for one in NAMES for n in "abcd"]
    assert page.rest == "Head of all\nFoot"
    assert len(page_of(pdf(*HEADS[:2])).text.split("\n")) == 14, "two are too few to tell"
    assert len(page_of(pdf(*(sheet[:2] for sheet in HEADS))).text.split("\n")) == 12, (
        "short ones are all edge"
    )


PARTED = [
    ("infor-", "mation", "information", "a word"),
    ("Wilkes-", "Barre", "Wilkes-Barre", "a name keeps its hyphen"),
    ("1980-", "1990", "1980- 1990", "numbers are not parted"),
    ("infor\xad", "mation", "information", "a soft hyphen"),
]


@pytest.mark.parametrize(("above", "below", "text", "why"), PARTED)
def test_a_hyphenated_word_is_whole(above: str, below: str, text: str, why: str) -> None:
    lines = f"BT /F 12 Tf 50 700 Td ({above}) Tj 0 -14 Td ({below}) Tj ET".encode("cp1252")
    assert page_of(pdf(["x"], contents=stream(lines))).text.replace("\n", " ") == text, why


@pytest.mark.requirement(218, 226)
def test_the_owner_is_heard_by_the_header() -> None:
    """A PDF has no META."""
    headers = [("X-Robots-Tag", "noindex"), ("Link", '</paper>; rel="canonical"')]
    page = page_of(pdf(["a"]), headers)
    assert page.directives == Directives(index=False)
    assert page.canonical == "http://h.example/paper"


REFUSED = [
    (locked(["secret"], password=b"x"), "encrypted", "it asks for a password"),
    (locked(["secret"], rights=NO_COPY), "encrypted", "its text may not be copied"),
    (b"%PDF-1.7\nand nothing", "broken", "no table, no objects"),
    (b"%PDF-1.7" + bytes(range(256)) * 40, "broken", "noise"),
    (pdf(["a"])[:400], "broken", "the first half"),
    (
        pdf_of({1: b"<</Type/Catalog/Pages 2 0 R>>", 2: b"<</Type/Pages/Count 0/Kids[]>>"}),
        "broken",
        "no sheets",
    ),
]


@pytest.mark.requirement(18)
@pytest.mark.parametrize(("body", "kind", "why"), REFUSED, ids=[why for _, _, why in REFUSED])
def test_what_cannot_be_read(body: bytes, kind: str, why: str) -> None:
    with pytest.raises(PageError) as error:
        page_of(body)
    assert error.value.kind == kind, why


def test_a_document_that_opens_without_a_password_is_read() -> None:
    assert page_of(locked(["read me"])).text == "read me"


def replaced(**objects: bytes) -> bytes:
    """A sheet with one word, and some of its objects as they should not be."""
    return pdf_of({**paper(["word"]), **{int(name[1:]): content for name, content in objects.items()}})


PAGES = b"<</Type/Pages/Kids[%s]/Count %d>>"
BOMBS: list[tuple[Callable[[], bytes], str]] = [
    (lambda: replaced(_2=PAGES % (b"2 0 R 10 0 R", 2)), "a tree of pages that is its own branch"),
    (lambda: replaced(_2=PAGES % (b"10 0 R " * 5, 10**9)), "a claim of a billion pages"),
    (lambda: replaced(_2=PAGES % (b"10 0 R", -5)), "fewer pages than none"),
    (lambda: replaced(_11=b"11 0 R"), "an object that is itself"),
    (lambda: replaced(_11=b"<</Length 11 0 R>>stream\nx\nendstream"), "a stream as long as itself"),
    (lambda: replaced(_10=b"<</Type/Page/Parent 10 0 R/Contents 11 0 R>>"), "a page that is its own parent"),
    (
        lambda: replaced(_10=b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 1e38 -1e38]/Contents 11 0 R>>"),
        "endless paper",
    ),
    (lambda: replaced(_11=flate_bomb(60, layers=2)), "blanks, packed twice"),
    (lambda: replaced(_11=stream(b"q " * 1_000_000)), "states in states"),
    (lambda: replaced(_11=stream(b"[" * 1_000_000)), "lists in lists"),
    (lambda: replaced(_4=b"<<" * 100_000), "dictionaries in dictionaries"),
    (lambda: pdf(["word"]).replace(b"/Root 1 0 R", b"/Prev 9 /Root 1 0 R"), "a table that goes on in itself"),
    (
        lambda: (
            b"%PDF-1.5\n1 0 obj\n<</Type/ObjStm/N 9/First 9/Length 9/Extends 1 0 R>>stream\n"
            b"1 0 1 0 1\nendstream\nendobj\n"
            b"trailer<</Root 1 0 R>>"
        ),
        "objects in a stream that is in itself",
    ),
]


@pytest.mark.timeout(20)
@pytest.mark.parametrize(("bomb", "why"), BOMBS, ids=[why for _, why in BOMBS])
def test_a_bomb_is_a_page_or_broken(bomb: Callable[[], bytes], why: str) -> None:
    """Bounded by what PDFium bounds; what it does not, ends the reader (tests/walk/test_bad_input.py)."""
    with suppress_broken():
        assert len(page_of(bomb()).text) < 100, why


def test_no_more_sheets_than_a_limit() -> None:
    kids = b"10 0 R " * (MAX_PAGES + 50)
    page = page_of(replaced(_2=PAGES % (kids, MAX_PAGES + 50)))
    assert (len(page.sections), page.cut) == (MAX_PAGES, True)


def test_what_takes_long_is_cut() -> None:
    """Of two seconds one is for the sheets: with a clock that goes on by 0.3 s a look, three are read."""
    ticks = itertools.count(0, 0.3)
    page = read_pdf(
        DocumentSource(pdf(*([str(n), "word"] for n in range(9))), URL, PDF, [], 2.0), lambda: next(ticks)
    )
    assert page.cut
    assert [section.fragment for section in page.sections] == ["page=1", "page=2", "page=3"]


PLAIN = pdf(["one line", "and another"], ["the second sheet"], link="/x", catalog=OUTLINE)
FIGURE = b"/Figure<</MCID 0>>BDC BT /F 12 Tf 50 700 Td (word) Tj ET EMC /H1<</MCID 1>>BDC EMC"
TREE = (
    Tag(b"/S/Document/P 20 0 R/Pg 10 0 R", b"31 0 R 32 0 R"),
    Tag(b"/S/Figure/Alt(a web)/P 30 0 R/Pg 10 0 R", contents=[0]),
    Tag(b"/S/H1/P 30 0 R/Pg 10 0 R", contents=[1]),
)
ENTRIES = [("one", b"/Dest[10 0 R/XYZ 50 700 0]"), ("more", b"/A<</S/GoTo/D[10 0 R/FitH 690]>>")]
COLUMNS = drawn(*((x, 700 - 12 * n, f"{n} some words of a column") for n in range(9) for x in (50, 320)))
WHOLE = [
    PLAIN,
    pdf_of(with_outline(tagged(*TREE, content=FIGURE), *ENTRIES)),
    pdf_of(with_outline(paper(["x"], contents=stream(COLUMNS)), *ENTRIES)),
]


@given(st.data())
def test_a_damaged_file_is_a_page_or_broken(data: st.DataObject) -> None:
    body = bytearray(data.draw(st.sampled_from(WHOLE)))
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(8, len(body) - 1))
        body[place] = data.draw(st.integers(0, 255))
    with suppress_broken():
        assert page_of(bytes(body)).url == URL
