"""Pages of two columns in reading order, and all others as they were drawn."""

import re
from collections.abc import Sequence
from contextlib import closing

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdfium2 import PdfDocument

from engine.text.documents.pdf_columns import MAX_LETTERS, PageWords, read_in_order
from tests.papers import drawn, paper, pdf_of, stream

Text = tuple[float, float, str]

LEFT = [f"{one} of the left, as long as the column is wide" for one in "abcdefghijkl"]
RIGHT = [f"{one} of the right, as long as it is wide too" for one in "abcdefghijkl"]
TITLE, NOTE = "A title over both columns of the page", "1 A note below both columns that is one long line"
X, Y, STEP = (50.0, 320.0), 700.0, 12.0


def rows(*columns: Sequence[str], x: Sequence[float] = X) -> list[Text]:
    """Texts as they are drawn row by row."""
    number = max(map(len, columns))
    return [
        (place, Y - STEP * n, column[n])
        for n in range(number)
        for place, column in zip(x, columns, strict=True)
        if n < len(column)
    ]


def in_words(texts: Sequence[Text]) -> list[Text]:
    """The same, each word drawn alone, in 10 points of Helvetica."""
    return [
        (x + sum(2.8 if letter in "fijlt ," else 5.6 for letter in text[: word.start()]), y, word[0])
        for x, y, text in texts
        for word in re.finditer(r"\S+", text)
    ]


def read(content: bytes, **more: bytes) -> tuple[PageWords, str]:
    """A page in order, and as it was drawn; `more`: other objects, by _ and their numbers."""
    objects = paper(["x"], contents=stream(content)) | {int(name[1:]): one for name, one in more.items()}
    with closing(PdfDocument(pdf_of(objects))) as document, closing(document[0].get_textpage()) as words:
        return read_in_order(words), words.get_text_bounded()


def lines(words: PageWords) -> list[str]:
    return [line.strip() for line in words.text.splitlines()]


BODY = rows(LEFT, RIGHT)
HEADS = [(50.0, 780.0, "Lives of spiders"), (500.0, 780.0, "17")]
ORDERED: list[tuple[str, list[Text], list[str]]] = [
    ("row by row", BODY, [*LEFT, *RIGHT]),
    ("from the right", [text for n in range(0, 24, 2) for text in (BODY[n + 1], BODY[n])], [*LEFT, *RIGHT]),
    (
        "with a title and a note over both",
        [(150, 760, TITLE), *BODY, (50, 100, NOTE * 2)],
        [TITLE, *LEFT, *RIGHT, NOTE * 2],
    ),
    (
        "with a line over both in its middle",
        [*BODY, (50, Y - STEP * 12, NOTE * 2), *((x, y - STEP * 13, text) for x, y, text in BODY)],
        [*LEFT, *RIGHT, NOTE * 2, *LEFT, *RIGHT],
    ),
    ("with running heads", [*HEADS, *BODY], ["Lives of spiders 17", *LEFT, *RIGHT]),
    ("with feet", [*BODY, (50, 40, "Foot"), (520, 40, "3")], [*LEFT, *RIGHT, "Foot 3"]),
    ("a column longer than the other", rows(LEFT, RIGHT[:9]), [*LEFT, *RIGHT[:9]]),
    (
        "lines that do not stand beside each other",
        [(x, y - 4 * (x > 100), text) for x, y, text in BODY],
        [*LEFT, *RIGHT],
    ),
]


@pytest.mark.parametrize(("why", "texts", "expected"), ORDERED, ids=[why for why, *_ in ORDERED])
def test_two_columns_drawn_row_by_row(why: str, texts: list[Text], expected: list[str]) -> None:
    words, _ = read(drawn(*texts))
    assert lines(words) == expected, why
    assert words.regions, why


def test_two_columns_drawn_word_by_word() -> None:
    words, _ = read(drawn(*in_words(BODY)))
    assert [line.replace(" ", "") for line in lines(words)] == [
        line.replace(" ", "") for line in LEFT + RIGHT
    ]


def test_a_word_that_a_line_of_a_column_parts_is_marked() -> None:
    """As PDFium marks one on a page of one column: print_layout joins it."""
    parted = [
        *LEFT[:3],
        "d of the left, as long as the column is infor-",
        "mation of the left, as the column is",
    ]
    words, _ = read(drawn(*rows([*parted, *LEFT[5:]], RIGHT)))
    assert "infor\x02mation" in words.text


