"""Collects the words and prefixes of a query tree."""

from collections import Counter
from collections.abc import Iterator

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


def collect_words(query: Query) -> list[Word]:
    """Lists the words that a matching document may hold, without those of `but`."""
    match query:
        case Word():
            return [query]
        case Phrase():
            return list(query.words)
        case Compound():
            return [query.whole, *collect_words(query.parts)]
        case AndMaybe():
            return [*collect_words(query.part), *collect_words(query.maybe)]
        case Boost():
            return collect_words(query.part)
        case Prefix() | Field() | Range() | Every() | Matched():
            return []
        case MostOf():
            return [word for part in (*query.parts, *query.must) for word in collect_words(part)]
    return [word for part in query.parts for word in collect_words(part)]


def collect_prefixes(query: Query) -> list[Prefix]:
    """Lists the prefixes that a matching document may hold, without those of `but`."""
    match query:
        case Prefix():
            return [query]
        case AllOf() | AnyOf():
            return [one for part in query.parts for one in collect_prefixes(part)]
    return []


def collect_low_weight(query: Query) -> frozenset[Word]:
    """Collects the words that count a share wherever they come: stop words of a sentence,
    synonyms of others.
    """
    shared = Counter(word for boost in _find_boosts(query) for word in collect_words(boost.part))
    return frozenset(shared) - frozenset(Counter(collect_words(query)) - shared) if shared else frozenset()


def _find_boosts(query: Query) -> Iterator[Boost]:
    if isinstance(query, Boost):
        yield query
    elif isinstance(query, (AllOf, AnyOf, MostOf)):
        for part in query.parts:
            yield from _find_boosts(part)
