"""The structure tree of a tagged PDF: its title, alternative texts, and trees made to stop their reader."""

from collections.abc import Sequence

import pytest

from engine.text.documents.documents import read_document
from engine.text.documents.pdf_structure import MAX_ELEMENTS
from engine.text.html import MAX_TEXT
from tests.papers import SHEET, Tag, paper, pdf_of, tagged

URL = "http://h.example/untold.pdf"


def marked(*texts: str, size: int = 10) -> bytes:
    """A sheet on which each text is the marked content of its number."""
    return b"\n".join(
        b"/P<</MCID %d>>BDC BT /F %d Tf 50 %d Td (%s) Tj ET EMC"
        % (n, 3 * size if n == len(texts) - 1 else size, 780 - 30 * n, text.encode())
        for n, text in enumerate(texts)
    )


def element(kind: bytes, *contents: int, kids: bytes = b"", parent: int = 30, more: bytes = b"") -> Tag:
    return Tag(b"/S/%s/P %d 0 R/Pg 10 0 R%s" % (kind, parent, more), kids, contents)


THREE = marked("Small", "words", "Largest")  # the last one is set largest
ROOT = element(b"Document", kids=b"31 0 R 32 0 R", parent=20)
ONE = element(b"Document", kids=b"31 0 R", parent=20)
TITLES = [
    ((ROOT, element(b"H1", 0), element(b"P", 1, 2)), "Small", "its first heading"),
    ((ROOT, element(b"H1", 0, 1), element(b"P", 2)), "Small words", "of two contents"),
    ((ROOT, element(b"H1", 0), element(b"Title", 1)), "words", "what is called the title"),
    ((ROOT, element(b"H1", 0), element(b"H1", 1)), "Small", "the first of two"),
    ((ROOT, element(b"H", 1), element(b"P", 0, 2)), "words", "a heading of no level"),
    (
        (ONE, element(b"H1", kids=b"32 0 R"), element(b"Span", 0, parent=31)),
        "Small",
        "in an element of its own",
    ),
    ((ROOT, element(b"H2", 0), element(b"P", 1)), "Largest", "no heading of the first level"),
    ((ROOT, element(b"H1"), element(b"P", 1)), "Largest", "a heading without contents"),
    ((ROOT, element(b"H1", 77), element(b"P", 1)), "Largest", "contents that are nowhere"),
]


@pytest.mark.parametrize(("elements", "title", "why"), TITLES, ids=[why for *_, why in TITLES])
def test_titles(elements: tuple[Tag, ...], title: str, why: str) -> None:
    body = pdf_of(tagged(*elements, content=THREE))
    assert read_document(body, URL, "application/pdf", []).title == title, why


NAMED = [("Annual Report", "Annual Report", "for people"), ("report.docx", "Small", "by a program")]


@pytest.mark.parametrize(("named", "title", "why"), NAMED)
def test_a_title_in_metadata_comes_first(named: str, title: str, why: str) -> None:
    objects = tagged(*TITLES[0][0], content=THREE)
    objects[4] = b"<</Title(%s)>>" % named.encode()
    body = pdf_of(objects, b"/Root 1 0 R/Info 4 0 R")
    assert read_document(body, URL, "application/pdf", []).title == title, why


def test_what_is_not_said_to_be_tagged_has_no_tags() -> None:
    objects = tagged(*TITLES[0][0], content=THREE)
    objects[1] = objects[1].replace(b"/MarkInfo<</Marked true>>", b"")
    assert read_document(pdf_of(objects), URL, "application/pdf", []).title == "Largest"


ALTERNATIVES = [
    (element(b"Figure", 0, more=b"/Alt(An orb web)"), "An orb web", "of a figure"),
    (element(b"Formula", 0, more=b"/Alt(a squared)"), "a squared", "of a formula"),
    (element(b"Figure", 0, more=b"/Alt<FEFF00410020000A0042>"), "A B", "in UTF-16, of two lines"),
    (element(b"Figure", 0, more=b"/Alt()"), "", "empty"),
    (element(b"Figure", 0), "", "none"),
    (element(b"P", 0, more=b"/Alt(said instead)"), "", "of what has a text"),
    (element(b"Figure", 0, more=b"/Alt(%s)" % (b"x" * 9_000)), "", "an endless one"),
]


@pytest.mark.parametrize(("figure", "text", "why"), ALTERNATIVES, ids=[why for *_, why in ALTERNATIVES])
def test_alternative_texts(figure: Tag, text: str, why: str) -> None:
    body = pdf_of(tagged(ONE, figure, content=THREE))
    lines = read_document(body, URL, "application/pdf", []).text.split("\n")
    assert lines == ["Small", "words", "Largest", *filter(None, [text])], why


def test_an_alternative_text_of_many_pages_is_said_once() -> None:
    """As a logo has one."""
    figure = element(b"Figure", 0, more=b"/Alt(Our logo)")
    objects = tagged(ONE, figure, content=THREE)
    objects[2] = b"<</Type/Pages/Kids[10 0 R 10 0 R 10 0 R]/Count 3>>"
    assert read_document(pdf_of(objects), URL, "application/pdf", []).text.count("Our logo") == 1


