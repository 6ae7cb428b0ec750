"""The query tree: nodes, each word with its terms in the languages of the index.

A word has one term for each way in which the languages of the index may spell it. A compound is found whole,
or by its parts side by side; a document that has it whole has both, so it comes first.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.index.schema import TEXT_FIELDS
from engine.text.analysis import analyse_query


@dataclass(frozen=True, slots=True)
class Word:
    """Documents that hold any of the terms: spellings of one word; those of words akin to it count less.

    `said` is the word as it was typed, folded, '' for a part of it: it orders what is found, so words are
    equal without it.
    """

    terms: frozenset[str]
    akin: frozenset[str] = frozenset()
    said: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class Phrase:
    """Documents that hold the words side by side in one field, which may be given; `quoted` where somebody
    insists on that.
    """

    words: tuple[Word, ...]
    quoted: bool = field(default=False, compare=False)
    text: str = ""


@dataclass(frozen=True, slots=True)
class Compound:
    """Documents that hold a word of several parts: whole or, which counts less, its parts side by side."""

    whole: Word
    parts: Word | Phrase


@dataclass(frozen=True, slots=True)
class AllOf:
    """Documents that match every part and nothing of `but`; those of `only`, if any, as well.

    What is in `only` adds nothing to a score: without parts, all documents that it leaves are alike.
    """

    parts: tuple["Query", ...]
    but: tuple["Query", ...] = ()
    only: tuple["Query", ...] = ()


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Documents that match at least one part; of no parts, none."""

    parts: tuple["Query", ...]


@dataclass(frozen=True, slots=True)
class MostOf:
    """Documents that match every part; after them those that match the most telling ones (requirement 299).

    All match `must` and `only`, and nothing of `but`. What misses a part that is a Boost has them all, too.
    """

    parts: tuple["Query", ...]
    must: tuple["Query", ...] = ()
    but: tuple["Query", ...] = ()
    only: tuple["Query", ...] = ()


@dataclass(frozen=True, slots=True)
class AndMaybe:
    """Documents that match the part; those that match `maybe`, too, are better."""

    part: "Query"
    maybe: "Query"


@dataclass(frozen=True, slots=True)
class Boost:
    """Documents that match the part; it counts so many times as much."""

    part: "Query"
    factor: float


@dataclass(frozen=True, slots=True)
class Prefix:
    """Documents that hold a term with this beginning in any text, or a word as it is typed."""

    beginning: str


@dataclass(frozen=True, slots=True)
class Field:
    """Documents that hold a term in one of the texts, or have it as a key (schema.KEYS)."""

    name: str
    term: str


@dataclass(frozen=True, slots=True)
class Range:
    """Documents that have a key from the first to the last, these included."""

    key: str
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Every:
    """All documents."""


@dataclass(frozen=True, slots=True)
class Matched:
    """Documents that match one of Whoosh's own queries over the index's fields; all are alike."""

    query: Any


Query = (
    Word
    | Phrase
    | Compound
    | AllOf
    | AnyOf
    | MostOf
    | AndMaybe
    | Boost
    | Prefix
    | Field
    | Range
    | Every
    | Matched
)

NOTHING = AnyOf(())


def parse_any_word(text: str, languages: Iterable[str]) -> Query:
    """Parses plain words, however many, any of them enough; one that is repeated counts as often."""
    found = [
        terms
        for word in analyse_query(text, languages)
        for terms in (*word.parts, *([word.whole] if word.whole else ()))
    ]
    return AnyOf(tuple(Word(*terms) for terms in found))


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


def is_required(part: Query) -> bool:
    """Tells whether a part must match: what is in quotation marks (a word there has a filter of its own), and
    what is no word of the whole document.
    """
    match part:
        case Phrase():
            return part.quoted
        case AllOf(only=(_, *_)):
            return True
    return not collect_words(part) and not collect_prefixes(part)


def collect_prefixes(query: Query) -> list[Prefix]:
    """Lists the prefixes that a matching document may hold, without those of `but`."""
    match query:
        case Prefix():
            return [query]
        case AllOf() | AnyOf():
            return [one for part in query.parts for one in collect_prefixes(part)]
    return []


def is_filter(query: Query) -> bool:
    """Tells whether the documents that match are all alike: what has no words and no prefixes, in no text."""
    match query:
        case Field():
            return query.name not in TEXT_FIELDS
        case Range() | Every() | Matched():
            return True
        case AllOf() | AnyOf():
            return all(map(is_filter, query.parts))
    return False
