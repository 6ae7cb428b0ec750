"""What a chunk of text becomes as numbers, which is worked out once: its terms in order, and its forms.

`analysis` says what the terms of a chunk are; most chunks of a text are new for it only in how they put
known words together, and for these there is a short way here that comes to the same.
"""

import re
from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from operator import add
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.text.alphabet import fold
from engine.text.analysis import (
    AKIN,
    CLOSING,
    DOTLESS,
    MAX_CHUNK,
    MAX_TERM,
    OPENING,
    places,
    spell,
    stemmer,
)
from engine.text.forms import forms
from engine.text.words import MAX_PARTS, gramed, has_spaceless, pieced, stretches

STEP = 1  # the bit of a term's entry that says: here the next position begins

_LETTER = "[A-Za-z0-9]"
_BEFORE = re.compile(rf"^[-+&@#:,]*+_?(?={_LETTER})")  # marks that are no part of a word which they precede
_APART = re.compile(rf"(?<=[A-Za-z])[,:+#](?={_LETTER})|(?<=[0-9])[,:+#](?=[A-Za-z])")  # and between words
_PART = r"(?![vV]\d)[A-Za-z0-9]++"  # what a v before a number is, only all of the word tells
_NAME = re.compile(rf"(?:{_PART}(?:[._-]|::)){{1,{MAX_PARTS - 1}}}{_PART}")
_STRONG, _WEAK = re.compile(r"\.|::"), re.compile("[-_]")  # joints between elements, and inside of one
_JOINTS = str.maketrans("", "", ".:-_")
_SILENT = re.compile(r"(?<!\d)(?:::|[-._])|(?:::|[-._])(?!\d)")  # joints that a whole is spelled without


class Vocabulary(dict[str, int]):
    """Strings -> numbers, given in the order in which they come; `spelled` has the strings in this order."""

    def __init__(self) -> None:
        super().__init__()
        self.spelled: list[str] = []

    def __missing__(self, string: str) -> int:
        number = self[string] = len(self.spelled)
        self.spelled.append(string)
        return number


