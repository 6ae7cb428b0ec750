"""What is stripped from a page's source before it is parsed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.html.markup import read_html
from engine.text.html.strip_markup import strip_misnested_noscript

NOSCRIPTS = [
    ("a<noscript><div></noscript>b", "ab", "a box that it does not close"),
    (
        "a<noscript><div><img></div><div></noscript>b<noscript>c</noscript>d",
        "ab<noscript>c</noscript>d",
        "the first",
    ),
    ("a<NOSCRIPT><DIV></NOSCRIPT >b", "ab", "in capitals"),
    ("<noscript><div></div></noscript>", "<noscript><div></div></noscript>", "one that is closed stays"),
    ("<noscript><p>a<li>b</noscript>", "<noscript><p>a<li>b</noscript>", "as do those that need no end tag"),
    ("<noscript><b>a</noscript>", "<noscript><b>a</noscript>", "an end tag closes B, too"),
    ("<noscript><div>", "<noscript><div>", "without an end the rest is text to a browser, too"),
    ("</noscript><div>a", "</noscript><div>a", "an end alone"),
    ("<p>noscript", "<p>noscript", "only the word"),
]


@pytest.mark.parametrize(("source", "left", "why"), NOSCRIPTS, ids=[why for *_, why in NOSCRIPTS])
def test_misnested_noscript(source: str, left: str, why: str) -> None:
    assert strip_misnested_noscript(source.encode()).decode() == left, why


def test_text_behind_a_misnested_noscript_is_read() -> None:
    html = "<div>before<noscript><div><img src=/p.gif></noscript><h1>Title</h1><p>behind</div>"
    assert read_html(html.encode(), "http://h/", "", []).text.split() == ["before", "Title", "behind"]


PIECES = ["<noscript>", "</noscript>", "<div>", "</div>", "<script>", "x", "<b>", "<!--", "-->"]


@given(st.lists(st.sampled_from(PIECES)))
def test_nothing_outside_of_noscript_is_stripped(pieces: list[str]) -> None:
    left = strip_misnested_noscript("".join(pieces).encode()).decode()
    first = pieces.index("<noscript>") if "<noscript>" in pieces else len(pieces)
    assert left.startswith("".join(pieces[:first]))
    if left != "".join(pieces):
        assert left.count("<noscript>") < pieces.count("<noscript>")
        assert left.count("</noscript>") < pieces.count("</noscript>")
