"""Parses the groups, control words and characters of RTF (RTF 1.9.1, "RTF Syntax")."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from engine.errors import PageError
from engine.text.documents import TextLimitReached
from engine.text.office.rtf_charsets import BY_CHARSET, BY_KEYWORD, DEFAULT, find_codec
from engine.text.office.rtf_destinations import DESTINATIONS, READ_IF_STARRED, Destination
from engine.text.office.rtf_text import RtfText

MAX_DEPTH = 1_000  # groups inside each other; tables in tables have some 50
MAX_FONTS = 10_000  # of one document
MAX_PARAMETER = 2**31  # RTF 1.9.1: a signed number of 32 bits
LOOK = 1_024  # tokens between looks at the clock

_TOKEN = re.compile(
    rb"\\(?:([a-zA-Z]{1,32})(-?[0-9]{1,10})?\x20?|'([0-9a-fA-F]{2})|(.))|([{}])|([^\\{}\r\n\0]+)|[\r\n\0]+|\\",
    re.DOTALL,
)
_SYMBOLS = {b"~": "\xa0", b"_": "-", b"-": "", b"\n": "\n", b"\r": "\n", b"\t": " "}
_CHARACTERS = {
    **dict.fromkeys(("tab", "line", "softline", "emspace", "enspace", "qmspace"), " "),
    "emdash": "—",
    "endash": "–",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
}


@dataclass(frozen=True, slots=True)
class _State:
    """What a group takes from the one around it."""

    destination: Destination = Destination.TEXT
    hidden: bool = False
    deleted: bool = False
    codec: str = ""  # of its font; '': the document's
    skipped: int = 1  # characters behind \\u, for readers without Unicode
    font: int = -1  # of which the table speaks


class RtfParser:
    """Octets -> what RtfText is told of. Raises PageError('broken') for too many groups inside each other."""

    def __init__(self, body: bytes, text: RtfText, late: Callable[[], bool]) -> None:
        self._body = body
        self._told = text
        self._late = late
        self._state = _State()
        self._outer: list[_State] = []
        self._codec = DEFAULT  # the document's
        self._fonts: dict[int, str] = {}
        self._octets = bytearray()  # of characters, not yet decoded: some have two
        self._skip = 0  # characters that stand for the last one of Unicode
        self._star = False  # the group may be left out by who does not know it
        self._position = 0
        self._words: dict[str, Callable[[int | None], None]] = {
            "par": lambda _: self._told.end_paragraph(),
            "sect": lambda _: self._told.end_paragraph(),
            "page": lambda _: self._told.end_paragraph(),
            "cell": lambda _: self._told.end_cell(),
            "nestcell": lambda _: self._told.end_cell(),
            "row": lambda _: self._told.end_row(),
            "nestrow": lambda _: self._told.end_row(),
            "pard": lambda _: self._told.reset_level(),
            "outlinelevel": lambda level: self._told.set_level(level or 0),
            "v": lambda on: self._change(hidden=on != 0),
            "deleted": lambda on: self._change(deleted=on != 0),
            "plain": lambda _: self._change(hidden=False, deleted=False, codec=""),
            "uc": lambda number: self._change(skipped=min(max(number if number is not None else 1, 0), 16)),
            "u": self._add_unicode,
            "f": self._choose_font,
            "fcharset": self._set_charset,
            "cpg": lambda page: self._set_font_codec(find_codec(page or 0)),
            "ansicpg": self._set_code_page,
            "bin": self._skip_binary,
        }

    def parse(self) -> None:
        """Parses it all. Raises TextLimitReached."""
        body, number = self._body, 0
        while (token := _TOKEN.match(body, self._position)) is not None:
            self._position = token.end()
            number += 1
            if number % LOOK == 0 and self._late():
                self._end()
                raise TextLimitReached
            self._take(token)
        self._end()

    def _end(self) -> None:
        """Tells of what was read of the last paragraph."""
        self._decode()
        self._told.end_paragraph()

    def _take(self, token: re.Match[bytes]) -> None:
        word, parameter, octet, symbol, brace, characters = token.groups()
        if characters is not None:
            self._add_octets(characters)
        elif octet is not None:
            self._add_octets(bytes.fromhex(octet.decode("ascii")))
        elif word is not None:
            self._take_word(word.decode("ascii"), int(parameter) if parameter else None)
        elif symbol is not None:
            self._take_symbol(symbol)
        elif brace is not None:
            self._decode()
            self._skip = 0
            self._begin_group() if brace == b"{" else self._end_group()

    def _take_word(self, word: str, parameter: int | None) -> None:
        self._decode()
        self._skip = 0  # a paragraph's end is worth more than a question mark too many
        starred, self._star = self._star, False
        if (action := self._words.get(word)) is not None:
            if self._state.destination is not Destination.NOWHERE or word in ("bin", "uc"):
                action(parameter)
        elif word in _CHARACTERS:
            self._add(_CHARACTERS[word])
        elif word in BY_KEYWORD:
            self._codec = BY_KEYWORD[word]
        elif starred and word not in READ_IF_STARRED:
            self._enter(Destination.NOWHERE)
        elif word in DESTINATIONS:
            self._enter(DESTINATIONS[word])
        else:
            self._told.take_date_part(word, parameter or 0)

    def _take_symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._star = True
        elif self._skip:
            self._skip -= 1
        elif symbol in b"\\{}":
            self._add_octets(symbol)
        elif symbol in b"\r\n":
            self._decode()
            self._told.end_paragraph()
        elif symbol in _SYMBOLS:
            self._decode()
            self._add(_SYMBOLS[symbol])

    def _begin_group(self) -> None:
        if len(self._outer) >= MAX_DEPTH:
            raise PageError("broken", f"more than {MAX_DEPTH} groups inside each other")
        self._outer.append(self._state)
        self._star = False

    def _end_group(self) -> None:
        before, self._state = self._state, self._outer.pop()
        if before.destination is not self._state.destination:
            self._told.leave(before.destination)
        if not self._outer:
            self._position = len(self._body)  # the document's own group: nothing follows it

    def _enter(self, destination: Destination) -> None:
        """Sends what follows in this group elsewhere; out of nowhere nothing comes back."""
        if self._state.destination is Destination.NOWHERE:
            return
        self._change(destination=destination)
        self._told.enter(destination)

    def _change(self, **fields: object) -> None:
        self._state = replace(self._state, **fields)  # type: ignore[arg-type]

    def _add_octets(self, octets: bytes) -> None:
        self._star = False
        if self._skip:
            skipped = min(self._skip, len(octets))
            self._skip -= skipped
            octets = octets[skipped:]
        if self._is_shown():
            self._octets += octets

    def _add_unicode(self, number: int | None) -> None:
        self._skip = self._state.skipped
        self._add(chr((number or 0) & 0xFFFF))  # signed numbers of 16 bits, halves of pairs as well

    def _add(self, characters: str) -> None:
        if self._is_shown():
            self._told.add(characters, self._state.destination)

    def _is_shown(self) -> bool:
        state = self._state
        return state.destination is not Destination.NOWHERE and not state.hidden and not state.deleted

    def _decode(self) -> None:
        """Tells of the characters that wait."""
        if self._octets:
            self._add(self._octets.decode(self._state.codec or self._codec, "replace"))
            self._octets.clear()

    def _choose_font(self, number: int | None) -> None:
        font = number or 0
        if self._state.destination is Destination.FONTS:
            self._change(font=font)
        else:
            self._change(codec=self._fonts.get(font, ""))

    def _set_charset(self, number: int | None) -> None:
        self._set_font_codec(BY_CHARSET.get(number or 0, ""))

    def _set_font_codec(self, codec: str) -> None:
        if self._state.destination is Destination.FONTS and len(self._fonts) < MAX_FONTS:
            self._fonts[self._state.font] = codec

    def _set_code_page(self, number: int | None) -> None:
        self._codec = find_codec(number or 0) or self._codec

    def _skip_binary(self, number: int | None) -> None:
        self._position += min(max(number or 0, 0), MAX_PARAMETER)
