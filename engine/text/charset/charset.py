"""Decodes bytes by the rules of browsers: the declared charset, then detection.

Bytes overrule what is declared only where they prove it wrong: a browser would show signs and boxes.
"""

import re

from w3lib.encoding import read_bom

from engine.text.charset.declared import MULTIPLE, REPLACEMENT, find_declared, is_gbk
from engine.text.charset.legacy import GBK, decode_bytes
from engine.text.charset.utf16 import detect_utf_16

MIN_UTF_8 = 4  # UTF-8 characters that no text in a charset of several bytes a character has by chance
MIN_BROKEN = 3  # bytes that are no UTF-8, before it may be another charset: fewer are a slip

_SEVEN_BITS = frozenset(["utf-8", "iso2022_jp", REPLACEMENT])  # or proved to be none: never of other bytes
_SWITCH = re.compile(rb"\x1b\$[@B]")  # RFC 1468: from here on two bytes are a character


def decode(body: bytes, content_type: str) -> tuple[str, str]:
    """Decodes a body to its text and its charset's name; bytes that are none of it are replaced."""
    marked, mark = read_bom(body)
    if marked and mark:
        return _decode_as(body[len(mark) :], marked), marked
    declared = tuple(find_declared(body, content_type))
    if b"\0" in body or any(name.startswith("utf-16") for name in declared[:1]):
        order = detect_utf_16(body)
        if order:
            return _decode_as(body, order), order
    declared = tuple(name for name in declared if not name.startswith("utf-16"))
    text = _decode_utf_8(body)
    if text is None:
        return _decode_foreign(body, declared)
    if body.isascii():
        charset = declared[0] if declared else "iso2022_jp" if _SWITCH.search(body) else "utf-8"
    elif not declared or "utf-8" in declared or _is_utf_8(text, declared[0]):
        charset = "utf-8"
    else:
        charset = declared[0]
    if charset != "utf-8":
        return _decode_as(body, charset), charset
    return (_strip_nul(text) if b"\0" in body else text), charset


def to_utf_8(body: bytes, content_type: str) -> tuple[bytes, str]:
    """Transcodes a body to UTF-8; also gives the charset in which its links have their queries.

    Most bodies are in UTF-8 already, and none is written twice.
    """
    text, charset = decode(body, content_type)
    changed = charset != "utf-8" or "\ufffd" in text or b"\0" in body or read_bom(body)[0]
    if charset == "gb18030" and is_gbk(body, content_type):
        charset = GBK
    return text.encode() if changed else body, charset


def _decode_utf_8(body: bytes) -> str | None:
    """Decodes UTF-8, the last character of which may be cut; None if it is not UTF-8."""
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        cut = error.end == len(body) and "unexpected end" in error.reason
        text = body[: error.start].decode() if cut else ""
        return None if text.isascii() else text + "\ufffd"


def _is_utf_8(text: str, declared: str) -> bool:
    """Tells whether it is no chance that bytes declared as something else are UTF-8, too."""
    if declared in MULTIPLE:
        return _count_non_ascii(text) >= MIN_UTF_8
    foreign = {character for character in set(text) if not character.isascii()}
    # "NESCAFÉ®" in windows-1252 is valid UTF-8; "Ã©" is what nobody writes.
    return len(foreign) > 1 or not "\u0100" <= foreign.pop() < "\u0800"


def _count_non_ascii(text: str) -> int:
    return len(text) - len(text.encode("ascii", "ignore"))


def _decode_foreign(body: bytes, declared: tuple[str, ...]) -> tuple[str, str]:
    """Decodes a body that is not UTF-8, or not all of it; the text and its charset."""
    text = body.decode("utf-8", "replace")
    broken = text.count("\ufffd")
    sound = _count_non_ascii(text) - broken
    if sound > broken if not declared else declared[0] == "utf-8" and (sound > broken or broken < MIN_BROKEN):
        return _strip_nul(text), "utf-8"
    from engine.text.charset.proof import (
        choose_charset,  # here, because NumPy takes 0.1 s, and few pages need it
    )

    charset = choose_charset(body, tuple(name for name in declared if name not in _SEVEN_BITS))
    return _decode_as(body, charset), charset


def _decode_as(body: bytes, charset: str) -> str:
    return _strip_nul(decode_bytes(body, charset))


def _strip_nul(text: str) -> str:
    """Strips U+0000, which no page means and no database takes."""
    return text.replace("\0", "")
