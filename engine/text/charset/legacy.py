"""Decodes legacy charsets as browsers do (Encoding Standard, 9 to 14), by Python's codecs where these agree.

Where they differ: octets that Python knows no character for and browsers do, other characters for the same
octets, and where the reading goes on behind octets that are none: an ASCII octet is never swallowed.
"""

import codecs
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from w3lib.encoding import to_unicode

from engine.text.charset.declared import REPLACEMENT, USER_DEFINED
from engine.text.charset.iso_2022_jp import split_segments

GBK = "gbk"  # 10.1: read as GB 18030, but written without its four octets
NONE = "\ufffe"  # Python: in a table, an octet without a character
LOST = "\ufffd"  # replaces octets that are no character

_OF_KANA, _OF_THREE = 0x8E, 0x8F  # first octets in EUC-JP: of half-width kana, of JIS X 0212
_TILDE, _WIDE_TILDE = b"\x8f\xa2\xb7", b"\xa1\xc1"  # Python reads the first as ASCII's
_KEPT = range(0x80, 0xA0)  # octets that a charset of Windows does not know are controls
_HOLES = {"cp1255": {0xCA: "\u05ba"}, "koi8-u": {0xAE: "\u045e", 0xBE: "\u040e"}}


def decode_bytes(body: bytes, charset: str) -> str:
    """Decodes octets in a charset, by Python's name for it; LOST replaces what is no character."""
    if charset == REPLACEMENT:
        return LOST if body else ""
    if charset == "iso2022_jp":
        return "".join(
            text if kanji is None else _decode_kanji(kanji) for text, kanji in split_segments(body)
        )
    if charset in _MULTIPLE:
        return _decode_multi_byte(body, charset)
    if charset == USER_DEFINED or charset.startswith("cp12") or charset in ("cp874", "koi8-u"):
        return codecs.charmap_decode(body, "replace", single_byte_table(charset))[0]
    return to_unicode(body, charset)


@cache
def single_byte_table(charset: str) -> str:
    """Builds the 256 characters of a charset of one octet a character; NONE where there is none."""
    if charset == USER_DEFINED:
        return "".join(map(chr, (*range(0x80), *range(0xF780, 0xF800))))
    known = [bytes([octet]).decode(charset, "replace") for octet in range(256)]
    for octet in _KEPT if charset.startswith("cp") and charset != "cp866" else ():
        known[octet] = chr(octet) if known[octet] == LOST else known[octet]
    for octet, character in _HOLES.get(charset, {}).items():
        known[octet] = character
    return "".join(known).replace(LOST, NONE)


def _decode_kanji(pairs: bytes) -> str:
    """Decodes pairs of octets of JIS X 0208 that are shifted down to ASCII."""
    return _decode_multi_byte(bytes(octet | 0x80 for octet in pairs), "euc_jp")


def _decode_multi_byte(body: bytes, charset: str) -> str:
    if charset == "euc_jp" and _TILDE in body:
        body = body.replace(_TILDE, _WIDE_TILDE)
    text = body.decode(charset, f"browser-{charset}")
    before, after = _load_replacements().get(charset, ("", ""))
    for ours, theirs in zip(before, after, strict=True):
        text = text.replace(ours, theirs)
    return text


Found = tuple[str, int]
"""What some octets are, and at which octet the reading goes on."""


def _failed_octets(error: UnicodeError) -> tuple[bytes, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object, error.start


def _replace_invalid(octets: bytes, at: int, length: int = 2) -> Found:
    """Replaces a character of so many octets that is none; an ASCII octet among them is read again."""
    last = at + length - 1
    return LOST, last if last < len(octets) and octets[last] < 0x80 else min(last + 1, len(octets))


def _handle_big5(error: UnicodeError) -> Found:
    octets, at = _failed_octets(error)
    if found := _load_big5_characters().get(octets[at : at + 2]):
        return found, at + 2
    return _replace_invalid(octets, at, 1 if octets[at] in (0x80, 0xFF) else 2)


def _handle_gb18030(error: UnicodeError) -> Found:
    octets, at = _failed_octets(error)
    if octets[at] in (0x80, 0xFF):
        return "€" if octets[at] == 0x80 else LOST, at + 1
    if not octets[at + 1 : at + 2].isdigit():
        return _replace_invalid(octets, at)
    third, fourth = octets[at + 2 : at + 3], octets[at + 3 : at + 4]
    if (third and not b"\x81" <= third <= b"\xfe") or (fourth and not fourth.isdigit()):
        return LOST, at + 1
    return LOST, min(at + 4, len(octets))


def _handle_euc_jp(error: UnicodeError) -> Found:
    octets, at = _failed_octets(error)
    lead, second = octets[at], octets[at + 1 : at + 2]
    if lead == _OF_THREE and second and 0xA1 <= second[0] <= 0xFE:
        return _replace_invalid(octets, at, 3)
    if 0xA1 <= lead <= 0xFE and second and 0xA1 <= second[0] <= 0xFE:
        row, cell = lead - 0xA1, second[0] - 0xA1
        return decode_pointer(row * 94 + cell), at + 2
    return _replace_invalid(octets, at, 2 if lead in (_OF_KANA, _OF_THREE) or 0xA1 <= lead <= 0xFE else 1)


def decode_pointer(pointer: int) -> str:
    """Decodes a pointer of the index JIS X 0208, as Shift_JIS has it: NEC's and IBM's, too."""
    lead, trail = divmod(pointer, 188)
    octets = (lead + (0x81 if lead < 0x1F else 0xC1), trail + (0x40 if trail < 0x3F else 0x41))
    return bytes(octets).decode("cp932", "replace")[:1]


def _handle_shift_jis(error: UnicodeError) -> Found:
    octets, at = _failed_octets(error)
    return _replace_invalid(octets, at, 2 if 0x81 <= octets[at] <= 0x9F or 0xE0 <= octets[at] <= 0xFC else 1)


def _handle_euc_kr(error: UnicodeError) -> Found:
    octets, at = _failed_octets(error)
    return _replace_invalid(octets, at, 1 if octets[at] in (0x80, 0xFF) else 2)


_MULTIPLE: Mapping[str, Callable[[UnicodeError], Found]] = {
    "big5hkscs": _handle_big5,
    "gb18030": _handle_gb18030,
    "euc_jp": _handle_euc_jp,
    "cp932": _handle_shift_jis,
    "cp949": _handle_euc_kr,
}
for _charset, _handler in _MULTIPLE.items():
    codecs.register_error(f"browser-{_charset}", _handler)


@cache
def _load_big5_characters() -> Mapping[bytes, str]:
    """Loads characters of Big5 that Python does not know, by their octets."""
    return {bytes.fromhex(octets): character for octets, character in _load_tables()["more"].items()}


@cache
def _load_replacements() -> Mapping[str, tuple[str, str]]:
    """Loads, by charset, the characters that Python has and those that browsers have in their place."""
    return {name: (both[0], both[1]) for name, both in _load_tables()["other"].items()}


@cache
def _load_tables() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(
        Path(__file__).with_name("legacy.json").read_text(encoding="utf-8")
    )
    return found
