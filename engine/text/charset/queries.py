"""Encodes the query of a link in its page's charset, as a browser sends it (URL Standard, 1.3 and 4.4).

A character that the charset lacks becomes its number in decimal (Encoding Standard, 6). Pages in UTF-8, and
in what browsers only read, ask in UTF-8.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

from engine.text.charset.declared import REPLACEMENT
from engine.text.charset.iso_2022_jp import encode_iso_2022_jp
from engine.text.charset.legacy import GBK, LOST, NONE, decode_bytes, decode_pointer, single_byte_table

_PLAIN = frozenset(range(0x21, 0x7F)) - frozenset(b"\"#<>'")  # the others of a query are escaped
_SIMILAR = str.maketrans("\u2212\u00a5\u203e", "\uff0d\\~")  # what the Japanese charsets take for another
_LATER = frozenset("\u2550\u255e\u2561\u256a\u5341\u5345")  # of these Big5 is written with the last octets
_TRAILS = {
    "big5hkscs": (range(0xA1, 0xFF), (*range(0x40, 0x7F), *range(0xA1, 0xFF))),
    "gb18030": (range(0x81, 0xFF), (*range(0x40, 0x7F), *range(0x80, 0xFF))),
    GBK: (range(0x81, 0xFF), (*range(0x40, 0x7F), *range(0x80, 0xFF))),
    "cp949": (range(0x81, 0xFF), range(0x41, 0xFF)),
    "cp932": ((*range(0x81, 0xA0), *range(0xE0, 0xFD)), (*range(0x40, 0x7F), *range(0x80, 0xFD))),
}
"""By charset its first octets and its second ones, in the order of the standard's index."""

_REPEATED = range(8272, 8836)  # pointers that Shift_JIS is not written with: NEC's copies of IBM's kanji,
_PRIVATE = range(8836, 10716)  # and characters of one's own


def has_utf_8_queries(charset: str) -> bool:
    """Tells whether the links of a page in this charset have their queries in UTF-8."""
    return charset.startswith("utf-") or charset == REPLACEMENT


def encode_query(href: str, charset: str) -> str:
    """Encodes a link's query in the octets of a charset, escaped; the query is behind the first `?`."""
    path, question, query = href.partition("?")
    query, sign, fragment = query.partition("#")
    if not question or query.isascii() or has_utf_8_queries(charset):
        return href
    return f"{path}?{_escape_octets(_encode_text(query, charset))}{sign}{fragment}"


def _escape_octets(octets: bytes) -> str:
    return "".join(chr(octet) if octet in _PLAIN else f"%{octet:02X}" for octet in octets)


def _encode_text(query: str, charset: str) -> bytes:
    if charset == "iso2022_jp":
        return encode_iso_2022_jp(query.translate(_wide_kana()), _kanji_table(), _decimal_reference)
    known = _encoding_table(charset)
    if charset in ("euc_jp", "cp932"):
        query = query.translate(_SIMILAR)
    return b"".join(
        character.encode()
        if character.isascii()
        else known.get(character) or _encode_other(character, charset)
        for character in query
    )


def _encode_other(character: str, charset: str) -> bytes:
    """Encodes a character that has no octets of its own."""
    if charset == "gb18030" and character != "\ue5e5":
        return character.encode("gb18030", "replace")  # four for each
    return _decimal_reference(character)


def _decimal_reference(character: str) -> bytes:
    return f"%26%23{ord(character)}%3B".encode()


@cache
def _encoding_table(charset: str) -> Mapping[str, bytes]:
    """Maps each character of a charset that is not ASCII to its octets; of several the first."""
    found: dict[str, bytes] = {}
    for octets, character in _list_encodings(charset):
        if charset == "big5hkscs" and character in _LATER:
            found[character] = octets
        elif not character.startswith((LOST, NONE)):
            found.setdefault(character, octets)
    if charset == GBK:
        found["€"] = b"\x80"
    return found


def _list_encodings(charset: str) -> Iterator[tuple[bytes, str]]:
    if charset in ("euc_jp", "cp932"):
        before = b"\x8e" if charset == "euc_jp" else b""
        yield from ((before + bytes([0xA1 + kana]), chr(0xFF61 + kana)) for kana in range(63))
    if charset == "euc_jp":
        yield from ((bytes(octet | 0x80 for octet in pair), kanji) for kanji, pair in _kanji_table().items())
    elif charset in _TRAILS:
        for pointer, octets in enumerate(map(bytes, product(*_TRAILS[charset]))):
            if charset != "cp932" or not (pointer in _REPEATED or pointer in _PRIVATE):
                yield octets, decode_bytes(octets, "gb18030" if charset == GBK else charset)
    else:
        yield from (
            (bytes([octet]), letter)
            for octet, letter in enumerate(single_byte_table(charset))
            if octet > 0x7F
        )


@cache
def _kanji_table() -> Mapping[str, bytes]:
    """Maps each character of JIS X 0208 to its octets, shifted down to ASCII."""
    found: dict[str, bytes] = {}
    for pointer in range(94 * 94):
        found.setdefault(decode_pointer(pointer), bytes(0x21 + part for part in divmod(pointer, 94)))
    found.pop(LOST, None)
    return found


@cache
def _wide_kana() -> dict[int, int]:
    """Maps half-width kana to the wide ones that ISO-2022-JP is written with."""
    narrow = "".join(map(chr, range(0xFF61, 0xFFA0)))
    wide = (
        "\u3002\u300c\u300d\u3001\u30fb\u30f2\u30a1\u30a3\u30a5\u30a7\u30a9\u30e3\u30e5\u30e7\u30c3\u30fc"
        "\u30a2\u30a4\u30a6\u30a8\u30aa\u30ab\u30ad\u30af\u30b1\u30b3\u30b5\u30b7\u30b9\u30bb\u30bd\u30bf"
        "\u30c1\u30c4\u30c6\u30c8\u30ca\u30cb\u30cc\u30cd\u30ce\u30cf\u30d2\u30d5\u30d8\u30db\u30de\u30df"
        "\u30e0\u30e1\u30e2\u30e4\u30e6\u30e8\u30e9\u30ea\u30eb\u30ec\u30ed\u30ef\u30f3\u309b\u309c"
    )
    return str.maketrans(narrow + "\u2212", wide + "\uff0d")
