"""Maps a chunk of text to its term numbers and form numbers, worked out once.

`analysis` says what the terms of a chunk are; most chunks of a text are new for it only in how they put
known words together, and for these there is a short way here that comes to the same.
"""

import re
from array import array
from collections.abc import Sequence
from itertools import accumulate, chain, islice
from operator import add
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.text.analysis import (
    CLOSING,
    DOTLESS,
    MAX_CHUNK,
    MAX_PARTS,
    MAX_TERM,
    OPENING,
    VARIANT_MARK,
    analyse_chunk,
    fold,
    has_spaceless,
    load_stemmer,
    normalize_term,
    split_bigrams,
    split_case_parts,
    split_spaceless,
    surface_forms,
)

STEP = 1  # the bit of a term's entry that says: here the next position begins

_LETTER = "[A-Za-z0-9]"
_BEFORE = re.compile(rf"^[-+&@#:,]*+_?(?={_LETTER})")  # marks that are no part of a word which they precede
_APART = re.compile(  # and between words
    rf"(?<=[A-Za-z])[,:+#](?={_LETTER})|(?<=[0-9])[,:+#](?=[A-Za-z])"
    # Two marks join only as ::, or with lines; behind a word ++ and # may be its sign, before one a dot.
    rf"|(?<={_LETTER})(?!::{_LETTER}|\+\+|#)[-+&@#:,'.]++(?<=[-+&@#:,'.][-+&@#:,'])(?={_LETTER})"
)
_PART = r"(?![vV]\d)[A-Za-z0-9]++"  # what a v before a number is, only all of the word tells
_NAME = re.compile(rf"(?:{_PART}(?:[._-]|::)){{1,{MAX_PARTS - 1}}}{_PART}")
_STRONG, _WEAK = re.compile(r"\.|::"), re.compile("[-_]")  # joints between elements, and inside of one
_JOINTS = str.maketrans("", "", ".:-_")
_SILENT = re.compile(r"(?<!\d)(?:::|[-._])|(?:::|[-._])(?!\d)")  # joints that a whole is spelled without


class StringNumbers(dict[str, int]):
    """Strings -> numbers, given in the order in which they come; `spelled` has the strings in this order."""

    def __init__(self) -> None:
        super().__init__()
        self.spelled: list[str] = []

    def __missing__(self, string: str) -> int:
        number = self[string] = len(self.spelled)
        self.spelled.append(string)
        return number