SHORT = [f"item {n}" for n in range(14)]
RAGGED = [f"{'a cell of some text ' * (n % 3)}{n}" for n in range(14)]
AS_DRAWN: list[tuple[str, list[Text]]] = [
    ("one column", [(50, Y - STEP * n, f"{text} {text}") for n, text in enumerate(LEFT)]),
    ("two columns in order", [*BODY[::2], *BODY[1::2]]),
    ("a table of short cells", rows(SHORT, SHORT)),
    ("a table of words and numbers", rows(LEFT, [str(n * n) for n in range(12)])),
    ("a table of cells of any length", rows(RAGGED, RAGGED[::-1])),
    ("a table of four columns", rows(*[[f"a cell of {n}" for n in range(14)]] * 4, x=(50, 170, 320, 440))),
    (
        "cells of several lines",
        [(x, Y - STEP * (3 * n + m), LEFT[m]) for n in range(5) for x in X for m in range(3)],
    ),
    (
        "a table of contents",
        rows([f"{text} . . . . . ." for text in LEFT], [str(n) for n in range(12)], x=(50, 500)),
    ),
    ("few lines", rows(LEFT[:7], RIGHT[:7])),
    (
        "three columns",
        rows(*[[f"{one} which is narrow text" for one in "abcdefghijkl"]] * 3, x=(50, 230, 410)),
    ),
    ("no gutter", rows([text * 2 for text in LEFT], RIGHT)),
    ("narrow columns", rows([f"{n:06}" for n in range(20)], [f"{n:06}" for n in range(20)], x=(50, 300))),
    ("nothing", []),
    ("columns above each other", [(50, 700, text) for text in LEFT * 2]),
]


@pytest.mark.parametrize(("why", "texts"), AS_DRAWN, ids=[why for why, _ in AS_DRAWN])
def test_what_stays_as_it_was_drawn(why: str, texts: list[Text]) -> None:
    words, as_drawn = read(drawn(*texts))
    assert words == PageWords(as_drawn, ()), why


HEBREW = stream(
    b"/CIDInit/ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange<00><FF>"
    b"endcodespacerange 1 beginbfrange<61><7A><05D0>endbfrange endcmap end end"
)


def test_columns_of_which_the_right_one_is_the_first_stay_as_they_were_drawn() -> None:
    font = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 9 0 R>>"
    words, as_drawn = read(drawn(*BODY), _3=font, _9=HEBREW)
    assert words == PageWords(as_drawn, ())
    assert "\N{HEBREW LETTER ALEF}" in words.text


def test_a_page_of_very_many_letters_stays_as_it_was_drawn() -> None:
    columns = rows(*[[text * (MAX_LETTERS // 800) for text in LEFT]] * 2)
    words, as_drawn = read(drawn(*columns, size=0.02))
    assert words == PageWords(as_drawn, ())


NUMBERS = st.floats(-1e6, 1e6) | st.sampled_from([0, 50, 320, 700, 1e30, -1e30])
TEXTS = st.lists(st.tuples(NUMBERS, NUMBERS, st.sampled_from([*LEFT, *RIGHT, "-", "a b"])), max_size=30)


@given(TEXTS, st.sampled_from([0.001, 1, 10, 1e4]))
def test_no_letter_is_lost_or_said_twice(texts: list[Text], size: float) -> None:
    """Wherever they stand, among two columns or without them."""
    for content in (texts, [*BODY, *texts]):
        words, as_drawn = read(drawn(*content, size=size))
        assert sorted("".join(words.text.replace("\x02", "-").split())) == sorted(
            "".join(as_drawn.replace("\x02", "-").split())
        )


HUGE = [b"[0 0 1e38 1e38]", b"[-1e9 -1e9 1e9 1e9]", b"[0 0 0 0]", b"[600 842 0 0]", b"[0 0 nan inf]", b"[]"]


@pytest.mark.parametrize("box", HUGE)
def test_paper_of_any_size(box: bytes) -> None:
    objects = paper(["x"], contents=stream(drawn(*BODY)))
    objects[10] = objects[10].replace(b"[0 0 600 842]", box)
    with closing(PdfDocument(pdf_of(objects))) as document, closing(document[0].get_textpage()) as words:
        assert len(read_in_order(words).text) <= 2 * sum(map(len, LEFT + RIGHT))
