"""Bytes -> text, as browsers do it (Encoding Standard; HTML, 13.2.3)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text import decode
from engine.text.charset import BROWSER_CHARSETS

RUSSIAN = "Поисковая машина читает страницы и запоминает, какие слова на них стоят. "
META = '<meta charset="{}">'

CASES = [
    ("é".encode(), "", "é", "utf-8", "valid UTF-8 needs no declaration"),
    (
        b"\xef\xbb\xbf\xc3\xa9",
        "text/html; charset=latin1",
        "é",
        "utf-8",
        "a byte order mark outranks the header",
    ),
    ("é".encode("utf-16"), "", "é", "utf-16-le", "UTF-16 by its mark"),
    (b"\xe9", "text/html; charset=utf-8", "\ufffd", "utf-8", "bad bytes are replaced"),
    (b"\x93a\x94", "text/html; charset=ISO-8859-1", "“a”", "cp1252", "browsers read latin-1 as windows-1252"),
    (b"\xcf", 'text/html; charset="windows-1251"', "П", "cp1251", "a quoted label"),
    (b"\xb1\xe6", "text/html; charset=iso-8859-2", "ąć", "iso8859-2", "the header is believed"),
    (META.format("koi8-r").encode() + b"\xf0", "", META.format("koi8-r") + "П", "koi8-r", "META"),
    (b'<?xml version="1.0" encoding="cp866"?>\x8f', "", None, "cp866", "the XML declaration"),
    (
        META.format("koi8-r").encode() + b"\xcf",
        "text/html; charset=cp1251",
        None,
        "cp1251",
        "header before META",
    ),
    ("é".encode(), "text/html; charset=klingon", "é", "utf-8", "an unknown label says nothing"),
    (
        META.format("utf-16").encode(),
        "",
        META.format("utf-16"),
        "utf-8",
        "METAs that can be read are not UTF-16",
    ),
    (b"abc", "text/html; charset=rot13", "abc", "utf-8", "Python's own codecs are not for strangers"),
    (b"x-abc", "text/html; charset=punycode", "x-abc", "utf-8", "least of all slow ones"),
    (RUSSIAN.encode("cp1251"), "", RUSSIAN, "cp1251", "undeclared: the detector"),
    (RUSSIAN.encode("koi8-r"), "text/html", RUSSIAN, "koi8-r", "undeclared: the detector"),
    ("中文搜索引擎".encode("gb18030") * 9, "", "中文搜索引擎" * 9, "gb18030", "undeclared: the detector"),
    (b"a\0b", "", "ab", "utf-8", "no database takes U+0000"),
    (b"", "", "", "utf-8", "nothing"),
]


@pytest.mark.parametrize(("body", "content_type", "text", "charset", "why"), CASES)
def test_decode(body: bytes, content_type: str, text: str | None, charset: str, why: str) -> None:
    found, name = decode(body, content_type)
    assert name == charset, why
    assert text is None or found == text, why


@given(
    st.binary(max_size=400),
    st.sampled_from(["", *(f"text/html; charset={name}" for name in BROWSER_CHARSETS)]),
)
def test_any_bytes_are_some_text(body: bytes, content_type: str) -> None:
    text, charset = decode(body, content_type)
    assert charset in BROWSER_CHARSETS or charset.startswith("utf-32")
    assert b"\0" not in text.encode()


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff"), max_size=200))
def test_utf_8_comes_back_as_it_was(text: str) -> None:
    assert decode(text.encode(), "text/plain; charset=utf-8") == (text, "utf-8")
