"""Analyses text into terms: their spelling, positions, and places in the text.

Words do not depend on the language, only the last steps, stem and accents, do.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from unicodedata import normalize

from engine.text.analysis.accents import unaccented_variants
from engine.text.analysis.alphabet import LETTERS, fold
from engine.text.analysis.stemming import DOTLESS, load_stemmer, stemming_language
from engine.text.analysis.tokenizer import (
    SEPARATORS,
    CompoundToken,
    has_spaceless,
    split_bigrams,
    split_spaceless,
    tokenize_chunk,
)

MAX_TERM = 64  # characters; what is longer is a key or a digest, and its beginning will do
MAX_CHUNK = 64  # characters; longer ones hardly come again, and are not remembered
MAX_KNOWN = 3_000_000  # characters of chunks remembered, and as many of the time before: 80 MB in all

VARIANT_MARK = "~"  # before a term: not the word itself stands there, but a variant of it
_CHUNK = re.compile(r"\S+")
OPENING, CLOSING = f"{SEPARATORS}'", f"{SEPARATORS}'.,:"  # marks beside a word that are no part of it
_PARTING = re.compile(f"[{re.escape(SEPARATORS)}]+")
_PLAIN = re.compile("[A-Za-zÀ-ÖØ-öø-ɏЀ-ҁ]+|[0-9]+")

Place = tuple[str, ...]
"""The terms at one position: a word, perhaps the whole that begins with it, and its variants."""


def analyse(text: str, language: str) -> list[Place]:
    """Analyses a text into terms: the index in the list is the position."""
    terms, chunks = _MEMORY.load_terms(language), text.split()
    if len(chunks) == 1:
        return list(terms[chunks[0]])
    return list(chain.from_iterable(map(terms.__getitem__, chunks)))


def distinct_terms(text: str, language: str) -> frozenset[str]:
    """Returns the distinct terms of analyse(), wherever they stand."""
    return frozenset(chain.from_iterable(analyse(text, language)))


def analyse_chunk(chunk: str, language: str) -> tuple[Place, ...]:
    """Analyses one chunk without white space, which is not remembered."""
    return _MEMORY.load_terms(language).analyse_chunk(chunk)


def term_variants(word: str, language: str) -> tuple[set[str], set[str]]:
    """Returns the term of a folded word, and of what it may be typed for or instead of."""
    return _MEMORY.load_terms(language).variants(word)


def analyse_with_offsets(text: str, language: str) -> Iterator[tuple[str, int, int]]:
    """Yields the terms of analyse() with their start and end offsets in `text`; wholes come first."""
    terms = _MEMORY.load_terms(language)
    for chunk in _CHUNK.finditer(text):
        offsets, at = terms.offsets(chunk[0]), chunk.start()
        found = chain.from_iterable(terms[chunk[0]])
        for term, start, end in zip(found, offsets[::2], offsets[1::2], strict=False):
            yield term, at + start, at + end


class _TermMemory(dict[str, tuple[Place, ...]]):
    """One language's memory of which terms a chunk becomes; chunks are few, their occurrences many."""

    def __init__(self, language: str, memory: "_AnalysisMemory") -> None:
        super().__init__()
        self._language = language
        self._memory = memory
        self._stem = load_stemmer(language)
        self._stems: dict[str, str] = {}
        self._before: dict[str, tuple[Place, ...]] = {}
        self._offsets: dict[str, bytes] = {}

    def __missing__(self, chunk: str) -> tuple[Place, ...]:
        places = self._before.get(chunk)
        if places is None:
            places = self.analyse_chunk(chunk)
        if len(chunk) <= MAX_CHUNK:
            self[chunk] = places
            self._memory.count_characters(len(chunk))
        return places

    def forget_old(self) -> None:
        """Forgets entries that were not used since the last call."""
        self._before = dict(self)
        self._stems, self._offsets = {}, {}
        self.clear()

    def analyse_chunk(self, chunk: str) -> tuple[Place, ...]:
        """Analyses a chunk: a plain word has no parts; marks around words go, separators split."""
        word = chunk.lstrip(OPENING).rstrip(CLOSING)
        if word != chunk:
            return self[word]
        if _is_plain(word):
            word = fold(self._map_capital_i(word))
            if word.isascii():
                return ((self.term(word),),)
            if word.isalpha():
                return (self._position_terms([word], ()),)
        if chunk.isascii():
            parts = _PARTING.split(chunk)
            if len(parts) > 1:
                return tuple(chain.from_iterable(map(self.__getitem__, parts)))
        elif has_spaceless(folded := fold(self._map_capital_i(chunk))):
            return tuple(
                chain.from_iterable(self._analyse_stretch(*stretch) for stretch in split_spaceless(folded))
            )
        return tuple(self.terms_at(*slot) for slot in self._slots(chunk))

    def _analyse_stretch(self, spaceless: bool, stretch: str, _: int) -> Iterable[Place]:
        if not spaceless:
            return self[stretch]
        return [
            (gram, *(VARIANT_MARK + letter for letter in letters))
            for gram, *letters in split_bigrams(stretch)
        ]

    def tokenize_chunk(self, chunk: str) -> Iterator[CompoundToken]:
        """Tokenizes a chunk, with the capital I of its language."""
        return tokenize_chunk(self._map_capital_i(chunk), chunk)

    def offsets(self, chunk: str) -> Sequence[int]:
        """Returns where in the chunk each of its terms starts and ends, in turn."""
        known: Sequence[int] | None = self._offsets.get(chunk)
        if known is None:
            start, word = len(chunk) - len(chunk.lstrip(OPENING)), chunk.lstrip(OPENING).rstrip(CLOSING)
            plain = word.isascii() and _is_plain(word)
            known = [start, start + len(word)] if plain else [*self._slot_offsets(chunk)]
            if len(chunk) <= MAX_CHUNK:
                self._offsets[chunk] = bytes(known)
                self._memory.count_characters(len(chunk))
        return known

    def _slot_offsets(self, chunk: str) -> Iterator[int]:
        for place, (compound, at) in zip(self[chunk], self._slots(chunk), strict=False):
            slot, ends = compound.slots[at], dict(self.wholes_at(compound, at))
            for term in place:
                yield slot.start
                yield ends.get(term, slot.end)

    def _slots(self, chunk: str) -> Iterator[tuple[CompoundToken, int]]:
        return (
            (compound, at) for compound in self.tokenize_chunk(chunk) for at in range(len(compound.slots))
        )

    def _map_capital_i(self, chunk: str) -> str:
        """Maps the capital I of Turkish and Azerbaijani to the letter without a dot."""
        letters = DOTLESS.get(self._language)
        return chunk.translate(letters) if letters else chunk

    def terms_at(self, compound: CompoundToken, at: int) -> Place:
        """Returns the terms at a slot of a compound."""
        slot, wholes = compound.slots[at], (whole.text for whole in compound.wholes if whole.first == at)
        return self._position_terms([slot.text, *wholes] if slot.exact else [*wholes], slot.variants)

    def _position_terms(self, exact: Sequence[str], variants: Sequence[str]) -> Place:
        """Returns the terms of what stands at one position, each once."""
        terms = dict.fromkeys(map(self.term, exact))
        if not variants and all(map(str.isascii, exact)):  # none has another spelling
            return tuple(terms)
        bare = (word for folded in exact for word in unaccented_variants(folded, self._language))
        close = dict.fromkeys(map(self.term, (*variants, *bare)))
        return (*terms, *(VARIANT_MARK + term for term in close if term not in terms))

    def wholes_at(self, compound: CompoundToken, at: int) -> Iterator[tuple[str, int]]:
        """Yields the terms of the wholes that begin at a slot, and where they end."""
        for whole in compound.wholes:
            if whole.first == at:
                yield self.term(whole.text), compound.slots[whole.last].end

    def term(self, word: str) -> str:
        """Stems and normalizes a folded word."""
        known = self._stems.get(word)
        if known is None:
            known = (
                self._stem(word[:MAX_TERM])
                if word.isascii()
                else normalize_term(self._stem(normalize_term(word)))
            )
            if len(word) <= MAX_CHUNK:
                self._stems[word] = known
                self._memory.count_characters(len(word))
        return known

    def variants(self, typed: str) -> tuple[set[str], set[str]]:
        """Returns what term_variants() does."""
        bare = {self.term(word) for word in unaccented_variants(typed, self._language)}
        exact = self.term(typed)
        return {exact}, {*bare, VARIANT_MARK + exact, *(VARIANT_MARK + term for term in bare)}


