"""A body becomes a page by its media type, or by what it is where its server does not know."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.config import READABLE, ReadingLimits
from engine.errors import PageError
from engine.formats import DOCX, FORMATS, ODT, PPTX
from engine.robots import Directives
from engine.text.documents.documents import read_document
from engine.text.documents.media_type import sniff_media_type
from tests.office import office_files
from tests.papers import docx, pdf, word

URL = "http://h/x"
TYPES_BY_NAME = {one.name: one.media_types[0] for one in FORMATS}

TYPES = [
    ("text/html; charset=utf-8", b"<p>a", "text/html", "HTML"),
    ("Text/HTML", b"a", "text/html", "in any case"),
    ("application/xhtml+xml", b"<p>a</p>", "application/xhtml+xml", "XHTML"),
    ("text/plain", b"<p>a", "text/plain", "a type is believed"),
    ("", b" \n<!doctype html>", "text/html", "none: a tag at the beginning"),
    ("", b"\xef\xbb\xbf<p>", "text/html", "none: a tag behind a byte order mark"),
    ("", b"a < b", "text/plain", "none: no tag at the beginning"),
    ("text/markdown", b"# A\nb", "text/markdown", "Markdown is plain text"),
    ("text/x-markdown;charset=utf-8", b"# A\nb", "text/markdown", "under its old name"),
    ("text/plain; charset=utf-16", "a".encode("utf-16-le"), "text/plain", "zeros that are letters"),
    ("text/plain", "a".encode("utf-16"), "text/plain", "zeros behind a byte order mark"),
    ("text/plain", b"%PDF-1.4 begins a PDF", "application/pdf", "which no text begins with"),
    ("text/plain", b"It begins with %PDF-1.4", "text/plain", "a text may speak of it"),
    ("application/x-pdf", pdf(["a"]), "application/pdf", "an old name"),
    ("application/octet-stream", pdf(["a"]), "application/pdf", "a server that knows only HTML"),
    ("text/html", pdf(["a"]), "application/pdf", "a program that forgot its header"),
    ("", b"\r\n \0" + pdf(["a"]), "application/pdf", "none, and something before it"),
    ("application/octet-stream", docx(word("a")), DOCX, "a package"),
    ("application/force-download", docx(word("a")), DOCX, "one to be saved"),
    *[("", body, TYPES_BY_NAME[name], f"a package of {name}") for name, body in office_files().items()],
    (f"{PPTX[:-12]}slideshow", office_files()["pptx"], PPTX, "slides that show themselves"),
    (f"{ODT}-template", office_files()["odt"], ODT, "a template"),
]


@pytest.mark.parametrize(("content_type", "body", "media_type", "why"), TYPES)
def test_media_types(content_type: str, body: bytes, media_type: str, why: str) -> None:
    assert sniff_media_type(content_type, body) == media_type, why


UNREAD = [
    ("image/png", b"", "a picture"),
    ("text/html-not", b"<p>a", "a type that nobody knows"),
    ("x", b"<p>a", "no type"),
    ("htm", b"<p>a", "what people type is not what servers say"),
    ("application/octet-stream", b"<p>a", "MIME Sniffing, 7: to be saved, not shown"),
    ("application/zip", docx(word("a")), "what its server knows to be something else"),
    ("text/plain", b"\x7fELF\x02\x01\x01\0\0", "a program without a type of its own"),
    ("", b"\x89PNG\r\n\x1a\n\0\0", "a picture without a type"),
]


@pytest.mark.requirement(18)
@pytest.mark.parametrize(("content_type", "body", "why"), UNREAD)
def test_what_nobody_reads_is_their_error(content_type: str, body: bytes, why: str) -> None:
    with pytest.raises(PageError) as error:
        read_document(body, URL, content_type, [])
    assert error.value.kind == "type", why


@pytest.mark.requirement(262)
@pytest.mark.parametrize(("content_type", "body", "media_type", "why"), TYPES)
def test_only_what_the_operator_wants_is_read(
    content_type: str, body: bytes, media_type: str, why: str
) -> None:
    """Also where only the body tells what it is."""
    with pytest.raises(PageError) as error:
        read_document(body, URL, content_type, [], ReadingLimits(READABLE - {media_type}))
    assert error.value.kind == "type", why


def test_plain_text() -> None:
    page = read_document(
        "\n  Das  Titel \r\n\n<b>der Text</b> und so weiter\u2028Ende\n".encode(), URL, "text/plain", []
    )
    assert page.title == "Das Titel"
    assert page.text == "Das Titel\n<b>der Text</b> und so weiter\nEnde"
    assert page.language == "de"


@pytest.mark.requirement(229)
def test_a_title_in_markdown() -> None:
    assert read_document(b"\n# The Title\n\ntext", URL, "text/markdown", []).title == "The Title"


def test_a_text_without_end_is_cut() -> None:
    page = read_document(b"this and that of which\n" * 90_000, URL, "text/plain", [])
    assert page.cut
    assert 1_999_000 < len(page.text) <= 2_000_000


@pytest.mark.requirement(218)
def test_plain_text_obeys_the_header() -> None:
    """What has no META has the header."""
    headers = [("X-Robots-Tag", "noindex, nofollow, max-snippet: 9, unavailable_after: 2010-06-25")]
    page = read_document(b"a", URL, "text/plain", headers)
    assert page.directives == Directives(False, False, True, 9, 1277424000.0)


@pytest.mark.requirement(226)
def test_plain_text_has_a_canonical_url_in_its_header() -> None:
    page = read_document(b"a", URL, "text/plain", [("Link", '</y>; rel="canonical"')])
    assert page.canonical == "http://h/y"


CDATA = [
    ("<p>a<![CDATA[ <b> & c]]></p>", "a <b> & c", "its marks are letters"),
    ("<script>//<![CDATA[\nif (a<b) x()\n//]]></script><p>a</p>", "a", "around a script"),
    ("<p>a</p><![CDATA[b", "a\nb</body></html>", "one that does not end takes the rest"),
]


@pytest.mark.parametrize(("body", "text", "why"), CDATA)
def test_sections_of_xhtml_that_are_no_markup(body: str, text: str, why: str) -> None:
    html = (
        f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body>{body}</body></html>'
    )
    assert read_document(html.encode(), URL, "application/xhtml+xml", []).text == text, why


def test_elements_of_xhtml_may_be_empty() -> None:
    body = b'<html><head><title/><script src="x"/></head><body><a id="x"/><p>a<br/>b</p></body></html>'
    assert read_document(body, URL, "application/xhtml+xml", []).text == "a\nb"


@given(st.binary(max_size=300), st.sampled_from(["", *sorted(READABLE)]))
def test_any_bytes_of_a_type_we_read_are_a_page_or_none(body: bytes, content_type: str) -> None:
    try:
        assert read_document(body, URL, content_type, []).url == URL
    except PageError as error:
        if "html" in content_type or error.kind not in ("type", "broken"):
            raise
