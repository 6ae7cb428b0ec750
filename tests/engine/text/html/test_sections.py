"""Headings and terms keep the ids by which links reach them, in generated pages and those of real sites."""

import os
import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from engine.model.page import CELL_END, Section
from engine.text.charset.charset import decode
from engine.text.documents.documents import read_document
from engine.text.duplicates.fingerprint import compute_digests
from engine.text.html import sections as room
from tests.conftest import ROOT

LEAST = 0.95  # of the headings with ids
EVERY = 8  # pages of a site, one is read
SITES = [
    ("python3.11-doc", "usr/share/doc/python3.11/html", "[role=main]"),
    ("apache2-doc", "usr/share/doc/apache2-doc/manual", "#page-content"),
]

SHAPES = [
    (
        '<section id="{id}"><h2>{id}<a class="headerlink" href="#{id}">¶</a></h2><p>{text}</p></section>',
        "Sphinx",
    ),
    ('<div class="section"><h2><a id="{id}" name="{id}">{id}</a></h2><p>{text}</p></div>', "httpd"),
    ('<div class="section" id="{id}"><div><div><h2>{id}</h2></div></div><p>{text}</p></div>', "DocBook"),
    ('<h2 id="{id}">{id}</h2><p>{text}</p>', "AsciiDoc"),
    ('<h2><span class="mw-headline" id="{id}">{id}</span></h2><p>{text}</p>', "MediaWiki"),
    ('<p>{text}</p><a name="{id}"></a><h2>{id}</h2>', "1999"),
    ('<p>{text}</p><a name="{id}"></a>\n<!-- a --><!-- b -->\n<h2>{id}</h2>', "comments before it"),
]


@pytest.mark.parametrize(("shape", "why"), SHAPES, ids=[why for _, why in SHAPES])
def test_every_section_has_its_fragment(shape: str, why: str) -> None:
    names = [f"part-{number}" for number in range(30)]
    body = "".join(shape.format(id=name, text=f"What {name} is about.") for name in names)
    sections = read_document(f"<h1>Title</h1>{body}".encode(), "http://h/", "text/html", []).sections
    assert [(one.heading, one.fragment) for one in sections[2:]] == [(name, name) for name in names], why


NO = ("", "", "")
TERMS = [
    (
        '<dl><dt class="sig" id="s.f"><em>class </em><span>f</span>(<em>a</em>)<a class="headerlink" '
        'href="#s.f">¶</a></dt><dd><p>b</p></dd></dl>',
        [NO, ("", "s.f", "class f(a)\nb")],
        "Sphinx",
    ),
    ("<dl><dt><a name=x>f</a><dd>b</dl>", [NO, ("", "x", "f\nb")], "1999"),
    ("<dl><dt><a id=x></a><samp>f</samp><dd>b</dl>", [NO, ("", "x", "f\nb")], "javadoc"),
    ("<dl><dt><span><a id=x></a>f</span><dd>b</dl>", [NO, ("", "x", "f\nb")], "DocBook"),
    (
        "<dl><div><dt id=x>f<dd>b</div><div><dt id=y>g</div></dl>",
        [NO, ("", "x", "f\nb"), ("", "y", "g")],
        "DIV",
    ),
    ("<dl><dt>f<dd>b</dl>", [("", "", "f\nb")], "nothing to link to"),
    (
        "<dl><dt>see <a id=x>f</a><dd>b</dl>",
        [("", "", "see f\nb", ((4, "x"),))],
        "an anchor for a part of it",
    ),
    ("<dl><dt><a href=/x id=''>f</a><dd>b</dl>", [("", "", "f\nb")], "an id that is none"),
    (f"<dl><dt id={'x' * 201}>f<dd>b</dl>", [("", "", "f\nb")], "an id too long to be one"),
    ("<dl><dt id=x>f<dt id=y>g<dd>b</dl>", [NO, ("", "x", "f"), ("", "y", "g\nb")], "two with one text"),
    ("<dl><dt id=x><dt id=y>g</dl>", [NO, ("", "y", "g", ((0, "x"),))], "one that says nothing"),
    ("<dl><dt id=x hidden>f<dd>b</dl>", [("", "", "b")], "one that is not seen"),
    ("<nav><dl><dt id=x>f</dl></nav><p>b", [("", "", "b")], "one in the menu"),
    ("<dl><dt id=x><h3>f</h3><dd>b</dl>", [NO, ("f", "x", "b")], "a heading in it"),
    ("<h2>H<dl><dt id=x>f</dl></h2>b", [NO, ("H f", "x", "b")], "one in a heading"),
    (
        "<h2 id=h>H</h2>a<dl><dt id=x>f<dd>b</dl>c",
        [NO, ("H", "h", "a"), ("", "x", "f\nb"), ("", "h", "c")],
        "behind the list the section goes on",
    ),
    ("a<dl><dt id=x>f</dl>c", [("", "", "a"), ("", "x", "f"), ("", "", "c")], "which may have no id"),
    (
        "<dl><dt id=x>f<dd>a<dl><dt id=y>g<dd>b</dl>c<dt id=z>h</dl>d",
        [NO, ("", "x", "f\na"), ("", "y", "g\nb"), ("", "x", "c"), ("", "z", "h"), ("", "", "d")],
        "methods of a class",
    ),
    (
        "<h2 id=h>H</h2><dl><dt>a<dd>b<dt id=x>f</dl>",
        [NO, ("H", "h", "a\nb"), ("", "x", "f")],
        "before the first with an id it is the section's",
    ),
    (
        "<dl><dt id=x>f<dd>a<h3 id=h>H</h3>b</dl>c",
        [NO, ("", "x", "f\na"), ("H", "h", "b"), ("", "", "c")],
        "a heading in the text",
    ),
    ("\ue0001\ue001a\ue0000\ue001b", [NO, ("", "", "a"), ("", "", "b")], "our own marks on a page"),
]


