"""RTF: paragraphs in any code page, and files that were made to stop their reader."""

import itertools
from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import PageError
from engine.formats import RTF
from engine.model.page import Link, Page, Section
from engine.text.documents import text_builder
from engine.text.documents.documents import read_document
from engine.text.documents.media_type import sniff_media_type
from engine.text.documents.source import DocumentSource
from engine.text.office.rtf import read_rtf

URL = "http://h.example/files/old_letter.rtf"
INFO = (
    r"{\info{\title The {\b old} letter}{\author Nobody}{\operator Somebody}"
    r"{\creatim\yr2020\mo1\dy2\hr3\min4\sec5}{\revtim\yr2021\mo1\dy1}{\printim\yr1999}}"
)
FONTS = (
    r"{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 MS Mincho;}"
    r"{\f3\fcharset238{\*\panose 020b}Arial CE{\*\falt Arial};}{\f4\fnil\cpg1253 Greek;}"
    r"{\f5\fcharset2 Symbol;}}"
)


def page_of(text: str, head: str = r"\ansi\ansicpg1252") -> Page:
    return read_document((rf"{{\rtf1{head}" + text + "}").encode("latin-1"), URL, RTF, [])


@pytest.mark.requirement(17)
def test_headings_part_the_text() -> None:
    body = (
        r"\pard Before.\par\pard\outlinelevel0 First\par\pard Text.\par More.\par"
        r"\pard\outlinelevel1{\b Sec}ond\par\pard\outlinelevel9 End.\par"
    )
    page = page_of(FONTS + INFO + body)
    assert page.sections == (
        Section("", "", "Before."),
        Section("First", "", "Text.\nMore."),
        Section("Second", "", "End."),
    )
    assert (page.title, page.media_type, page.cut) == ("The old letter", RTF, False)
    assert (page.published, page.modified) == (1577934245.0, 1609459200.0)


FIELD = r"{{\field{{\*\fldinst {}}}{{\fldrslt {}}}}}"
ORDINARY = [
    (r"{\b wo}{\i rd}", "word", "a word in two groups"),
    ("wo\r\nrd", "word", "line ends of the file mean nothing"),
    ("a\\par b\\\nc\\\rd", "a\nb\nc\nd", "paragraphs"),
    (r"a\tab b\line c", "a b c", "breaks"),
    (r"caf\'e9 \'80 caf\'E9", "café € café", "the document's code page"),
    ("caf\xe9", "café", "octets as they are"),
    (r"\f1 \'cf\'e0\'f3\'ea{\f3 \'e8}\plain\'e9", "Паукčé", "code pages of fonts"),
    (r"\f2 \'8b\'9e\'93s", "京都", "of two octets, of which one may be a letter"),
    (r"\f4\'e1\f9\'e1", "αá", "of a font by its number, and of one that is not there"),
    (r"\u1055?\u1072\'e0\u-4064?", "Па\uf020", "Unicode, and what stands for it elsewhere"),
    (r"\uc0\u1055\u1072 x\uc2\u26481\'93\'8cy", "Паx東y", "with none, and with two octets for it"),
    (r"{\uc3 \u1055 abc}\u1072 xy", "Паy", "as many as the group says"),
    (r"\u1055\par\u1072\b b", "П\nаb", "with nothing for it, where there should be"),
    (r"\u-10179?\u-8704?", "😀", "in two halves"),
    (r"\u-10179? alone", "� alone", "a half alone"),
    (r"a\~b\_c\-d\emdash e \lquote f\rquote", "a b-cd—e ‘f’", "signs"),
    (r"\{a\\b\}", r"{a\b}", "escapes"),
    (r"a{\v hidden}\v more\v0 b", "ab", "hidden text"),
    (r"a\deleted x\deleted0 b{\deleted y}\plain c", "abc", "what was taken back"),
    (r"{\header x\par}{\footerr y}a{\*\annotation z\par}", "a", "heads, feet, comments"),
    (r"{\*\unknown x}{\unknown a}", "a", "groups that nobody knows"),
    (r"{\pict\pngblip 89504e47}a{\*\shppict{\pict x}}{\nonshppict{\pict x}}", "a", "pictures"),
    (r"{\pict\bin7 {{{}\\}}a", "a", "one in octets"),
    (r"{\shp{\*\shpinst{\sp{\sn x}{\sv y}}{\shptxt box}}{\shprslt x}}", "box", "a box of text"),
    (r"\trowd a\cell b\cell\row\trowd c\cell\cell d\cell\row e", "a\t\nb\nc\t\nd\ne", "rows"),
    (r"{\listtext \'b7\tab}one\par{\pntext 2.}two", "one\ntwo", "signs of lists"),
    (r"{\stylesheet{\s1 heading 1;}}{\colortbl;\red0;}{\*\generator x;}a", "a", "tables"),
    (FIELD.format("PAGE", "7"), "7", "the result of a field"),
    (r"{\*a}b", "ab", "a star before no word"),
    ("a{b{c", "abc", "groups that do not end"),
    ("a}}}b", "a", "that end too often: nothing follows the document"),
    ("", "", "nothing"),
]


