"""Terms and definitions, and cells of a row, are known to belong together; nothing else of a text changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from engine.text.documents.documents import read_document
from engine.text.duplicates.fingerprint import compute_digests
from engine.text.html.rows import join_rows, mark_rows

ROWS = [
    ("<dl><dt>f<dd>b</dl>", "f\t\nb", "a definition"),
    ("<dl><dt>f<dt>g<dd>b<dd>c</dl>", "f\ng\t\nb\nc", "two terms with two of them"),
    ("<dl><dt>f<dd><p>b<p>c</dl>", "f\t\nb\nc", "a definition of two blocks"),
    ("<dl><div><dt>f</dt> <dd>b</dd></div></dl>", "f\t\nb", "in a DIV"),
    ("<dl><dd>b</dl>", "b", "a definition of nothing"),
    ("<dl><dt>f<dd></dl>a", "f\na", "one that says nothing: the next line is none of it"),
    ("a<dl><dt> <dd>b</dl>", "a\nb", "a term that says nothing: the line before is none of it"),
    ("<table><tr><th>a<td>b<tr><td>c<td>d</table>", "a\t\nb\nc\t\nd", "cells, and rows"),
    ("<table><tr><td>a<td><td>b</table>", "a\t\nb", "an empty cell"),
    (
        "a<table><tr><td><i></i><td>b<td>c</table>",
        "a\nb\t\nc",
        "a row that begins with one: what is before is none of it",
    ),
    ("<table><tr><td><td>b</table>", "b", "an empty one before it"),
    ("<table><tr><td><h2>H</h2><td>b</table>", "b", "a heading is a section's"),
    ("<table><tr><td>a</table>b", "a\nb", "one cell is no row"),
    ("<ul><li>a<li>b</ul>", "a\nb", "items stand by themselves"),
    ("a<nav><dl><dt>f<dd>b</dl></nav>", "a", "what is no main text"),
    ("a\ue002<p>\ue002b<p>c", "a\ue002\n\ue002b\nc", "our own mark on a page, within a line"),
    ("<p>a<p>\ue002<p>b", "a\t\nb", "our own mark, alone in one"),
]


@pytest.mark.parametrize(("html", "text", "why"), ROWS, ids=[why for *_, why in ROWS])
def test_what_goes_on_in_the_next_line(html: str, text: str, why: str) -> None:
    for page in (html, f"<nav>Menu</nav><main>{html}</main>"):
        read = read_document(page.encode(), "http://h/", "text/html; charset=utf-8", [])
        assert read.sections[-1].text == text, why


@given(
    st.recursive(st.sampled_from(["a", "b c", ""]), lambda inner: st.lists(inner, max_size=3), max_leaves=9)
)
def test_rows_change_neither_words_nor_fingerprints(tree: object) -> None:
    """A page has the digests of one whose rows are plain blocks, so it is a copy of what was read before."""

    def table(node: object) -> str:
        if isinstance(node, list):
            return "<table><tr>" + "".join(f"<td>{table(one)}" for one in node) + "</table>"
        return str(node)

    html = f"<main><p>x{table(tree)}</main>"
    plain = html.replace("<table><tr>", "<div>").replace("</table>", "</div>").replace("<td>", "<p>")
    rows, blocks = (read_document(one.encode(), "http://h/", "text/html", []) for one in (html, plain))
    assert rows.text.split() == blocks.text.split()
    assert compute_digests(rows) == compute_digests(blocks)


@given(st.text("ab\ue002\n", max_size=20))
def test_lines_are_joined_only_by_marks_that_stand_alone(text: str) -> None:
    joined = join_rows(text)
    assert joined.replace("\t\n", "\n").split() == [
        line for line in text.split("\n") if line.strip("\ue002")
    ] or ("\ue002" in joined)


def test_a_row_is_marked_once() -> None:
    tree = LexborHTMLParser("<dl><dt>a<dd>b</dl>")
    assert tree.body is not None
    mark_rows(tree.css("dd"))
    assert tree.body.text() == "a\f\ue002b"
