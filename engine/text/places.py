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

MAX_PLACES = 500  # of one number in one text; a word with more of them tells no place from another
MAX_BEGINNINGS = 256  # that are looked for at once; 32 words in some spellings
MAX_WORD = 64  # characters from a place; as much as the analysis remembers

_LETTER, _WORD, _CAPITAL, _SPACE = map(np.uint32, (0x1FFFFF, 1 << 21, 1 << 22, 1 << 23))
_OCTET = np.uint32(0xFF)
_SPACELESS = np.uint32(
    0x0E00
)  # Thai; scripts from here on mostly have no spaces, so a word may start anywhere
_KNOWN = np.zeros(0x110000, np.uint32)  # 4 MB, of which the system gives what is used; 0: not yet known


class Places(NamedTuple):
    """Side by side and ascending: where each begins, where the chunk ends in which it is, and its number."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]  # MAX_WORD characters from the start at most
    numbers: NDArray[np.int64]


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
    found = np.empty((3, count * MAX_PLACES), np.int64)
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
    return int(ord(simplified(letter)) | bits) or int(_SPACE)  # U+0000 is no letter


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
    """Fill `found` with starts, ends and numbers; give how many there are, -1 where a letter is not known.

    told: how many there are of each number, none to begin with.
    """
    firsts = np.zeros(256, np.bool_)  # most letters begin none of the words: these octets of letters do
    for one in range(len(numbers)):
        firsts[sought[edges[one]] & _OCTET] = True
    size, before = 0, np.uint32(0)
    for at in range(len(text)):
        here = known[text[at]]
        if here == 0:
            return -1
        inside, before = before & _WORD and not here & _CAPITAL, here
        letter = here & _LETTER
        if not firsts[letter & _OCTET] or (inside and letter < _SPACELESS):
            continue
        last = np.int64(-1)
        for one in range(len(numbers)):
            number = numbers[one]
            if number == last or told[number] == MAX_PLACES:
                continue
            if _stands(text, known, at, sought, edges[one], edges[one + 1]):
                end = at + 1
                while end < len(text) and end < at + MAX_WORD and not known[text[end]] & _SPACE:
                    end += 1
                found[0, size], found[1, size], found[2, size] = at, end, number
                size += 1
                told[number] += 1
                last = number
    return size
