"""Matches a query against text: its words, phrases and prefixes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from engine.index.query import (
    AllOf,
    AndMaybe,
    AnyOf,
    Boost,
    Compound,
    Every,
    Field,
    Matched,
    MostOf,
    Phrase,
    Prefix,
    Query,
    Range,
    Word,
    collect_words,
    is_quoted_word,
    walk,
)
from engine.text.analysis import (
    BEGIN_OTHERWISE,
    VARIANT_MARK,
    analyse,
    analyse_with_offsets,
    find_first_terms,
    simplify_letters,
)
from engine.text.language import find_stopwords
from engine.text.tokens import MAX_WORD, FirstLetters, Prefixes

MAX_WORDS = 48  # of a query; with its phrases they are bits of one number
MAX_PHRASES = 14
_ENDING = 2  # letters of a term that a form of the word may have otherwise
_SURE = 3  # letters of it that all forms have
_ANYTHING = FirstLetters([""])

Reading = tuple[int, bytes]
"""The number of a word that may begin there, and a chunk of text in UTF-8."""
Behind = NDArray[np.int64]
"""(words, MAX_WORD + 1): behind so many letters of a word, which ASCII letters and figures may come next.

A bit for each, by LETTER_BITS: small letters and capitals are one, figures share theirs with some letters.
"""
LETTER_BITS = 31


class WordMatcher(NamedTuple):
    """A word of the query: any of these terms, or any term that begins so."""

    terms: frozenset[str]
    beginnings: tuple[str, ...] = ()

    def is_among(self, terms: Iterable[str]) -> bool:
        """Tells whether one of the terms is it."""
        if not self.terms.isdisjoint(terms):
            return True
        return bool(self.beginnings) and any(term.startswith(self.beginnings) for term in terms)

    def is_term(self, term: str) -> bool:
        """Tells whether a term is it."""
        return term in self.terms or (bool(self.beginnings) and term.startswith(self.beginnings))

    def may_go_on(self, letters: str) -> bool:
        """Tells whether it may be a word that begins with these letters."""
        return bool(self.beginnings) or any(term.startswith(letters) for term in self.terms)


@dataclass(frozen=True)
class QueryMatcher:
    """Words by number, each once; of each phrase the numbers of its words. For one search."""

    query: Query
    needles: Sequence[WordMatcher]
    phrases: Sequence[tuple[int, ...]]
    rough: Prefixes
    """Letters with which a word may begin that has the number."""
    word_numbers: Mapping[str, int]
    """The numbers of words as they were typed, folded and without what stands between their parts."""
    quoted: frozenset[int] = frozenset()
    """Words that stand in quotation marks, or beside others in one word: each of them is meant."""
    languages: frozenset[str] = frozenset()
    """In which what was typed may be."""

    def confirm(self, readings: Iterable[Reading], language: str) -> list[bool]:
        """Tells of each reading whether the word begins there that has the number."""
        known = self._known.setdefault(language, {})
        found = []
        for reading in readings:
            sure = known.get(reading)
            if sure is None:
                sure = known[reading] = self._begins_word(*reading, language)
            found.append(sure)
        return found

    def _begins_word(self, number: int, octets: bytes, language: str) -> bool:
        """Tells whether a chunk begins with a word; what is joined to its first is looked at only if it
        must be.
        """
        needle, (terms, goes_on) = self.needles[number], find_first_terms(octets, language)
        if needle.is_among(terms):
            return True
        if not (goes_on and needle.may_go_on(goes_on)):
            return False
        return needle.is_among(analyse(octets.decode(errors="replace"), language)[0])

    def find_stopwords(self, language: str) -> frozenset[int]:
        """Finds the stop words of the language or of those of the index; none where all words are some."""
        if (found := self._stopwords.get(language)) is None:
            loose = {word: one for word, one in self.word_numbers.items() if one not in self.quoted}
            known = find_stopwords([*loose], {language, *self.languages})
            found = frozenset(number for word, number in loose.items() if word in known)
            found = self._stopwords[language] = found if len(found) < len(self.needles) else frozenset()
        return found

    @cached_property
    def has_quoted_phrase(self) -> bool:
        """Tells whether words were typed that stand side by side, in quotation marks."""
        return any(isinstance(node, Phrase) and node.quoted for node in walk(self.query))

    def is_whole_at(self, text: str, place: int) -> bool:
        """Tells whether all words stand at a place as they were typed, and the last does not go on."""
        letters, at = self._letters, 0
        for sign in text[place : place + 2 * len(letters) + 1]:
            if at == len(letters):
                return at > 0 and not (sign.isalnum() or sign == "_")
            if sign.isalnum():
                if sign.casefold() != letters[at]:
                    return False
                at += 1
        return 0 < at == len(letters)

    @cached_property
    def _letters(self) -> str:
        return "".join(self.word_numbers)

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """Counts the letters of each word as it was typed; 0 for parts of one, and beginnings."""
        found = np.zeros(len(self.needles), np.int64)
        for word, number in self.word_numbers.items():
            found[number] = len(word)
        return found

    @cached_property
    def next_letters(self) -> Behind:
        """Tells which letters may follow so many of a word, as WordMatcher.may_go_on() does."""
        found = [[-bool(needle.beginnings)] * (MAX_WORD + 1) for needle in self.needles]
        for may_follow, needle in zip(found, self.needles, strict=True):
            for term in needle.terms:
                for size, letter in enumerate(term[: MAX_WORD + 1]):
                    may_follow[size] |= 1 << (ord(letter) & LETTER_BITS)
        return np.array(found, np.int64).reshape(-1, MAX_WORD + 1)

    def find_marks(self, text: str, language: str) -> Iterator[tuple[int, int]]:
        """Yields the spans of a text that words of the query cover, stop words apart."""
        known = self._marks.get(language)
        if known is None:
            known = self._marks[language] = self._find_wanted(language), {}
        (wanted, beginnings), marks_of = known
        pairs = _ANYTHING if language in BEGIN_OTHERWISE else beginnings
        for at, behind in pairs.find_chunks(text):
            chunk = text[at:behind]
            marks = marks_of.get(chunk)
            if marks is None:
                marks = marks_of[chunk] = _find_chunk_marks(wanted, chunk, language)
            for start, end in marks:
                yield at + start, at + end

    def _find_wanted(self, language: str) -> tuple[WordMatcher, FirstLetters]:
        """Joins the words that are marked in texts of a language to one, and finds how these begin."""
        stopwords = self.find_stopwords(language)
        if (found := self._wanted.get(stopwords)) is None:
            needles = [needle for number, needle in enumerate(self.needles) if number not in stopwords]
            wanted = WordMatcher(
                frozenset[str]().union(*(needle.terms for needle in needles)),
                tuple(one for needle in needles for one in needle.beginnings),
            )
            pairs = FirstLetters((*wanted.terms, *wanted.beginnings))
            found = self._wanted[stopwords] = wanted, pairs
        return found

    # The pages of one search have many chunks in common.

    @cached_property
    def _known(self) -> dict[str, dict[Reading, bool]]:
        return {}

    @cached_property
    def _marks(self) -> dict[str, tuple[tuple[WordMatcher, FirstLetters], dict[str, list[tuple[int, int]]]]]:
        return {}

    @cached_property
    def _wanted(self) -> dict[frozenset[int], tuple[WordMatcher, FirstLetters]]:
        return {}

    @cached_property
    def _stopwords(self) -> dict[str, frozenset[int]]:
        return {}


def _find_chunk_marks(wanted: WordMatcher, chunk: str, language: str) -> list[tuple[int, int]]:
    """Finds the marks of a chunk; most that begin like a word have none, which the analysis remembers."""
    if not any(map(wanted.is_among, analyse(chunk, language))):
        return []
    return [
        (start, end) for term, start, end in analyse_with_offsets(chunk, language) if wanted.is_term(term)
    ]


def build_matcher(query: Query, languages: frozenset[str]) -> QueryMatcher:
    """Builds the matcher of a query, without what it does not want; at most MAX_WORDS and MAX_PHRASES.

    languages: of the index, in which the query may be.
    """
    found: dict[Word | Prefix, int] = {}
    phrases: dict[tuple[int, ...], None] = {}
    quoted: set[Word] = set()
    for node in walk(query):
        if isinstance(node, Word | Prefix):
            found.setdefault(node, len(found))
        elif isinstance(node, Compound):  # where both match, it is the parts that count
            for word in collect_words(node.parts):
                found.setdefault(word, len(found))
        elif isinstance(node, Phrase):
            phrases[tuple(found.setdefault(word, len(found)) for word in node.words)] = None
            quoted.update(node.words)
        elif isinstance(node, AllOf) and is_quoted_word(node):
            quoted.update(collect_words(node))
    words = list(found)[:MAX_WORDS]
    known = [phrase for phrase in phrases if max(phrase) < MAX_WORDS]
    beginnings = [(one, number) for number, word in enumerate(words) for one in _word_beginnings(word)]
    numbers = {
        word.surface: number for number, word in enumerate(words) if isinstance(word, Word) and word.surface
    }
    return QueryMatcher(
        query,
        [_make_needle(word) for word in words],
        known[:MAX_PHRASES],
        Prefixes(beginnings),
        numbers,
        frozenset(number for number, word in enumerate(words) if word in quoted),
        languages,
    )


def contains_all(query: Query, terms: Iterable[str]) -> bool:
    """Tells whether a text of these terms contains all that the query wants; filters want nothing."""
    match query:
        case Word():
            return not (query.terms.isdisjoint(terms) and query.variants.isdisjoint(terms))
        case Prefix():
            return _make_needle(query).is_among(terms)
        case Phrase():
            return all(contains_all(word, terms) for word in query.words)
        case Compound():
            return contains_all(query.whole, terms) or contains_all(query.parts, terms)
        case AllOf():
            return all(contains_all(part, terms) for part in query.parts)
        case MostOf():
            needed = (part for part in query.parts if not isinstance(part, Boost))
            return all(contains_all(part, terms) for part in (*needed, *query.must))
        case AnyOf():
            return any(contains_all(part, terms) for part in query.parts)
        case AndMaybe() | Boost():
            return contains_all(query.part, terms)
        case Field() | Range() | Every() | Matched():
            return True
        case _:
            assert_never(query)


def _make_needle(word: Word | Prefix) -> WordMatcher:
    if isinstance(word, Prefix):
        return WordMatcher(frozenset(), (word.beginning,))
    return WordMatcher(word.terms | word.variants)


def _word_beginnings(word: Word | Prefix) -> set[str]:
    if isinstance(word, Prefix):
        return {simplify_letters(word.beginning)}
    return {
        simplify_letters(term)[: max(_SURE, len(term) - _ENDING)]
        for term in word.terms
        if term[:1] != VARIANT_MARK
    }
