"""Decodes ISO-2022-JP as browsers do (Encoding Standard, 13.2)."""

import re
from collections.abc import Callable, Iterator, Mapping

LOST = "\ufffd"
ESCAPE = 0x1B
_ROMAN = {0x5C: "\u00a5", 0x7E: "\u203e"}  # JIS X 0201 differs from ASCII in these
_TO_ROMAN = str.maketrans({own: chr(octet) for octet, own in _ROMAN.items()})
_KANA = range(0x21, 0x60)  # half-width katakana, from U+FF61 on
_SWITCH = re.compile(rb"\x1b(?:\(([BJI])|\$([@B]))")
_PLAIN, _ROMAN_SET, _KANA_SET, _KANJI = b"B", b"J", b"I", b"$"
_ESCAPES = {_PLAIN: b"\x1b(B", _ROMAN_SET: b"\x1b(J", _KANJI: b"\x1b$B"}
_PAIRS = re.compile(rb"(?:[\x21-\x7e]{2})+")

Segment = tuple[str, bytes | None]
"""Text, or else pairs of octets that are kanji."""


def split_segments(body: bytes) -> Iterator[Segment]:
    """Splits a body into segments: each ends where it switches to another set of characters."""
    start, characters, empty = 0, _PLAIN, False
    for switch in _SWITCH.finditer(body):
        piece = body[start : switch.start()]
        yield from _decode_segment(piece, characters)
        if empty and not piece:
            yield LOST, None  # nothing between two switches: it may hide something (13.2.1)
        start, characters, empty = switch.end(), switch[1] or _KANJI, True
    yield from _decode_segment(body[start:], characters)


def _decode_segment(piece: bytes, characters: bytes) -> Iterator[Segment]:
    if characters != _KANJI:
        yield "".join(_decode_character(octet, characters) for octet in piece), None
        return
    end = 0
    while end < len(piece):
        if pairs := _PAIRS.match(piece, end):
            yield "", pairs[0]
            end = pairs.end()
        else:
            end += 2 if piece[end] in range(0x21, 0x7F) and piece[end + 1 : end + 2] != b"\x1b" else 1
            yield LOST, None


def _decode_character(octet: int, characters: bytes) -> str:
    if octet in (0x0E, 0x0F, ESCAPE) or octet > 0x7F:
        return LOST
    if characters == _KANA_SET:
        return chr(0xFF61 - 0x21 + octet) if octet in _KANA else LOST
    return _ROMAN.get(octet, chr(octet)) if characters == _ROMAN_SET else chr(octet)


def encode_iso_2022_jp(text: str, kanji: Mapping[str, bytes], number: Callable[[str], bytes]) -> bytes:
    """Encodes a text; `kanji` are its pairs of octets, `number` writes what has none (13.2.2)."""
    octets, characters = bytearray(), _PLAIN
    for character in text:
        pair = kanji.get(character)
        wanted = _choose_set(character, characters, kanji=bool(pair))
        if wanted != characters:
            octets += _ESCAPES[wanted]
            characters = wanted
        plain = character.translate(_TO_ROMAN)
        octets += pair or (plain.encode() if plain.isascii() else number(character))
    return bytes(octets + (b"" if characters == _PLAIN else _ESCAPES[_PLAIN]))


def _choose_set(character: str, current: bytes, *, kanji: bool) -> bytes:
    """Chooses the set that a character is written in: the one of now, where it will do."""
    if kanji:
        return _KANJI
    if ord(character) in _TO_ROMAN:
        return _ROMAN_SET
    return _ROMAN_SET if current == _ROMAN_SET and character not in "\\~" else _PLAIN
