"""Relaxes an AND query to minimum-should-match and down-weights stop words."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from engine.index.query.collectors import collect_prefixes, collect_words
from engine.index.query.tree import (
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
)
from engine.index.schema import FORMS
from engine.text.language import find_stopwords

SENTENCE = 5  # words; who types fewer means each of them, as in "with statement" or "what is"
LEFT = 2  # other words that a sentence has; of "to be or not to be" every word is meant


def relax(query: Query, languages: frozenset[str], share: float) -> Query:
    """Relaxes a query to most of its words; quoted ones, fields and keys are still required.

    In a sentence little words count a share, and need not be there at all. What is no group of words comes
    as it is.
    """
    match query:
        case AllOf():
            return _relax_group(query, languages, share)
        case AnyOf():
            return AnyOf(_weaken_stopwords(query.parts, languages, share))
        case Word() | Phrase() | Compound() | Prefix() | MostOf() | AndMaybe() | Boost():
            return query
        case Field() | Range() | Every() | Matched():
            return query
        case _:
            assert_never(query)


def _relax_group(query: AllOf, languages: frozenset[str], share: float) -> Query:
    parts = list(_flatten(query.parts))
    must = tuple(filter(is_required, parts))
    wanted = tuple(part for part in parts if not is_required(part))
    if len(wanted) < 2:
        return query
    return MostOf(_weaken_stopwords(wanted, languages, share), must, query.but, query.only)


def _flatten(parts: Sequence[Query]) -> Iterator[Query]:
    """Yields the parts, and those of groups among them: letters that were typed without spaces are such a
    group.
    """
    for part in parts:
        if isinstance(part, AllOf) and not (part.but or part.only):
            yield from _flatten(part.parts)
        else:
            yield part


def _weaken_stopwords(parts: tuple[Query, ...], languages: frozenset[str], share: float) -> tuple[Query, ...]:
    """Boosts the stop words of a sentence by a share below 1, and drops them where that is 0; other parts
    stay as they are.
    """
    words = [part.surface if isinstance(part, Word) else "" for part in parts]
    if len(parts) < SENTENCE:
        return parts
    known = find_stopwords(words, languages)
    if sum(word not in known for word in words) < LEFT:
        return parts
    weighed = zip(parts, words, strict=True)
    if not share:
        return tuple(part for part, word in weighed if word not in known)
    return tuple(Boost(part, share) if word in known else part for part, word in weighed)


def to_disjunction(query: Query) -> Query:
    """Relaxes a query so that any of its words and prefixes is enough; what else it asks for stays.

    A word in quotation marks has to be there as it is (is_required()).
    """
    group = query if isinstance(query, AllOf) else AllOf((query,))
    optional: list[Query] = []
    required: list[Query] = []
    only = list(group.only)
    for part in group.parts:
        either: list[Query] = [*collect_words(part), *collect_prefixes(part)]
        optional += either
        if not either:
            required.append(part)
        elif isinstance(part, AllOf):
            only += part.only
    return AllOf((*((AnyOf(tuple(optional)),) if optional else ()), *required), group.but, tuple(only))


def is_quoted_word(part: AllOf) -> bool:
    """Tells whether a group is one word in quotation marks, which has a filter of its own."""
    return len(part.parts) == 1 and any(
        isinstance(one, Word | Compound) or (isinstance(one, Field) and one.name == FORMS)
        for one in part.only
    )


def is_required(part: Query) -> bool:
    """Tells whether a part must match: what is in quotation marks (a word there has a filter of its own), and
    what is no word of the whole document.
    """
    match part:
        case Phrase():
            return part.quoted
        case AllOf() if part.only:
            return True
        case AllOf() | AnyOf() | MostOf() | AndMaybe() | Boost():
            return not collect_words(part) and not collect_prefixes(part)
        case Word() | Compound() | Prefix():
            return False
        case Field() | Range() | Every() | Matched():
            return True
        case _:
            assert_never(part)