@pytest.mark.parametrize(("html", "sections", "why"), TERMS, ids=[why for *_, why in TERMS])
def test_what_is_defined_has_a_section(html: str, sections: list[tuple[str, str, str]], why: str) -> None:
    for page in (html, f"<nav>Menu</nav><main>{html}</main>"):
        found = read_document(page.encode(), "http://h/", "text/html; charset=utf-8", []).sections
        told = tuple(one._replace(text=one.text.replace(CELL_END, "")) for one in found)
        assert told == tuple(Section(*one) for one in sections), why


def test_terms_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "MAX_SECTIONS", 2)
    page = read_document(b"<dl><dt id=x>a<dt id=y>b<dt id=z>c</dl>d", "http://h/", "text/html", [])
    assert [one.text for one in page.sections] == ["", "a", "b\nc", "d"]


PIECES = """
    <dl> </dl> <dt> <dt|id=x> <dt|id=s.f> <dd> <h2|id=h> </h2> <p> <div> </div> <nav> </nav> f g(a) 1 .
    <a|name=y> </a> <main> </main> <section|id=z> </section> <script> </script> <aside>
"""
BODIES = st.lists(st.sampled_from(PIECES.split()), max_size=40).map(
    lambda said: " ".join(said).replace("|", " ")
)


@pytest.mark.requirement(55)
@settings(max_examples=200)
@given(BODIES)
def test_ids_of_terms_change_no_word_of_a_page(html: str) -> None:
    """So the fingerprint of a page that was read before is what it was."""
    page = read_document(html.encode(), "http://h/", "text/html", [])
    without = re.sub("<dt id=[^>]*>", "<dt>", html).replace("<a name=y>", "<a>")
    plain = read_document(without.encode(), "http://h/", "text/html", [])
    assert page.text.replace(CELL_END, "") == plain.text.replace(CELL_END, "")
    assert compute_digests(page) == compute_digests(plain)


@pytest.mark.sites
@pytest.mark.parametrize(("package", "folder", "main"), SITES, ids=[package for package, *_ in SITES])
def test_headings_of_real_pages_are_kept_with_their_ids(package: str, folder: str, main: str) -> None:
    sites = os.environ.get("LYCOSA_SITES", "")
    if not sites:
        pytest.skip("LYCOSA_SITES names no folder of real sites")
    wanted = found = 0
    for path in sorted((ROOT / sites / package / folder).rglob("*.html"))[::EVERY]:
        body = path.read_bytes()
        there = {one.fragment for one in read_document(body, "http://h/", "text/html", []).sections}
        names = list(_ids(body, main))
        wanted += len(names)
        found += sum(name in there for name in names)
    assert wanted > 500
    assert found >= LEAST * wanted


def _ids(body: bytes, main: str) -> Iterator[str]:
    """The id of each heading in the main part: its own, one in it, or that of the section it opens."""
    tree = LexborHTMLParser(decode(body, "")[0])
    for heading in tree.css(",".join(f"{main} h{level}" for level in range(1, 7))):
        inner = heading.css_first("a[id],a[name],span[id]")
        said = inner.attributes if inner is not None else {}
        around = heading.parent.id if heading.parent is not None and heading.parent.tag == "section" else ""
        if name := heading.id or said.get("id") or said.get("name") or around:
            yield name
