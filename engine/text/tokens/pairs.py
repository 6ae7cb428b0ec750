"""Finds chunks of a line that may match a word, by their first two letters: a compiled loop."""

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from engine.kernels import BOOL, I64, U8, Number, compiled, mutable, readonly
from engine.text.analysis import simplify_letters
from engine.text.tokens.utf8 import Octets, is_leading_octet

SIZE = 2  # letters that all forms of a word have, those of irregular ones, too; y counts as i

_BETWEEN = re.compile(r"[\W_]+")
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
_ALONE = len(_LETTERS)  # column of those that are a word by themselves
_SPACE, _APOSTROPHE, _NONE = 32, ord("'"), 99
_FIGURES = _LETTERS.index("0")
_CODES = np.full(256, _NONE, np.int64)
_CODES[list(_LETTERS.encode())] = range(len(_LETTERS))
_CODES[list(_LETTERS[:_FIGURES].upper().encode())] = range(_FIGURES)
_CODES[list(b"yY")] = _LETTERS.index("i")
_CODE_OF = _CODES.tolist()


class FirstLetters:
    """The first letters of words, whatever stands between them: dying is a form of die, e-mail is email."""

    def __init__(self, words: Iterable[str]) -> None:
        self._may_be = np.zeros((_ALONE, _ALONE + 1), np.bool_)
        for word in words:
            letters = _BETWEEN.sub("", simplify_letters(word).lower())[:SIZE].encode()
            first, second = (*map(_CODE_OF.__getitem__, letters), _ALONE, _ALONE)[:SIZE]
            if not letters:  # a sign: it may be anywhere
                self._may_be[:] = True
            elif first < _ALONE and second <= _ALONE:
                self._may_be[first, second] = True

    def find_chunks(self, text: str) -> list[list[int]]:
        """Finds where chunks between spaces start and end that may say one; all that are not ASCII may."""
        octets = np.frombuffer(text.encode(errors="surrogatepass"), np.uint8)
        found = np.empty((len(octets) // 2 + 1, 2), np.int64)
        bounds: list[list[int]] = found[: _find_chunks(octets, self._may_be, found)].tolist()
        return bounds


@compiled(I64(readonly(U8), readonly(BOOL, 2), mutable(I64, 2)))
def _find_chunks(octets: Octets, may_be: NDArray[np.bool_], found: NDArray[np.int64]) -> Number:
    """Fills `found` with where chunks start and end; returns how many.

    A word begins where no letter stands before, at a capital, and where figures follow letters or letters
    figures. A chunk with a sign behind an apostrophe may say any: the article before it is no letter of a
    whole.
    """
    count, start, at = 0, np.int64(0), np.int64(0)
    before, first, says = np.int64(_NONE), np.int64(_NONE), False
    elided, apart = False, False
    for place in range(len(octets) + 1):
        octet = octets[place] if place < len(octets) else np.uint8(_SPACE)
        if octet == _SPACE:
            if says:
                found[count, 0], found[count, 1] = start, at
                count += 1
            before, first, says, start = np.int64(_NONE), np.int64(_NONE), False, at + 1
            elided, apart = False, False
        at += is_leading_octet(octet)
        code = _CODES[octet]
        says = says or bool(octet >= 0x80)
        apart = apart or (elided and bool(code == _NONE))
        elided = bool(octet == _APOSTROPHE)
        if code < _NONE:
            says = says or apart
            begun = before == _NONE or octet & 0x60 == 0x40 or (code < _FIGURES) != (before < _FIGURES)
            says = says or bool(begun and may_be[code, _ALONE])
            says = says or bool(first < _NONE and may_be[first, code])
            first = code if begun else np.int64(_NONE)
        before = code
    return np.int64(count)
