"""Finds where words of a text begin with given letters: one walk over its octets.

Places are rough: a word that only begins alike is found, too. Whoever wants to know looks at the word.
"""

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels import I64, NONE, U8, U32, U64, Number, compiled, inlined, mutable, readonly, record_of
from engine.text.analysis import CLOSING, SEPARATORS, has_spaceless, simplify_letters
from engine.text.tokens.utf8 import Octets, Utf8, decode_code_point, is_leading_octet

MAX_PLACES = 500  # of one number in one text; a word with more of them tells no place from another
MAX_PREFIXES = 256  # that are looked for at once; 32 words in some spellings
MAX_WORD = 64  # characters from a place; as much as the analysis remembers
SPACELESS_WORD = 3  # characters that tell which word begins where words have no spaces between them

LETTER, WORD, CAPITAL, SPACE = map(np.uint32, (0x1FFFFF, 1 << 21, 1 << 22, 1 << 23))
SEPARATOR, CLOSES, SPACELESS, FIGURE = map(np.uint32, (1 << 24, 1 << 25, 1 << 26, 1 << 27))
"""What Known says of a character: which one it is in simple letters, then bits for its kind."""
_OCTET = np.uint32(0xFF)
_ASCII, _OCTETS = 128, 256
_SIGNS = _ASCII + _OCTETS
_BLANK = 32
_ANY = ~np.uint64(0)
_ANYWHERE = np.uint32(0x0E00)  # Thai; scripts from here on mostly have no spaces: a word starts anywhere

Known = NDArray[np.uint32]
Signs = NDArray[np.uint64]
KNOWN: Known = np.zeros(0x200000, np.uint32)  # 8 MB, of which the system gives what is used; 0: not yet known

STARTS, ENDS, NUMBERS, PARTED, BEGINS, PARTS = range(6)
"""Rows of places: where each begins, where the chunk ends in which it is (MAX_WORD characters from there at
most), and its number. What stands before PARTED tells which word it is, without marks at its end. Last, where
in the octets that begins and ends.
"""


class PrefixArrays(NamedTuple):
    """The letters of prefixes, one after the other, where each begins and the last ends, and its number."""

    letters: NDArray[np.uint32]
    edges: NDArray[np.int64]
    numbers: NDArray[np.int64]


PREFIX_ARRAYS = record_of(PrefixArrays, letters=readonly(U32), edges=readonly(I64), numbers=readonly(I64))
"""PrefixArrays, for compiled functions."""


class Prefixes:
    """Letters with which words begin, as simplify_letters() has them, each with a number, from 0."""

    def __init__(self, beginnings: Iterable[tuple[str, int]]) -> None:
        """Sorts the beginnings; those behind MAX_BEGINNINGS are not looked for."""
        pairs = sorted({(one, number) for one, number in beginnings if one}, key=lambda pair: pair[1])
        pairs = pairs[:MAX_PREFIXES]
        codes = "".join(one for one, _ in pairs).encode("utf-32-le", "surrogatepass")
        self.arrays = PrefixArrays(
            np.frombuffer(codes, np.uint32),
            np.cumsum([0, *(len(one) for one, _ in pairs)]),
            np.array([number for _, number in pairs], np.int64),
        )
        self.count = int(self.arrays.numbers.max(initial=-1)) + 1
        self.signs = np.zeros((5, _SIGNS), np.uint64)
        _fill_signs(KNOWN, self.arrays.letters, self.arrays.edges, self.signs)


def find_places(text: Utf8, beginnings: Prefixes, limit: int) -> NDArray[np.int64]:
    """Finds where words, and parts of words that case shows, have one of the beginnings, with its number.

    (6, places), ascending, in the first `limit` characters. Of two beginnings with one number at one place
    the place is told once.
    """
    octets = text.first_octets(limit)
    candidates = np.empty((3, len(octets) + 2), np.uint64)  # of which the system gives what is used
    if (count := _find_candidates(octets, KNOWN, beginnings.signs, candidates)) < 0:
        learn_characters(text)
        count = _find_candidates(octets, KNOWN, beginnings.signs, candidates)
    found = np.empty((6, beginnings.count * MAX_PLACES), np.int64)
    size = _verify_candidates(octets, KNOWN, beginnings.arrays, candidates, count, found)
    return np.ascontiguousarray(found[:, :size])


def learn_characters(text: Utf8) -> None:
    """Adds each of its characters to KNOWN."""
    for letter in set(text.octets.decode(errors="surrogatepass")):
        KNOWN[ord(letter)] = _classify_character(letter)


def _classify_character(letter: str) -> int:
    is_word = letter.isalnum() or unicodedata.category(letter)[0] == "M"
    bits = is_word * WORD | letter.isupper() * CAPITAL | letter.isspace() * SPACE
    bits |= (letter in SEPARATORS) * SEPARATOR | (letter in CLOSING) * CLOSES
    bits |= has_spaceless(letter) * SPACELESS | letter.isdecimal() * FIGURE
    return int(ord(simplify_letters(letter)) | bits) or int(SPACE)  # U+0000 is no letter


KNOWN[:_ASCII] = [_classify_character(chr(code)) for code in range(_ASCII)]


@inlined
def _matches_at(
    text: Octets, known: Known, at: Number, letters: NDArray[np.uint32], one: Number, end: Number
) -> bool:
    """Tells whether the letters from `one` to `end` stand there."""
    while one < end and at < len(text):
        code, at = decode_code_point(text, at)
        if known[code] & LETTER != letters[one]:
            return False
        one += 1
    return bool(one == end)


