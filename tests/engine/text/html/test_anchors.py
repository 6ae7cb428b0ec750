"""Everything to which a fragment can lead counts, where it stands and for the heading to which it belongs."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.model.page import CELL_END, Page, Section
from engine.text.duplicates.fingerprint import compute_digests
from engine.text.html import anchors as room
from engine.text.html.markup import read_html

NO = ("", "", "")
ANCHORS = [
    ("<p id=x>a</p>b", [("", "", "a\nb", ((0, "x"),))], "a paragraph"),
    ("a<p id=x>b</p>", [("", "", "a\nb", ((2, "x"),))], "a paragraph behind another"),
    ("a <span id=x>b</span> c", [("", "", "a b c", ((2, "x"),))], "within a line"),
    ("a b <i id=x></i> c", [("", "", "a b c", ((4, "x"),))], "of which no space is left"),
    ("<p>a</p><span id=x></span><p>b</p>", [("", "", "a\nb", ((2, "x"),))], "before a paragraph"),
    ("<ul><li>a<li id=x>b</ul>", [("", "", "a\nb", ((2, "x"),))], "an item of a list"),
    ("<ul><li>a<li><a name=x></a>b</ul>", [("", "", "a\nb", ((2, "x"),))], "a name in it"),
    ("<a name=x></a><ul><li>a</ul>", [("", "", "a", ((0, "x"),))], "a name before the list"),
    ("<table><tr><td>a<tr id=x><td>b</table>", [("", "", "a\nb", ((2, "x"),))], "a row of a table"),
    ("<table><tr><td>a<td id=x>b</table>", [("", "", "a\t\nb", ((3, "x"),))], "a cell"),
    (
        "a<figure id=x><img><figcaption>b</figcaption></figure>",
        [("", "", "a\nb", ((2, "x"),))],
        "a figure",
    ),
    ("a<div id=x></div>b", [("", "", "a\nb", ((2, "x"),))], "an empty block"),
    ("a<p id=x></p><p id=y>b</p>", [("", "", "a\nb", ((2, "x"), (2, "y")))], "two with one text"),
    ("<dl><dt>a<dd id=x>b</dl>", [("", "", "a\t\nb", ((3, "x"),))], "a definition without its term's id"),
    ("<p name=x>a</p>", [("", "", "a")], "a name is one of A alone"),
    (f"<p id={'x' * 201}>a</p>", [("", "", "a")], "an id too long to be one"),
    ("<p id='a b'>a</p>", [("", "", "a", ((0, "a b"),))], "an id is any text"),
    ("<nav id=x>a</nav>b", [("", "", "b")], "none of what is beside the main text"),
    ("<p id=x hidden>a</p>b", [("", "", "b")], "none of what is not seen"),
    ("<h2 id=h>H</h2><p id=x>a", [NO, ("H", "h", "a", ((0, "x"),))], "under a heading"),
    ("<h2>H</h2><p id=x>a", [NO, ("H", "", "a", ((0, "x"),))], "under one without an id"),
    ("a<span id=x></span><h2>H</h2>b", [("", "", "a"), ("H", "x", "b")], "before a heading it is that's"),
    (
        "a<p><a name=x></a></p><p id=y></p><h2>H</h2>b",
        [("", "", "a"), ("H", "y", "b", ((0, "x"),))],
        "the nearest before a heading leads to it",
    ),
    (
        "a<span id=x></span><h2 id=h>H</h2>b",
        [("", "", "a"), ("H", "h", "b", ((0, "x"),))],
        "another name of a heading",
    ),
    (
        "a<span id=x></span><dl><dt id=y>f<dd>b</dl>",
        [("", "", "a"), ("", "y", "f\t\nb", ((0, "x"),))],
        "another name of a term",
    ),
    ("<h2>G</h2><p id=x></p><h2>H</h2>b", [NO, ("G", "", ""), ("H", "x", "b")], "between two headings"),
    ("a\ue0030\ue004b", [("", "", "ab")], "our own marks on a page"),
    ("<p id=x>\ue0039\ue004a", [("", "", "a", ((0, "x"),))], "and of a number that nothing has"),
]
SIGNS = [
    ("<section id=x><h2>H<a class=headerlink href=#x>¶</a></h2></section>", "H", "x", "Sphinx"),
    ("<div id=x><p>a<h2>H <a class=headerlink href=#x>¶</a></h2></div>", "H", "x", "its sign's target"),
    ("<h2 id=x>H <a class=permalink href=#x>¶</a></h2>", "H", "x", "httpd"),
    ("<h2 id=x>H<a href=#x>§</a></h2>", "H", "x", "no word, however it is called"),
    ("<h2 id=x><a class=anchor href=#x></a>H</h2>", "H", "x", "Asciidoctor"),
    ("<h3>H<span><a class=mark href=#x id=x>#</a></span></h3>", "H", "x", "Node: the sign has the id"),
    ("<h2 id=x>H<a class=hash-link href=#x>\u200b</a></h2>", "H", "x", "Docusaurus"),
    ("<h2 id=x>H <a class=permalink href=#x>Permalink</a></h2>", "H", "x", "a sign in words"),
    ("<h2 id=x><a class=anchor href=#x>H</a></h2>", "H", "x", "the heading itself is the link"),
    ("<h2 id=x><a href=#x>H</a></h2>", "H", "x", "the same without a class"),
    ("<h2><a href=#toc>3.1</a> H</h2>", "3.1 H", "", "a number is no sign"),
    ("<h2 id=x>H <a href=/y>¶</a></h2>", "H", "x", "a sign that leads elsewhere"),
    ("<div id='a b'><p>a<h2>H<a class=headerlink href=#a%20b>¶</a></h2></div>", "H", "a b", "escaped"),
]


def read(html: str) -> Page:
    return read_html(html.encode(), "http://h/", "text/html; charset=utf-8", [])


@pytest.mark.parametrize(("html", "sections", "why"), ANCHORS, ids=[why for *_, why in ANCHORS])
def test_anchors_stand_in_the_text(html: str, sections: list[tuple[Any, ...]], why: str) -> None:
    for page in (html, f"<nav>Menu</nav><main>{html}</main>"):
        assert read(page).sections == tuple(Section(*one) for one in sections), why


@pytest.mark.parametrize(("html", "heading", "fragment", "why"), SIGNS, ids=[why for *_, why in SIGNS])
def test_signs_lead_to_headings_and_are_none_of_their_words(
    html: str, heading: str, fragment: str, why: str
) -> None:
    found = read(html).sections[1]
    assert (found.heading, found.fragment) == (heading, fragment), why


@pytest.mark.parametrize("sign", ["¶", "§", "#", "", "Permalink"])
def test_terms_have_signs_as_well(sign: str) -> None:
    page = read(f"<dl><dt>f <a class=permalink href=#x>{sign}</a><dd id=x>b</dl>")
    assert [(one.fragment, one.text) for one in page.sections] == [("", ""), ("x", "f\t\nb")]


def test_anchors_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_ANCHORS", 2)
    assert read("<p id=x>a<p id=y>b<p id=z>c").sections[0].anchors == ((0, "x"), (2, "y"))


PIECES = """
    <p> <p|id=a> <span|id=b> </span> <ul> <li|id=c> </ul> <table> <tr|id=d> <td> <td|id=e> </table> <dl>
    <dt> <dt|id=x> <dd> <dd|id=f> </dl> <h2> <h2|id=h> </h2> <div|id=g> </div> <a|name=y> </a> f g|h 1 . |
    <main> <main|id=m> </main> <section|id=z> </section> <nav> </nav> <br> <i|id=n> </i> <pre|id=o> </pre>
"""
BODIES = st.lists(st.sampled_from(PIECES.split()), max_size=40).map(
    lambda said: "".join(said).replace("|", " ")
)


@settings(max_examples=300)
@given(BODIES)
def test_anchors_change_no_word_of_a_page(html: str) -> None:
    """So the fingerprint of a page that was read before is what it was."""
    page = read(html)
    plain = read(re.sub(r"<(\w+) (?:id|name)=\w+>", r"<\1>", html))
    assert page.text.replace(CELL_END, "") == plain.text.replace(CELL_END, "")  # a section may end in a row
    assert compute_digests(page) == compute_digests(plain)


@pytest.mark.slow
@settings(max_examples=300)
@given(BODIES)
def test_anchors_stand_within_their_texts_in_order(html: str) -> None:
    for section in read(html).sections:
        places = [place for place, _ in section.anchors]
        assert places == sorted(places)
        assert all(0 <= place <= len(section.text) for place in places)
        assert section.fragment not in [fragment for _, fragment in section.anchors]
