"""Octets in legacy charsets are the characters that browsers make of them (Encoding Standard, 9 to 14).

What is expected was read off Chromium's TextDecoder and the standard's indexes.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.charset.charset import decode
from engine.text.charset.declared import LABELS
from engine.text.charset.legacy import LOST, decode_bytes

KANJI = b"\x1b$B"

CASES = [
    ("euc_jp", b"\xad\xa1\xad\xeafx\xfc\xe2\xa4\xa2", "①㈱fx髙あ", "NEC's row 13, IBM's kanji, what follows"),
    ("euc_jp", b"\x8f\xb0\xa1\x8e\xb1", "丂ｱ", "JIS X 0212, and half-width kana"),
    ("euc_jp", b"\xa1\xc1\xa1\xdd\xa1\xf1", "～－￠", "signs as Windows has them"),
    ("euc_jp", b"~\x8f\xa2\xb7~", "~～~", "the tilde of JIS X 0212 is not ASCII's"),
    ("euc_jp", b"\xa4<b>\xa4\xa2", f"{LOST}<b>あ", "an ASCII octet is never swallowed"),
    ("euc_jp", b"\x8f\xb0<b>", f"{LOST}<b>", "nor by three"),
    ("euc_jp", b"\xa9\xa1\xa4\xa2", f"{LOST}あ", "a row without characters"),
    ("euc_jp", b"\xa4\xa2\xa4", f"あ{LOST}", "cut within a character"),
    ("cp932", b"\x87\x40\x87\x8a\xfb\xfc\xfa\xfc", "①㈱髙浯", "NEC's row 13, IBM's kanji"),
    ("cp932", b"\x82<\x82\xa0", f"{LOST}<あ", "an ASCII octet is never swallowed"),
    ("cp932", b"a\xa0\xfd\xfeb", f"a{LOST}{LOST}{LOST}b", "octets that Python has private characters for"),
    ("cp932", b"\xf0\x40", "\ue000", "characters of one's own"),
    ("cp932", b"\x80", "\x80", "as browsers do"),
    ("gb18030", b"\x80\xa2\xe3", "€€", "the euro of GBK, and of GB 18030"),
    ("gb18030", b"\xa3\xa0\xa6\xd9\xfe\x59", "\u3000\ufe10\u9fb4", "GB 18030-2022"),
    ("gb18030", b"\x81\x30<\xc4\xe3", f"{LOST}0<你", "four octets that are none: read on from the second"),
    ("gb18030", b"\xc4<\xff\xc4\xe3", f"{LOST}<{LOST}你", "an octet that is none"),
    ("gb18030", b"\x81\x30\x81", LOST, "cut within a character: one sign"),
    ("big5hkscs", b"\x87\x7a\xa3\xe1\xc6\xde", "㡵€〃", "HKSCS-2008, and what Eten added"),
    ("big5hkscs", b"\xa1\x45\xa2\x46\xa1\xc2", "‧￠¯", "signs as browsers have them"),
    ("big5hkscs", b"\x88\x62", "\u00ca\u0304", "a character that is two"),
    ("big5hkscs", b"\xa7<\xa7A", f"{LOST}<你", "an ASCII octet is never swallowed"),
    ("cp949", b"\x81\x41\xb0\xa1\xb0<", f"갂가{LOST}<", "UHC"),
    ("cp949", b"\xc9\xa1\xb0\xa1", f"{LOST}가", "a row that is the user's"),
    ("iso2022_jp", KANJI + b"\x2d\x21\x2d\x6a\x7c\x62$\"\x1b(Bx", "①㈱髙あx", "NEC's row 13 and IBM's kanji"),
    ("iso2022_jp", b"\x1b(J\\~\x1b(I1\x1b(B\\", "¥‾ｱ\\", "Roman letters, kana"),
    ("iso2022_jp", b"\x1b$@$\"\x1b(B\x1b", f"あ{LOST}", "JIS C 6226, and an escape that is none"),
    ("iso2022_jp", KANJI + b"\x1b(Bx", f"{LOST}x", "nothing between two escapes"),
    ("iso2022_jp", KANJI + b"$\"\n$\"\x1b(Bx", f"あ{LOST}あx", "a line's end among kanji"),
    ("iso2022_jp", b"a\x80\x0eb", f"a{LOST}{LOST}b", "octets that are none"),
    ("cp1252", b"\x81\x93", "\x81“", "controls where Windows has nothing"),
    ("cp1255", b"\xca\x81\xd9", f"\u05ba\x81{LOST}", "a point that Python lacks, and octets that are none"),
    ("cp874", b"\x81\xa1\xff", f"\x81ก{LOST}", "windows-874"),
    ("koi8-u", b"\xae\xbe\xa4", "ўЎє", "with the letters of KOI8-RU"),
    ("iso8859-8", b"\xe0\xfd", "א\u200e", "ISO-8859-8-I"),
    ("x-user-defined", b"a\x80\xff", "a\uf780\uf7ff", "x-user-defined"),
    ("replacement", b"whatever", LOST, "replacement"),
    ("replacement", b"", "", "replacement of nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("charset", "octets", "text", "why"), CASES)
def test_octets_are_what_browsers_make_of_them(charset: str, octets: bytes, text: str, why: str) -> None:
    assert decode_bytes(octets, charset) == text, why


@pytest.mark.parametrize("label", ["euc-jp", "iso-2022-jp", "shift_jis"])
def test_a_page_keeps_its_circled_digits_and_what_follows(label: str) -> None:
    """As a page, declared and not: a firm's name is often written with ㈱ and 髙."""
    python = {"euc-jp": "euc_jp", "iso-2022-jp": "iso2022_jp", "shift_jis": "cp932"}[label]
    prose = "日本語の文章を検索するためのページです。会社の名前はここにあります。" * 3
    marked = prose.encode("iso2022_jp" if label == "iso-2022-jp" else python)
    added = {
        "euc-jp": b"\xad\xa1\xad\xea\xfc\xe2",
        "iso-2022-jp": KANJI + b"\x2d\x21\x2d\x6a\x7c\x62\x1b(B",
        "shift_jis": b"\x87\x40\x87\x8a\xfb\xfc",
    }[label]
    for header in (f"text/html; charset={label}", ""):
        assert decode(marked + b" " + added + b" " + marked, header)[0] == f"{prose} ①㈱髙 {prose}"


@given(st.binary(max_size=60), st.sampled_from(sorted({*LABELS.values()})))
def test_any_octets_are_text_and_no_markup_is_lost(octets: bytes, charset: str) -> None:
    """A charset that swallows `<` lets a stranger's text out of its element."""
    text = decode_bytes(octets, charset)
    assert text.isascii() or text.encode("utf-16", "surrogatepass")
    if charset.startswith(("euc", "cp9", "koi8", "iso8859")) and not charset.endswith("932"):
        assert text.count("<") == octets.count(b"<")
