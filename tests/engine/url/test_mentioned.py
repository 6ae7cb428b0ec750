"""URLs among words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.url.mentioned import find_urls

POSTING = """From: somebody@h.example
Subject: Re: new pages

> I have put it at <URL:http://h.example/~me/page.html>, and the old one
> (http://h.example/old_(1994)) stays. See also https://o.example:8443/a?b=c&d=e.
ftp://h.example/pub is for files; www.h.example is no URL, mailto:me@h.example neither.
"""


@pytest.mark.requirement(9)
def test_three_urls_among_prose() -> None:
    assert list(find_urls(POSTING)) == [
        "http://h.example/~me/page.html",
        "http://h.example/old_(1994)",
        "https://o.example:8443/a?b=c&d=e",
    ]


@pytest.mark.parametrize(
    ("text", "found", "why"),
    [
        ("HTTP://H.example/", ["HTTP://H.example/"], "schemes have no case"),
        ("http://h.example/a.html.", ["http://h.example/a.html"], "the end of a sentence"),
        ("http://h.example/?q=what?!", ["http://h.example/?q=what"], "its mood"),
        ('"http://h.example/a"', ["http://h.example/a"], "quotation marks"),
        ("[1]: http://h.example/a]", ["http://h.example/a"], "a bracket that it does not open"),
        ("http://h.example/f(x)", ["http://h.example/f(x)"], "one that it does"),
        ("*http://h.example/a*", ["http://h.example/a"], "emphasis"),
        ("см. http://h.example/стр, и", ["http://h.example/стр"], "any script"),
        (
            "见http://h.example/页。再见",
            ["http://h.example/页。再见"],
            "no space: what follows may be its path",
        ),
        ("见 http://h.example/a。", ["http://h.example/a"], "a full stop of theirs"),
        ("http://", [], "no host"),
        ("http://...", [], "none is left"),
        ("xhttp://h.example/", [], "another scheme"),
        ("http://u:p@h.example/", ["http://u:p@h.example/"], "a candidate: who takes it in refuses it"),
    ],
)
def test_where_it_ends(text: str, found: list[str], why: str) -> None:
    assert list(find_urls(text)) == found, why


@given(st.text(alphabet="htps:/.()[]a <>\n\0"))
def test_whatever_is_written(text: str) -> None:
    for url in find_urls(text):
        assert url in text
        assert url.lower().startswith(("http://", "https://"))