class Rows:
    """Rows of numbers of any length, which are numbered from 0 themselves.

    Each is kept as the octets of its array: rows are put together by joining them, and there is nothing
    in them for Python to look for garbage in.
    """

    def __init__(self) -> None:
        self.rows: list[bytes] = []
        self._entries = array("i")
        self._starts = array("i", [0])

    @property
    def size(self) -> int:
        """Returns the entries of all rows, as of the last flatten()."""
        return len(self._entries)

    def flatten(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Returns the entries of all rows, one row after another, and where each starts; last, where all end.

        While these are there, there must be no other flatten().
        """
        added = self.rows[len(self._starts) - 1 :]
        ends = accumulate((len(row) // self._entries.itemsize for row in added), initial=len(self._entries))
        self._starts.extend(islice(ends, 1, None))
        self._entries.frombytes(b"".join(added))
        return np.frombuffer(self._entries, np.int32), np.frombuffer(self._starts, np.int32)


class Bigrams(dict[str, tuple[int, ...]]):
    """Pairs of letters written without spaces, each with its entries where another letter follows."""

    def __init__(self, terms: StringNumbers) -> None:
        super().__init__()
        self._terms = terms

    def __missing__(self, pair: str) -> tuple[int, ...]:
        gram, *letters = split_bigrams(pair)[0]
        variants = [2 * self._terms[VARIANT_MARK + letter] for letter in letters if letter == pair[0]]
        entries = self[pair] = (2 * self._terms[gram] + STEP, *variants)
        return entries


class TokenMemory(NamedTuple):
    """What is known of all languages: strings by number, and rows by number, of terms and of forms.

    An entry of a row of terms is twice the number of a term, and STEP more where a position begins.
    """

    terms: StringNumbers
    forms: StringNumbers
    placed: Rows
    typed: Rows
    pairs: Bigrams

    @classmethod
    def empty(cls) -> "TokenMemory":
        """Returns a memory without anything."""
        terms = StringNumbers()
        return cls(terms, StringNumbers(), Rows(), Rows(), Bigrams(terms))


class ChunkRows(dict[str, int]):
    """One language's words, each with the number of its two rows."""

    def __init__(self, language: str, memory: TokenMemory) -> None:
        super().__init__()
        self._language = language
        self._capitals = DOTLESS.get(language)
        self._memory = memory
        self._placed, self._typed = memory.placed.rows, memory.typed.rows
        self._stem = load_stemmer(language)

    def number(self, chunk: str) -> int:
        """Returns the number of a chunk, from which the marks that surround words are taken off."""
        word = chunk.lstrip(OPENING).rstrip(CLOSING)
        if not word[:1].isalnum():
            word = _BEFORE.sub("", word)
        return self[word]

    def __missing__(self, word: str) -> int:
        terms, typed = self._compute_rows(word)
        self._placed.append(terms)
        self._typed.append(typed)
        number = len(self._typed) - 1
        if len(word) <= MAX_CHUNK:
            self[word] = number
        return number

    def _compute_rows(self, word: str) -> tuple[bytes, bytes]:
        """Computes the row of terms and the row of forms of a word."""
        if word.isascii() and not (self._capitals and "I" in word):
            if word.isalnum():
                return self._word_rows(word)
            if _NAME.fullmatch(word):
                return self._name_rows(word)
            words = _APART.split(word)
            if len(words) > 1:
                return self._concatenate([self.number(part) for part in words])
            if word.startswith(".") and word[1:].isalnum():
                terms, typed = self._concatenate([self[word[1:]]])
                return self._add_whole(terms, self._term_number(word.lower())), typed
        return self._analyse_rows(word)

    def _word_rows(self, word: str) -> tuple[bytes, bytes]:
        """Computes letters and digits: a term, to which the parts that case shows are its variants."""
        folded = word.lower()
        whole = self._term_number(folded)
        entries = array("i", [2 * whole + STEP])
        if folded != word or not folded.isalpha():
            for at, piece in enumerate(split_case_parts(word)):
                part = self._term_number(piece.lower())
                if at or part != whole:
                    entries.append(2 * self._variant_number(part) + (STEP if at else 0))
        typed = array("i", [self._memory.forms[folded]] if len(folded) <= MAX_TERM else [])
        return entries.tobytes(), typed.tobytes()

    def _name_rows(self, word: str) -> tuple[bytes, bytes]:
        """Computes a name: its elements, which are their parts, and at its beginning the whole."""
        parts = _STRONG.split(word)
        if len(parts) == 1:
            parts = _WEAK.split(word)
        terms, typed = self._concatenate([self[part] for part in parts])
        whole = word.translate(_JOINTS)
        if not whole.isalpha():
            whole = _SILENT.sub("", word)
        return self._add_whole(terms, self._term_number(whole.lower())), typed

    def _concatenate(self, numbers: Sequence[int]) -> tuple[bytes, bytes]:
        """Concatenates the rows of words."""
        terms, typed = self._placed.__getitem__, self._typed.__getitem__
        return b"".join(map(terms, numbers)), b"".join(map(typed, numbers))

    def _add_whole(self, row: bytes, whole: int) -> bytes:
        """Adds one more term at the first position, to which nothing there is akin then."""
        entries, second = array("i", row), 1
        while second < len(entries) and not entries[second] & STEP:
            second += 1
        entries[0] -= STEP
        if 2 * whole in entries[:second]:
            entries.remove(2 * whole)
        elif second > 1 and 2 * (variants := self._variant_number(whole)) in entries[:second]:
            entries.remove(2 * variants)
        entries.insert(0, 2 * whole + STEP)
        return entries.tobytes()

    def _analyse_rows(self, word: str) -> tuple[bytes, bytes]:
        """Computes the rows of any word."""
        typed = array(
            "i", [self._memory.forms[normalize_term(form)] for form in surface_forms(word)]
        ).tobytes()
        lower = word.translate(self._capitals) if self._capitals else word
        if not has_spaceless(folded := fold(lower)):
            entries = map(self._position_entries, analyse_chunk(word, self._language))
            return array("i", chain.from_iterable(entries)).tobytes(), typed
        rows = [
            array("i", self._bigram_entries(stretch)).tobytes()
            if spaceless
            else self._placed[self.number(stretch)]
            for spaceless, stretch, _ in split_spaceless(folded)
        ]
        return b"".join(rows), typed

    def _bigram_entries(self, stretch: str) -> list[int]:
        """Returns letters without spaces as pairs that overlap."""
        inner = map(self._memory.pairs.__getitem__, map(add, stretch[:-2], stretch[1:]))
        last, *letters = split_bigrams(stretch[-2:])[0]
        return [
            *chain.from_iterable(inner),
            *self._position_entries([last, *(VARIANT_MARK + letter for letter in letters)]),
        ]

    def _position_entries(self, terms: Sequence[str]) -> list[int]:
        """Returns the entries of the terms at one position."""
        entries = [2 * self._memory.terms[term] for term in terms]
        entries[0] += STEP
        return entries

    def _term_number(self, word: str) -> int:
        """Returns the number of a folded ASCII word's term."""
        return self._memory.terms[self._stem(word[:MAX_TERM])]

    def _variant_number(self, term: int) -> int:
        return self._memory.terms[VARIANT_MARK + self._memory.terms.spelled[term]]
