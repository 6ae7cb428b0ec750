"""Pages as pictures, of which none is too large."""

import re

import pytest

from engine.errors import PageError
from engine.text.documents import render_page
from engine.text.documents.pdf_picture import MAX_PIXELS, MAX_SIDE
from tests.papers import locked, pdf, stream
from tests.scans import picture, scan_of


def parse(drawn: bytes) -> tuple[int, int, bytes]:
    """Width, height and pixels of a PGM."""
    head = re.match(rb"P5\n(\d+) (\d+)\n255\n", drawn)
    assert head
    width, height = map(int, head.groups())
    assert len(drawn) == head.end() + width * height
    return width, height, drawn[head.end() :]


def test_a_page_is_drawn_in_grey_with_300_pixels_an_inch() -> None:
    width, height, pixels = parse(render_page(scan_of(picture(), picture("a word")), 1))
    assert (width, height) == (2_481, 3_508)  # A4
    assert (max(pixels), min(pixels)) == (255, 0)


@pytest.mark.parametrize(
    ("box", "why"),
    [
        (b"[0 0 14400 14400]", "the largest paper that ISO 32000 has"),
        (b"[0 0 1e7 10]", "a very long stripe"),
        (b"[0 0 0.5 0.5]", "a speck"),
        (b"[0 0 1e30 1e30]", "nothing that anybody prints"),
        (b"[0 0 nan inf]", "no numbers"),
        (b"[0 0 0 0]", "no paper"),
    ],
)
def test_paper_of_any_size(box: bytes, why: str) -> None:
    try:
        width, height, _ = parse(render_page(pdf(["word"]).replace(b"[0 0 600 842]", box), 0))
    except PageError:
        return
    assert width * height <= 1.01 * MAX_PIXELS, why
    assert max(width, height) <= MAX_SIDE + 1


@pytest.mark.parametrize(
    ("body", "number", "kind", "why"),
    [
        (b"no PDF", 0, "broken", "another file"),
        (pdf(["a"]), 1, "broken", "a page that is not there"),
        (pdf(["a"]), -1, "broken", "the same"),
        (locked(["a"], password=b"x"), 0, "encrypted", "it needs a password"),
    ],
)
def test_what_cannot_be_drawn(body: bytes, number: int, kind: str, why: str) -> None:
    with pytest.raises(PageError) as raised:
        render_page(body, number)
    assert raised.value.kind == kind, why


def test_a_content_that_saves_the_state_for_ever() -> None:
    parse(render_page(pdf(["a"], contents=stream(b"q " * 99_999)), 0))
