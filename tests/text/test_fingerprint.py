"""Exact duplicates: requirements 55-57."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.page import Link, Page, Section
from engine.text import fingerprint, read


def page(*texts: str, url: str = "http://h/", title: str = "", links: tuple[Link, ...] = ()) -> Page:
    return Page(url, title=title, sections=tuple(Section("", "", text) for text in texts), links=links)


SAME = [
    (page("a b"), page("a\nb"), "lines aside"),
    (page("a b"), read(b"<p>a</p>\n b ", "http://h/", "text/html", []), "white space and markup aside"),
    (page("a b"), read(b" a\t b\n\n", "http://h/", "text/plain", []), "white space of plain text aside"),
    (page("a b"), page("a", "b"), "sections aside"),
    (page("A b"), page("a B"), "case aside"),
    (page("a"), page("a", links=(Link("http://h/x", "x"),)), "links are no part (requirement 57)"),
    (page("a"), page("a", url="http://other/", title="t"), "a mirror (requirement 55)"),
]


@pytest.mark.parametrize(("one", "other", "why"), SAME)
def test_duplicates(one: Page, other: Page, why: str) -> None:
    assert fingerprint(one) == fingerprint(other), why


def test_headings_count() -> None:
    assert fingerprint(Page("u", sections=(Section("h", "", "a"),))) != fingerprint(page("a"))


def test_a_page_without_text_has_none() -> None:
    assert fingerprint(page("", "")) == b""


@given(st.text(max_size=30), st.text(max_size=30))
def test_other_words_other_fingerprint(one: str, other: str) -> None:
    """Requirement 56."""
    one, other = (" ".join(text.split()) for text in (one, other))  # as read() leaves it
    same = one.casefold() == other.casefold()
    assert (fingerprint(page(one)) == fingerprint(page(other))) == same
