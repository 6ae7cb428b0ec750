"""Analyses the words of a query, each as any of the languages present would have indexed it.

A query is cut once, for words do not depend on the language. What was asked once is remembered: to look a
word up in ten languages takes fifty microseconds.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from engine.text.analysis.analyzer import term_variants
from engine.text.analysis.stemming import stemming_language
from engine.text.analysis.tokenizer import CompoundToken, tokenize_chunk

MAX_ASKED = 32  # characters of a chunk that is remembered
MAX_REMEMBERED = 2_000  # chunks: 5 MB where they are words, 40 MB where somebody types to fill it


class QueryTerms(NamedTuple):
    """The terms that a word may be indexed as, those of its variants, and how it was typed, if so."""

    terms: frozenset[str]
    variants: frozenset[str]
    typed: str


class TypedWord(NamedTuple):
    """A word that was typed, in parts that stand side by side; `whole` is None where it has but one."""

    parts: tuple[QueryTerms, ...]
    whole: QueryTerms | None = None


def analyse_query(typed: str, languages: Iterable[str]) -> list[TypedWord]:
    """Analyses the words typed, in order: each as it is, and as each of the languages stems and folds it."""
    present = frozenset(languages)
    return [
        word
        for chunk in typed.split()
        for word in (_analyse_query_chunk_cached if len(chunk) <= MAX_ASKED else _analyse_query_chunk)(
            chunk, present
        )
    ]


def _analyse_query_chunk(chunk: str, languages: frozenset[str]) -> tuple[TypedWord, ...]:
    """Analyses the words of a chunk, in order."""
    ways = sorted({"", *map(stemming_language, languages)})
    if chunk.isascii() and chunk.isalpha() and (chunk.islower() or chunk.isupper()):
        return (TypedWord((_expand_word(chunk.lower(), ways),)),)  # plain, see _Terms.analyse_chunk()
    return tuple(_expand_compound(compound, ways) for compound in tokenize_chunk(chunk))


_analyse_query_chunk_cached = lru_cache(MAX_REMEMBERED)(_analyse_query_chunk)


def _expand_compound(compound: CompoundToken, languages: Sequence[str]) -> TypedWord:
    """Expands what was typed in one: of a compound that is the whole, and no part of it."""
    parts = tuple(_expand_word(slot.text, languages) for slot in compound.slots)
    if not compound.wholes:
        return TypedWord(parts)
    return TypedWord(
        tuple(part._replace(typed="") for part in parts), _expand_word(compound.wholes[-1].text, languages)
    )


def _expand_word(word: str, languages: Sequence[str]) -> QueryTerms:
    found = [term_variants(word, way) for way in languages]
    terms = frozenset(chain.from_iterable(exact for exact, _ in found))
    return QueryTerms(terms, frozenset(chain.from_iterable(variants for _, variants in found)) - terms, word)