class Rows:
    """Rows of numbers of any length, which are numbered from 0 themselves."""

    def __init__(self) -> None:
        self.entries = array("i")
        self._starts = array("i")
        self._sizes = array("i")

    def __len__(self) -> int:
        return len(self._sizes)

    def add(self, row: Sequence[int]) -> int:
        """Keep a row; its number."""
        self._starts.append(len(self.entries))
        self._sizes.append(len(row))
        self.entries.extend(row)
        return len(self._sizes) - 1

    def row(self, number: int) -> "array[int]":
        """A row."""
        start = self._starts[number]
        return self.entries[start : start + self._sizes[number]]

    def side_by_side(self, numbers: NDArray[np.int32]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """The entries of these rows, one row after another, and where each begins; last, where all end."""
        sizes = np.frombuffer(self._sizes, np.int32)[numbers]
        bounds = np.zeros(len(numbers) + 1, np.int64)
        np.cumsum(sizes, out=bounds[1:])
        at = np.arange(bounds[-1])
        at += np.repeat(np.frombuffer(self._starts, np.int32)[numbers] - bounds[:-1], sizes)
        return np.frombuffer(self.entries, np.int32)[at], bounds


class Pairs(dict[str, tuple[int, ...]]):
    """Pairs of letters written without spaces, each with its entries where another letter follows."""

    def __init__(self, terms: Vocabulary) -> None:
        super().__init__()
        self._terms = terms

    def __missing__(self, pair: str) -> tuple[int, ...]:
        gram, *letters = gramed(pair)[0]
        akin = [2 * self._terms[AKIN + letter] for letter in letters if letter == pair[0]]
        entries = self[pair] = (2 * self._terms[gram] + STEP, *akin)
        return entries


class Memory(NamedTuple):
    """What is known of all languages: strings by number, and rows by number, of terms and of forms.

    An entry of a row of terms is twice the number of a term, and STEP more where a position begins.
    """

    terms: Vocabulary
    forms: Vocabulary
    placed: Rows
    typed: Rows
    pairs: Pairs

    @classmethod
    def empty(cls) -> "Memory":
        """Nothing is known."""
        terms = Vocabulary()
        return cls(terms, Vocabulary(), Rows(), Rows(), Pairs(terms))


class Chunks(dict[str, int]):
    """One language's chunks, each with the number of its two rows."""

    def __init__(self, language: str, memory: Memory) -> None:
        super().__init__()
        self._language = language
        self._memory = memory
        self._stem = stemmer(language)

    def __missing__(self, chunk: str) -> int:
        word = chunk.lstrip(OPENING).rstrip(CLOSING)
        if not word[:1].isalnum():
            word = _BEFORE.sub("", word)
        if word != chunk:
            number = self[word]
        else:
            terms, typed = self._rows(word)
            number = self._memory.placed.add(terms)
            self._memory.typed.add(typed)
        if len(chunk) <= MAX_CHUNK:
            self[chunk] = number
        return number

    def _rows(self, word: str) -> tuple[Sequence[int], Sequence[int]]:
        """The row of terms and the row of forms of a word."""
        if word.isascii() and not (self._language in DOTLESS and "I" in word):
            if word.isalnum():
                return self._part(word)
            if _NAME.fullmatch(word):
                return self._name(word)
            words = _APART.split(word)
            if len(words) > 1:
                return self._side_by_side(words)
            if word.startswith(".") and word[1:].isalnum():
                terms, typed = self._side_by_side([word[1:]])
                return self._with_whole(terms, self._term(word.lower())), typed
        return self._others(word)

    def _part(self, word: str) -> tuple[Sequence[int], Sequence[int]]:
        """Letters and digits: a term, to which the parts that case shows are no more than akin."""
        said = word.lower()
        whole = self._term(said)
        entries = [2 * whole + STEP]
        if said != word or not said.isalpha():
            for at, piece in enumerate(pieced(word)):
                part = self._memory.placed.row(self[piece.lower()])[0] // 2
                if at or part != whole:
                    entries.append(2 * self._akin(part) + (STEP if at else 0))
        return entries, [self._memory.forms[said]] if len(said) <= MAX_TERM else []

    def _name(self, word: str) -> tuple[Sequence[int], Sequence[int]]:
        """A name is what its elements are, which are what their parts are, and at its beginning the whole."""
        parts = _STRONG.split(word)
        if len(parts) == 1:
            parts = _WEAK.split(word)
        terms, typed = self._side_by_side(parts)
        whole = word.translate(_JOINTS)
        if not whole.isalpha():
            whole = _SILENT.sub("", word)
        return self._with_whole(terms, self._term(whole.lower())), typed

    def _side_by_side(self, words: Iterable[str]) -> tuple["array[int]", "array[int]"]:
        """The rows of words, one after another."""
        terms, typed = array("i"), array("i")
        for number in map(self.__getitem__, words):
            terms += self._memory.placed.row(number)
            typed += self._memory.typed.row(number)
        return terms, typed

    def _with_whole(self, entries: "array[int]", whole: int) -> "array[int]":
        """The entries with one more term at the first position, to which nothing there is akin then."""
        second = 1
        while second < len(entries) and not entries[second] & STEP:
            second += 1
        entries[0] -= STEP
        if 2 * whole in entries[:second]:
            entries.remove(2 * whole)
        elif second > 1 and 2 * (akin := self._akin(whole)) in entries[:second]:
            entries.remove(2 * akin)
        entries.insert(0, 2 * whole + STEP)
        return entries

    def _others(self, word: str) -> tuple[Sequence[int], Sequence[int]]:
        """The rows of any word."""
        typed = [self._memory.forms[spell(form)] for form in forms(word)]
        entries: list[int] = []
        if not has_spaceless(folded := fold(word)):
            for place in places(word, self._language):
                entries += self._place(place)
            return entries, typed
        for spaceless, stretch, _ in stretches(folded):
            entries += self._grams(stretch) if spaceless else self._memory.placed.row(self[stretch])
        return entries, typed

    def _grams(self, stretch: str) -> list[int]:
        """Letters without spaces: pairs that overlap."""
        inner = map(self._memory.pairs.__getitem__, map(add, stretch[:-2], stretch[1:]))
        last, *letters = gramed(stretch[-2:])[0]
        return [*chain.from_iterable(inner), *self._place([last, *(AKIN + letter for letter in letters)])]

    def _place(self, terms: Sequence[str]) -> list[int]:
        """The entries of the terms at one position."""
        entries = [2 * self._memory.terms[term] for term in terms]
        entries[0] += STEP
        return entries

    def _term(self, said: str) -> int:
        """The number of a folded ASCII word's term."""
        return self._memory.terms[self._stem(said[:MAX_TERM])]

    def _akin(self, term: int) -> int:
        return self._memory.terms[AKIN + self._memory.terms.spelled[term]]
