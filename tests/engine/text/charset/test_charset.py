"""Bytes -> text, as browsers do it (Encoding Standard; HTML, 13.2.3)."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.charset.charset import decode, to_utf_8
from engine.text.charset.declared import BROWSER_CHARSETS, LABELS, find_declared

RUSSIAN = "Поисковая машина читает страницы и запоминает, какие слова на них стоят. "
GERMAN = (
    "Größere Flüsse führen über weite Strecken häufig trübes, kühles Wasser; an den Ufern stehen Mühlen. "
)
POLISH = "Wieści niosą, że gęś śpiąca na łące ściga liście, więc ślusarz łaskawie wziął płócienną kiść."
NOISE = bytes(Random(1).choices(range(0x80, 0x100), k=200))
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
    (
        RUSSIAN.encode() + b"\xff \xff",
        "",
        RUSSIAN + "\ufffd \ufffd",
        "utf-8",
        "UTF-8 with slips is still UTF-8",
    ),
    (RUSSIAN.encode()[:-3], "", None, "utf-8", "a character is cut at the end of a body"),
    (GERMAN.encode("cp1252"), "text/html; charset=utf-8", GERMAN, "cp1252", "it cannot be UTF-8"),
    (GERMAN.encode(), "text/html; charset=iso-8859-1", GERMAN, "utf-8", "nobody writes Ã¶ and ÃŸ"),
    ("©".encode(), "text/html; charset=iso-8859-1", "©", "utf-8", "nor Â©"),
    (
        b"NESCAF\xc9\xae",
        "text/html; charset=iso-8859-1",
        "NESCAFÉ®",
        "cp1252",
        "what is UTF-8 by chance is no proof",
    ),
    ("同学".encode("gbk"), "text/html; charset=gbk", "同学", "gb18030", "nor are few Chinese characters"),
    (RUSSIAN.encode("koi8-r"), "text/html; charset=windows-1251", RUSSIAN, "koi8-r", "no words in it"),
    (RUSSIAN.encode("cp1251"), "text/html; charset=utf-8", RUSSIAN, "cp1251", "it cannot be UTF-8"),
    (
        META.format("windows-1251").encode() + RUSSIAN.encode("cp1251"),
        "text/html; charset=utf-8",
        META.format("windows-1251") + RUSSIAN,
        "cp1251",
        "header and META disagree: META fits",
    ),
    (
        META.format("koi8-r").encode() + RUSSIAN.encode("cp1251"),
        "text/html; charset=windows-1251",
        META.format("koi8-r") + RUSSIAN,
        "cp1251",
        "header and META disagree: the header fits",
    ),
    (
        META.format("iso-8859-2").encode() + "Młynarz też śpi".encode("iso8859-2"),
        "text/html; charset=iso-8859-1",
        META.format("iso-8859-2") + "Młynarz też śpi",
        "iso8859-2",
        "three words are no proof, but enough to choose between two declarations",
    ),
    (
        POLISH.encode("iso8859-2"),
        "text/html; charset=windows-1250",
        POLISH,
        "iso8859-2",
        "charsets that differ in few letters, both read in one language",
    ),
    (NOISE, "text/html; charset=windows-1251", None, "cp1251", "what is text in no charset proves nothing"),
    ("Вход".encode("cp1251"), "", "Вход", "cp1251", "a word has its capital in front"),
    (RUSSIAN.encode("utf-16-be"), "", RUSSIAN, "utf-16-be", "UTF-16 without a mark, undeclared"),
    (
        GERMAN.encode("utf-16-le"),
        "text/html; charset=utf-8",
        GERMAN,
        "utf-16-le",
        "every second byte is no letter of UTF-8",
    ),
    (GERMAN.encode(), "text/html; charset=utf-16", GERMAN, "utf-8", "a header that says UTF-16 of UTF-8"),
    (
        GERMAN.encode("cp1252"),
        "text/html; charset=utf-16",
        GERMAN,
        "cp1252",
        "a header that says UTF-16 of something else",
    ),
    (
        b"<p>some bytes\0 that were lost in \0UTF-8</p>",
        "",
        "<p>some bytes that were lost in UTF-8</p>",
        "utf-8",
        "a zero here and there is not UTF-16",
    ),
    ("検索".encode("iso2022_jp"), "", "検索", "iso2022_jp", "bytes of ASCII that switch to Kanji"),
    (RUSSIAN.encode("cp1251"), "text/html; charset=x-cp1251", RUSSIAN, "cp1251", "a label of browsers'"),
    (
        b"<meta charset='x-mac-cyrillic'>\x8f",
        "",
        "<meta charset='x-mac-cyrillic'>П",
        "mac-cyrillic",
        "a label of browsers', in META",
    ),
    (b"\xe4", "text/html; charset=iso_8859-5:1988", "ф", "iso8859-5", "a label with a colon"),
    (b"\x93", "text/html; charset=ANSI_X3.4-1968", "“", "cp1252", "a label with a full stop"),
    (b"<meta charset=iso_8859-7:1987>\xe1", "", "<meta charset=iso_8859-7:1987>α", "iso8859-7", "in META"),
    (b"<meta charset=x:y><meta charset=koi8-r>\xc1", "", None, "koi8-r", "the first label that is one"),
    (
        b"abc",
        "text/html; charset=iso-2022-kr",
        "\ufffd",
        "replacement",
        "what is there to deceive is not read",
    ),
    (b"caf\xe9", "", "café", "cp1252", "of charsets with the same letters the usual one"),
    (b"\xa9 2005", "", "© 2005", "cp1252", "signs alone are windows-1252"),
    (b"a\0b", "", "ab", "utf-8", "no database takes U+0000"),
    (b"", "", "", "utf-8", "nothing"),
]


@pytest.mark.parametrize(("body", "content_type", "text", "charset", "why"), CASES)
def test_decode(body: bytes, content_type: str, text: str | None, charset: str, why: str) -> None:
    found, name = decode(body, content_type)
    assert name == charset, why
    assert text is None or found == text, why
    assert to_utf_8(body, content_type)[0] == found.encode(), why


@given(
    st.binary(max_size=400),
    st.sampled_from(["", *(f"text/html; charset={name}" for name in BROWSER_CHARSETS)]),
)
def test_any_bytes_are_some_text(body: bytes, content_type: str) -> None:
    text, charset = decode(body, content_type)
    assert charset in BROWSER_CHARSETS or charset.startswith("utf-32")
    assert b"\0" not in text.encode()
    assert to_utf_8(body, content_type)[0] == text.encode()


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff"), max_size=200))
def test_utf_8_comes_back_as_it_was(text: str) -> None:
    assert decode(text.encode(), "text/plain; charset=utf-8") == (text, "utf-8")


@pytest.mark.parametrize(("label", "charset"), sorted(LABELS.items()))
def test_labels_of_the_encoding_standard(label: str, charset: str) -> None:
    """They are known in the header and in the page, in any case."""
    assert list(find_declared(b"", f"text/html; Charset={label.upper()}")) == [charset]
    inside = list(find_declared(f'<meta charset="{label}">'.encode(), ""))
    as_a_page = {"utf-16-le": "utf-8", "utf-16-be": "utf-8", "x-user-defined": "cp1252"}
    assert inside == [as_a_page.get(charset, charset)]


def test_text_behind_much_markup_is_found() -> None:
    """What is looked at is text that is not ASCII, not the first so many bytes."""
    page = "<style>p { margin: 0 }</style>" * 10_000 + "<p>" + RUSSIAN + "</p>"
    assert decode(page.encode("koi8-r"), "text/html") == (page, "koi8-r")


def test_the_language_of_a_page_informs() -> None:
    """One word alone may be read in many ways."""
    word = "mąż".encode("iso8859-2")
    assert decode(b"<html><p>" + word, "")[0].endswith("m運")
    assert decode(b'<html dir=ltr lang="pl-PL"><p>' + word, "")[0].endswith("mąż")
