"""Where words of a text begin as others do: one walk over its letters, whatever their alphabet.

Places are rough: a word that only begins alike is found, too. Whoever wants to know looks at the word.
"""

import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.compiled import I64, U32, Number, compiled, filled, given, inlined
from engine.text.accents import simplified
from engine.text.words import SEPARATORS

MAX_PLACES = 500  # of one number in one text; a word with more of them tells no place from another
MAX_BEGINNINGS = 256  # that are looked for at once; 32 words in some spellings
MAX_WORD = 64  # characters from a place; as much as the analysis remembers

_LETTER, _WORD, _CAPITAL, _SPACE = map(np.uint32, (0x1FFFFF, 1 << 21, 1 << 22, 1 << 23))
_SEPARATOR = np.uint32(1 << 24)
_OCTET = np.uint32(0xFF)
_ASCII, _OCTETS = 128, 256
_BLANK = np.uint32(32)
_ANY = ~np.uint64(0)
_SPACELESS = np.uint32(
    0x0E00
)  # Thai; scripts from here on mostly have no spaces, so a word may start anywhere
_KNOWN = np.zeros(0x110000, np.uint32)  # 4 MB, of which the system gives what is used; 0: not yet known


class Places(NamedTuple):
    """Side by side and ascending: where each begins, where the chunk ends in which it is, and its number.

    What stands before `parted` tells which word it is.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]  # MAX_WORD characters from the start at most
    numbers: NDArray[np.int64]
    parted: NDArray[np.int64]


def places(text: str, beginnings: Iterable[tuple[str, int]]) -> Places:
    """Where words, and parts of words that case shows, have one of the beginnings, each with its number.

    Beginnings are as simplified() has them, numbers count from 0; of two beginnings with one number at one
    place, the place is told once.
    """
    sought = sorted({(one, number) for one, number in beginnings if one}, key=lambda pair: pair[1])
    sought = sought[:MAX_BEGINNINGS]
    edges = np.cumsum([0, *(len(one) for one, _ in sought)])
    numbers = np.array([number for _, number in sought], np.int64)
    count = int(numbers.max(initial=-1)) + 1
    found = np.empty((4, count * MAX_PLACES), np.int64)
    letters, codes = _codes("".join(one for one, _ in sought)), _codes(text)
    size = -1
    while size < 0:
        size = _find(codes, _KNOWN, letters, edges, numbers, np.zeros(count, np.int64), found)
        if size < 0:
            for code in set(codes[_KNOWN[codes] == 0].tolist()):
                _KNOWN[code] = _what(chr(code))
    return Places(*found[:, :size])


def _codes(text: str) -> NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _what(letter: str) -> int:
    said = letter.isalnum() or unicodedata.category(letter)[0] == "M"
    bits = said * _WORD | letter.isupper() * _CAPITAL | letter.isspace() * _SPACE
    bits |= (letter in SEPARATORS) * _SEPARATOR
    return int(ord(simplified(letter)) | bits) or int(_SPACE)  # U+0000 is no letter


_KNOWN[:_ASCII] = [_what(chr(code)) for code in range(_ASCII)]


@inlined
def _stands(
    text: NDArray[np.uint32],
    known: NDArray[np.uint32],
    at: Number,
    sought: NDArray[np.uint32],
    one: Number,
    end: Number,
) -> bool:
    """Whether the letters of `sought` from `one` to `end` stand there."""
    there = at + end - one <= len(text)
    while there and one < end:
        there = known[text[at]] & _LETTER == sought[one]
        at, one = at + 1, one + 1
    return bool(there)


@inlined
def _ends(text: NDArray[np.uint32], known: NDArray[np.uint32], at: Number) -> tuple[Number, Number]:
    """Where the chunk ends that begins there, and where something parts its words (engine.text.analysis)."""
    end, parted, may_part = at + 1, np.int64(-1), True
    while end < len(text) and end < at + MAX_WORD and not known[text[end]] & _SPACE:
        if known[text[end]] & _SEPARATOR and parted < 0:
            parted = end
        may_part = may_part and known[text[end]] & _LETTER < _SPACELESS
        end += 1
    return end, parted if may_part and parted >= 0 else end


@inlined
def _signs(
    known: NDArray[np.uint32], sought: NDArray[np.uint32], edges: NDArray[np.int64]
) -> NDArray[np.uint64]:
    """Of each of three letters in a row a bit for each of the beginnings that may have it there.

    ASCII characters stand for themselves, others behind them for the last octets of their letters.
    """
    signs = np.zeros((3, _ASCII + _OCTETS), np.uint64)
    for one in range(len(edges) - 1):
        bit = np.uint64(1) << np.uint64(one & 63)
        for letter in range(3):
            at, first, behind = edges[one] + letter, np.int64(0), np.int64(_OCTETS)
            if at < edges[one + 1]:
                first = np.int64(sought[at] & _OCTET)
                behind = first + 1
            for octet in range(first, behind):
                signs[letter, _ASCII + octet] |= bit
    for code in range(_ASCII):
        for letter in range(3):
            signs[letter, code] = signs[letter, _ASCII + np.int64(known[code] & _OCTET)]
    return signs


@inlined
def _tell(
    text: NDArray[np.uint32],
    known: NDArray[np.uint32],
    at: Number,
    sought: NDArray[np.uint32],
    edges: NDArray[np.int64],
    numbers: NDArray[np.int64],
    told: NDArray[np.int64],
    found: NDArray[np.int64],
    size: Number,
) -> Number:
    """Put what stands there into `found`, which has `size` already; give how many it has then."""
    last = np.int64(-1)
    for one in range(len(numbers)):
        number = numbers[one]
        if number == last or told[number] == MAX_PLACES:
            continue
        if _stands(text, known, at, sought, edges[one], edges[one + 1]):
            found[0, size], found[2, size] = at, number
            found[1, size], found[3, size] = _ends(text, known, at)
            size += 1
            told[number] += 1
            last = number
    return size


@compiled(I64(given(U32), given(U32), given(U32), given(I64), given(I64), filled(I64), filled(I64, 2)))
def _find(
    text: NDArray[np.uint32],
    known: NDArray[np.uint32],
    sought: NDArray[np.uint32],
    edges: NDArray[np.int64],
    numbers: NDArray[np.int64],
    told: NDArray[np.int64],
    found: NDArray[np.int64],
) -> Number:
    """Fill `found` with the columns of Places; give how many there are, -1 where a letter is not known.

    told: how many there are of each number, none to begin with. Beginnings are compared only where three
    letters in a row have a bit in common (Baeza-Yates and Gonnet, 1992), that is nearly nowhere else.
    """
    signs = _signs(known, sought, edges)
    first, second, third = signs[0], signs[1], signs[2]
    opens, parts = np.zeros((2, _ASCII), np.uint64)  # may begin inside of a word; a word may begin behind it
    for code in range(_ASCII):
        opens[code] = _ANY if known[code] & _CAPITAL else np.uint64(0)
        parts[code] = np.uint64(0) if known[code] & _WORD else _ANY
    size, one_letter, two_letters, outside = 0, np.uint64(0), np.uint64(0), _ANY
    for behind in range(len(text) + 2):
        sign = text[behind] if behind < len(text) else _BLANK
        if sign < _ASCII:
            three = two_letters & third[sign]
            two_letters = one_letter & second[sign]
            one_letter = first[sign] & (outside | opens[sign])
            outside = parts[sign]
        else:
            here = known[sign]
            if here == 0:
                return -1
            octet = np.int64(here & _OCTET) + _ASCII
            three = two_letters & third[octet]
            two_letters = one_letter & second[octet]
            one_letter = first[octet]
            if not here & _CAPITAL and here & _LETTER < _SPACELESS:
                one_letter &= outside
            outside = np.uint64(0) if here & _WORD else _ANY
        if three:
            size = _tell(text, known, behind - 2, sought, edges, numbers, told, found, size)
    return size
