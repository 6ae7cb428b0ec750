"""Collects the words and prefixes of a query tree."""

from collections import Counter

from engine.index.query.tree import Boost, Prefix, Query, Word, walk


def collect_words(query: Query) -> list[Word]:
    """Lists the words that a matching document may hold, without those of `but`."""
    return [node for node in walk(query) if isinstance(node, Word)]


def collect_prefixes(query: Query) -> list[Prefix]:
    """Lists the prefixes that a matching document may hold, without those of `but`."""
    return [node for node in walk(query) if isinstance(node, Prefix)]


def collect_low_weight(query: Query) -> frozenset[Word]:
    """Collects the words that count a share wherever they come: stop words of a sentence,
    synonyms of others.
    """
    boosts = [node for node in walk(query) if isinstance(node, Boost)]
    shared = Counter(word for boost in boosts for word in collect_words(boost.part))
    return frozenset(shared) - frozenset(Counter(collect_words(query)) - shared) if shared else frozenset()
