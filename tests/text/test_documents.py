"""A body becomes a page by its media type."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import PageError
from engine.robots import Directives
from engine.text import READABLE, read

URL = "http://h/x"

TYPES = [
    ("text/html; charset=utf-8", b"<p>a", "text/html", "HTML"),
    ("Text/HTML", b"a", "text/html", "in any case"),
    ("application/xhtml+xml", b"<p>a</p>", "application/xhtml+xml", "XHTML"),
    ("text/plain", b"<p>a", "text/plain", "a type is believed"),
    ("", b" \n<!doctype html>", "text/html", "none: a tag at the beginning"),
    ("", b"\xef\xbb\xbf<p>", "text/html", "none: a tag behind a byte order mark"),
    ("", b"a < b", "text/plain", "none: no tag at the beginning"),
]


@pytest.mark.parametrize(("content_type", "body", "media_type", "why"), TYPES)
def test_media_types(content_type: str, body: bytes, media_type: str, why: str) -> None:
    assert read(body, URL, content_type, []).media_type == media_type, why


@pytest.mark.parametrize("content_type", ["image/png", "application/pdf", "text/html-not", "x"])
def test_what_nobody_reads_is_their_error(content_type: str) -> None:
    """Requirement 18."""
    with pytest.raises(PageError) as error:
        read(b"", URL, content_type, [])
    assert error.value.kind == "type"


def test_plain_text() -> None:
    page = read(
        "\n  Das  Titel \r\n\n<b>der Text</b> und so weiter\u2028Ende\n".encode(), URL, "text/plain", []
    )
    assert page.title == "Das Titel"
    assert page.text == "Das Titel\n<b>der Text</b> und so weiter\nEnde"
    assert page.language == "de"


def test_plain_text_obeys_the_header() -> None:
    """Requirement 218: what has no META has the header."""
    headers = [("X-Robots-Tag", "noindex, nofollow, max-snippet: 9, unavailable_after: 2010-06-25")]
    page = read(b"a", URL, "text/plain", headers)
    assert page.directives == Directives(False, False, True, 9, 1277424000.0)


def test_plain_text_has_a_canonical_url_in_its_header() -> None:
    """Requirement 226."""
    page = read(b"a", URL, "text/plain", [("Link", '</y>; rel="canonical"')])
    assert page.canonical == "http://h/y"


def test_elements_of_xhtml_may_be_empty() -> None:
    body = b'<html><head><title/><script src="x"/></head><body><a id="x"/><p>a<br/>b</p></body></html>'
    assert read(body, URL, "application/xhtml+xml", []).text == "a\nb"


@given(st.binary(max_size=300), st.sampled_from(["", *sorted(READABLE)]))
def test_any_bytes_of_a_type_we_read_are_a_page(body: bytes, content_type: str) -> None:
    assert read(body, URL, content_type, []).url == URL
