"""EPUB: chapters in reading order, and books that were made to stop their reader."""

import itertools
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import PageError
from engine.formats import EPUB
from engine.model.page import Link, Page
from engine.text.documents import epub
from engine.text.documents.documents import read_document
from engine.text.documents.epub import MAX_CHAPTER, read_epub
from engine.text.documents.media_type import sniff_media_type
from engine.text.documents.source import DocumentSource
from tests.epubs import chapter, epub_parts
from tests.papers import package

URL = "http://h.example/books/spiders.epub"
CIPHER = (
    '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
    'xmlns:e="http://www.w3.org/2001/04/xmlenc#"><e:EncryptedData><e:CipherData>'
    '<e:CipherReference URI="{}"/></e:CipherData></e:EncryptedData></encryption>'
)


def packed(more: Mapping[str, str | bytes]) -> bytes:
    """A zip whose first entry is the media type, not compressed (EPUB 3.3, 4.3)."""
    return package({"mimetype": EPUB, **{name: text for name, text in more.items() if name != "mimetype"}})


def page_of(body: bytes, content_type: str = EPUB) -> Page:
    return read_document(body, URL, content_type, [])


def test_a_book_is_a_page_of_its_chapters() -> None:
    page = page_of(packed(epub_parts()))
    assert (page.title, page.language, page.description) == ("On Spiders", "en", "Eight legs.")
    assert [(section.heading, section.text) for section in page.sections if section.text] == [
        ("Webs", "A web is spun. On"),
        ("Legs", "There are eight of them."),
    ]
    assert page.links == (Link("http://o.example/eight", "eight"),), "links within the book lead nowhere"
    assert page.media_type == EPUB
    assert not page.cut


@pytest.mark.parametrize(
    ("body", "headings", "why"),
    [
        (
            packed(epub_parts(spine='<itemref idref="c1"/><itemref idref="c0"/>')),
            "Legs Webs",
            "the spine's order",
        ),
        (packed(epub_parts(spine='<itemref idref="c1"/>')), "Legs", "what is not in the spine is not read"),
        (
            packed(epub_parts(spine='<itemref idref="c0" linear="no"/><itemref idref="c1"/>')),
            "Legs",
            "nor what is beside it, such as answers to a quiz",
        ),
        (
            packed(epub_parts(spine='<itemref idref="css"/><itemref idref="c1"/>')),
            "Legs",
            "nor what is no text",
        ),
        (packed(epub_parts(folder="a b")), "Webs Legs", "a folder with a space"),
        (
            packed(
                epub_parts({"one%20two.xhtml": chapter("Webs", "x")})
                | {"OEBPS/one two.xhtml": chapter("Webs", "x")}
            ),
            "Webs",
            "escapes in a part's name",
        ),
    ],
)
def test_chapters_in_reading_order(body: bytes, headings: str, why: str) -> None:
    assert " ".join(one.heading for one in page_of(body).sections if one.heading) == headings, why


@pytest.mark.parametrize("content_type", [EPUB, "application/octet-stream", ""])
def test_a_book_is_known_by_its_server_or_by_its_first_bytes(content_type: str) -> None:
    body = package({"mimetype": EPUB}, zipfile.ZIP_STORED)
    assert sniff_media_type(content_type, body) == EPUB


REFUSED: list[tuple[Callable[[], bytes], str, str]] = [
    (lambda: b"no zip", "broken", "no package"),
    (lambda: package({"mimetype": EPUB}), "type", "a package with no book"),
    (lambda: packed(epub_parts() | {"META-INF/container.xml": "<x"}), "broken", "a broken container"),
    (
        lambda: packed(epub_parts() | {"OEBPS/book.opf": "<!DOCTYPE p [<!ENTITY a 'b'>]><p>&a;</p>"}),
        "broken",
        "entities",
    ),
    (
        lambda: packed({n: t for n, t in epub_parts().items() if "two" not in n}),
        "broken",
        "a chapter is missing",
    ),
    (
        lambda: packed(epub_parts({"a.xhtml": " " * (MAX_CHAPTER + 1)}, meta="")),
        "too large",
        "a chapter of four megabytes, packed in few",
    ),
    (
        lambda: packed(epub_parts() | {"META-INF/encryption.xml": CIPHER.format("OEBPS/text/one.xhtml")}),
        "encrypted",
        "a chapter that needs a key",
    ),
]


@pytest.mark.parametrize(("body", "kind", "why"), REFUSED, ids=[why for _, _, why in REFUSED])
def test_what_cannot_be_read(body: Callable[[], bytes], kind: str, why: str) -> None:
    with pytest.raises(PageError) as error:
        page_of(body())
    assert error.value.kind == kind, why


def test_fonts_may_be_encrypted() -> None:
    made = epub_parts() | {"META-INF/encryption.xml": CIPHER.format("OEBPS/a.otf")}
    assert page_of(packed(made)).title == "On Spiders"


def test_a_book_without_a_title_is_called_by_its_first_heading() -> None:
    assert page_of(packed(epub_parts(meta=""))).title == "Webs"


def test_what_takes_long_is_cut() -> None:
    """With a clock that goes on by 0.3 s a look, three chapters are read in half of two seconds."""
    ticks = itertools.count(0, 0.3)
    body = packed(epub_parts({f"{n}.xhtml": chapter(f"Chapter {n}", "words") for n in range(20)}))
    page = read_epub(DocumentSource(body, URL, EPUB, [], 2.0), lambda: next(ticks))
    assert page.cut
    assert [one.heading for one in page.sections if one.heading] == [f"Chapter {n}" for n in range(4)]


LONG_BOOKS = [
    (("Webs", "a" * 90), ("Legs", "b"), ("Webs",), "one chapter is longer than a book may be"),
    (("Webs", "a" * 30), ("Legs", "b" * 30), ("Webs", "Legs"), "two chapters are, together"),
    (("Webs" * 25, "a"), ("Legs", "b"), (("Webs" * 25)[:40],), "a heading is"),
    (("Webs", ""), ("L" * 50, "b"), ("Webs", "L" * 36), "two headings are, together"),
]


@pytest.mark.parametrize(("one", "two", "headings", "why"), LONG_BOOKS)
def test_a_long_book_is_cut(
    one: tuple[str, str],
    two: tuple[str, str],
    headings: tuple[str, ...],
    why: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(epub, "MAX_TEXT", 40)
    page = page_of(packed(epub_parts({"one.xhtml": chapter(*one), "two.xhtml": chapter(*two)})))
    assert page.cut
    assert sum(len(section.heading) + len(section.text) for section in page.sections) == 40, why
    assert tuple(section.heading for section in page.sections if section.heading) == headings, why


def test_a_book_has_as_many_links_as_any_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(epub, "MAX_LINKS", 3)
    four = " ".join(f"<a href='http://o.example/{n}'>{n}</a>" for n in range(4))
    assert len(page_of(packed(epub_parts({"one.xhtml": chapter("Webs", four)}))).links) == 3
    three = {f"{n}.xhtml": chapter("Webs", f"<a href='http://o.example/{n // 2}'>on</a>") for n in range(9)}
    assert [link.url[-1] for link in page_of(packed(epub_parts(three))).links] == ["0", "1", "2"]


@given(st.binary(max_size=200), st.integers(0, 600))
def test_damaged_books_are_refused_or_read(noise: bytes, at: int) -> None:
    whole = packed(epub_parts())
    body = whole[:at] + noise + whole[at + len(noise) :]
    with suppress(PageError):
        page_of(body)