@pytest.mark.parametrize(("body", "text", "why"), ORDINARY, ids=[why for *_, why in ORDINARY])
def test_what_a_person_reads(body: str, text: str, why: str) -> None:
    assert page_of(FONTS + body).text == text, why


CODE_PAGES = [
    (r"\mac", r"\'8e", "é", "a Macintosh"),
    (r"\pc", r"\'82", "é", "DOS"),
    (r"\ansi\ansicpg1251", r"\'ef", "п", "Windows, elsewhere"),
    (r"\ansi\ansicpg65001", r"\'c3\'a9", "é", "UTF-8"),
    (r"\ansi\ansicpg99999", r"\'e9", "é", "one that nobody knows"),
    (r"\ansi\ansicpg932", r"\'93\'8c", "東", "two octets"),
    (r"\ansi\ansicpg10000", r"\'8e", "é", "a Macintosh by its number"),
]


@pytest.mark.parametrize(("head", "body", "text", "why"), CODE_PAGES)
def test_code_pages(head: str, body: str, text: str, why: str) -> None:
    assert page_of(body, head).text == text, why


@pytest.mark.requirement(13)
def test_links() -> None:
    body = (
        "See "
        + FIELD.format(r'HYPERLINK "../a.html#part"', r"{\ul the first}")
        + FIELD.format(r'{HYPERLINK "/b.html" \\t "_blank"}', "second")
        + FIELD.format(r'HYPERLINK \\l "here"', "inside")
        + FIELD.format('HYPERLINK "javascript:alert(1)"', "script")
        + r"\par\u1055 "
        + FIELD.format('HYPERLINK "/c.html"', r"a\par b")
    )
    assert page_of(body).links == (
        Link("http://h.example/a.html", "the first"),
        Link("http://h.example/b.html", "second"),
        Link("http://h.example/c.html", "b"),
    )


@pytest.mark.requirement(229)
@pytest.mark.parametrize(
    ("body", "title", "why"),
    [
        (INFO + r"\outlinelevel0 Head\par", "The old letter", "what it is called"),
        (r"a\par\outlinelevel0 Head\par", "Head", "a heading"),
        (r"{\info{\title Document1}}a", "a", "what all are called; a line says more"),
        (r"{\info{\title \'cf\u1072?}}a", "Ïа", "in a code page"),
        ("", "old letter", "nothing at all"),
    ],
)
def test_titles(body: str, title: str, why: str) -> None:
    assert page_of(body).title == title, why


@pytest.mark.parametrize("content_type", ["text/rtf", "application/x-rtf", "text/plain", "", "text/html"])
def test_it_is_known_by_its_server_or_by_its_first_bytes(content_type: str) -> None:
    for begin in (b"", b"\xef\xbb\xbf", b"\r\n"):
        body = begin + rb"{\rtf1 a}"
        assert sniff_media_type(content_type, body) == RTF
        assert read_document(body, URL, content_type, []).text == "a"


