"""Finds where prefixes may begin in a text, in compiled loops.

The octets with which none begins, nearly all, are told by comparing alone, many at once; what is left is
walked over with the rules of where a word begins.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels import I64, NONE, U8, U32, U64, Number, compiled, mutable, readonly, record_of
from engine.text.tokens.characters import CAPITAL, LETTER, SPACELESS_FROM, WORD, Known
from engine.text.tokens.utf8 import Octets, decode_code_point, is_leading_octet

MAX_TRIPLES = 16  # that octets are compared with; with more of them walking over all takes no longer

_OCTET = np.uint32(0xFF)
_ASCII, _OCTETS = 128, 256
_SIGNS = _ASCII + _OCTETS
_BLANK = 32
_SMALL = np.uint8(0x20)  # the bit that small letters have and capitals have not
_BLOCK = 8  # octets
_ANY = ~np.uint64(0)

Signs = NDArray[np.uint64]


class PrefixArrays(NamedTuple):
    """The letters of prefixes, one after the other, where each begins and the last ends, and its number."""

    letters: NDArray[np.uint32]
    edges: NDArray[np.int64]
    numbers: NDArray[np.int64]


PREFIX_ARRAYS = record_of(PrefixArrays, letters=readonly(U32), edges=readonly(I64), numbers=readonly(I64))
"""PrefixArrays, for compiled functions."""


class CandidateSearch:
    """What prefixes begin with, as the loops look for it; `arrays` has them in this order."""

    def __init__(self, prefixes: Sequence[str], arrays: PrefixArrays, known: Known) -> None:
        self._known = known
        self._signs = np.zeros((5, _SIGNS), np.uint64)
        _fill_signs(known, arrays.letters, arrays.edges, self._signs)
        self._triples = _list_triples(prefixes)

    def find(self, octets: Octets) -> tuple[Signs, int]:
        """Finds where letters of a prefix may begin, and counts them; -1: a letter is not known.

        (3, more than there are): the first letter's number, the octet of the third, a bit for each prefix
        that it may be.
        """
        marks = np.empty((len(octets) + 2) // _BLOCK * _BLOCK + _BLOCK, np.uint8)
        marks.fill(1)
        if self._triples is not None:
            _mark_triples(octets, self._triples, marks)
        found = np.empty((3, len(octets) + 2), np.uint64)  # of which the system gives what is used
        return found, _find_candidates(octets, marks.view(np.uint64), self._known, self._signs, found)


def _list_triples(prefixes: Iterable[str]) -> NDArray[np.uint8] | None:
    """Lists the first three letters of prefixes that ASCII text may have, in small ones; 0: it may be any.

    None where they are too many.
    """
    known = {prefix[:3] for prefix in prefixes if prefix.isascii()}
    if len(known) > MAX_TRIPLES:
        return None
    return np.array(
        [[ord(letter) | int(_SMALL) for letter in one] + [0] * (3 - len(one)) for one in sorted(known)],
        np.uint8,
    ).reshape(-1, 3)


@compiled(NONE(readonly(U8), readonly(U8, 2), mutable(U8)))
def _mark_triples(octets: Octets, triples: NDArray[np.uint8], marks: NDArray[np.uint8]) -> None:
    """Takes the marks, which are 1, from octets with which none of the triples begins.

    Not from what is not ASCII, or stands before it, nor from the last two.
    """
    end = len(octets) - 2
    for at in range(end):
        marks[at] = (octets[at] | octets[at + 1] | octets[at + 2]) >> 7
    for triple in range(len(triples)):
        first, second, third = triples[triple, 0], triples[triple, 1], triples[triple, 2]
        any_second, any_third = second == 0, third == 0
        for at in range(end):
            marks[at] |= (
                (octets[at] | _SMALL == first)
                & (any_second | (octets[at + 1] | _SMALL == second))
                & (any_third | (octets[at + 2] | _SMALL == third))
            )


@compiled(NONE(readonly(U32), readonly(U32), readonly(I64), mutable(U64, 2)))
def _fill_signs(known: Known, letters: NDArray[np.uint32], edges: NDArray[np.int64], signs: Signs) -> None:
    """Fills the rows of `signs`, which are 0.

    Of each of three letters in a row a bit for each of the prefixes that may have it there: ASCII
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


@compiled(I64(readonly(U8), readonly(U64), readonly(U32), readonly(U64, 2), mutable(U64, 2)))
def _find_candidates(text: Octets, marked: Signs, known: Known, signs: Signs, found: Signs) -> Number:
    """Fills `found` as CandidateSearch.find() says; `marked`: marks of eight octets each.

    Three letters in a row that have a bit in common (Baeza-Yates and Gonnet, 1992) are those of a prefix
    nearly everywhere.
    """
    first, second, third, opens, parts = np.empty((5, _SIGNS), np.uint64)
    for letter in range(_SIGNS):  # what the compiler knows the size of is not checked at each octet
        first[letter], second[letter], third[letter] = signs[0, letter], signs[1, letter], signs[2, letter]
        opens[letter], parts[letter] = signs[3, letter], signs[4, letter]
    size, within = 0, np.int64(0)  # within: octets so far with which no character begins
    one_letter, two_letters, outside, end = np.uint64(0), np.uint64(0), _ANY, len(text)
    for block in range(len(marked)):
        if marked[block] | one_letter | two_letters == 0:
            outside = parts[text[block * _BLOCK + _BLOCK - 1]]  # ASCII
            continue
        # Two blanks behind the text end a prefix of one letter.
        for at in range(block * _BLOCK, min(block * _BLOCK + _BLOCK, end + 2)):
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
                if not kind & CAPITAL and kind & LETTER < SPACELESS_FROM:
                    one_letter &= outside
                outside = np.uint64(0) if kind & WORD else _ANY
            else:
                within += 1
                continue
            if three:
                found[0, size], found[1, size], found[2, size] = at - within - 2, at, three
                size += 1
    return np.int64(size)
