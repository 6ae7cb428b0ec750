"""Detects the charset of undeclared bytes by the frequency of letter pairs.

Each charset is judged by what the bytes cost when they are read in it: how improbable its letters are
beside their neighbours, in the language that suits them best, in nats for each byte that is not ASCII.
Russian read as Russian costs 3, and 5 or more in any other charset.
"""

import re
from collections import Counter
from collections.abc import Container
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from engine.text.language import DIGITS, SAME, STEP, UNLISTED, load_frequent_characters, load_letter_pairs

MAX_SAMPLE = 4 * 1024  # bytes of text that are judged; 60 are mostly enough
MAX_PIECE = 1024  # bytes of text without a tag or a line's end, before and after the first that is not ASCII
DENSE = 0.4  # share of non-ASCII bytes before others, in scripts other than Latin; in Latin ones a twentieth
MIN_FOURS = 2  # characters of four bytes that are no chance: it takes two signs with digits between
HINT = 6.0  # nats by which text in the language that a page declares is cheaper

FOREIGN = 9.0  # nats for a letter that the language does not have,
SIGN = 3.0  # for a sign that is no punctuation, between blanks,
INSIDE = 11.0  # and at a letter,
NOTHING = 14.0  # for a byte that is no character, or a control character,
CAPITAL = 5.0  # for a capital after a small letter
BLANK = 1.0  # for two marks or blanks in a row
MARK = 5.0  # for a wide mark of punctuation
LETTER = 4.5  # for a letter of an alphabet: Cyrillic is in all charsets of several bytes, too
UNUSUAL = 1.5  # more, for a character of a writing that is not the charset's usual one
LOST = 15.0  # for a character of several bytes that is none
PUNCTUATION = "“”„‘’‚–—…«»\u00a0\u200c\u200e\u200f¡¿،؛؟‐\u00ad№"

_OTHER_SCRIPTS = frozenset(["ru", "uk", "bg", "mk", "el", "he", "ar", "fa", "th"])


class Charset(NamedTuple):
    """A charset of one byte a character, by Python's name; `rarity` are nats that speak against it."""

    name: str
    rarity: float
    languages: str


SINGLE = (
    Charset("cp1252", 0, "en de fr es pt it nl sv da no fi is ca"),
    Charset("cp1251", 0, "ru uk bg mk"),
    Charset("koi8-r", 0, "ru"),
    Charset("koi8-u", 0, "uk"),
    Charset("cp866", 2, "ru uk bg"),
    Charset("iso8859-5", 3, "ru uk bg mk"),
    Charset("mac-cyrillic", 6, "ru uk"),
    Charset("cp1250", 0, "pl cs sk hu sl hr ro de"),
    Charset("iso8859-2", 1, "pl cs sk hu sl hr ro de"),
    Charset("cp1256", 0, "ar fa"),
    Charset("iso8859-6", 5, "ar"),
    Charset("cp1253", 0, "el"),
    Charset("iso8859-7", 5, "el"),
    Charset("cp1255", 0, "he"),
    Charset("iso8859-8", 5, "he"),
    Charset("cp1254", 0, "tr"),
    Charset("cp1257", 0, "lt lv"),
    Charset("iso8859-13", 6, "lt lv"),
    Charset("iso8859-4", 6, "lt lv"),
    Charset("iso8859-15", 5, "fr fi"),
    Charset("iso8859-16", 6, "ro"),
    Charset("cp874", 0, "th"),
    Charset("mac-roman", 10, "fr de es"),
)
WRITINGS = {
    "gb18030": ("zh-hans", "zh-hant", "ja", "ko"),
    "big5hkscs": ("zh-hant", "ja"),
    "cp932": ("ja", "zh-hant"),
    "euc_jp": ("ja", "zh-hant"),
    "cp949": ("ko", "zh-hant", "ja"),
}
"""The charsets of several bytes a character, and what is written in them, the usual first."""

RARE = frozenset(charset.name for charset in SINGLE if charset.rarity > 5)

_ROWS = tuple((charset, language) for charset in SINGLE for language in charset.languages.split())
_IN_LATIN = np.array([language not in _OTHER_SCRIPTS for _, language in _ROWS])
_NOT_ASCII = re.compile(rb"[\x80-\xff]")
_FOUR = re.compile(rb"[\x81-\xfe][0-9][\x81-\xfe][0-9]")  # a character of GB18030 that GBK lacks
_END = re.compile(rb"[<>\r\n]")


@dataclass(frozen=True)
class CharsetSample:
    """Text of a page that has bytes which are not ASCII, without most of the markup around it."""

    text: bytes

    @cached_property
    def _non_ascii(self) -> npt.NDArray[np.bool_]:
        return np.frombuffer(self.text, np.uint8) >= 0x80

    @cached_property
    def size(self) -> int:
        """Counts the bytes that are not ASCII."""
        return int(self._non_ascii.sum())

    @cached_property
    def is_dense(self) -> bool:
        """Tells whether bytes that are not ASCII come in rows, as in all scripts but the Latin one."""
        return int((self._non_ascii[:-1] & self._non_ascii[1:]).sum()) >= DENSE * self.size

    @cached_property
    def has_four_byte_characters(self) -> bool:
        """Tells whether it has characters of four bytes, which only GB18030 has."""
        return len(_FOUR.findall(self.text)) >= MIN_FOURS


class CharsetFit(NamedTuple):
    """What a sample costs in a charset, in nats for a byte that is not ASCII, and in which language."""

    cost: float
    language: str


