"""Exact duplicates."""

from collections.abc import Sequence
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.model.page import Link, Page, Section
from engine.text.documents.documents import read_document
from engine.text.duplicates.fingerprint import compute_digests, compute_fingerprint
from engine.url import canonicalize


def page(*texts: str, url: str = "http://h/", title: str = "", links: Sequence[Link] = ()) -> Page:
    return Page(url, title=title, sections=tuple(Section("", "", text) for text in texts), links=links)


SAME = [
    (page("a b"), page("a\nb"), "lines aside"),
    (page("a b"), page("a\t\nb"), "rows aside"),
    (
        page("a b"),
        read_document(b"<p>a</p>\n b ", "http://h/", "text/html", []),
        "white space and markup aside",
    ),
    (
        page("a b"),
        read_document(b" a\t b\n\n", "http://h/", "text/plain", []),
        "white space of plain text aside",
    ),
    (page("a b"), page("a", "b"), "sections aside"),
    (page("A b"), page("a B"), "case aside"),
    (page("a"), page("a", links=(Link("http://h/x", "x"),)), "links are no part (requirement 57)"),
    (page("a"), page("a", url="http://other/", title="t"), "a mirror (requirement 55)"),
]


@pytest.mark.requirement(55, 57)
@pytest.mark.parametrize(("one", "other", "why"), SAME)
def test_duplicates(one: Page, other: Page, why: str) -> None:
    assert compute_fingerprint(one) == compute_fingerprint(other), why


@pytest.mark.requirement(57)
def test_links_count_where_the_operator_wants_it() -> None:
    """Pages that differ in href values alone."""
    one, other = (page("a", links=(Link(f"http://h/{n}", "x"),)) for n in range(2))
    assert compute_fingerprint(one) == compute_fingerprint(other)
    assert compute_fingerprint(one, links=True) != compute_fingerprint(other, links=True)
    assert compute_digests(one, links=True).fingerprint == compute_fingerprint(one, links=True)
    assert compute_digests(one, links=True).shape == compute_digests(other, links=True).shape
    assert compute_fingerprint(page("", links=one.links), links=True) == b"", "a page without text has none"


def test_headings_count() -> None:
    assert compute_fingerprint(Page("u", sections=(Section("h", "", "a"),))) != compute_fingerprint(page("a"))


def test_a_page_without_text_has_none() -> None:
    assert compute_fingerprint(page("", "")) == b""


SHAPES = [
    ("/a/b.html", "No /a/b.html here", "/c.html", "No /c.html here", True, "the path"),
    (
        "/a",
        "No http://h/a here",
        "/b/c",
        "No http://h/b/c here",
        True,
        "the URL, with a short name",
    ),
    ("/x/rabbit.html", "No rabbit here", "/hare.php", "No hare here", True, "the name without its suffix"),
    ("/big-rabbit/", "No big rabbit here", "/hare", "No hare here", True, "words as a title has them"),
    ("/caf%C3%A9", "No café here", "/hare", "No hare here", True, "decoded"),
    ("/?q=rabbit", "No q=rabbit here", "/?q=hare", "No q=hare here", True, "the query"),
    ("/Rabbit", "No RABBIT here", "/hare", "No hare here", True, "in any case"),
    ("/1", "Page 1 of 9, 12:30", "/2", "Page 20 of 90, 1:05 ", True, "numbers aside"),
    ("/rabbit", "A burrow", "/hare", "A form", False, "other words"),
    ("/a", "a thing", "/the", "thing", False, "a letter or two of a URL stand everywhere"),
]


@pytest.mark.requirement(81)
@pytest.mark.parametrize(("path", "text", "other_path", "other_text", "same", "why"), SHAPES)
def test_shape(path: str, text: str, other_path: str, other_text: str, same: bool, why: str) -> None:
    """An error page has one shape under each URL."""
    one = compute_digests(page(text, url=f"http://h{path}")).shape
    other = compute_digests(page(other_text, url=f"http://h{other_path}")).shape
    assert one
    assert (one == other) == same, why


def test_what_has_no_letters_has_no_shape() -> None:
    """Tables of numbers are pages, each its own."""
    assert compute_digests(page("1 2 3", "4.5")).shape == b""
    assert compute_digests(page("1 2 3", "4.5")).fingerprint == compute_fingerprint(page("1 2 3 4.5"))


@given(st.text(max_size=60), st.text(max_size=30))
def test_any_url_and_text_has_its_digests(text: str, path: str) -> None:
    url = canonicalize(quote(path, safe="/?&=%", errors="replace"), "http://h/")
    assert compute_digests(page(text, url=url)).fingerprint == compute_fingerprint(page(text))


@pytest.mark.requirement(56)
@given(st.text(max_size=30), st.text(max_size=30))
def test_other_words_other_fingerprint(one: str, other: str) -> None:
    one, other = (" ".join(text.split()) for text in (one, other))  # as read_document() leaves it
    same = one.casefold() == other.casefold()
    assert (compute_fingerprint(page(one)) == compute_fingerprint(page(other))) == same