def chain(number: int, kids: int = 1) -> list[Tag]:
    return [
        element(b"Sect", kids=b"%d 0 R " % (31 + n) * kids, parent=29 + n if n else 20) for n in range(number)
    ]


def wide(number: int) -> list[Tag]:
    """A figure for each number, each of which has some content."""
    figures = [element(b"Figure", n, more=b"/Alt(picture %d)" % n) for n in range(number)]
    return [
        element(b"Document", kids=b"".join(b"%d 0 R " % (31 + n) for n in range(number)), parent=20),
        *figures,
    ]


HOSTILE: list[tuple[list[Tag], str]] = [
    (chain(3_000), "deep"),
    (chain(30, kids=20), "one that is twenty times in another, thirty times over"),
    ([element(b"Sect", kids=b"30 0 R")], "an element in itself"),
    ([element(b"Sect", kids=b"31 0 R", parent=31), element(b"Sect", 0, kids=b"30 0 R")], "two in each other"),
    ([Tag(b"/S 30 0 R/P 30 0 R/Pg 30 0 R/Alt 30 0 R", b"30 0 R", [0])], "nothing that it should be"),
    ([element(b"H1", -1, -99, 99999999999, kids=b"0.5 (x) null")], "numbers of no contents"),
    ([], "no element at all"),
]


@pytest.mark.timeout(20)
@pytest.mark.parametrize(("elements", "why"), HOSTILE, ids=[why for _, why in HOSTILE])
def test_a_hostile_tree_is_no_harm(elements: list[Tag], why: str) -> None:
    page = read_document(pdf_of(tagged(*elements, content=THREE)), URL, "application/pdf", [])
    assert page.text.startswith("Small\nwords\nLargest"), why
    assert page.text.count("\n") == 2, why


@pytest.mark.timeout(20)
def test_no_more_elements_than_a_limit() -> None:
    number = MAX_ELEMENTS + 500
    content = b"".join(b"/Figure<</MCID %d>>BDC EMC\n" % n for n in range(number))
    page = read_document(pdf_of(tagged(*wide(number), content=content)), URL, "application/pdf", [])
    assert page.text.split("\n") == [f"picture {n}" for n in range(MAX_ELEMENTS - 1)]


def test_a_root_that_is_no_tree() -> None:
    for root in (b"7", b"20 0 R", b"99 0 R", b"[]", b"<</K 20 0 R>>"):
        objects = {**paper(["word"], catalog=b"/MarkInfo<</Marked true>>/StructTreeRoot 20 0 R"), 20: root}
        assert read_document(pdf_of(objects), URL, "application/pdf", []).text == "word"


def test_a_very_long_marked_content() -> None:
    content = b"/P<</MCID 0>>BDC %s EMC" % (b"BT /F 9 Tf 50 700 Td (a word of it) Tj ET " * 5_000)
    elements = (ONE, element(b"H1", 0))
    page = read_document(pdf_of(tagged(*elements, content=content)), URL, "application/pdf", [])
    assert 0 < len(page.title) <= 500


def figures(pages: int, each: int) -> dict[int, bytes]:
    """A document whose figures are kids of one element, so many of each page."""
    objects = paper(*[["x"]] * pages, catalog=b"/MarkInfo<</Marked true>>/StructTreeRoot 500 0 R")
    kids = range(1_000, 1_000 + pages * each)
    objects[500] = b"<</Type/StructTreeRoot/K[501 0 R]/ParentTree 502 0 R>>"
    objects[501] = element(b"Document", parent=500).entries.join([b"<<", b"/K[%s]>>" % refer(kids)])
    objects[502] = b"<</Nums[%s]>>" % b"".join(
        b"%d[%s]" % (n, refer(kids[n * each : (n + 1) * each])) for n in range(pages)
    )
    for n, kid in enumerate(kids):
        page = 10 + 2 * (n // each)
        objects[page] = SHEET % b"/Contents %d 0 R/StructParents %d" % (page + 1, n // each)
        objects[kid] = b"<</S/Figure/P 501 0 R/Pg %d 0 R/K[%d]/Alt(picture %d)>>" % (page, n % each, n)
    return objects


def test_alternative_texts_are_no_longer_than_a_text_may_be() -> None:
    objects = figures(1, 1_500)
    long = {n: one.replace(b"/Alt(", b"/Alt(" + b"x" * 4_000) for n, one in objects.items()}
    page = read_document(pdf_of(long), URL, "application/pdf", [])
    assert MAX_TEXT - 5_000 < len(page.text.replace("\n", "")) <= MAX_TEXT


def refer(numbers: Sequence[int]) -> bytes:
    return b" ".join(b"%d 0 R" % number for number in numbers)


@pytest.mark.parametrize(("pages", "each"), [(3, 30), (12, 400), (40, 110), (3, MAX_ELEMENTS - 1)])
def test_figures_of_each_page_are_found_among_those_of_all(pages: int, each: int) -> None:
    lines = read_document(pdf_of(figures(pages, each)), URL, "application/pdf", []).text.split("\n")
    assert [line for line in lines if line != "x"] == [f"picture {n}" for n in range(pages * each)]
