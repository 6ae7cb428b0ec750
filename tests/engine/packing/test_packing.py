"""What is packed comes out as it went in, from an older Lycosa's databases, too."""

import json
from dataclasses import replace

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from engine.index.stored_pages.page_front import unpack_front
from engine.model.page import Flag, Link, Links, Page, Section
from engine.model.scanned_pages import ScannedPages
from engine.model.section_anchor import SectionAnchor
from engine.packing.packing import (
    pack,
    pack_robots,
    strip_links,
    unpack,
    unpack_links,
    unpack_rendered,
    unpack_robots,
    unpack_scanned,
    unpacked_size,
)
from engine.packing.texts import split_parts
from engine.robots import Directives, RobotsState, Verdict

URL, OTHER = "http://h.example/a", "http://other.example/a"
COLUMNS = {"url": URL, "language": "en", "media_type": "text/html"}

text = st.text(st.characters(exclude_categories=["Cs"]))
anchors = st.lists(st.builds(SectionAnchor, st.integers(0), text), max_size=3).map(tuple)


@given(
    text, text, st.lists(st.builds(Section, text, text, text, anchors)), st.lists(st.builds(Link, text, text))
)
def test_packing_loses_nothing(title: str, about: str, sections: list[Section], links: list[Link]) -> None:
    page = Page(URL, title, about, "en", "text/html", tuple(sections), tuple(links), Directives(follow=False))
    content = pack(page)
    assert unpack(content, COLUMNS) == unpack(strip_links(content), COLUMNS) == replace(page, links=())
    assert unpack_links(content) == Links.of(page.links)
    assert strip_links(strip_links(content)) == strip_links(content)
    first = unpack_front(strip_links(content))
    assert (first.title, first.description, first.max_snippet) == (title, about, None)
    assert first.text.octets.decode() == page.text


def test_every_field_is_packed() -> None:
    directives = Directives(archive=False, max_snippet=7)
    page = Page(URL, "T", directives=directives, keywords="k", rest="r\n", published=1.5, modified=2.0)
    for one in (page, replace(page, flag=Flag.PARKED, language="en", media_type="text/plain")):
        columns = {"url": URL, "language": one.language, "media_type": one.media_type}
        assert unpack(pack(one), columns) == one


def test_scanned_pages_are_packed_where_there_are_some() -> None:
    """Without a byte for all others: what is packed otherwise would be indexed again."""
    page = Page(URL, "T", language="en", scanned=ScannedPages(3, 12, 2), published=1.5)
    content = pack(page)
    assert unpack(content, COLUMNS).scanned == unpack_scanned(content) == ScannedPages(3, 12, 2)
    assert unpack_front(strip_links(content)).about.published == 1.5
    assert unpack_scanned(pack(replace(page, scanned=None))) is None
    assert b"scanned" not in split_parts(strip_links(pack(replace(page, scanned=None)))).rest
    assert unpack_scanned(_frame(FIELDS)) is None, "of an older Lycosa"


def test_rendered_pages_are_packed_as_such() -> None:
    """Without a byte for all others, as above."""
    page = Page(URL, "T", language="en", rendered=True)
    content = pack(page)
    assert unpack(content, COLUMNS).rendered
    assert unpack_rendered(content)
    assert not unpack_rendered(pack(replace(page, rendered=False)))
    assert b"rendered" not in split_parts(strip_links(pack(replace(page, rendered=False)))).rest
    assert not unpack_rendered(_frame(FIELDS)), "of an older Lycosa"


FIELDS = {"title": "T", "description": "", "sections": [["", "", "text"]], "archive": True, "follow": True}


def _frame(value: object) -> bytes:
    return zstandard.compress(json.dumps(value).encode())


ALONE = _frame(FIELDS)
OLDER = [
    (_frame({**FIELDS, "links": [[OTHER, "x", True, False]]}), "version 5: links among the other fields"),
    (
        len(ALONE).to_bytes(4, "little") + ALONE + _frame([[OTHER], ["x"], [True], [False]]),
        "version 6: links apart, all in JSON",
    ),
]


@pytest.mark.parametrize(("old", "why"), OLDER, ids=[why for _, why in OLDER])
def test_pages_that_an_older_lycosa_packed_are_read(old: bytes, why: str) -> None:
    page = unpack(old, COLUMNS)
    assert (page.title, page.text, page.links) == ("T", "text", ()), why
    assert unpack_links(old) == ([OTHER], ["x"], [True], [False]), why
    assert unpack(strip_links(old), COLUMNS) == page, why


def test_the_size_is_that_of_what_is_unpacked() -> None:
    """A rebuild bounds its memory by it."""
    long = Page(URL, sections=(Section("", "", "text " * 10_000),), links=(Link(OTHER, "x" * 10_000),))
    for page, least in ((long, 60_000), (replace(long, links=()), 50_000), (Page(URL), 0)):
        assert least <= unpacked_size(pack(page)) < least + 400
    assert (
        unpacked_size(OLDER[0][0])
        > unpacked_size(OLDER[1][0])
        > unpacked_size(ALONE)
        == len(json.dumps(FIELDS))
    )


@given(st.binary())
def test_packing_robots_loses_nothing(body: bytes) -> None:
    state = RobotsState(Verdict.OBEY, body, 1.5, 2.5, 200, 0, "etag", "")
    assert unpack_robots(pack_robots(state)) == state
