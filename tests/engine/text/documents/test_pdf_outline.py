"""Where the entries of a PDF's outline lead, and outlines that were made to stop their reader."""

import itertools
from collections.abc import Sequence
from contextlib import closing

import pytest
from pypdfium2 import PdfDocument

from engine.config import ReadingLimits
from engine.model.section_anchor import SectionAnchor
from engine.text.documents.documents import read_document
from engine.text.documents.pdf_outline import MAX_ENTRY, MAX_OUTLINE, OutlineEntry, read_outline
from tests.engine.text.documents.test_pdf_columns import LEFT, NOTE, RIGHT, Y, rows
from tests.papers import drawn, paper, pdf_of, stream, with_outline

URL = "http://h.example/guide.pdf"
FIRST, SECOND = b"10 0 R", b"12 0 R"
MANY_SECONDS = 600.0  # a busy machine reads all that others read


def outlined(objects: dict[int, bytes], *entries: tuple[str, bytes]) -> bytes:
    return pdf_of(with_outline(objects, *entries))


def to(page: bytes, *view: object) -> bytes:
    return b"/Dest[%s %s]" % (page, " ".join(map(str, view)).encode())


def entries_of(body: bytes) -> dict[int, Sequence[OutlineEntry]]:
    with closing(PdfDocument(body)) as document:
        return dict(read_outline(document, lambda: False))


def sections_of(body: bytes) -> list[tuple[str, str, str]]:
    page = read_document(body, URL, "application/pdf", [], ReadingLimits(seconds=MANY_SECONDS))
    return [section[:3] for section in page.sections]


def two_pages() -> dict[int, bytes]:
    return paper(["cover"], ["before", "a", "b"])  # the lines of each 30 points apart, from 780 on


POSITIONS = [
    (to(SECOND, "/XYZ", 50, 700, 0), 50, 700, "a place"),
    (to(SECOND, "/XYZ", "null", 700, "null"), None, 700, "no place from the left"),
    (to(SECOND, "/XYZ", "null", "null", 0), None, None, "none at all"),
    (to(SECOND, "/FitH", 700), None, 700, "its width"),
    (to(SECOND, "/FitBH", 700), None, 700, "its width without margins"),
    (to(SECOND, "/FitR", 1, 2, 3, 700), None, 700, "a rectangle"),
    (to(SECOND, "/FitV", 700), None, None, "its height"),
    (to(SECOND, "/Fit"), None, None, "all of it"),
    (to(SECOND), None, None, "no view"),
    (to(SECOND, "/XYZ"), None, None, "no numbers"),
    (to(SECOND, "/FitH"), None, None, "no number"),
    (to(SECOND, "/FitH", "1e99"), None, None, "a number that is none"),
    (b"/A<</S/GoTo/D[%s/FitH 700]>>" % SECOND, None, 700, "an action"),
]


@pytest.mark.parametrize(("place", "left", "top", "why"), POSITIONS, ids=[why for *_, why in POSITIONS])
def test_positions(place: bytes, left: float | None, top: float | None, why: str) -> None:
    found = entries_of(outlined(two_pages(), ("Webs", place)))
    assert found == {1: [OutlineEntry("Webs", left, top)]}, why


NOWHERE = [
    (b"", "no destination"),
    (b"/Dest[99 0 R/Fit]", "no page"),
    (b"/Dest(nobody)", "a name that is none"),
    (b"/Dest 40 0 R", "itself"),
    (b"/A<</S/URI/URI(http://h.example/)>>", "elsewhere"),
]


@pytest.mark.parametrize(("place", "why"), NOWHERE, ids=[why for _, why in NOWHERE])
def test_what_leads_nowhere(place: bytes, why: str) -> None:
    assert entries_of(outlined(two_pages(), ("Webs", place))) == {}, why


CUT = [
    (b"/XYZ 0 760 0", "before", "a\nb", "above a line"),
    (b"/XYZ 0 735 0", "before\na", "b", "above the next"),
    (b"/FitH 760", "before", "a\nb", "its width"),
    (b"/XYZ 0 5000 0", "", "before\na\nb", "above the paper"),
    (b"/XYZ 0 -5000 0", "", "before\na\nb", "below the paper: its top"),
    (b"/XYZ 9000000 760 0", "before", "a\nb", "beside the paper"),
    (b"/Fit", "", "before\na\nb", "its top"),
]


@pytest.mark.parametrize(("view", "before", "text", "why"), CUT, ids=[why for *_, why in CUT])
def test_a_page_is_cut_at_the_destination(view: bytes, before: str, text: str, why: str) -> None:
    """Where no line says the heading."""
    body = outlined(two_pages(), ("Webs", b"/Dest[%s%s]" % (SECOND, view)))
    found = [part for part in (("", "page=2", before), ("Webs", "page=2", text)) if part[2]]
    assert sections_of(body) == [("", "page=1", "cover"), *found], why