def take_sample(body: bytes) -> CharsetSample:
    """Takes pieces of text between tags around bytes that are not ASCII, MAX_SAMPLE in all."""
    pieces: list[bytes] = []
    size = end = 0
    while size < MAX_SAMPLE and (found := _NOT_ASCII.search(body, end)):
        at = found.start()
        first = max(end, at - MAX_PIECE)
        first = max(first, *(body.rfind(mark, first, at) + 1 for mark in (b"<", b">", b"\n", b"\r")))
        stop = _END.search(body, at, at + MAX_PIECE)
        end = stop.start() if stop else min(at + MAX_PIECE, len(body))
        pieces.append(body[first:end])
        size += end - first
    return CharsetSample(b"\n".join(pieces))


def score_charsets(
    sample: CharsetSample, language: str = "", declared: Container[str] = ()
) -> dict[str, CharsetFit]:
    """Scores a sample, which is not all ASCII, in each charset that it may be in, and in those declared.

    `language` is what its page declares, ISO 639-1, or ''.
    """
    found: dict[str, CharsetFit] = {}
    for (charset, written_in), cost in zip(_ROWS, _score_single_byte(sample), strict=True):
        fit = CharsetFit((cost - HINT * (written_in == language)) / sample.size, written_in)
        if charset.name not in found or fit.cost < found[charset.name].cost:
            found[charset.name] = fit
    for name in WRITINGS:
        if sample.is_dense or name in declared or (sample.has_four_byte_characters and name == "gb18030"):
            cost = _score_multi_byte(sample.text.decode(name, "replace"), name)
            written_in = WRITINGS[name][0].partition("-")[0]
            found[name] = CharsetFit((cost - HINT * (written_in == language)) / sample.size, written_in)
    return found


def _score_single_byte(sample: CharsetSample) -> list[float]:
    """Computes the cost of a sample for each row, in nats."""
    codes = np.frombuffer(b" " + sample.text + b" ", np.uint8).astype(np.int32)
    both = (codes[:-1] << 8) | codes[1:]
    seen, counts = np.unique(both[(codes[:-1] | codes[1:]) >= 0x80], return_counts=True)
    costs = _cost_table()[:, seen] @ counts * STEP
    costs += [charset.rarity for charset, _ in _ROWS]
    if not sample.is_dense:
        costs[~_IN_LATIN] += NOTHING * sample.size
    return [float(cost) for cost in costs]


def _score_multi_byte(text: str, charset: str) -> float:
    """Computes the cost of a text in nats; ASCII costs nothing."""
    costs = _character_costs(charset)
    return sum(
        count * (costs.get(character) or _unlisted_cost(character))
        for character, count in Counter(text).items()
        if character >= "\x80"
    )


@cache
def _character_costs(charset: str) -> dict[str, float]:
    """Returns what the frequent characters cost in a charset."""
    usual, *others = WRITINGS[charset]
    elsewhere = (load_frequent_characters(writing).items() for writing in others)
    return {c: cost + UNUSUAL for items in elsewhere for c, cost in items} | load_frequent_characters(usual)


def _unlisted_cost(character: str) -> float:
    if character == "\ufffd":
        return LOST
    if character < "\u0700" and character.isalpha():
        return LETTER
    if (
        "\u2010" <= character <= "\u2026"
        or "\u3000" <= character <= "\u303f"
        or "\uff00" <= character <= "\uff60"
    ):
        return MARK
    return UNLISTED


@cache
def _cost_table() -> npt.NDArray[np.int8]:
    """Builds a row for each charset and language, a column for each pair of bytes, in STEPs. 5 MB."""
    return np.stack([_cost_row(charset.name, language) for charset, language in _ROWS])


def _cost_row(charset: str, language: str) -> npt.NDArray[np.int8]:
    letters, digits = load_letter_pairs(language)
    count = len(letters)
    costs = np.full((count + 3, count + 3), FOREIGN / STEP, np.int16)
    costs[:count, :count] = [[DIGITS.index(digit) for digit in row] for row in digits]
    foreign, sign, nothing = range(count, count + 3)
    costs[sign, :] = costs[:, sign] = INSIDE / STEP
    costs[sign, 0] = costs[0, sign] = SIGN / STEP
    costs[0, 0] = BLANK / STEP
    costs[nothing, :] = costs[:, nothing] = NOTHING / STEP
    characters = [bytes([code]).decode(charset, "replace") for code in range(256)]
    places = np.array([_column_of(character, letters, (foreign, sign, nothing)) for character in characters])
    small = np.array([character.islower() for character in characters])
    capital = np.array([character.isupper() for character in characters])
    row = costs[places][:, places] + int(CAPITAL / STEP) * (small[:, None] & capital[None, :])
    cut: npt.NDArray[np.int8] = np.minimum(row, np.iinfo(np.int8).max).astype(np.int8)
    return cut.reshape(-1)


def _column_of(character: str, letters: str, others: tuple[int, int, int]) -> int:
    """Returns the place of a character among letters, the blank's for punctuation, or another kind's."""
    foreign, sign, nothing = others
    at = letters.find(character.lower()[0].translate(SAME))
    if at >= 0:
        return at
    if character == "\ufffd" or "\x80" <= character < "\xa0":
        return nothing
    if character.isalpha():
        return foreign
    return 0 if character.isascii() or character in PUNCTUATION else sign
