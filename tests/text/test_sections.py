"""Headings keep the ids by which links reach them, in generated pages and in those of real sites."""

import os
from collections.abc import Iterator

import pytest
from selectolax.lexbor import LexborHTMLParser

from engine.text import decode, read
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
]


@pytest.mark.parametrize(("shape", "why"), SHAPES, ids=[why for _, why in SHAPES])
def test_every_section_has_its_fragment(shape: str, why: str) -> None:
    names = [f"part-{number}" for number in range(30)]
    body = "".join(shape.format(id=name, text=f"What {name} is about.") for name in names)
    sections = read(f"<h1>Title</h1>{body}".encode(), "http://h/", "text/html", []).sections
    assert [(one.heading, one.fragment) for one in sections[2:]] == [(name, name) for name in names], why


@pytest.mark.sites
@pytest.mark.parametrize(("package", "folder", "main"), SITES, ids=[package for package, *_ in SITES])
def test_headings_of_real_pages_are_kept_with_their_ids(package: str, folder: str, main: str) -> None:
    sites = os.environ.get("LYCOSA_SITES", "")
    if not sites:
        pytest.skip("LYCOSA_SITES names no folder of real sites")
    wanted = found = 0
    for path in sorted((ROOT / sites / package / folder).rglob("*.html"))[::EVERY]:
        body = path.read_bytes()
        there = {one.fragment for one in read(body, "http://h/", "text/html", []).sections}
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