def test_a_line_that_alone_says_the_heading_needs_no_place() -> None:
    """Two that say it need one."""
    body = outlined(paper(["Silk", "a", "b", "c", "d", "Silk", "e"]), ("Silk", to(FIRST, "/XYZ", 0, 640, 0)))
    assert sections_of(body)[1] == ("Silk", "page=1", "e")
    body = outlined(paper(["Silk", "a", "b", "c", "d", "e"]), ("Silk", to(FIRST, "/XYZ", 0, 640, 0)))
    assert sections_of(body)[1] == ("Silk", "page=1", "a\nb\nc\nd\ne")


def test_a_section_goes_on_to_the_next_entry() -> None:
    objects = paper(["cover"], ["Webs", "a"], ["b"], ["c", "Silk", "d"])
    body = outlined(objects, ("Webs", to(SECOND, "/Fit")), ("Silk", to(b"16 0 R", "/XYZ", 0, 770, 0)))
    _, webs, silk = read_document(body, URL, "application/pdf", []).sections
    assert webs == ("Webs", "page=2", "a\nb\nc", (SectionAnchor(2, "page=3"), SectionAnchor(4, "page=4")))
    assert silk == ("Silk", "page=4", "d", ())


def test_destinations_in_two_columns() -> None:
    """One in the right column begins there, not where a line of the left is as high."""
    content = drawn(*rows(LEFT, RIGHT), (50, 100, NOTE * 2))
    objects = paper(["x"], contents=stream(content))
    top = Y - 12 * 5 + 10
    body = outlined(
        objects, ("Webs", to(FIRST, "/XYZ", 50, top, 0)), ("Silk", to(FIRST, "/XYZ", 320, top, 0))
    )
    assert sections_of(body) == [
        ("", "page=1", "\n".join(LEFT[:5])),
        ("Webs", "page=1", "\n".join([*LEFT[5:], *RIGHT[:5]])),
        ("Silk", "page=1", "\n".join([*RIGHT[5:], NOTE * 2])),
    ]


def test_titles_of_any_kind() -> None:
    entries = [("", to(FIRST)), ("  a \t b\x7f", to(FIRST)), ("x" * 5_000, to(FIRST)), ("a  b", to(FIRST))]
    headings = [entry.heading for entry in entries_of(outlined(two_pages(), *entries))[0]]
    assert headings == ["a b"], "none, one too long, and one that is there already"
    assert len(entries_of(outlined(two_pages(), ("y" * 4_000, to(FIRST))))[0][0].heading) == MAX_ENTRY


def test_half_a_character_in_a_title() -> None:
    objects = two_pages()
    body = outlined(objects, ("Webs", to(FIRST))).replace(b"(Webs)", b"<FEFFD80000410042>")
    assert entries_of(body)[0][0].heading in ("AB", "B", "\N{REPLACEMENT CHARACTER}AB")


def test_no_more_entries_than_a_limit() -> None:
    many = [(f"n{n}", to(SECOND, "/XYZ", 0, 760, 0)) for n in range(MAX_OUTLINE + 50)]
    body = outlined(two_pages(), *many)
    assert sum(map(len, entries_of(body).values())) == MAX_OUTLINE
    assert len(sections_of(body)) == MAX_OUTLINE + 2


def test_what_takes_long_is_cut() -> None:
    ticks = itertools.count()
    many = [(f"n{n}", to(SECOND)) for n in range(9)]
    with closing(PdfDocument(outlined(two_pages(), *many))) as document:
        found = read_outline(document, lambda: next(ticks) >= 3)
    assert [entry.heading for entry in found[1]] == ["n0", "n1", "n2"]


LOOPS = [
    ({40: b"<</Title(a)/Next 40 0 R%s>>" % to(SECOND)}, "an entry after itself"),
    ({40: b"<</Title(a)/First 40 0 R%s>>" % to(SECOND)}, "an entry in itself"),
    ({6: b"<</First 6 0 R/Title(a)>>"}, "an outline in itself"),
    ({n: b"<</Title(%d)/First %d 0 R%s>>" % (n, n + 1, to(SECOND)) for n in range(40, 999)}, "deep"),
    (
        {40: b"<</Title(a)%s/First 41 0 R>>" % to(SECOND), 41: b"<</Title(b)/First 40 0 R>>"},
        "two in each other",
    ),
]


@pytest.mark.timeout(20)
@pytest.mark.parametrize(("objects", "why"), LOOPS, ids=[why for _, why in LOOPS])
def test_an_outline_in_a_circle(objects: dict[int, bytes], why: str) -> None:
    whole = with_outline(two_pages(), ("Webs", to(SECOND)))
    assert sections_of(pdf_of({**whole, **objects}))[0] == ("", "page=1", "cover"), why
    assert len(sections_of(pdf_of({**whole, **objects}))) <= 10, why
