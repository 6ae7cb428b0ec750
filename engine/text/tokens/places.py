"""Finds where words of a text begin with given letters: one walk over its octets.

Places are rough: a word that only begins alike is found, too. Whoever wants to know looks at the word.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from engine.kernels import I64, U8, U32, U64, Number, compiled, inlined, mutable, readonly
from engine.text.tokens.candidates import PREFIX_ARRAYS, CandidateSearch, PrefixArrays, Signs
from engine.text.tokens.characters import (
    CLOSES,
    KNOWN,
    LETTER,
    SEPARATOR,
    SPACE,
    SPACELESS,
    SPACELESS_FROM,
    Known,
    learn_characters,
)
from engine.text.tokens.utf8 import Octets, Utf8, decode_code_point, is_leading_octet

MAX_PLACES = 500  # of one number in one text; a word with more of them tells no place from another
MAX_PREFIXES = 256  # that are looked for at once; 32 words in some spellings
MAX_WORD = 64  # characters from a place; as much as the analysis remembers
SPACELESS_WORD = 3  # characters that tell which word begins where words have no spaces between them

STARTS, ENDS, NUMBERS, PARTED, BEGINS, PARTS = range(6)
"""Rows of places: where each begins, where the chunk ends in which it is (MAX_WORD characters from there at
most), and its number. What stands before PARTED tells which word it is, without marks at its end. Last, where
in the octets that begins and ends.
"""


class Prefixes:
    """Letters with which words begin, as simplify_letters() has them, each with a number, from 0."""

    def __init__(self, beginnings: Iterable[tuple[str, int]]) -> None:
        """Sorts the beginnings; those behind MAX_PREFIXES are not looked for."""
        pairs = sorted({(one, number) for one, number in beginnings if one}, key=lambda pair: pair[1])
        pairs = pairs[:MAX_PREFIXES]
        codes = "".join(one for one, _ in pairs).encode("utf-32-le", "surrogatepass")
        self.arrays = PrefixArrays(
            np.frombuffer(codes, np.uint32),
            np.cumsum([0, *(len(one) for one, _ in pairs)]),
            np.array([number for _, number in pairs], np.int64),
        )
        self.count = int(self.arrays.numbers.max(initial=-1)) + 1
        self.search = CandidateSearch([one for one, _ in pairs], self.arrays, KNOWN)


def find_places(text: Utf8, beginnings: Prefixes, limit: int) -> NDArray[np.int64]:
    """Finds where words, and parts of words that case shows, have one of the beginnings, with its number.

    (6, places), ascending, in the first `limit` characters. Of two beginnings with one number at one place
    the place is told once.
    """
    octets = text.first_octets(limit)
    candidates, count = beginnings.search.find(octets)
    if count < 0:
        learn_characters(text)
        candidates, count = beginnings.search.find(octets)
    found = np.empty((6, beginnings.count * MAX_PLACES), np.int64)
    size = _verify_candidates(octets, KNOWN, beginnings.arrays, candidates, count, found)
    return np.ascontiguousarray(found[:, :size])


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
        may_part = may_part and (spaceless or bool(kind & LETTER < SPACELESS_FROM))
        last = at
    if may_part:
        return size, parted, part
    return size, size, last


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

    candidates: so many of CandidateSearch.find().
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
