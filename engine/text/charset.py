"""Bytes -> Unicode text, by the rules of browsers: what is declared, then what the bytes say themselves."""

from collections.abc import Iterator

import cchardet
from w3lib.encoding import (
    html_body_declared_encoding,
    http_content_type_encoding,
    read_bom,
    resolve_encoding,
    to_unicode,
)

MAX_DETECTED = 64 * 1024  # bytes the detector looks at; more did not change its mind on any sample

_NAMES = """
    utf-8 utf-16 utf-16-be utf-16-le gb18030 gbk big5hkscs euc_jp iso2022_jp cp932 cp949 koi8-r koi8-u
    cp866 cp874 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 mac-roman mac-cyrillic
    iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-10 iso8859-13 iso8859-14
    iso8859-15 iso8859-16
"""
BROWSER_CHARSETS = frozenset(_NAMES.split())
"""Python's names for the charsets of the Encoding Standard, 4.2; its other codecs are not for strangers."""

LAST_RESORT = "cp1252"  # Encoding Standard: what a browser falls back to for most of the world


def decode(body: bytes, content_type: str) -> tuple[str, str]:
    """The text of a body and the name of its charset; bytes that are none of the charset's are replaced."""
    marked, mark = read_bom(body)
    if marked and mark:
        return _text(body[len(mark) :], marked), marked
    for charset in _declared(body, content_type):
        if charset in BROWSER_CHARSETS:
            return _text(body, charset), charset
    try:
        return _without_nul(body.decode()), "utf-8"
    except UnicodeDecodeError:
        charset = _detected(body)
        return _text(body, charset), charset


def _declared(body: bytes, content_type: str) -> Iterator[str | None]:
    """What the HTTP header says, and then what META or the XML declaration says."""
    yield http_content_type_encoding(content_type)
    inside = html_body_declared_encoding(body)
    # HTML, 13.2.3.2: who could read the declaration byte by byte is not reading UTF-16.
    yield "utf-8" if inside and inside.startswith("utf-16") else inside


def _detected(body: bytes) -> str:
    """What undeclared bytes that are not UTF-8 look like."""
    guess = cchardet.detect(body[:MAX_DETECTED])["encoding"]
    charset = resolve_encoding(guess) if guess else None
    return charset if charset in BROWSER_CHARSETS else LAST_RESORT


def _text(body: bytes, charset: str) -> str:
    return _without_nul(to_unicode(body, charset))


def _without_nul(text: str) -> str:
    """The text without U+0000, which no page means and no database takes."""
    return text.replace("\0", "")