@inlined
def _measure_word(text: Octets, known: Known, begin: Number) -> tuple[Number, Number, Number]:
    """Measures how many characters its chunk goes on, how many tell which word begins there, and to where."""
    code, at = decode_code_point(text, begin)
    spaceless = bool(known[code] & SPACELESS)
    size, parted, part, last, may_part = np.int64(1), np.int64(1), at, at, True
    tells = True  # nothing parted the word yet, and at its end stand marks that are no part of it
    while at < len(text) and size < MAX_WORD:
        code, at = decode_code_point(text, at)
        kind = known[code]
        if kind & SPACE:
            break
        size += 1
        tells = tells and bool(size <= SPACELESS_WORD if spaceless else kind & SEPARATOR == 0)
        if tells and not kind & CLOSES:
            parted, part = size, at
        may_part = may_part and (spaceless or bool(kind & LETTER < _ANYWHERE))
        last = at
    if may_part:
        return size, parted, part
    return size, size, last


@compiled(NONE(readonly(U32), readonly(U32), readonly(I64), mutable(U64, 2)))
def _fill_signs(known: Known, letters: NDArray[np.uint32], edges: NDArray[np.int64], signs: Signs) -> None:
    """Fills the rows of `signs`, which are 0.

    Of each of three letters in a row a bit for each of the beginnings that may have it there: ASCII
    characters stand for themselves, others behind them for the last octets of their letters. Then, of ASCII
    characters, all bits for one that may begin inside of a word, and for one behind which a word may begin.
    """
    for one in range(len(edges) - 1):
        bit = np.uint64(1) << np.uint64(one & 63)
        for letter in range(3):
            at, first, behind = edges[one] + letter, np.int64(0), np.int64(_OCTETS)
            if at < edges[one + 1]:
                first = np.int64(letters[at] & _OCTET)
                behind = first + 1
            for octet in range(first, behind):
                signs[letter, _ASCII + octet] |= bit
    for code in range(_ASCII):
        kind = known[code]
        for letter in range(3):
            signs[letter, code] = signs[letter, _ASCII + np.int64(kind & _OCTET)]
        signs[3, code] = _ANY if kind & CAPITAL else np.uint64(0)
        signs[4, code] = np.uint64(0) if kind & WORD else _ANY


@compiled(I64(readonly(U8), readonly(U32), readonly(U64, 2), mutable(U64, 2)))
def _find_candidates(text: Octets, known: Known, signs: Signs, found: Signs) -> Number:
    """Puts where letters of a beginning may begin into `found`; returns how many, -1 where a letter
    is not known.

    found: (3, two more than the octets): the first letter's number, its octet, a bit for each beginning that
    it may be. Three letters in a row that have a bit in common (Baeza-Yates and Gonnet, 1992) are those of a
    beginning nearly everywhere.
    """
    first, second, third, opens, parts = np.empty((5, _SIGNS), np.uint64)
    for letter in range(_SIGNS):  # what the compiler knows the size of is not checked at each octet
        first[letter], second[letter], third[letter] = signs[0, letter], signs[1, letter], signs[2, letter]
        opens[letter], parts[letter] = signs[3, letter], signs[4, letter]
    size, within = 0, np.int64(0)  # within: octets so far with which no character begins
    one_letter, two_letters, outside, end = np.uint64(0), np.uint64(0), _ANY, len(text)
    for at in range(end + 2):  # two blanks behind the text end a beginning of one letter
        sign = text[at] if at < end else np.uint8(_BLANK)
        if sign < _ASCII:
            three = two_letters & third[sign]
            two_letters = one_letter & second[sign]
            one_letter = first[sign] & (outside | opens[sign])
            outside = parts[sign]
        elif is_leading_octet(sign):
            code, _ = decode_code_point(text, at)
            kind = known[code]
            if kind == 0:
                return np.int64(-1)
            octet = np.int64(kind & _OCTET) + _ASCII
            three = two_letters & third[octet]
            two_letters = one_letter & second[octet]
            one_letter = first[octet]
            if not kind & CAPITAL and kind & LETTER < _ANYWHERE:
                one_letter &= outside
            outside = np.uint64(0) if kind & WORD else _ANY
        else:
            within += 1
            continue
        if three:
            found[0, size], found[1, size], found[2, size] = at - within - 2, at, three
            size += 1
    return np.int64(size)


@compiled(I64(readonly(U8), readonly(U32), PREFIX_ARRAYS, readonly(U64, 2), I64, mutable(I64, 2)))
def _verify_candidates(
    text: Octets,
    known: Known,
    prefixes: PrefixArrays,
    candidates: Signs,
    count: Number,
    found: NDArray[np.int64],
) -> Number:
    """Fills `found` with the rows of find_places(); returns how many there are.

    candidates: so many of _find_candidates().
    """
    letters, edges, numbers = prefixes
    size, counts = np.int64(0), np.zeros(found.shape[1] // MAX_PLACES, np.int64)  # places of each number
    for candidate in range(count):
        at, place = np.int64(candidates[0, candidate]), np.int64(candidates[1, candidate])
        for _ in range(2):  # back to the first letter; behind the text there are blanks
            place -= 1
            while 0 < place < len(text) and not is_leading_octet(text[place]):
                place -= 1
        last = np.int64(-1)
        for one in range(len(numbers)):
            number = numbers[one]
            may_be = candidates[2, candidate] >> np.uint64(one & 63) & np.uint64(1)
            if may_be == 0 or number == last or counts[number] == MAX_PLACES:
                continue
            if _matches_at(text, known, place, letters, edges[one], edges[one + 1]):
                long, parted, part = _measure_word(text, known, place)
                found[STARTS, size], found[ENDS, size], found[NUMBERS, size] = at, at + long, number
                found[PARTED, size], found[BEGINS, size], found[PARTS, size] = at + parted, place, part
                size += 1
                counts[number] += 1
                last = number
    return size
