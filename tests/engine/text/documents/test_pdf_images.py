"""Which pages of a PDF are pictures of text."""

import pytest

from engine.model.scanned_pages import ScannedPages
from engine.text.documents.documents import read_document
from engine.text.documents.pdf_images import MAX_OBJECTS
from tests.papers import SHEET, paper, pdf, pdf_of, stream

PICTURE = stream(
    b"\x80", b"/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8"
)
FORM = b"/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</I 8 0 R>>>>"
WHOLE = b"q 600 0 0 842 0 0 cm /I Do Q "
STRIPE = b"q 600 0 0 50 0 %d cm /I Do Q "


def scan(*contents: bytes) -> bytes:
    """A document whose sheets draw I, a picture of one by one, or W, which wraps it."""
    objects = paper(*[["x"]] * len(contents))
    objects[8], objects[9] = PICTURE, stream(b"/I Do", FORM)
    for n, content in enumerate(contents):
        sheet = (SHEET % b"/Contents %d 0 R") % (11 + 2 * n)
        objects[10 + 2 * n] = sheet.replace(b"/Font", b"/XObject<</I 8 0 R/W 9 0 R>>/Font")
        objects[11 + 2 * n] = stream(content)
    return pdf_of(objects)


def scanned(body: bytes) -> ScannedPages | None:
    return read_document(body, "http://h.example/a.pdf", "application/pdf", []).scanned


WORD = b"BT /F 12 Tf 50 700 Td (word) Tj ET "
SHEETS = [
    (WHOLE, True, "a picture over all of it"),
    (b"q 500 0 0 700 50 70 cm /I Do Q", True, "with margins"),
    (b"".join(STRIPE % y for y in range(0, 800, 50)), True, "cut into stripes"),
    (b"q 600 0 0 842 0 0 cm /W Do Q", True, "in a form"),
    (b"q 0 842 -600 0 600 0 cm /I Do Q", True, "turned round"),
    (WHOLE + WORD, False, "with a text"),
    (WHOLE + b"3 Tr " + WORD, False, "with one that a program has read, which is not seen"),
    (b"q 200 0 0 200 50 70 cm /I Do Q", False, "a small picture"),
    (b"q 600 0 0 842 900 0 cm /I Do Q", False, "one beside the paper"),
    (b"q 1e38 0 0 1e38 0 0 cm /I Do Q", False, "one of no size that there is"),
    (b"0 0 600 842 re f", False, "no picture"),
    (b"", False, "nothing"),
    (b"/I Do /W Do " * MAX_OBJECTS + WHOLE, False, "behind very many others"),
]


@pytest.mark.parametrize(("content", "is_scan", "why"), SHEETS, ids=[why for *_, why in SHEETS])
def test_scanned_pages(content: bytes, is_scan: bool, why: str) -> None:
    assert scanned(scan(content)) == (ScannedPages(1, 1) if is_scan else None), why


def test_some_of_several() -> None:
    assert scanned(scan(WORD, WHOLE, b"", WHOLE)) == ScannedPages(2, 4)
    assert scanned(pdf(["a"], ["b"])) is None


def test_a_picture_that_draws_itself() -> None:
    objects = {**paper(["x"]), 8: stream(b"/W Do", FORM.replace(b"/I 8", b"/W 8"))}
    objects[10] = (SHEET % b"/Contents 11 0 R").replace(b"/Font", b"/XObject<</W 8 0 R>>/Font")
    objects[11] = stream(b"q 600 0 0 842 0 0 cm /W Do Q")
    assert scanned(pdf_of(objects)) is None


@pytest.mark.parametrize(
    "box", [b"[0 0 1e38 1e38]", b"[0 0 0 0]", b"[600 842 0 0]", b"[0 0 nan inf]", b"[-9 -9 -8 -8]"]
)
def test_paper_of_any_size(box: bytes) -> None:
    assert scanned(scan(WHOLE).replace(b"[0 0 600 842]", box)) in (None, ScannedPages(1, 1))
