"""Pages written to stop their reader. Each of these took seconds to hours, or all the memory, unguarded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.html.hostile import MAX_DEPTH, MAX_HTML, disarm
from engine.text.html.markup import read_html

MANY = 100_000

BOMBS = [
    ("<div>" * MANY, "deep"),
    ("<div>" * MANY + "</div>" * MANY, "deep, and closed again"),
    ("<ul><li>" * MANY, "deep, of elements that close others of their kind"),
    ("<div></x>" * MANY, "deep, with end tags of nothing"),
    ("<div><table></div>" * MANY, "deep, with end tags that do not reach their element"),
    ("".join(f"<font size={number}><p>x" for number in range(20_000)), "formatting opened again and again"),
    ("".join(f"<FONT a='>' size={number}><p>x" for number in range(20_000)), "the same, in disguise"),
    ("<p>" + "<b><i><u><s><tt><em>" * 3 + "<p>x" * MANY, "formatting without attributes"),
    ("<p " + " ".join(f"a{number}=1" for number in range(MANY)) + ">", "attributes"),
    ("<p " + " ".join(f"a{number}='<>'" for number in range(MANY)) + ">", "attributes that look like tags"),
    ("<p " + "".join(f"a{number}=''" for number in range(MANY)) + ">", "attributes without space between"),
    ("<a href=x>" + "<table><td><a href=x>" * 3_000 + "x" * 9_999, "links in links"),
    ("<i>" * 9_000 + "<br>" * 9_000, "lines deep inside inline elements"),
    ("x<i>y</i>" * MANY, "inline elements side by side"),
    ("<h1><div>" * MANY, "headings in headings"),
    ("<header>" * MANY + "<h2 hidden>" * MANY, "furniture in furniture"),
    ("<div>" * 500 + "word " * 600_000, "boxes around everything"),
    ("<div class=content>" * 500 + "word " * 600_000, "boxes around everything that call themselves content"),
    ("<div class=header>" * 500 + "word " * 600_000, "or furniture"),
    (("<div>" + "<a href=x>a</a>" * 5) * 480 + "word " * 500_000, "lists of links in one another"),
    ("<" * 3_000_000, "tags that never begin"),
    ("<a href='" * MANY, "values that never end"),
    ("a\u0300\u0316" * MANY + "\u0300\u0316" * MANY, "stacked marks"),
    ("x" * 10_000_000, "length"),
]


@pytest.mark.slow
@pytest.mark.timeout(20)
@pytest.mark.parametrize(("html", "why"), BOMBS, ids=[why for _, why in BOMBS])
def test_a_bomb_is_a_page(html: str, why: str) -> None:
    assert read_html(f"<title>T</title>{html}".encode(), "http://h/", "", []).title == "T", why


def test_deep_text_is_kept_down_to_a_depth() -> None:
    html = "<p>" * 20_000 + "kept" + "<div>" * (MAX_DEPTH + 1) + "gone"
    assert read_html(html.encode(), "http://h/", "", []).text == "kept"


def test_an_embedded_picture_leaves_the_text_around_it() -> None:
    html = f"a<img alt=x src='data:image/png;base64,{'A/+' * 40_000}'>b" + "<p>c</p>" * 9_000
    assert read_html(html.encode(), "http://h/", "", []).text.startswith("ab\nc\nc\n")


def test_a_long_ordinary_page_keeps_every_word() -> None:
    lines = [f"line {number}" for number in range(30_000)]
    html = "".join(f"\n<tr><td class='<a>'><b><font size=1>{line}</b></font>" for line in lines)
    assert read_html(f"<table>{html}</table>".encode(), "http://h/", "", []).text.split("\n") == lines


@given(st.binary(max_size=2_000))
def test_short_pages_pass_unchanged(html: bytes) -> None:
    assert disarm(html) == html


def test_length_is_bounded() -> None:
    assert len(disarm(b"x" * 3 * MAX_HTML)) < 1.01 * MAX_HTML