def _is_plain(word: str) -> bool:
    """Tells whether a word is letters, or digits, of which none tells parts apart."""
    return bool(_PLAIN.fullmatch(word)) and (word[1:].islower() or word.isupper() or len(word) == 1)


class _AnalysisMemory:
    """Every language's memory; what they hold together is bounded."""

    def __init__(self) -> None:
        self.languages: dict[str, _TermMemory] = {}
        self._room = MAX_KNOWN

    def load_terms(self, language: str) -> _TermMemory:
        """Returns the memory for a language; those that nothing is known of share one."""
        terms = self.languages.get(language)
        if terms is None:
            language = stemming_language(language)
            terms = self.languages.get(language)
        if terms is None:
            terms = self.languages[language] = _TermMemory(language, self)
        return terms

    def count_characters(self, characters: int) -> None:
        """Counts so many more; what has not come for long is forgotten when there is no room."""
        self._room -= characters
        if self._room < 0:
            self._room = MAX_KNOWN
            for terms in tuple(self.languages.values()):
                terms.forget_old()


_MEMORY = _AnalysisMemory()


def normalize_term(word: str) -> str:
    """Normalizes a folded word to the index's spelling; what consists of what is left out stays as it is."""
    return _normalize_letters(word[:MAX_TERM]) or word[:MAX_TERM]


def _normalize_letters(word: str) -> str:
    """Normalizes letters twice: what was between a letter and its accent is out, so the two are one."""
    return normalize("NFC", word.translate(LETTERS)).translate(LETTERS)