BROKEN = [
    (b"", "nothing"),
    (b"plain text", "a text"),
    (b"{", "a brace"),
    (b"{\\rt", "half a word"),
    (b"{rtf1 a}", "no backslash"),
    (b"\\rtf1 a", "no group"),
    (b"x{\\rtf1 a}", "something before it"),
    (b"<html>{\\rtf1 a}", "a page about it"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a Word document under another name"),
    ("{\\rtf1 a}".encode("utf-16"), "UTF-16, which it never is"),
    (b"PK\x03\x04{\\rtf1 a}", "a zip"),
]


@pytest.mark.requirement(18)
@pytest.mark.parametrize(("body", "why"), BROKEN, ids=[why for _, why in BROKEN])
def test_what_is_none(body: bytes, why: str) -> None:
    with pytest.raises(PageError, match="broken"):
        read_document(body, URL, RTF, [])


@pytest.mark.requirement(18)
def test_groups_inside_each_other_have_an_end() -> None:
    assert page_of("{" * 900 + "a").text == "a"
    with pytest.raises(PageError, match="broken"):
        page_of("{" * 1_000 + "a")


HOSTILE: list[tuple[Callable[[], str], str, str]] = [
    (lambda: r"\bin99999999999 x", "", "octets without end"),
    (lambda: r"\bin-9 x", "x", "fewer than none"),
    (lambda: r"\u99999999999 \u-99999999999 a" + r"\uc9999999\u97 bcd", "", "numbers without end"),
    (lambda: "a" + "\\" + "x" * 100_000, "", "a word without end"),
    (lambda: r"{\info{\title " + "x" * 1_000_000 + "}{" + r"\creatim\yr99999\mo99}}a", "a", "a title"),
    (lambda: FIELD.format('HYPERLINK "' + "x" * 1_000_000 + '"', "a"), "a", "a link without end"),
    (
        lambda: r"{\fonttbl" + "".join(rf"{{\f{n}\fcharset204 x;}}" for n in range(20_000)) + "}a",
        "a",
        "fonts",
    ),
    (
        lambda: (r"{\field{\*\fldinst HYPERLINK " + '"x"}{' + r"\fldrslt ") * 400 + "a",
        "a",
        "fields in fields",
    ),
]


@pytest.mark.requirement(18)
@pytest.mark.parametrize(("body", "text", "why"), HOSTILE, ids=[why for *_, why in HOSTILE])
def test_hostile_files(body: Callable[[], str], text: str, why: str) -> None:
    page = page_of(body())
    assert not text or page.text == text, why
    assert len(page.title) < 400


def test_what_is_very_long_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_builder, "MAX_TEXT", 12)
    page = page_of(r"one of ours\par two\par")
    assert (page.text, page.cut) == ("one of ours", True)


def test_what_takes_long_is_cut() -> None:
    """With a clock that goes on by 0.3 s a look, some thousand tokens are read."""
    ticks = itertools.count(0, 0.3)
    body = rb"{\rtf1 " + b"".join(rb"word %d\par " % n for n in range(20_000)) + b"}"
    page = read_rtf(DocumentSource(body, URL, RTF, [], 2.0), lambda: next(ticks))
    assert page.cut
    assert 500 < len(page.text.split("\n")) < 5_000
    long = DocumentSource(rb"{\rtf1 " + rb"\b word " * 20_000, URL, RTF, [], 2.0)
    assert read_rtf(long, lambda: next(ticks)).text.startswith("word word"), "of one paragraph, too"


@given(st.lists(st.sampled_from(["{", "}", "\\", "\\*", *(one for one, *_ in ORDINARY), "\\u5", "\\'8b"])))
def test_any_groups_are_read_or_refused(pieces: list[str]) -> None:
    with suppress(PageError):
        page_of(FONTS + "".join(pieces))
